//! Everything that a session wants done: the only way out.

use std::path::PathBuf;

use redline_audit::DecisionRecord;
use redline_layers::HunkId;
use redline_permissions::Rule;
use redline_text::{Edit, PositionRange, Text};

use crate::{
    Ask, AskId, AskOutcome, Checkpoint, DiskText, EditId, Entry, Review, Rewound, Snapshot, Ticket,
    WorkspacePath, WriteId, WriteRequest,
};

/// One thing to do. Effects are performed in order, outside the session's lock.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Somebody waits for this.
    Reply {
        /// Who.
        ticket: Ticket,
        /// What.
        reply: Reply,
    },
    /// Write a file that is not open; ends with `Event::Written`.
    WriteFile {
        /// Named in the answer.
        write: WriteId,
        /// What to write where.
        request: WriteRequest,
    },
    /// Ask the client to edit an open document; ends with `Event::EditAnswered`.
    ApplyEdit {
        /// Named in the answer.
        edit: EditId,
        /// The client's name of the document.
        uri: String,
        /// The version that the ranges refer to.
        version: i32,
        /// Ascending, not overlapping.
        edits: Vec<TextEdit>,
        /// For the client's undo list.
        label: String,
    },
    /// `Event::EditExpired` after this many milliseconds.
    StartTimer {
        /// The edit that is waited for.
        edit: EditId,
        /// How long.
        millis: u64,
    },
    /// `Event::ReviewsDue` after this many milliseconds.
    ReviewsLater {
        /// How long.
        millis: u64,
    },
    /// Write something down, before anything that comes after it is done.
    Journal {
        /// About which file.
        file: WorkspacePath,
        /// What.
        entry: Entry,
    },
    /// Keep what was before and after a change, for the way back.
    Checkpoint(Box<Checkpoint>),
    /// A decision has been carried out: for the audit log.
    Decided(Box<DecisionRecord>),
    /// Ask the client to save a document; ends with `Event::SaveAnswered`.
    Save {
        /// The document.
        uri: String,
    },
    /// The whole review state of one file.
    Review(Review),
    /// Show an ask; ends with `Event::AskAnswered`.
    ShowAsk {
        /// Named in the answer.
        id: AskId,
        /// What to show.
        ask: Box<Ask>,
        /// Its place among the open asks, from 1, and their number.
        queue: (usize, usize),
    },
    /// An ask that is on the screen has lost its point.
    WithdrawAsk {
        /// Which one.
        id: AskId,
        /// Why, for the user.
        reason: String,
    },
    /// Keep grants beyond the end of the process; ends with `Event::GrantsSaved`.
    SaveGrants {
        /// What they allow.
        rules: Vec<Rule>,
        /// The folder that they count in; `None`: everywhere.
        folder: Option<PathBuf>,
    },
    /// For the user to see, and for the log.
    Tell(LogLevel, String),
    /// For the log.
    Log(LogLevel, String),
}

/// How loud a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Something is wrong.
    Error,
    /// Something looks wrong.
    Warning,
    /// Good to know.
    Info,
}

/// A replacement in an open document, in the negotiated position encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// What goes.
    pub range: PositionRange,
    /// What comes.
    pub new: String,
}

/// Answers to events that carry a ticket.
#[derive(Debug, Clone)]
pub enum Reply {
    /// To `Event::Propose`.
    Proposed(Result<Proposed, ProposeError>),
    /// To `Event::Withdraw`.
    Withdrawn(Result<Box<Withdrawn>, WithdrawError>),
    /// To `Event::Rewind`.
    Rewound(Rewound),
    /// To `Event::Resolve`.
    Resolved(Result<Resolved, ResolveError>),
    /// To `Event::Ask`.
    Ask(AskOutcome),
    /// To `Event::TakeDecisions`: lines for the agent, oldest first, and how many hunks of the
    /// thread are still pending.
    Decisions {
        /// One line (or a line and a diff) a hunk.
        lines: Vec<String>,
        /// Pending hunks of the thread.
        pending: usize,
    },
}

/// A proposal that was taken.
#[derive(Debug, Clone)]
pub struct Proposed {
    /// The file.
    pub file: WorkspacePath,
    /// The hunks that its pieces are part of now.
    pub hunks: Vec<HunkId>,
    /// The thread's text before and after, for the diff in the tool's result.
    pub before: Text,
    /// See `before`.
    pub after: Text,
    /// Whether the file is new to the thread.
    pub created: bool,
    /// Old text that this thread proposed before and that the user rejected is among what changed.
    pub rejected_before: bool,
}

/// What a thread has taken back of its last op on a file.
#[derive(Debug, Clone)]
pub struct Withdrawn {
    /// The thread's text before.
    pub before: Text,
    /// The file as the thread sees it now.
    pub snapshot: Snapshot,
    /// Edits of the snapshot that undo what the editor has of the op: the user's now, so they are
    /// proposed like any edit.
    pub inverse: Vec<Edit>,
    /// Changes that waited and are gone.
    pub withdrawn: usize,
    /// Changes that `inverse` undoes.
    pub inside: usize,
    /// What the op deleted and is gone from the disk: to be proposed again.
    pub restore: Option<DiskText>,
    /// Changes that the user had rejected.
    pub skipped: usize,
}

/// Why a thread can't take its last op on a file back. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawError {
    /// No op, or nothing left of any.
    #[error("no edit of yours is left to undo in this file; read it, and edit it as you need it")]
    Nothing,
    /// It deleted the file, and an editor has its text: there is nothing to propose.
    #[error(
        "the file was deleted, but the user's editor still shows its text; ask the user to save it \
         there, or to take the deletion back"
    )]
    StillOpen,
    /// The editor is asked to take it at the moment.
    #[error("the user is accepting that edit right now; read the file again and decide then")]
    Busy,
    /// The user has accepted a new file.
    #[error("that edit created the file, and the user accepted it; ask the user to delete it")]
    Created,
    /// Other proposals of the thread lie over it.
    #[error("newer edits of yours lie over that edit; undo those first, or edit the file instead")]
    Overlaps,
}

/// Why a proposal was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProposeError {
    /// The place changed since the tool looked: locate again in a new snapshot.
    #[error("the file changed at that place while the edit was prepared; read it again and retry")]
    Stale,
    /// The edit changes nothing.
    #[error("the edit changes nothing: old and new text are the same")]
    Nothing,
    /// Another thread's deletion waits.
    #[error("another agent has proposed to delete the file, and the user has not decided yet")]
    Going,
    /// Another thread's proposal to create the file waits.
    #[error(
        "another agent has proposed to create this file, and the user has not decided yet; wait for \
         that, or work on another path"
    )]
    Coming,
    /// Nothing to remove.
    #[error("the file is only in the user's editor, not on disk; ask the user to save or close it")]
    NotOnDisk,
    /// What the thread proposed to delete is no text that could be overwritten.
    #[error(
        "you have proposed to delete the file that is there, and it is no text file; it can be \
         written once the user has accepted that"
    )]
    NotText,
    /// An applied edit did not reach the editor or the disk.
    #[error("could not write {0}")]
    Failed(String),
}

/// What became of a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Decided as asked.
    pub resolved: Vec<HunkId>,
    /// Not known any more, or changed since the user looked: nothing was done to them.
    pub stale: Vec<HunkId>,
    /// Pending again, with the reason.
    pub failed: Vec<(HunkId, String)>,
    /// Of `resolved`: text that the user typed inside was kept.
    pub mixed: Vec<HunkId>,
}

/// Why a decision could not even be tried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// `finalText` is for one hunk.
    #[error("finalText needs exactly one hunk")]
    FinalTextNeedsOneHunk,
    /// `finalText` only goes with accept.
    #[error("finalText goes with action \"accept\" only")]
    FinalTextNeedsAccept,
    /// `revision` is of one file.
    #[error("revision needs uri")]
    RevisionNeedsUri,
    /// There is no review of that file.
    #[error("nothing is under review in {0}")]
    NothingThere(String),
}
