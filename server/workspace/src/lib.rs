//! The session of a workspace: buffers, layers, asks and decisions as one pure state machine
//! (`Session`), the handle that feeds it (`Workspace`), and its IO.
//!
//! `Session::handle(Event) -> Vec<Effect>` does no IO, so that a whole session can be replayed in a
//! test. `Workspace` runs it under one mutex in the order of arrival and hands the effects, in
//! order, to one executor; nothing awaits while holding the mutex.

mod ask;
mod audited;
mod checkpoint;
mod checkpoints;
mod effect;
mod event;
pub mod grants;
mod handle;
mod ids;
pub mod io;
mod journal;
mod keep;
mod keeper;
mod path;
mod review;
mod rewind;
mod session;
mod snapshot;

pub use ask::{Ask, AskAnswer, AskOption, AskOutcome, OptionId};
pub use checkpoint::{Checkpoint, Past, Rewound};
pub use effect::{
    Effect, LogLevel, ProposeError, Proposed, Reply, ResolveError, Resolved, TextEdit,
    WithdrawError, Withdrawn,
};
pub use event::{
    Change, ChangeReason, ContentChange, Event, Origin, Proposal, ProposeMode, ResolveAction,
    ResolveRequest, WriteError,
};
pub use grants::{GrantStore, SavedGrant};
pub use handle::{Decisions, Front, Unseen, Workspace};
pub use ids::{AskId, EditId, Ticket, WriteId};
pub use io::WriteRequest;
pub use journal::{Base, Entry, Known, Memory, Note};
pub use keep::Keeping;
pub use path::{PathError, WorkspacePath};
pub use review::{FileChange, HunkState, HunkView, Review};
pub use rewind::RewindError;
pub use session::{Config, Counts, Restored, Session};
pub use snapshot::{DiskText, ReadError, Snapshot};
