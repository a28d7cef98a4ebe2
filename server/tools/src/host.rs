//! What a tool may want of the user's side. An editor session, a terminal and a test each have one.

use std::sync::Arc;

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use redline_text::PositionRange;
use redline_workspace::{Ask, AskOutcome, Event, Workspace, WorkspacePath};
use serde::{Deserialize, Serialize};

/// The user's side of the house. Only `ask` must be there: the rest is declined unless a host can
/// do it, and a tool that needs it says so in its result.
pub trait Host: Send + Sync {
    /// Asks for a permission. Dropping the future withdraws the ask.
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome>;

    /// Looks whether the settings have changed, rules among them, and puts in force what they say now:
    /// before each call, and after each answer.
    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Asks the user questions; `None`: the user dismissed them.
    fn question(&self, _: Vec<Question>) -> BoxFuture<'_, Result<Option<Vec<Answer>>, HostError>> {
        decline("ask questions")
    }

    /// The newest output of a running call, for whoever shows it. Must not block.
    fn progress(&self, _thread: &ThreadId, _call: &str, _text: &str) {}

    /// Shows a file to the user; `preview`: without taking the focus.
    fn open(
        &self,
        _file: &WorkspacePath,
        _range: Option<PositionRange>,
        _preview: bool,
    ) -> BoxFuture<'_, Result<(), HostError>> {
        decline("open files")
    }

    /// Asks the editor how it would format a file that it has open. Should change nothing.
    fn format(&self, _: &WorkspacePath) -> BoxFuture<'_, Result<Formatted, HostError>> {
        decline("format files")
    }

    /// Has the editor save files; the answer is what it saved.
    fn save(&self, _: Vec<WorkspacePath>) -> BoxFuture<'_, Result<Vec<WorkspacePath>, HostError>> {
        decline("save files")
    }
}

fn decline<T: Send + 'static>(what: &'static str) -> BoxFuture<'static, Result<T, HostError>> {
    Box::pin(std::future::ready(Err(HostError::Unavailable(what))))
}

/// Why a host did not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// This host can't.
    #[error("the client of this session cannot {0}; go on without it")]
    Unavailable(&'static str),
    /// It tried.
    #[error("{0}")]
    Failed(String),
}

/// What came of asking an editor to format a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formatted {
    /// It has no formatter for it, or nothing to change.
    Nothing,
    /// What its formatter would change.
    Edits {
        /// The client's version of the text that the edits are of, if it says it.
        version: Option<i32>,
        /// In the session's encoding, in no particular order.
        edits: Vec<(PositionRange, String)>,
    },
    /// It has changed its buffer: a client that does not know previews.
    InBuffer,
}

/// One question (seed 002, `ask_user_questions`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// How it can be answered.
    #[serde(rename = "type")]
    pub kind: QuestionKind,
    /// What can be chosen; the user may answer something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// For free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// Whether it must be answered.
    #[serde(default)]
    pub required: bool,
    /// Why it is asked once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a question can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuestionKind {
    /// One of the choices.
    SingleChoice,
    /// Any number of them.
    MultiChoice,
    /// In words.
    FreeText,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The question's text.
    pub question: String,
    /// What was chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<String>,
    /// What was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A host whose asks are those of the session: whatever front the workspace has shows them.
pub struct SessionHost(Arc<Workspace>);

impl SessionHost {
    /// The host of that workspace's session.
    pub fn new(workspace: Arc<Workspace>) -> Self {
        Self(workspace)
    }
}

impl Host for SessionHost {
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome> {
        Box::pin(async move {
            let open = Withdraw {
                workspace: &self.0,
                thread: ask.thread.clone(),
                call: Some(ask.call.clone()),
            };
            let outcome = self.0.ask(ask).await;
            open.answered();
            outcome
        })
    }
}

/// Takes an ask off the screen that nobody waits for any more.
struct Withdraw<'a> {
    workspace: &'a Workspace,
    thread: ThreadId,
    call: Option<String>,
}

impl Withdraw<'_> {
    fn answered(mut self) {
        self.call = None;
    }
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            let (thread, call) = (self.thread.clone(), Some(call));
            let reason = "the call was cancelled".to_owned();
            self.workspace.post(Event::WithdrawAsks { thread, call, reason });
        }
    }
}
