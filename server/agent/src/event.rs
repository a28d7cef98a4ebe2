//! What a thread tells the outside while it runs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use redline_layers::ThreadId;
use redline_tools::ToolEvent;

use crate::Usage;

/// Takes events, in order. It is called with a lock held: it must return at once (push into a
/// queue) and must not call the [`crate::Agent`].
pub type Sink = Arc<dyn Fn(ThreadEvent) + Send + Sync>;

/// One thing that happened in a thread; mirrors `redline/threadEvent`.
#[derive(Debug, Clone)]
pub struct ThreadEvent {
    /// The thread.
    pub thread: ThreadId,
    /// The turn.
    pub turn: String,
    /// Counts the events of the thread, from 1, without gaps.
    pub seq: u64,
    /// The call whose subagent it happened to; `None`: the thread's own agent.
    pub parent: Option<String>,
    /// What happened.
    pub event: ThreadEventKind,
}

/// The kinds of event.
#[derive(Debug, Clone)]
pub enum ThreadEventKind {
    /// The model says something.
    Text {
        /// The next piece of it.
        delta: String,
    },
    /// A tool call begins, waits, moves on or ends.
    ToolCall(Box<ToolEvent>),
    /// What a model request cost.
    Usage(Usage),
    /// The turn is over; nothing of it follows.
    TurnEnd {
        /// Why.
        reason: TurnEndReason,
        /// In words, where there is something to say.
        message: Option<String>,
    },
}

/// Why a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEndReason {
    /// The model had nothing more to do.
    Done,
    /// The user stopped it.
    Cancelled,
    /// The provider failed.
    Error,
    /// As `Done`, but hunks of the thread wait for the user's decision.
    AwaitingReview,
}

impl TurnEndReason {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            TurnEndReason::Done => "done",
            TurnEndReason::Cancelled => "cancelled",
            TurnEndReason::Error => "error",
            TurnEndReason::AwaitingReview => "awaitingReview",
        }
    }
}

/// Under which names something is told.
#[derive(Debug, Clone)]
pub(crate) struct Voice {
    pub(crate) thread: ThreadId,
    pub(crate) turn: String,
    /// See `ThreadEvent::parent`.
    pub(crate) parent: Option<String>,
}

impl Voice {
    /// The thread's own agent.
    pub(crate) fn main(thread: &ThreadId, turn: &str) -> Self {
        Self { thread: thread.clone(), turn: turn.to_owned(), parent: None }
    }
}

/// Numbers events and hands them to the sink, so that `seq` is the order of arrival there.
pub(crate) struct Emitter {
    sink: Sink,
    sent: Mutex<HashMap<ThreadId, u64>>,
}

impl Emitter {
    pub(crate) fn new(sink: Sink) -> Self {
        Self { sink, sent: Mutex::default() }
    }

    pub(crate) fn emit(&self, voice: &Voice, event: ThreadEventKind) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let Voice { thread, turn, parent } = voice.clone();
        let seq = sent.entry(thread.clone()).or_default();
        *seq += 1;
        (self.sink)(ThreadEvent { thread, turn, seq: *seq, parent, event });
    }
}
