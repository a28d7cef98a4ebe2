//! The log in the file system.

mod log;
mod place;
mod read;
mod writer;

pub use log::{Attempt, Log};
pub use place::Place;
pub use read::{entries, sources};

use std::{io, path::PathBuf};

/// Why something was not written down, or cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The file system refuses.
    #[error("the audit log {}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Its words.
        source: io::Error,
    },
    /// What stands there is none of ours, and might be anything: a link, a pipe, a device.
    #[error("the audit log {}: this is no ordinary {expected}; move it away", .path.display())]
    Odd {
        /// What was found.
        path: PathBuf,
        /// What should be there.
        expected: &'static str,
    },
    /// Another process has the log and does not give it back.
    #[error("the audit log {}: another process has been writing to it for too long", .path.display())]
    Held {
        /// What it holds.
        path: PathBuf,
    },
    /// A record that is no JSON.
    #[error("the audit log: a record cannot be written: {0}")]
    Record(#[from] serde_json::Error),
}

/// Names the path in an error.
fn at(path: &std::path::Path) -> impl FnOnce(io::Error) -> AuditError {
    let path = path.to_owned();
    move |source| AuditError::Io { path, source }
}
