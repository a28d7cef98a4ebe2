//! Output of commands. Whoever reads it may go away at any time; that is no reason to panic.

use std::io::{Write, stderr, stdout};

/// Writes text to stdout as it is.
pub fn print(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes `redline: TEXT` to stderr.
pub fn error(text: &str) {
    let _ = writeln!(stderr().lock(), "redline: {}", text.trim_end());
}
