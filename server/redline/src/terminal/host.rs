//! The terminal as what tools may want of the user.

use std::sync::Arc;

use futures::future::BoxFuture;
use redline_tools::{Answer, Host, HostError, Question, SessionHost};
use redline_workspace::{Ask, AskOutcome, Workspace};

use super::{Answers, question::answers, with_console};

/// Asks go through the session to the front; questions come here.
pub struct TerminalHost {
    session: SessionHost,
    answers: Answers,
}

impl TerminalHost {
    /// Whoever answers asks answers questions too, if it is the user. A "yes" that was given
    /// beforehand is no answer to a question.
    pub fn new(workspace: Arc<Workspace>, answers: Answers) -> Arc<Self> {
        Arc::new(Self { session: SessionHost::new(workspace), answers })
    }
}

impl Host for TerminalHost {
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome> {
        self.session.ask(ask)
    }

    fn question(
        &self,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<Option<Vec<Answer>>, HostError>> {
        Box::pin(async move {
            let console = match &self.answers {
                Answers::User(console) => console,
                Answers::UserWhenReady(console, ready) => {
                    // Asked once more: nothing was said since the first time.
                    let is_again = questions.iter().any(|question| question.note.is_some());
                    if !is_again && let Ok(permit) = ready.acquire().await {
                        permit.forget();
                    }
                    console
                }
                Answers::Yes | Answers::No(_) => return Err(NOBODY),
            };
            let asked = move |console: &mut dyn super::Console| answers(&questions, console);
            Ok(with_console(console, asked).await.flatten())
        })
    }
}

const NOBODY: HostError = HostError::Unavailable("ask questions, since nobody is at a terminal");
