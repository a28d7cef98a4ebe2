//! The editor as the session's front: effects become messages, answers become events.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redline_workspace::{
    Ask, AskAnswer, AskId, EditId, Effect, Event, Front, LogLevel, OptionId, TextEdit, Workspace,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::task::AbortHandle;

use super::{client::Client, log::Log, protocol as wire, to_proto, transport::Peer};

/// How long a client may take to save a file.
const SAVE_PATIENCE: Duration = Duration::from_secs(30);

/// Performs effects by messages to the client. Nothing here waits: requests wait in tasks of their
/// own, and their order is that of the one queue to the client.
pub struct EditorFront {
    peer: Peer,
    client: Client,
    log: Log,
    /// Asks on the screen. A withdrawn one has nobody waiting: a late answer is ignored.
    asks: Arc<Mutex<HashMap<AskId, OnScreen>>>,
    lenses: Arc<Lenses>,
}

struct OnScreen {
    request: i64,
    waiting: AbortHandle,
}

impl EditorFront {
    /// A front for that client.
    pub fn new(peer: Peer, client: Client, log: Log) -> Self {
        let lenses = Arc::new(Lenses::new(peer.clone()));
        Self { peer, client, log, asks: Arc::default(), lenses }
    }

    fn apply_edit(&self, edit: EditId, params: wire::ApplyEdit, workspace: &Arc<Workspace>) {
        let workspace = workspace.clone();
        if !self.client.apply_edit {
            let reason = Some("the client does not take workspace/applyEdit".to_owned());
            // Not from within `perform`: the session is told from a task, as by a client.
            tokio::spawn(async move {
                workspace.post(Event::EditAnswered { edit, applied: false, reason });
            });
            return;
        }
        let call = self.peer.request("workspace/applyEdit", params);
        tokio::spawn(async move {
            let answer = call.await.map_err(|error| error.message.into_owned()).and_then(|value| {
                wire::ApplyEditResult::deserialize(value).map_err(|error| error.to_string())
            });
            let (applied, reason) = match answer {
                Ok(result) => (result.applied, result.failure_reason),
                Err(reason) => (false, Some(reason)),
            };
            workspace.post(Event::EditAnswered { edit, applied, reason });
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
        let own = self.client.declared.permission;
        let call = if own {
            self.peer.request("redline/permission", to_proto::permission(id, ask, queue))
        } else {
            let titles: Vec<Value> =
                ask.options.iter().map(|option| json!({ "title": option.label })).collect();
            let text = to_proto::ask_text(ask);
            let params = json!({ "type": 3, "message": text, "actions": titles });
            self.peer.request("window/showMessageRequest", params)
        };
        let request = call.id();
        let options: Vec<(OptionId, String)> =
            ask.options.iter().map(|option| (option.id, option.label.clone())).collect();
        let (workspace, log, asks) = (workspace.clone(), self.log.clone(), self.asks.clone());
        // The lock is held until the ask is in the list, so that an answer finds it there.
        let mut on_screen = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = tokio::spawn(async move {
            let answer = call.await;
            let answer = answer
                .map_err(|error| error.message.into_owned())
                .and_then(|value| if own { own_answer(value) } else { picked(&value, &options) })
                .unwrap_or_else(|why| {
                    log.error(&format!("{id} was rejected: {why}"));
                    rejection()
                });
            asks.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            workspace.post(Event::AskAnswered { ask: id, answer });
        });
        on_screen.insert(id, OnScreen { request, waiting: waiting.abort_handle() });
    }

    fn withdraw(&self, id: AskId, reason: String) {
        let mut asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(OnScreen { request, waiting }) = asks.remove(&id) else { return };
        waiting.abort();
        if self.client.declared.permission {
            let params = wire::PermissionWithdrawn { ask_id: id.to_string(), reason };
            self.peer.notify("redline/permissionWithdrawn", params);
        } else {
            self.peer.notify("$/cancelRequest", json!({ "id": request }));
        }
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
            Effect::Review(_) if self.client.lens_refresh => self.lenses.refresh(),
            Effect::Review(_) => {}
            Effect::ShowAsk { id, ask, queue } => self.show_ask(id, &ask, queue, workspace),
            Effect::WithdrawAsk { id, reason } => self.withdraw(id, reason),
            Effect::Log(level, text) => self.log.line(level, &text),
            // Performed by the workspace itself.
            Effect::Reply { .. } | Effect::WriteFile { .. } | Effect::StartTimer { .. } => {
                self.log.line(LogLevel::Warning, "an effect went astray; please report this");
            }
        }
    }
}

/// The answer to `redline/permission`; null: dismissed.
fn own_answer(value: Value) -> Result<AskAnswer, String> {
    if value.is_null() {
        return Ok(rejection());
    }
    let answer = wire::PermissionAnswer::deserialize(value).map_err(|error| error.to_string())?;
    let option = OptionId::parse(&answer.option)
        .ok_or_else(|| format!("the client answered with an unknown option {:?}", answer.option))?;
    let comment = answer.comment.filter(|comment| !comment.trim().is_empty());
    Ok(AskAnswer { option, comment })
}

/// The answer to `window/showMessageRequest`; null: dismissed.
fn picked(value: &Value, options: &[(OptionId, String)]) -> Result<AskAnswer, String> {
    if value.is_null() {
        return Ok(rejection());
    }
    let title = value["title"].as_str().unwrap_or_default();
    let found = options.iter().find(|(_, label)| label == title);
    let (option, _) = found.ok_or_else(|| format!("the client answered with {value}"))?;
    Ok(AskAnswer { option: *option, comment: None })
}

fn rejection() -> AskAnswer {
    AskAnswer { option: OptionId::Reject, comment: None }
}

/// Refreshes the client's lenses: one request at a time, and one more if something changed
/// meanwhile.
struct Lenses {
    peer: Peer,
    asked: AtomicBool,
    again: AtomicBool,
}

impl Lenses {
    fn new(peer: Peer) -> Self {
        Self { peer, asked: AtomicBool::new(false), again: AtomicBool::new(false) }
    }

    fn refresh(self: &Arc<Self>) {
        self.again.store(true, Ordering::SeqCst);
        if self.asked.swap(true, Ordering::SeqCst) {
            return;
        }
        let lenses = self.clone();
        tokio::spawn(async move {
            loop {
                while lenses.again.swap(false, Ordering::SeqCst) {
                    // A client that refuses has nothing to refresh.
                    let _ = lenses.peer.request("workspace/codeLens/refresh", Value::Null).await;
                }
                lenses.asked.store(false, Ordering::SeqCst);
                // A refresh that came between the last look and the store starts over here.
                let missed = lenses.again.load(Ordering::SeqCst);
                if !missed || lenses.asked.swap(true, Ordering::SeqCst) {
                    return;
                }
            }
        });
    }
}
