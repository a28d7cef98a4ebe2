//! What tools know of agents: that somebody runs them and keeps their threads. The floor above does;
//! without it (a call from the command line) the tools that need it say so.

use futures::future::BoxFuture;
use redline_layers::ThreadId;

use crate::{Mode, ReviewNote, ReviewState, Scope, ToolResult, ToolStatus};

/// Runs subagents and knows the threads of this process.
pub trait Agents: Send + Sync {
    /// Runs a subagent to its end. It ends with the errand's scope when that is cancelled; dropping
    /// the future stops it at once.
    fn run(&self, errand: Errand) -> BoxFuture<'_, Outcome>;

    /// The threads that users talk to, the one born last first.
    fn threads(&self) -> Vec<ThreadNote>;

    /// What was said in a thread, or by a subagent, as a text for a model; `None`: there is none of
    /// that name.
    fn transcript(&self, thread: &ThreadId) -> Option<String>;

    /// The subagents that a thread has sent, the oldest first.
    fn sent(&self, thread: &ThreadId) -> Vec<Sent>;
}

/// What a subagent is sent for.
#[derive(Debug, Clone)]
pub struct Errand {
    /// The subagent's name, shown with each hunk of its.
    pub agent: String,
    /// What it is and how it works: for its model, before everything else.
    pub instructions: String,
    /// One line for people and lists.
    pub about: String,
    /// What it is told.
    pub prompt: String,
    /// The tools that it has.
    pub mode: Mode,
    /// Requests to its model before it is stopped. At least 1.
    pub most_requests: usize,
    /// Of the call that sends it: it works in that thread, and ends when that is cancelled.
    pub scope: Scope,
    /// The id of that call.
    pub call: String,
}

/// How a subagent came to its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It has an answer.
    Done(Work),
    /// The user or a rule refused a call of its without a word, which ends turns.
    Halted {
        /// What was refused, and by whom.
        reason: String,
        /// What it did before.
        work: Work,
    },
    /// It could not go on.
    Failed {
        /// Says what to do next.
        reason: String,
        /// What it did before.
        work: Work,
    },
    /// Its scope was cancelled.
    Cancelled,
}

/// What a subagent did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// The last that it said.
    pub said: String,
    /// Absolute paths of the files that its calls changed, each once.
    pub files: Vec<String>,
    /// Hunks that its calls left waiting for the user. They may have been decided since.
    pub pending: Vec<String>,
    /// Hunks that a rule applied at once.
    pub applied: Vec<String>,
}

impl Work {
    /// Takes over what a call of its did.
    pub fn add(&mut self, result: &ToolResult) {
        let ToolResult::Done { track_files, review, .. } = result else { return };
        add_new(&mut self.files, track_files);
        match review {
            Some(ReviewNote { state: ReviewState::Pending, hunks, .. }) => {
                add_new(&mut self.pending, hunks);
            }
            Some(ReviewNote { state: ReviewState::Applied, hunks, .. }) => {
                add_new(&mut self.applied, hunks);
            }
            _ => {}
        }
    }
}

fn add_new(list: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !list.contains(one) {
            list.push(one.clone());
        }
    }
}

/// One thread in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadNote {
    /// Its name.
    pub thread: ThreadId,
    /// The beginning of its first prompt.
    pub title: String,
    /// When it last changed: UTC, ISO 8601.
    pub updated_at: String,
    /// `idle`, `running` or `awaitingReview`.
    pub state: &'static str,
}

/// One subagent in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Its conversation.
    pub conversation: ThreadId,
    /// Its name.
    pub agent: String,
    /// What it was sent for, in one line.
    pub about: String,
    /// The call that sent it.
    pub call: String,
    /// Whether it runs, or how it ended.
    pub status: ToolStatus,
}
