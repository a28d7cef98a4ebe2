//! What a command of Agent Air's printed, as its contract shows it (seed 002, bash).

use crate::{
    ToolContext,
    tools::{
        bash::PROGRESS_CHARS,
        running::{Head, Heard, Stream, Tail},
    },
};

/// Bytes of stdout that are shown (seed 002: "100KB for stdout").
pub(super) const STDOUT_BYTES: usize = 100 * 1024;
/// Bytes of stderr that are shown (seed 002: "50KB for stderr").
pub(super) const STDERR_BYTES: usize = 50 * 1024;
/// Seed 002's words.
const CUT: &str = "[Output truncated due to size limit]";

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With this exit code.
    Exited(i32),
    /// It runs, or was ended.
    Stopped,
}

/// The beginning of both streams; the end is told while the command runs.
pub(super) fn heads(context: &ToolContext) -> Heard<Head, impl Fn(&Tail)> {
    Heard {
        out: Head::bytes(STDOUT_BYTES),
        err: Head::bytes(STDERR_BYTES),
        newest: Tail::chars(PROGRESS_CHARS),
        tell: |newest: &Tail| context.progress(newest.last(PROGRESS_CHARS)),
    }
}

/// What is shown of them.
pub(super) fn shown(out: &Head, err: &Head, ending: &Ending) -> String {
    let cut = |head: &Head| after(head.text(), head.is_cut());
    joined(cut(out), cut(err), ending)
}

/// The end of both streams: of a task that runs on, the newest counts.
#[derive(Debug)]
pub(super) struct Newest {
    out: Tail,
    err: Tail,
}

impl Default for Newest {
    fn default() -> Self {
        Self { out: Tail::bytes(STDOUT_BYTES), err: Tail::bytes(STDERR_BYTES) }
    }
}

impl Newest {
    pub fn push(&mut self, stream: Stream, chunk: &[u8]) {
        match stream {
            Stream::Out => self.out.push(chunk),
            Stream::Err => self.err.push(chunk),
        }
    }

    pub fn shown(&self, ending: &Ending) -> String {
        let cut = |tail: &Tail| before(tail.text(), tail.is_cut());
        joined(cut(&self.out), cut(&self.err), ending)
    }
}

fn after(mut text: String, is_cut: bool) -> String {
    if is_cut {
        end_line(&mut text);
        text.push_str(CUT);
    }
    text
}

fn before(text: String, is_cut: bool) -> String {
    if is_cut { format!("{CUT}\n{text}") } else { text }
}

fn joined(out: String, err: String, ending: &Ending) -> String {
    let mut text = out;
    if !err.is_empty() {
        end_line(&mut text);
        text.push_str("[stderr]\n");
        text.push_str(&err);
    }
    if let Ending::Exited(code) = ending
        && *code != 0
    {
        end_line(&mut text);
        text.push_str(&format!("[Exit code: {code}]"));
    }
    text
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}
