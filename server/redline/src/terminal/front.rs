//! The terminal as the session's front: it answers asks; there is no editor to edit or save in.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use redline_permissions::Action;
use redline_workspace::{
    Ask, AskAnswer, AskId, Effect, Event, Front, LogLevel, OptionId, Workspace,
};
use tokio::sync::{
    Semaphore,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use super::{SharedConsole, ask, with_console};
use crate::cli::error;

/// Who answers asks.
#[derive(Clone)]
pub enum Answers {
    /// The user, at the terminal.
    User(SharedConsole),
    /// The user, one ask for each permit: so that what was said before the ask is shown before it.
    UserWhenReady(SharedConsole, Arc<Semaphore>),
    /// Yes to each, once: the user said so beforehand.
    Yes,
    /// No to each, with this comment.
    No(&'static str),
}

/// The front of a process in a terminal.
pub struct TerminalFront {
    asks: UnboundedSender<Shown>,
    withdrawn: Withdrawn,
}

type Withdrawn = Arc<Mutex<HashSet<AskId>>>;

struct Shown {
    id: AskId,
    ask: Box<Ask>,
    queue: (usize, usize),
    workspace: Arc<Workspace>,
}

impl TerminalFront {
    /// A front whose asks are answered one after the other by a task of the current runtime.
    pub fn start(answers: Answers) -> Arc<Self> {
        let (asks, received) = unbounded_channel();
        let withdrawn = Withdrawn::default();
        tokio::spawn(answer_all(received, answers, Arc::clone(&withdrawn)));
        Arc::new(Self { asks, withdrawn })
    }
}

impl Front for TerminalFront {
    fn perform(&self, effect: Effect, workspace: &Arc<Workspace>) {
        match effect {
            Effect::ShowAsk { id, ask, queue } => {
                let workspace = Arc::clone(workspace);
                // Fails only at the end of the process, when nobody waits for an answer.
                let _ = self.asks.send(Shown { id, ask, queue, workspace });
            }
            Effect::WithdrawAsk { id, .. } => {
                self.withdrawn.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
            }
            Effect::ApplyEdit { edit, .. } => {
                let reason = Some("no editor is connected".to_owned());
                workspace.post(Event::EditAnswered { edit, applied: false, reason });
            }
            Effect::Save { uri } => workspace.post(Event::SaveAnswered { uri }),
            Effect::Log(LogLevel::Error | LogLevel::Warning, text) | Effect::Tell(_, text) => {
                error(&text);
            }
            _ => {}
        }
    }
}

async fn answer_all(mut asks: UnboundedReceiver<Shown>, answers: Answers, withdrawn: Withdrawn) {
    while let Some(Shown { id, ask, queue, workspace }) = asks.recv().await {
        let answer = match &answers {
            Answers::User(console) => by_user(console, id, ask, queue, &withdrawn).await,
            Answers::UserWhenReady(console, ready) => {
                if let Ok(permit) = ready.acquire().await {
                    permit.forget();
                }
                by_user(console, id, ask, queue, &withdrawn).await
            }
            Answers::Yes => Some(AskAnswer::plain(yes(&ask))),
            Answers::No(why) => Some(unattended(&ask, why)),
        };
        if let Some(answer) = answer {
            workspace.post(Event::AskAnswered { ask: id, answer });
        }
    }
}

async fn by_user(
    console: &SharedConsole,
    id: AskId,
    shown: Box<Ask>,
    queue: (usize, usize),
    withdrawn: &Withdrawn,
) -> Option<AskAnswer> {
    let withdrawn = Arc::clone(withdrawn);
    let stop = move || withdrawn.lock().unwrap_or_else(PoisonError::into_inner).contains(&id);
    with_console(console, move |console| ask::answer(&shown, queue, console, &stop))
        .await
        .unwrap_or_else(|| Some(AskAnswer::reject(None)))
}

/// "Once" where it is offered; a yes given beforehand never becomes a rule for later calls, and
/// accepts nothing that the command itself has not proposed.
fn yes(ask: &Ask) -> OptionId {
    let offered = |id: &OptionId| ask.options.iter().any(|option| option.id == *id);
    [OptionId::Once, OptionId::RunWithout].into_iter().find(offered).unwrap_or(OptionId::Reject)
}

/// A command that the rules allow is asked about only because of what it would not see: it runs
/// without that, and says so in its result.
fn unattended(ask: &Ask, why: &str) -> AskAnswer {
    match ask.reason.action {
        Action::Allow => AskAnswer::plain(yes(ask)),
        _ => AskAnswer::reject(Some(why.to_owned())),
    }
}
