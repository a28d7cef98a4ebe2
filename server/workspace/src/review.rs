//! The review state of one file, as the wire shows it.

use std::ops::Range;

use redline_layers::{HunkId, Revision};
use redline_text::{Position, PositionRange};

use crate::{Origin, WorkspacePath};

/// All hunks of one file; no hunks: the review of the file is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The file.
    pub file: WorkspacePath,
    /// The client's name of it, if it is open.
    pub uri: Option<String>,
    /// Counts changes of hunk content and state, not shifts of ranges.
    pub revision: Revision,
    /// The version of the open document that the ranges refer to.
    pub version: Option<i32>,
    /// What becomes of the file.
    pub change: FileChange,
    /// In the file's order.
    pub hunks: Vec<HunkView>,
}

/// What the pending proposals do to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    /// It exists and stays.
    Modified,
    /// It does not exist yet.
    Created,
    /// It goes.
    Deleted,
}

/// One hunk, in whole lines.
#[derive(Debug, Clone, PartialEq)]
pub struct HunkView {
    /// Its name.
    pub id: HunkId,
    /// Its state.
    pub state: HunkState,
    /// The user typed inside it after it was proposed.
    pub mixed: bool,
    /// Whole lines of the editor's text (see PROTOCOL.md for what it covers in each state).
    pub range: PositionRange,
    /// Undecided: the editor's text of `range`; accepted or applied: what undoing puts there.
    pub old_text: String,
    /// Undecided: exactly what accepting puts there; accepted or applied: the text there now.
    pub new_text: String,
    /// Changed byte spans of `old_text`.
    pub words_old: Vec<Range<usize>>,
    /// Changed byte spans of `new_text`.
    pub words_new: Vec<Range<usize>>,
    /// Who proposed it (its oldest piece).
    pub origin: Origin,
    /// How many changes of the agent's are in it.
    pub pieces: usize,
}

/// Where a hunk is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HunkState {
    /// Waits for the user; not in the editor's text.
    Pending,
    /// Sent to the client, not confirmed yet.
    Accepting,
    /// A rule allowed it: in the text, can be kept or undone.
    Applied,
    /// In the text.
    Accepted,
    /// Thrown away.
    Rejected,
    /// Its old text is gone: it can only be rejected.
    Conflict,
}

impl HunkState {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            HunkState::Pending => "pending",
            HunkState::Accepting => "accepting",
            HunkState::Applied => "applied",
            HunkState::Accepted => "accepted",
            HunkState::Rejected => "rejected",
            HunkState::Conflict => "conflict",
        }
    }
}

impl HunkView {
    /// The lines it covers for people: `12` or `12-14`, from 1.
    pub fn lines(&self) -> String {
        let Position { line, character } = self.range.end;
        let first = self.range.start.line + 1;
        let last = if character == 0 { line } else { line + 1 };
        if last <= first { first.to_string() } else { format!("{first}-{last}") }
    }
}
