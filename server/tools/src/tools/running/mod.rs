//! Commands as processes: what Bash, Agent Air's bash, background tasks, Check and delegates have in
//! common.
//!
//! A command has a session of its own, hence a process group and no terminal, and a mark in its
//! environment. When it is stopped the group is ended, and so is what has left the group (`setsid`)
//! but bears the mark. When this process dies, by whatever signal, a watcher ends the groups that
//! still run.

#[cfg(unix)]
mod group;
mod heard;
#[cfg(unix)]
mod mark;
mod output;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "process_other.rs"]
mod process;
mod shell;
#[cfg(unix)]
mod watcher;

use std::path::Path;

pub(super) use heard::Heard;
pub(crate) use output::Head;
pub(super) use output::Tail;
pub(crate) use process::start_program;
pub(super) use process::{Running, start};

/// What is run.
pub(super) struct Job<'a> {
    /// For the shell.
    pub cmd: &'a str,
    /// Where.
    pub cwd: &'a Path,
    /// Variables besides this process's own.
    pub env: &'a [(String, String)],
    /// Whether what it prints on stderr is kept apart.
    pub streams: Streams,
}

/// A program that is run by itself, with input.
pub(crate) struct Errand<'a> {
    /// The file.
    pub program: &'a Path,
    /// Where.
    pub cwd: &'a Path,
    /// Variables besides this process's own.
    pub env: &'a [(&'a str, &'a str)],
    /// All that it can read on stdin.
    pub input: Vec<u8>,
}

/// The pipes of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Streams {
    /// One for both, so that lines keep their order.
    Merged,
    /// Two, read at once.
    Apart,
}

/// Where a chunk of output was printed; all of it on stdout if the streams are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

/// Takes what a command prints, in bounded memory.
pub(crate) trait Sink {
    /// More of it.
    fn push(&mut self, stream: Stream, chunk: &[u8]);
    /// Called now and then while it runs, if there was more since.
    fn tell(&mut self) {}
}

/// How a command ended.
pub(super) struct Ended<T> {
    pub exit: Exit<T>,
    /// What it left running, in words.
    pub left: Option<String>,
}

/// How a shell ended.
pub(super) enum Exit<T> {
    /// Its exit code; 128 and the signal's number if it was killed, as shells have it.
    Code(i32),
    /// It was stopped, with everything that it had started.
    Stopped(T),
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
