//! The editor as the session's front: effects become messages, answers become events.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use redline_workspace::{
    Ask, AskAnswer, AskId, EditId, Effect, Event, Front, LogLevel, OptionId, TextEdit, Workspace,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::{sync::watch, task::AbortHandle};

use super::{
    client::Client,
    log::Log,
    plain::{MessageAsks, View},
    protocol as wire, to_proto,
    transport::{Call, Peer},
};

/// How long a client may take to save a file.
const SAVE_PATIENCE: Duration = Duration::from_secs(30);
/// How long the didChange may take that explains why an edit was refused.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(1);

/// Performs effects by messages to the client. Nothing here waits: requests wait in tasks of their
/// own, and their order is that of the one queue to the client.
pub struct EditorFront {
    peer: Peer,
    client: Client,
    log: Log,
    /// Asks on the screen. A withdrawn one has nobody waiting: a late answer is ignored.
    asks: Arc<Mutex<HashMap<AskId, AbortHandle>>>,
    /// The same for a client that is asked in messages.
    messages: Arc<MessageAsks>,
    /// For a client that does not draw reviews itself.
    view: View,
    changes: Arc<watch::Sender<()>>,
}

impl EditorFront {
    /// A front for that client.
    pub fn new(peer: Peer, client: Client, log: Log) -> Self {
        let messages = MessageAsks::new(peer.clone(), log.clone());
        let view = View::new(peer.clone(), client);
        let changes = Arc::new(watch::Sender::new(()));
        Self { peer, client, log, asks: Arc::default(), messages, view, changes }
    }

    /// The asks of a client that is asked in messages.
    pub fn messages(&self) -> Arc<MessageAsks> {
        self.messages.clone()
    }

    /// To be touched with each didChange.
    pub fn changes(&self) -> Arc<watch::Sender<()>> {
        self.changes.clone()
    }

    fn apply_edit(&self, edit: EditId, params: wire::ApplyEdit, workspace: &Arc<Workspace>) {
        let workspace = workspace.clone();
        if !self.client.apply_edit {
            let reason = "it takes no edits from a server: close the file there and decide again, \
                          then the file on disk is changed";
            // Not from within `perform`: the session is told from a task, as by a client.
            tokio::spawn(async move {
                let reason = Some(reason.to_owned());
                workspace.post(Event::EditAnswered { edit, applied: false, reason });
            });
            return;
        }
        let (plain, changes) = (self.client.is_plain(), self.changes.subscribe());
        let log = self.log.clone();
        let call = self.peer.request("workspace/applyEdit", params);
        tokio::spawn(async move {
            let answer = edit_answer(call).await;
            let event = match (plain, answer) {
                (false, (applied, reason)) => Event::EditAnswered { edit, applied, reason },
                // It may show it much later (eglot: once its user pauses). The didChange tells.
                (true, (true, _)) => return,
                (true, (false, reason)) => refused(edit, reason, changes, &log).await,
            };
            workspace.post(event);
        });
    }

    fn edit_params(
        &self,
        uri: String,
        version: i32,
        edits: &[TextEdit],
        label: String,
    ) -> wire::ApplyEdit {
        let edits = to_proto::edits(edits);
        let edit = if self.client.document_changes {
            let text_document = wire::EditedDocument { uri, version };
            wire::WorkspaceEdit::DocumentChanges([wire::DocumentEdit { text_document, edits }])
        } else {
            let edits = serde_json::to_value(edits).unwrap_or_default();
            wire::WorkspaceEdit::Changes(Map::from_iter([(uri, edits)]))
        };
        wire::ApplyEdit { label, edit }
    }

    fn save(&self, uri: String, workspace: &Arc<Workspace>) {
        let workspace = workspace.clone();
        let call = self.client.declared.save.then(|| {
            self.peer.request("redline/save", wire::SaveParams { uris: vec![uri.clone()] })
        });
        let log = self.log.clone();
        tokio::spawn(async move {
            if let Some(call) = call {
                match tokio::time::timeout(SAVE_PATIENCE, call).await {
                    Ok(Ok(_)) => {}
                    Ok(Err(error)) => {
                        log.error(&format!("could not save {uri}: {}", error.message))
                    }
                    Err(_) => {
                        log.error(&format!("could not save {uri}: the client does not answer"))
                    }
                }
            }
            workspace.post(Event::SaveAnswered { uri });
        });
    }

    fn show_ask(&self, id: AskId, ask: &Ask, queue: (usize, usize), workspace: &Arc<Workspace>) {
        if !self.client.declared.permission {
            return self.messages.put(id, ask, workspace);
        }
        let call = self.peer.request("redline/permission", to_proto::permission(id, ask, queue));
        let (workspace, log, asks) = (workspace.clone(), self.log.clone(), self.asks.clone());
        // The lock is held until the ask is in the list, so that an answer finds it there.
        let mut on_screen = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = tokio::spawn(async move {
            let answer = call.await;
            let answer = answer
                .map_err(|error| error.message.into_owned())
                .and_then(own_answer)
                .unwrap_or_else(|why| {
                    log.error(&format!("{id} was rejected: {why}"));
                    AskAnswer::reject(None)
                });
            asks.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            workspace.post(Event::AskAnswered { ask: id, answer });
        });
        on_screen.insert(id, waiting.abort_handle());
    }

    fn withdraw(&self, id: AskId, reason: String) {
        if !self.client.declared.permission {
            return self.messages.withdraw(id);
        }
        let mut asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(waiting) = asks.remove(&id) else { return };
        waiting.abort();
        let params = wire::PermissionWithdrawn { ask_id: id.to_string(), reason };
        self.peer.notify("redline/permissionWithdrawn", params);
    }
}

impl Front for EditorFront {
    fn perform(&self, effect: Effect, workspace: &Arc<Workspace>) {
        match effect {
            Effect::ApplyEdit { edit, uri, version, edits, label } => {
                self.apply_edit(edit, self.edit_params(uri, version, &edits, label), workspace);
            }
            Effect::Save { uri } => self.save(uri, workspace),
            Effect::Review(review) if self.client.declared.review => {
                self.peer.notify("redline/review", to_proto::review(&review, self.client.encoding));
            }
            Effect::Review(review) => self.view.show(&review),
            Effect::ShowAsk { id, ask, queue } => self.show_ask(id, &ask, queue, workspace),
            Effect::WithdrawAsk { id, reason } => self.withdraw(id, reason),
            Effect::Tell(level, text) => self.log.tell(level, &text),
            Effect::Log(level, text) => self.log.line(level, &text),
            // Performed by the workspace itself.
            Effect::Reply { .. }
            | Effect::WriteFile { .. }
            | Effect::SaveGrants { .. }
            | Effect::Journal { .. }
            | Effect::Checkpoint(_)
            | Effect::Decided(_)
            | Effect::StartTimer { .. }
            | Effect::ReviewsLater { .. } => {
                self.log.line(LogLevel::Warning, "an effect went astray; please report this");
            }
        }
    }
}

/// Whether the client says that it took the edit, and why not.
async fn edit_answer(call: Call) -> (bool, Option<String>) {
    let answer = call.await.map_err(|error| error.message.into_owned()).and_then(|value| {
        wire::ApplyEditResult::deserialize(value).map_err(|error| error.to_string())
    });
    match answer {
        Ok(result) => (result.applied, result.failure_reason),
        Err(reason) => (false, Some(reason)),
    }
}

/// An edit that an editor of no plugin of ours refused: because of typing that it has not told yet
/// (then the edit is sent again when that is known), or because its user does not want it (eglot
/// asks), and then not a second time.
async fn refused(
    edit: EditId,
    reason: Option<String>,
    mut changes: watch::Receiver<()>,
    log: &Log,
) -> Event {
    match tokio::time::timeout(REFUSAL_PATIENCE, changes.changed()).await {
        Ok(Ok(())) => Event::EditAnswered { edit, applied: false, reason },
        Ok(Err(_)) | Err(_) => {
            log.info(&format!("the editor refused an edit: {}", reason.unwrap_or_default()));
            Event::EditExpired { edit }
        }
    }
}

/// The answer to `redline/permission`; null: dismissed.
fn own_answer(value: Value) -> Result<AskAnswer, String> {
    if value.is_null() {
        return Ok(AskAnswer::reject(None));
    }
    let answer = wire::PermissionAnswer::deserialize(value).map_err(|error| error.to_string())?;
    let option = OptionId::parse(&answer.option)
        .ok_or_else(|| format!("the client answered with an unknown option {:?}", answer.option))?;
    let comment = answer.comment.filter(|comment| !comment.trim().is_empty());
    Ok(AskAnswer { option, comment, rule: answer.rule })
}
