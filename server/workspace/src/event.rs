//! Everything that can happen to a session: the only way in.

use std::collections::BTreeMap;

use redline_layers::{HunkId, Revision, ThreadId};
use redline_permissions::{Policy, Rule, SourcedRule};
use redline_text::{Document, Edit, PositionRange, Text};
use serde::{Deserialize, Serialize};

use crate::{
    Ask, AskAnswer, AskId, DiskText, EditId, Past, Restored, Snapshot, Ticket, WorkspacePath,
    WriteId,
};

/// One thing that happened. `Session::handle` is the only place that takes them.
#[derive(Debug, Clone)]
pub enum Event {
    /// didOpen. `disk` is what the file held at that moment, if it could be read as text.
    Opened {
        /// Which file.
        file: WorkspacePath,
        /// The client's own name for it.
        uri: String,
        /// The client's version of the text.
        version: i32,
        /// The editor's text.
        text: String,
        /// The file on disk.
        disk: Option<DiskText>,
    },
    /// didChange: changes apply one after the other. Versions may jump.
    Changed {
        /// The document.
        uri: String,
        /// Its version after the changes.
        version: i32,
        /// In the order in which they happened.
        changes: Vec<ContentChange>,
    },
    /// The client tells that the coming version is an undo or a redo.
    ChangeReason {
        /// The document.
        uri: String,
        /// The version that the reason explains.
        version: i32,
        /// Undo or redo.
        reason: ChangeReason,
    },
    /// didSave.
    Saved {
        /// The document.
        uri: String,
    },
    /// didClose; unsaved text is gone, `disk` counts again.
    Closed {
        /// The document.
        uri: String,
        /// The file on disk.
        disk: Option<DiskText>,
    },
    /// A file that is not open was found with other text than the session knew.
    DiskChanged {
        /// Which file.
        file: WorkspacePath,
        /// The hash that the session knew when the look began: with any other by now, the look
        /// is out of date and means nothing.
        known: Option<u64>,
        /// What it holds now; `None`: it is gone.
        disk: Option<DiskText>,
    },
    /// A tool proposes a change.
    Propose {
        /// Answered with `Reply::Proposed`.
        ticket: Ticket,
        /// What it proposes.
        proposal: Box<Proposal>,
    },
    /// A thread takes its last op on a file back.
    Withdraw {
        /// Answered with `Reply::Withdrawn`.
        ticket: Ticket,
        /// The file.
        file: WorkspacePath,
        /// The thread.
        thread: ThreadId,
    },
    /// The user decides.
    Resolve {
        /// Answered with `Reply::Resolved`.
        ticket: Ticket,
        /// What was decided.
        request: ResolveRequest,
    },
    /// The client's answer to `Effect::ApplyEdit`. It is never taken as proof: the didChange is.
    EditAnswered {
        /// Which edit.
        edit: EditId,
        /// What the client said.
        applied: bool,
        /// Why not, in its words.
        reason: Option<String>,
    },
    /// The time that `Effect::StartTimer` named is over.
    EditExpired {
        /// The edit that was waited for.
        edit: EditId,
    },
    /// What the journal holds of a file, after a restart or when another process has ended.
    Restored {
        /// Which file.
        file: WorkspacePath,
        /// What was written about it.
        restored: Box<Restored>,
        /// The file on disk, as it is now.
        disk: Option<DiskText>,
    },
    /// From now on `Effect::Journal` is carried out.
    JournalOpened {
        /// The highest op that any journal of the folder has named: ids are not given twice.
        last_op: u32,
    },
    /// Ops are numbered from here, so that they never meet those of the folder's journal.
    OpsStartAt(u32),
    /// The time that `Effect::ReviewsLater` named is over.
    ReviewsDue,
    /// The client's answer to `Effect::Save` (whatever it was).
    SaveAnswered {
        /// The document.
        uri: String,
    },
    /// `Effect::WriteFile` has ended.
    Written {
        /// Which write.
        write: WriteId,
        /// The file as it is now (`None`: removed), or why it could not be written.
        result: Result<Option<DiskText>, WriteError>,
    },
    /// A call needs the user's word.
    Ask {
        /// Answered with `Reply::Ask`.
        ticket: Ticket,
        /// What is asked.
        ask: Box<Ask>,
    },
    /// The user answered an ask.
    AskAnswered {
        /// Which one.
        ask: AskId,
        /// The answer.
        answer: AskAnswer,
    },
    /// `Effect::SaveGrants` has ended.
    GrantsSaved {
        /// What they allow.
        rules: Vec<Rule>,
        /// The same as they were saved, or why they were not.
        result: Result<Vec<SourcedRule>, String>,
    },
    /// The user takes back what was granted for the session.
    Revoked {
        /// Which of the grants.
        rule: Rule,
    },
    /// Settings have changed. What was granted for the session stays.
    Configured {
        /// The rules in force from now on, with the saved grants.
        policy: Box<Policy>,
        /// Save a document after an accept.
        save_on_accept: bool,
    },
    /// Asks lose their point: the call was cancelled, the thread ended.
    WithdrawAsks {
        /// Asks of this thread …
        thread: ThreadId,
        /// … or only the one of this tool call.
        call: Option<String>,
        /// Shown to the user.
        reason: String,
    },
    /// The user goes back to before a turn of a thread.
    Rewind {
        /// Answered with `Reply::Rewound`.
        ticket: Ticket,
        /// The thread.
        thread: ThreadId,
        /// The first turn that is taken back.
        turn: u32,
        /// What it and the later ones changed, newest first.
        past: Vec<Past>,
    },
    /// The last turns that the checkpoints of earlier sessions know.
    TurnsStartAt(BTreeMap<ThreadId, u32>),
    /// A turn of a thread begins.
    TurnStarted {
        /// The thread.
        thread: ThreadId,
    },
    /// A turn of a thread has ended: what was decided of earlier turns leaves the review.
    TurnEnded {
        /// The thread.
        thread: ThreadId,
    },
    /// The agent is about to be told what the user decided since it was last told.
    TakeDecisions {
        /// Answered with `Reply::Decisions`.
        ticket: Ticket,
        /// The thread.
        thread: ThreadId,
    },
}

/// One content change of a didChange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentChange {
    /// What is replaced; `None`: the whole text.
    pub range: Option<PositionRange>,
    /// By what.
    pub text: String,
}

/// Why a document changed, where the client knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeReason {
    /// The user undid something.
    Undo,
    /// The user did it again.
    Redo,
}

/// Who proposes: shown with each hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The thread.
    pub thread: ThreadId,
    /// The agent's display name.
    pub agent: String,
    /// The tool's canonical name.
    pub tool: String,
    /// The tool call's id.
    pub call: String,
}

/// What a tool wants to do to one file.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The file and the text as the tool saw them.
    pub snapshot: Snapshot,
    /// The change.
    pub change: Change,
    /// Who.
    pub origin: Origin,
    /// Pending (the user decides) or applied (a rule allowed it).
    pub mode: ProposeMode,
}

/// The kinds of change.
#[derive(Debug, Clone)]
pub enum Change {
    /// Replacements in the snapshot's text: ascending, not overlapping, byte offsets. Trimmed by
    /// the session to what really changes.
    Edit(Vec<Edit>),
    /// The whole content of a file: a creation if the file does not exist, else a minimal line diff.
    Write(Text),
    /// The file goes.
    Delete,
    /// The file comes back as it was; it must not exist.
    Restore(DiskText),
}

/// Whether a proposal waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposeMode {
    /// Previewed as hunks; nothing changes until the user accepts.
    Pending,
    /// A rule allowed it: it goes into the editor (or onto the disk) at once and can be undone.
    Applied,
}

/// What the user decided: the wire's `redline/resolve`.
#[derive(Debug, Clone)]
pub struct ResolveRequest {
    /// What to do.
    pub action: ResolveAction,
    /// Only this file; `None` with no hunks: every file.
    pub file: Option<WorkspacePath>,
    /// Only these hunks; `None`: all of the file or of every file.
    pub hunks: Option<Vec<HunkId>>,
    /// "All" covers applied hunks too.
    pub include_applied: bool,
    /// Told to the agent.
    pub comment: Option<String>,
    /// For exactly one hunk: the text that its lines get instead.
    pub final_text: Option<String>,
    /// The review state that the user looked at; needs `file`.
    pub revision: Option<Revision>,
}

impl ResolveRequest {
    /// `action` on everything that is pending.
    pub fn all(action: ResolveAction) -> Self {
        Self {
            action,
            file: None,
            hunks: None,
            include_applied: false,
            comment: None,
            final_text: None,
            revision: None,
        }
    }

    /// `action` on these hunks.
    pub fn hunks(action: ResolveAction, hunks: Vec<HunkId>) -> Self {
        Self { hunks: Some(hunks), ..Self::all(action) }
    }
}

/// The actions of `redline/resolve`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolveAction {
    /// Into the editor or onto the disk; an applied hunk is kept.
    Accept,
    /// Thrown away; an applied hunk is undone.
    Reject,
    /// A decided hunk is pending again.
    Reopen,
    /// Reject, and what the user typed inside goes too.
    Drop,
}

/// Why a file could not be written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum WriteError {
    /// Somebody else wrote it since it was read.
    #[error("the file changed on disk since it was read; look at the new text and decide again")]
    Changed(Option<Box<DiskText>>),
    /// The operating system refused.
    #[error("{0}")]
    Io(String),
}

/// Helper for tests and callers that have only text.
impl From<Document> for DiskText {
    fn from(document: Document) -> Self {
        DiskText::new(document)
    }
}
