//! The child process: its pipes are read and written by threads, so that no test can deadlock.

use crate::wire;
use serde_json::Value;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What came out of the child.
#[derive(Debug)]
pub enum Incoming {
    /// One JSON-RPC message.
    Message(Value),
    /// Something that is not a frame with JSON inside.
    Garbage(String),
    /// Its standard output ended.
    Closed,
}

/// A running server.
pub struct Process {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    /// Everything that came out, in order.
    pub output: Receiver<Incoming>,
    errors: Arc<Mutex<String>>,
}

impl Process {
    /// Starts `command` with pipes.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let input = write_thread(child.stdin.take().expect("a pipe"));
        let output = read_thread(child.stdout.take().expect("a pipe"));
        let errors = collect_thread(child.stderr.take().expect("a pipe"));
        Self { child, input: Some(input), output, errors }
    }

    /// Queues bytes for the child's standard input; never blocks. Bytes after its end are lost.
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _gone_is_seen_when_reading = input.send(bytes);
        }
    }

    /// Ends the child's standard input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The operating system's id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most memory that the process has had so far, in KB.
    ///
    /// # Panics
    /// If the process is gone.
    #[cfg(target_os = "linux")]
    pub fn most_memory(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// What the child wrote to standard error so far.
    pub fn errors(&self) -> String {
        self.errors.lock().expect("not poisoned").clone()
    }

    /// The exit status, if the child ends within `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        wait(&mut self.child, limit)
    }

    /// Ends the child as `kill -9` does, and waits until it is gone.
    pub fn kill(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
        self.close_input();
    }

    /// Whether the child still runs.
    pub fn alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        if self.wait(Duration::from_secs(2)).is_none() {
            let _already_gone = self.child.kill();
            let _reaped = self.child.wait();
        }
    }
}

/// The exit status of `child`, if it ends within `limit`.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("a child to wait for") {
            return Some(status);
        }
        if Instant::now() >= end {
            return None;
        }
        // The standard library can't wait for a child with a limit.
        thread::park_timeout(Duration::from_millis(5));
    }
}

fn write_thread(mut pipe: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn read_thread(pipe: impl Read + Send + 'static) -> Receiver<Incoming> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut input = BufReader::new(pipe);
        loop {
            let incoming = match wire::read_frame(&mut input) {
                Ok(Some(body)) => parse(&body),
                Ok(None) => Incoming::Closed,
                Err(error) => Incoming::Garbage(error.to_string()),
            };
            let last = !matches!(incoming, Incoming::Message(_));
            if sender.send(incoming).is_err() || last {
                return;
            }
        }
    });
    receiver
}

fn parse(body: &[u8]) -> Incoming {
    match serde_json::from_slice(body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Garbage(format!("{error}: {}", String::from_utf8_lossy(body))),
    }
}

fn collect_thread(mut pipe: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&text);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            sink.lock().expect("not poisoned").push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    });
    text
}
