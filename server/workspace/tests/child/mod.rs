//! A test that runs another test of the same program in a process of its own.

#![allow(dead_code)]

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
};

const DIR: &str = "REDLINE_TEST_CHILD_DIR";

/// In a child: the directory that it was given. `None`: this is an ordinary run of the tests.
pub fn dir() -> Option<PathBuf> {
    std::env::var_os(DIR).map(PathBuf::from)
}

/// A child that is killed when it is dropped. It talks on stderr, which the test runner leaves alone.
pub struct Process {
    child: Child,
    lines: BufReader<ChildStderr>,
}

impl Process {
    /// Runs the test of that name with a directory.
    pub fn start(test: &str, dir: &Path) -> Self {
        Self::of(Command::new(std::env::current_exe().unwrap()), test, dir)
    }

    /// Like `start`, through a shell that sets limits first.
    pub fn start_after(shell: &str, test: &str, dir: &Path) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")]);
        command.arg(std::env::current_exe().unwrap());
        Self::of(command, test, dir)
    }

    fn of(mut command: Command, test: &str, dir: &Path) -> Self {
        command.args(["--exact", test, "--nocapture", "--test-threads", "1"]).env(DIR, dir);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap());
        Self { child, lines }
    }

    /// Its next line; `None`: it has ended.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let len = self.lines.read_line(&mut line).unwrap();
        (len > 0 && line.ends_with('\n')).then(|| line.trim_end().to_owned())
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`, and the lines that it had written until then.
    pub fn kill(&mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.line()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
