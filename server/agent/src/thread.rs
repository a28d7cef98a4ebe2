//! Threads: append-only lists of messages, and what runs in them.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use redline_layers::ThreadId;
use redline_tools::{Cancel, ToolStatus, iso8601};

use crate::{Block, Message, Prompt};

/// One line of `redline/threads`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSummary {
    /// Its name.
    pub thread: ThreadId,
    /// The beginning of its first prompt.
    pub title: String,
    /// When it last changed: UTC, ISO 8601.
    pub updated_at: String,
    /// What it does.
    pub state: ThreadState,
}

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadState {
    /// Nothing.
    Idle,
    /// A turn or a direct call runs.
    Running,
    /// Nothing, and hunks of it wait for the user.
    AwaitingReview,
}

impl ThreadState {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ThreadState::Idle => "idle",
            ThreadState::Running => "running",
            ThreadState::AwaitingReview => "awaitingReview",
        }
    }
}

/// One thread. `append` is the only way into its messages: a thread's JSON Lines file is to be
/// written there.
pub(crate) struct Thread {
    pub(crate) model: Option<String>,
    pub(crate) turn: Option<Running>,
    pub(crate) direct: Option<Direct>,
    /// Prompts that join the turn at its next request.
    pub(crate) queue: Vec<Prompt>,
    /// Pending hunks when the model was last told of them.
    pub(crate) told_pending: usize,
    /// It is a subagent's conversation: nobody prompts it.
    pub(crate) errand: Option<Errand>,
    title: String,
    messages: Vec<Message>,
    updated: SystemTime,
}

/// Who sent a subagent, and where it is.
#[derive(Debug, Clone)]
pub(crate) struct Errand {
    pub(crate) parent: ThreadId,
    pub(crate) call: String,
    pub(crate) agent: String,
    pub(crate) status: ToolStatus,
}

/// A turn that runs.
pub(crate) struct Running {
    pub(crate) id: String,
    pub(crate) cancel: Cancel,
}

/// Direct calls that run at the same time count as one turn.
pub(crate) struct Direct {
    pub(crate) turn: String,
    pub(crate) calls: HashMap<u64, Cancel>,
}

impl Thread {
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: headline(title),
            model: None,
            turn: None,
            direct: None,
            queue: Vec::new(),
            told_pending: 0,
            errand: None,
            messages: Vec::new(),
            updated: SystemTime::now(),
        }
    }

    pub(crate) fn retitle(&mut self, text: &str) {
        self.title = headline(text);
    }

    pub(crate) fn append(&mut self, message: Message) {
        self.messages.push(message);
        self.touch();
    }

    pub(crate) fn touch(&mut self) {
        self.updated = SystemTime::now();
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The prompts that wait, as parts of a user message.
    pub(crate) fn take_queue(&mut self) -> Vec<Block> {
        self.queue.drain(..).flat_map(|prompt| prompt.blocks()).collect()
    }

    /// Ids of the last message's tool calls: those that still need a result.
    pub(crate) fn open_calls(&self) -> Vec<String> {
        match self.messages.last() {
            Some(message) => message.tool_uses().map(str::to_owned).collect(),
            None => Vec::new(),
        }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The turn that calls in this thread belong to.
    pub(crate) fn turn_id(&self) -> Option<&str> {
        let turn = self.turn.as_ref().map(|turn| turn.id.as_str());
        turn.or_else(|| self.direct.as_ref().map(|direct| direct.turn.as_str()))
    }

    pub(crate) fn is_running(&self) -> bool {
        self.turn.is_some() || self.direct.is_some()
    }

    pub(crate) fn summary(&self, thread: &ThreadId, pending: usize) -> ThreadSummary {
        let state = match (self.is_running(), pending) {
            (true, _) => ThreadState::Running,
            (false, 0) => ThreadState::Idle,
            (false, _) => ThreadState::AwaitingReview,
        };
        ThreadSummary {
            thread: thread.clone(),
            title: self.title.clone(),
            updated_at: iso8601(self.updated),
            state,
        }
    }
}

/// The first line, cut to 60 chars.
fn headline(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// All threads, in the order of their birth. The lock is never held across an await.
#[derive(Default)]
pub(crate) struct Threads(Mutex<Vec<(ThreadId, Thread)>>);

impl Threads {
    pub(crate) fn lock(&self) -> ThreadsGuard<'_> {
        ThreadsGuard(self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at or changes one thread, if it is there.
    pub(crate) fn with<T>(&self, id: &ThreadId, f: impl FnOnce(&mut Thread) -> T) -> Option<T> {
        self.lock().get(id).map(f)
    }
}

pub(crate) struct ThreadsGuard<'a>(MutexGuard<'a, Vec<(ThreadId, Thread)>>);

impl ThreadsGuard<'_> {
    pub(crate) fn get(&mut self, id: &ThreadId) -> Option<&mut Thread> {
        self.0.iter_mut().find(|(name, _)| name == id).map(|(_, thread)| thread)
    }

    /// The thread, new if it is not there yet.
    pub(crate) fn get_or_start(&mut self, id: &ThreadId, title: &str) -> &mut Thread {
        let index = self.0.iter().position(|(name, _)| name == id).unwrap_or_else(|| {
            self.0.push((id.clone(), Thread::new(title)));
            self.0.len() - 1
        });
        &mut self.0[index].1
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &(ThreadId, Thread)> {
        self.0.iter()
    }
}
