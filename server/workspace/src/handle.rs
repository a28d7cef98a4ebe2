//! The handle that everybody holds: events in, in order; effects out, in order.

use std::{path::PathBuf, sync::Arc};

use redline_layers::ThreadId;

use crate::{
    Ask, AskOutcome, Effect, Event, Proposal, ProposeError, Proposed, ReadError, ResolveError,
    ResolveRequest, Resolved, Review, Session, Snapshot, WorkspacePath,
};

/// The side of the house that faces the user: an editor, a terminal, a test. Gets the effects that
/// are the user's (edits, saves, reviews, asks, log lines), in order, on the executor's task. It
/// must not block: long things go into tasks of their own and come back as events.
pub trait Front: Send + Sync + 'static {
    /// Performs one effect.
    fn perform(&self, effect: Effect, workspace: &Arc<Workspace>);
}
