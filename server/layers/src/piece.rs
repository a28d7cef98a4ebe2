//! Ops and pieces: what an agent did to a file.

use redline_text::Edit;
use serde::{Deserialize, Serialize};

use crate::{OpId, PieceId, ThreadId};

/// One agent action on one file (one call), to be proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Op {
    /// Its name; ops of one session ascend.
    pub id: OpId,
    /// Whose it is.
    pub thread: ThreadId,
    /// Its pieces as edits of `Projection::Agent(thread)`: ascending, not overlapping.
    pub edits: Vec<Edit>,
    /// The file does not exist: the op creates it, as exactly one hunk, also when it is empty.
    pub creates: bool,
    /// The op deletes the file, as exactly one hunk; it has no edits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deletes: bool,
}

/// One contiguous replacement of an op, as the layers remember it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Its name.
    pub id: PieceId,
    /// Whose it is.
    pub thread: ThreadId,
    /// Where it is in its life.
    pub state: PieceState,
    /// It was applied by a rule, not accepted by the user: reopening makes it `Applied` again.
    pub by_rule: bool,
    /// Its old text is gone: it can't be pending again.
    pub lost: bool,
}

/// The states of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PieceState {
    /// Waits for the user: in its thread's projection, not in the editor's.
    Pending,
    /// The editor was asked to take it and has not confirmed yet: as `Pending` in every projection.
    Accepting,
    /// A rule allowed it: in the editor, not in the base; the user can keep or undo it.
    Applied,
    /// In the editor.
    Accepted,
    /// In no projection.
    Rejected,
    /// Its old text is gone (another thread's accepted piece, a tool): in no projection.
    Conflict,
}

impl PieceState {
    /// Whether the editor's text has it.
    pub fn in_editor(self) -> bool {
        matches!(self, PieceState::Applied | PieceState::Accepted)
    }

    /// Whether its own thread sees it.
    pub fn in_agent(self) -> bool {
        self.in_editor() || matches!(self, PieceState::Pending | PieceState::Accepting)
    }

    /// Whether the user still has to say something.
    pub fn is_undecided(self) -> bool {
        !matches!(self, PieceState::Accepted | PieceState::Rejected)
    }
}
