//! Asks, and questions of the agent, as `window/showMessageRequest`.
//!
//! One at a time: an editor may have only one dialog (Helix lets a second one take the place of the
//! first, whose answer then never comes; Emacs reads one answer at a time). The first choice is the
//! one that a stray Enter takes (Helix and eglot offer it ready to be confirmed), so it is the one
//! that allows nothing. That is the guard against keys that were meant for something else: a dialog
//! that a client draws itself ignores the first 300 ms, but here the answer of a hasty user cannot be
//! told from that of a script, which may answer at once. It is only logged.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use redline_workspace::{Ask, AskAnswer, AskId, AskOption, Event, OptionId, Workspace};
use serde_json::{Value, json};
use tokio::{sync::mpsc, task::AbortHandle};

use crate::lsp::{
    log::Log,
    standard::{MessageAction, ShowMessageRequest},
    to_proto,
    transport::Peer,
};

/// LSP's `MessageType.Info`.
const INFO: u8 = 3;
/// Nobody reads a question in that time.
const UNREAD: Duration = Duration::from_millis(300);

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
    last_question: u64,
}

struct Waiting {
    id: Id,
    text: String,
    /// The first one is the one that does nothing.
    titles: Vec<String>,
    /// Gets the client's answer: one of the titles, or none of them (dismissed).
    answer: Arc<dyn Fn(Result<Option<String>, String>) + Send + Sync>,
    /// Gets the user's no, with words.
    refuse: Box<dyn Fn(String) + Send + Sync>,
}

/// Which dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Id {
    Ask(AskId),
    Question(u64),
}

/// A request that the client has not answered.
struct Screen {
    id: Id,
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
        let titles = options.iter().map(|option| option.label.clone()).collect();
        let log = self.log.clone();
        let refuse = {
            let workspace = workspace.clone();
            move |comment: String| {
                let answer = AskAnswer::reject(Some(comment).filter(|it| !it.trim().is_empty()));
                workspace.post(Event::AskAnswered { ask: id, answer });
            }
        };
        let answer = move |title: Result<Option<String>, String>| {
            let answer = title.map(|title| picked(title.as_deref(), &options));
            let answer = answer.unwrap_or_else(|why| {
                log.error(&format!("{id} was rejected: {why}"));
                AskAnswer::reject(None)
            });
            workspace.post(Event::AskAnswered { ask: id, answer });
        };
        let mut queue = self.queue();
        queue.waiting.push_back(Waiting {
            id: Id::Ask(id),
            text,
            titles,
            answer: Arc::new(answer),
            refuse: Box::new(refuse),
        });
        self.show_next(&mut queue);
    }

    /// Has the user choose one of the titles, of which the first one stands for none; `None`: none.
    /// Dropping the future takes the dialog back.
    pub async fn choose(
        self: &Arc<Self>,
        text: String,
        titles: Vec<String>,
    ) -> Result<Option<String>, String> {
        let (sender, mut answers) = mpsc::unbounded_channel();
        // Nobody waits any more where it can't be sent.
        let refuse = sender.clone();
        let refuse = Box::new(move |_| drop(refuse.send(Ok(None))));
        let answer = move |title| drop(sender.send(title));
        let none = titles.first().cloned();
        let id = {
            let mut queue = self.queue();
            queue.last_question += 1;
            let id = Id::Question(queue.last_question);
            let answer = Arc::new(answer);
            queue.waiting.push_back(Waiting { id, text, titles, answer, refuse });
            self.show_next(&mut queue);
            id
        };
        let _open = Open { asks: self, id };
        let answer = answers.recv().await.unwrap_or(Ok(None))?;
        Ok(answer.filter(|title| Some(title) != none.as_ref()))
    }

    /// Takes an ask back: nobody waits for its answer any more.
    pub fn withdraw(self: &Arc<Self>, id: AskId) {
        self.take_back(Id::Ask(id));
    }

    fn take_back(self: &Arc<Self>, id: Id) {
        let mut queue = self.queue();
        queue.waiting.retain(|waiting| waiting.id != id);
        if let Some(screen) = queue.screen.take_if(|screen| screen.id == id) {
            self.take_down(&screen);
        }
        self.show_next(&mut queue);
    }

    /// Says no to the question on the screen, and why: a dialog of choices has no room for words.
    /// False: there is none.
    pub fn refuse(self: &Arc<Self>, comment: &str) -> bool {
        let mut queue = self.queue();
        let Some(screen) = queue.screen.take() else { return false };
        self.take_down(&screen);
        let refused = queue.waiting.pop_front();
        drop(queue);
        if let Some(refused) = &refused {
            (refused.refuse)(comment.to_owned());
        }
        let mut queue = self.queue();
        self.show_next(&mut queue);
        refused.is_some()
    }

    fn take_down(&self, screen: &Screen) {
        screen.task.abort();
        self.peer.notify("$/cancelRequest", json!({ "id": screen.request }));
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
        let title = |title: &String| MessageAction { title: title.clone() };
        let call = self.peer.request(
            "window/showMessageRequest",
            ShowMessageRequest {
                kind: INFO,
                message: format!("{}{more}", next.text),
                actions: next.titles.iter().map(title).collect(),
            },
        );
        let (id, request) = (next.id, call.id());
        let (asks, titles, told) = (self.clone(), next.titles.clone(), next.answer.clone());
        // It cannot be over before it is on the screen: `answered` waits for the queue.
        let shown = Instant::now();
        let task = tokio::spawn(async move {
            let answer = call.await.map_err(|error| error.message.into_owned());
            let answer = answer.and_then(|value| one_of(&value, &titles));
            if asks.answered(id, request) {
                asks.note_haste(shown.elapsed(), &answer);
                told(answer);
                let mut queue = asks.queue();
                asks.show_next(&mut queue);
            }
        });
        queue.screen = Some(Screen { id, request, task: task.abort_handle() });
    }

    fn note_haste(&self, took: Duration, answer: &Result<Option<String>, String>) {
        if let (true, Ok(Some(title))) = (took < UNREAD, answer) {
            let took = took.as_millis();
            self.log.info(&format!("{title:?} came {took} ms after the question was shown"));
        }
    }

    /// Takes an answered ask off the screen; false: it was withdrawn or is shown again meanwhile.
    fn answered(&self, id: Id, request: i64) -> bool {
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

/// Takes a question off the screen that nobody waits for any more.
struct Open<'a> {
    asks: &'a Arc<MessageAsks>,
    id: Id,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.asks.take_back(self.id);
    }
}

/// The chosen title; null: dismissed.
fn one_of(value: &Value, titles: &[String]) -> Result<Option<String>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let title = value["title"].as_str().unwrap_or_default();
    let found = titles.iter().find(|known| *known == title).cloned();
    found.map(Some).ok_or_else(|| format!("the client answered with {value}"))
}

fn picked(title: Option<&str>, options: &[AskOption]) -> AskAnswer {
    let option = options.iter().find(|option| Some(option.label.as_str()) == title);
    option.map_or_else(|| AskAnswer::reject(None), |option| AskAnswer::plain(option.id))
}
