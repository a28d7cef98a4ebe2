//! What the agent's threads tell the client while they run.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use redline_agent::{Agent, Sink, ThreadEvent, ThreadEventKind, TurnEndReason};
use redline_layers::ThreadId;
use redline_workspace::Workspace;
use serde_json::json;
use tokio::sync::mpsc;

use super::{client::Client, plain, progress, to_proto, transport::Peer};

/// Takes the agent's events. A client with `threadEvents` gets them all; a plain one gets what the
/// model said when the turn ends. Both see the turn's progress, if they show any.
pub struct Feed {
    peer: Peer,
    client: Client,
    workspace: Arc<Workspace>,
    turns: Mutex<HashMap<String, Shown>>,
}

/// A turn of a prompt that runs.
#[derive(Default)]
struct Shown {
    /// What the model said, for plain clients.
    said: String,
    progress: Option<mpsc::UnboundedSender<String>>,
}

impl Feed {
    /// A feed for that client.
    pub fn new(peer: Peer, client: Client, workspace: Arc<Workspace>) -> Arc<Self> {
        Arc::new(Self { peer, client, workspace, turns: Mutex::default() })
    }

    /// The sink for the agent.
    pub fn sink(self: &Arc<Self>) -> Sink {
        let feed = self.clone();
        Arc::new(move |event| feed.take(event))
    }

    /// A prompt has started or joined a turn.
    pub fn begin(&self, agent: &Agent, thread: &ThreadId, turn: &str, title: &str) {
        let progress = || {
            let token = progress::token(thread, turn);
            self.client.progress.then(|| progress::start(&self.peer, token, title))
        };
        self.turns()
            .entry(turn.to_owned())
            .or_insert_with(|| Shown { said: String::new(), progress: progress() });
        // The turn may have ended before it was known here; then nobody else takes it out.
        if !agent.is_running(thread, turn) {
            self.turns().remove(turn);
        }
    }

    fn take(&self, event: ThreadEvent) {
        let ended = self.note(&event);
        if self.client.declared.thread_events {
            self.peer.notify("redline/threadEvent", to_proto::thread_event(event));
        } else if let (Some(shown), ThreadEventKind::TurnEnd { reason, message }) =
            (ended, event.event)
        {
            self.say(reason, message, &shown.said);
        }
    }

    /// Keeps what a turn of a prompt said and reports its progress; gives it back when it ends.
    fn note(&self, event: &ThreadEvent) -> Option<Shown> {
        let mut turns = self.turns();
        if matches!(event.event, ThreadEventKind::TurnEnd { .. }) {
            return turns.remove(&event.turn);
        }
        let shown = turns.get_mut(&event.turn)?;
        match &event.event {
            // What a subagent says is said to the agent that sent it.
            ThreadEventKind::Text { delta }
                if !self.client.declared.thread_events && event.parent.is_none() =>
            {
                shown.said.push_str(delta);
            }
            ThreadEventKind::ToolCall(tool) => {
                if let Some(progress) = &shown.progress {
                    // The other end is gone if the client refused the progress.
                    let _ = progress.send(tool.title.clone());
                }
            }
            _ => {}
        }
        None
    }

    fn say(&self, reason: TurnEndReason, message: Option<String>, said: &str) {
        let (kind, tail) = match reason {
            TurnEndReason::Error => (1, None),
            TurnEndReason::AwaitingReview => (3, Some(self.waiting())),
            TurnEndReason::Done | TurnEndReason::Cancelled => (3, None),
        };
        let parts = [Some(said.trim()), message.as_deref(), tail.as_deref()];
        let text: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        if !text.is_empty() {
            let params = json!({ "type": kind, "message": text.join("\n") });
            self.peer.notify("window/showMessage", params);
        }
    }

    /// A plain client has no list of what waits.
    fn waiting(&self) -> String {
        let (reviews, roots) =
            (self.workspace.query(|session| session.reviews()), self.workspace.roots());
        match plain::waiting(&reviews, |review| review.file.display_in(&roots)) {
            Some(files) => format!("Proposals wait for your review: {files}"),
            None => "Proposals wait for your review.".to_owned(),
        }
    }

    fn turns(&self) -> MutexGuard<'_, HashMap<String, Shown>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
