//! Asks as `window/showMessageRequest`.
//!
//! One at a time: an editor may have only one dialog (Helix lets a second one take the place of the
//! first, whose answer then never comes; Emacs reads one answer at a time). The first choice is the
//! one that a stray Enter takes (Helix and eglot offer it ready to be confirmed), so it is the one
//! that allows nothing.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use redline_workspace::{Ask, AskAnswer, AskId, AskOption, Event, OptionId, Workspace};
use serde_json::{Value, json};
use tokio::task::AbortHandle;

use crate::lsp::{
    log::Log,
    standard::{MessageAction, ShowMessageRequest},
    to_proto,
    transport::Peer,
};

/// LSP's `MessageType.Info`.
const INFO: u8 = 3;

/// The asks that wait, and the one on the screen.
pub struct MessageAsks {
    peer: Peer,
    log: Log,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    /// Oldest first; the first one is on the screen.
    waiting: VecDeque<Waiting>,
    screen: Option<Screen>,
}

struct Waiting {
    id: AskId,
    text: String,
    options: Vec<AskOption>,
    workspace: Arc<Workspace>,
}

/// A request that the client has not answered.
struct Screen {
    id: AskId,
    request: i64,
    task: AbortHandle,
}

impl MessageAsks {
    /// No asks yet.
    pub fn new(peer: Peer, log: Log) -> Arc<Self> {
        Arc::new(Self { peer, log, queue: Mutex::default() })
    }

    /// Puts an ask, once those before it are answered.
    pub fn put(self: &Arc<Self>, id: AskId, ask: &Ask, workspace: &Arc<Workspace>) {
        let mut options = ask.options.clone();
        options.sort_by_key(|option| option.id != OptionId::Reject);
        let (text, workspace) = (to_proto::ask_text(ask), workspace.clone());
        let mut queue = self.queue();
        queue.waiting.push_back(Waiting { id, text, options, workspace });
        self.show_next(&mut queue);
    }

    /// Takes an ask back: nobody waits for its answer any more.
    pub fn withdraw(self: &Arc<Self>, id: AskId) {
        let mut queue = self.queue();
        queue.waiting.retain(|waiting| waiting.id != id);
        if let Some(screen) = queue.screen.take_if(|screen| screen.id == id) {
            screen.task.abort();
            self.peer.notify("$/cancelRequest", json!({ "id": screen.request }));
        }
        self.show_next(&mut queue);
    }

    /// Shows the ask that is on the screen once more: its dialog may be lost. False: there is none.
    pub fn again(self: &Arc<Self>) -> bool {
        let mut queue = self.queue();
        if let Some(screen) = queue.screen.take() {
            screen.task.abort();
        }
        self.show_next(&mut queue);
        queue.screen.is_some()
    }

    fn show_next(self: &Arc<Self>, queue: &mut Queue) {
        let Some(next) = queue.waiting.front().filter(|_| queue.screen.is_none()) else { return };
        let more = match queue.waiting.len() - 1 {
            0 => String::new(),
            1 => "\n(1 more question waits)".to_owned(),
            n => format!("\n({n} more questions wait)"),
        };
        let title = |option: &AskOption| MessageAction { title: option.label.clone() };
        let call = self.peer.request(
            "window/showMessageRequest",
            ShowMessageRequest {
                kind: INFO,
                message: format!("{}{more}", next.text),
                actions: next.options.iter().map(title).collect(),
            },
        );
        let (id, request) = (next.id, call.id());
        let (asks, options, workspace) =
            (self.clone(), next.options.clone(), next.workspace.clone());
        // It cannot be over before it is on the screen: `answered` waits for the queue.
        let task = tokio::spawn(async move {
            let answer = call.await.map_err(|error| error.message.into_owned());
            let answer = answer.and_then(|value| picked(&value, &options)).unwrap_or_else(|why| {
                asks.log.error(&format!("{id} was rejected: {why}"));
                rejection()
            });
            if asks.answered(id, request) {
                workspace.post(Event::AskAnswered { ask: id, answer });
                let mut queue = asks.queue();
                asks.show_next(&mut queue);
            }
        });
        queue.screen = Some(Screen { id, request, task: task.abort_handle() });
    }

    /// Takes an answered ask off the screen; false: it was withdrawn or is shown again meanwhile.
    fn answered(&self, id: AskId, request: i64) -> bool {
        let mut queue = self.queue();
        let taken = queue.screen.take_if(|screen| screen.id == id && screen.request == request);
        if taken.is_some() {
            queue.waiting.retain(|waiting| waiting.id != id);
        }
        taken.is_some()
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The chosen option; null: dismissed.
fn picked(value: &Value, options: &[AskOption]) -> Result<AskAnswer, String> {
    if value.is_null() {
        return Ok(rejection());
    }
    let title = value["title"].as_str().unwrap_or_default();
    let found = options.iter().find(|option| option.label == title);
    let option = found.ok_or_else(|| format!("the client answered with {value}"))?;
    Ok(AskAnswer { option: option.id, comment: None })
}

/// What dismissing means.
fn rejection() -> AskAnswer {
    AskAnswer { option: OptionId::Reject, comment: None }
}
