//! Checkpoints as values.

use redline_layers::ThreadId;
use redline_text::{Format, Text};

use crate::{DiskText, WorkspacePath};

/// What one decision did to the text of a file, in a turn of a thread.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The thread.
    pub thread: ThreadId,
    /// The number of the turn that proposed it, from 1; 0: before the first.
    pub turn: u32,
    /// The file.
    pub file: WorkspacePath,
    /// The editor's text before; `None`: there was no file.
    pub before: Option<Text>,
    /// And after.
    pub after: Option<Text>,
    /// What the file is, beside its text.
    pub format: Format,
    /// Its permission bits, where they are known.
    pub mode: Option<u32>,
}

/// A change that is to be undone.
#[derive(Debug, Clone)]
pub struct Past {
    /// The file.
    pub file: WorkspacePath,
    /// See `Checkpoint`.
    pub before: Option<Text>,
    /// See `Checkpoint`.
    pub after: Option<Text>,
    /// See `Checkpoint`.
    pub format: Format,
    /// See `Checkpoint`.
    pub mode: Option<u32>,
    /// The file on disk now.
    pub disk: Option<DiskText>,
}

/// What going back to before a turn has done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewound {
    /// Files whose text has changed.
    pub files: Vec<WorkspacePath>,
    /// Proposals that waited and are gone.
    pub withdrawn: usize,
    /// What was left as it is, and why.
    pub kept: Vec<(WorkspacePath, String)>,
}
