//! What ends commands when this process can't: a shell that reads a pipe of ours. When the pipe is
//! closed, because this process ended or was killed, it kills what was still running.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use rustix::{
    fs::{OFlags, fcntl_setfl},
    process::Pid,
};

use super::mark::Mark;

/// `+ GROUP MARK`: it runs. `- GROUP MARK`: it has ended. Without GNU grep's options or /proc only the
/// groups are ended.
const SCRIPT: &str = r#"trap '' HUP INT TERM PIPE
live=
while read -r op one; do
  case $op in
  +) live="$live $one" ;;
  -) rest=; for other in $live; do [ "$other" = "$one" ] || rest="$rest $other"; done; live=$rest ;;
  esac
done
for one in $live; do
  kill -KILL -- "-${one%%:*}"
  grep -lzsF -e "${one#*:}" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
    kill -KILL "$pid"
  done
done 2>/dev/null"#;

static WATCHER: Mutex<Option<Child>> = Mutex::new(None);

/// While it lives the watcher would end the group.
pub(super) struct Watched(String);

/// Has the group ended with this process. If the watcher can't be had, nothing is lost but that.
pub(super) fn watched(group: Pid, mark: &Mark) -> Watched {
    let name = format!("{}:{}", group.as_raw_nonzero(), mark.text());
    tell(&format!("+ {name}\n"));
    Watched(name)
}

impl Drop for Watched {
    fn drop(&mut self) {
        tell(&format!("- {}\n", self.0));
    }
}

fn tell(line: &str) {
    let mut watcher = WATCHER.lock().unwrap_or_else(PoisonError::into_inner);
    if watcher.is_none() {
        *watcher = start().ok();
    }
    let pipe = watcher.as_mut().and_then(|child| child.stdin.as_mut());
    // The pipe does not block, and takes a line whole or not at all.
    if pipe.is_none_or(|pipe| pipe.write_all(line.as_bytes()).is_err()) {
        *watcher = None;
    }
}

/// In a group of its own, so that a Ctrl-C in the terminal does not end it before its time.
fn start() -> io::Result<Child> {
    let child = Command::new("sh")
        .args(["-c", SCRIPT])
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    if let Some(pipe) = &child.stdin {
        fcntl_setfl(pipe, OFlags::NONBLOCK)?;
    }
    Ok(child)
}
