//! The question whether a folder is to be trusted: once for each content of its files, never waited
//! for by anything else.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;
use tokio::task::AbortHandle;

use super::{
    client::Client, log::Log, plain::MessageAsks, protocol as wire, settings::Configured,
    transport::Peer,
};
use crate::{settings::Want, trust::text};

/// The choices of a client that is asked in messages; the first one does nothing.
const CHOICES: [&str; 2] = ["Not now", "Trust"];

/// The questions of a connection.
pub struct TrustQuestions {
    peer: Peer,
    client: Client,
    log: Log,
    messages: Arc<MessageAsks>,
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    /// What was asked of each folder, and the dialog if it is still open.
    folders: HashMap<PathBuf, Question>,
    last: u64,
}

struct Question {
    hash: String,
    open: Option<(String, AbortHandle)>,
}

impl TrustQuestions {
    /// None yet.
    pub fn new(peer: Peer, client: Client, log: Log, messages: Arc<MessageAsks>) -> Arc<Self> {
        Arc::new(Self { peer, client, log, messages, asked: Mutex::default() })
    }

    /// Asks what was not asked of these folders, and takes back what has lost its point. Must be called
    /// inside a tokio runtime.
    pub fn consider(self: &Arc<Self>, settings: &Arc<Configured>, wants: Vec<Want>) {
        let mut asked = self.asked();
        let wanted = |folder: &Path, hash: &str| {
            wants.iter().any(|want| want.seen.folder == folder && want.seen.hash == hash)
        };
        for (folder, question) in &mut asked.folders {
            if !wanted(folder, &question.hash) {
                self.withdraw(question, "its files are others now, or it is trusted");
            }
        }
        for want in wants {
            let known = asked.folders.get(&want.seen.folder);
            if known.is_some_and(|known| known.hash == want.seen.hash) {
                continue;
            }
            asked.last += 1;
            let id = format!("trust-{}", asked.last);
            let (folder, hash) = (want.seen.folder.clone(), want.seen.hash.clone());
            let task = self.ask(id.clone(), want, settings);
            asked.folders.insert(folder, Question { hash, open: Some((id, task)) });
        }
    }

    /// Of this folder, or of all, nothing was asked.
    pub fn forget(&self, folder: Option<&Path>) {
        let mut asked = self.asked();
        asked.folders.retain(|known, question| {
            let kept = folder.is_some_and(|folder| folder != known);
            if !kept {
                self.withdraw(question, "it is asked once more");
            }
            kept
        });
    }

    fn ask(self: &Arc<Self>, id: String, want: Want, settings: &Arc<Configured>) -> AbortHandle {
        let (questions, settings) = (self.clone(), Arc::downgrade(settings));
        // Sent before this returns, so that a withdrawal comes behind it.
        let call = self
            .client
            .declared
            .trust
            .then(|| self.peer.request("redline/trust", params(&id, &want)));
        let task = tokio::spawn(async move {
            let trusts = match call {
                Some(call) => own(call.await.map_err(|error| error.message.into_owned())),
                None => questions.in_a_message(&want).await,
            };
            questions.answered(&id);
            match trusts {
                Ok(true) => {
                    let work = move || {
                        if let Some(settings) = settings.upgrade() {
                            settings.trusted(&want);
                        }
                    };
                    // Lost only with the process.
                    let _ = tokio::task::spawn_blocking(work).await;
                }
                Ok(false) => {}
                Err(why) => questions.log.error(&format!("{id} was not answered: {why}")),
            }
        });
        task.abort_handle()
    }

    async fn in_a_message(&self, want: &Want) -> Result<bool, String> {
        let titles = CHOICES.map(str::to_owned).to_vec();
        let chosen = self.messages.choose(text(want), titles).await?;
        Ok(chosen.as_deref() == Some(CHOICES[1]))
    }

    /// Nobody can take back what was answered.
    fn answered(&self, id: &str) {
        for question in self.asked().folders.values_mut() {
            question.open.take_if(|(open, _)| open == id);
        }
    }

    fn withdraw(&self, question: &mut Question, reason: &str) {
        let Some((id, task)) = question.open.take() else { return };
        task.abort();
        if self.client.declared.trust {
            let params = wire::PermissionWithdrawn { ask_id: id, reason: reason.to_owned() };
            self.peer.notify("redline/permissionWithdrawn", params);
        }
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn params(id: &str, want: &Want) -> wire::TrustParams {
    wire::TrustParams {
        trust_id: id.to_owned(),
        folder: want.seen.folder.display().to_string(),
        files: want.seen.names(),
        text: text(want),
        changed: want.changed,
    }
}

/// The answer to `redline/trust`; null: not now.
fn own(answer: Result<serde_json::Value, String>) -> Result<bool, String> {
    let answer = Option::<wire::TrustAnswer>::deserialize(answer?);
    Ok(answer.map_err(|error| error.to_string())?.is_some_and(|answer| answer.trust))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_is_one() {
        use serde_json::json;
        for (answer, want) in [
            (json!({"trust": true}), Ok(true)),
            (json!({"trust": false}), Ok(false)),
            (json!(null), Ok(false)),
        ] {
            assert_eq!(own(Ok(answer)), want);
        }
        for odd in [json!("yes"), json!({"trust": "true"}), json!({}), json!(true)] {
            assert!(own(Ok(odd.clone())).is_err(), "{odd}");
        }
        assert!(own(Err("gone".to_owned())).is_err());
    }
}
