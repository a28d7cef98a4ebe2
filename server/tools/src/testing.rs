//! For tests of this crate and of those above it.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use redline_workspace::{Ask, AskAnswer, AskOutcome, OptionId, WorkspacePath};

use crate::{Answer, Formatted, Host, HostError, Question};

/// What happens when the list of answers is used up.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Then {
    #[default]
    Reject,
    Allow,
    Wait,
}

/// A host that answers from a list and remembers what it was asked.
#[derive(Debug, Default)]
pub struct TestHost {
    answers: Mutex<VecDeque<AskAnswer>>,
    then: Then,
    asks: Mutex<Vec<Ask>>,
    progress: Mutex<Vec<String>>,
    formatted: Mutex<Option<Formatted>>,
    replies: Mutex<VecDeque<Option<Vec<Answer>>>>,
    questions: Mutex<Vec<Vec<Question>>>,
}

impl TestHost {
    /// Answers the first asks with these; further ones are rejected.
    pub fn new(answers: impl IntoIterator<Item = AskAnswer>) -> Self {
        Self { answers: Mutex::new(answers.into_iter().collect()), ..Self::default() }
    }

    /// Never answers.
    pub fn silent() -> Self {
        Self { then: Then::Wait, ..Self::default() }
    }

    /// Allows everything, once, and without what is not on disk.
    pub fn allowing() -> Self {
        Self { then: Then::Allow, ..Self::default() }
    }

    /// From now on it answers so when it is asked to format a file.
    pub fn formats(&self, formatted: Formatted) {
        *held(&self.formatted) = Some(formatted);
    }

    /// Answers the first questions with these, `None` dismisses them; further ones are dismissed.
    pub fn answering(replies: impl IntoIterator<Item = Option<Vec<Answer>>>) -> Self {
        Self { replies: Mutex::new(replies.into_iter().collect()), ..Self::default() }
    }

    /// The questions that it was asked, call by call.
    pub fn questions(&self) -> Vec<Vec<Question>> {
        held(&self.questions).clone()
    }

    /// What it was asked.
    pub fn asks(&self) -> Vec<Ask> {
        held(&self.asks).clone()
    }

    /// What it was told of running calls.
    pub fn progress(&self) -> Vec<String> {
        held(&self.progress).clone()
    }
}

/// An answer without a comment.
pub fn answer(option: OptionId) -> AskAnswer {
    AskAnswer::plain(option)
}

impl Host for TestHost {
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome> {
        let offered = |id: &OptionId| ask.options.iter().any(|option| option.id == *id);
        let yes = [OptionId::Once, OptionId::RunWithout].into_iter().find(offered);
        held(&self.asks).push(ask);
        let answer = held(&self.answers).pop_front();
        Box::pin(async move {
            match (answer, self.then) {
                (Some(answer), _) => AskOutcome::Answered(answer),
                (None, Then::Wait) => std::future::pending().await,
                (None, Then::Allow) => {
                    AskOutcome::Answered(self::answer(yes.unwrap_or(OptionId::Reject)))
                }
                (None, Then::Reject) => AskOutcome::Answered(AskAnswer::reject(Some(
                    "the test has no answer to this".to_owned(),
                ))),
            }
        })
    }

    fn question(
        &self,
        them: Vec<Question>,
    ) -> BoxFuture<'_, Result<Option<Vec<Answer>>, HostError>> {
        held(&self.questions).push(them);
        let reply = held(&self.replies).pop_front();
        let then = self.then;
        Box::pin(async move {
            match (reply, then) {
                (Some(reply), _) => Ok(reply),
                (None, Then::Wait) => std::future::pending().await,
                (None, _) => Ok(None),
            }
        })
    }

    fn format(&self, _: &WorkspacePath) -> BoxFuture<'_, Result<Formatted, HostError>> {
        let unavailable = HostError::Unavailable("format files");
        let answer = held(&self.formatted).clone().ok_or(unavailable);
        Box::pin(std::future::ready(answer))
    }

    fn progress(&self, _thread: &ThreadId, _call: &str, text: &str) {
        held(&self.progress).push(text.to_owned());
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
