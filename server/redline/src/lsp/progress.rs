//! `window/workDoneProgress` of a turn.

use std::time::Duration;

use redline_layers::ThreadId;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::transport::Peer;

/// How long a client may take to agree to a progress.
const PATIENCE: Duration = Duration::from_secs(10);

/// Names the turn, and the thread for `window/workDoneProgress/cancel`.
pub fn token(thread: &ThreadId, turn: &str) -> String {
    format!("redline/{turn}/{thread}")
}

/// The thread of a token of ours.
pub fn thread_of(token: &str) -> Option<ThreadId> {
    let (_, thread) = token.strip_prefix("redline/")?.split_once('/')?;
    Some(ThreadId::from(thread))
}

/// Shows a progress until the sender is dropped; what is sent is its newest line.
pub fn start(peer: &Peer, token: String, title: &str) -> mpsc::UnboundedSender<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    let title = title.lines().next().unwrap_or_default().to_owned();
    tokio::spawn(run(peer.clone(), token, title, lines));
    sender
}

async fn run(peer: Peer, token: String, title: String, mut lines: mpsc::UnboundedReceiver<String>) {
    let agreed = peer.request("window/workDoneProgress/create", json!({ "token": token }));
    if !matches!(tokio::time::timeout(PATIENCE, agreed).await, Ok(Ok(_))) {
        return;
    }
    let show = |value: Value| peer.notify("$/progress", json!({ "token": token, "value": value }));
    show(json!({ "kind": "begin", "title": "Redline", "message": title, "cancellable": true }));
    while let Some(line) = lines.recv().await {
        show(json!({ "kind": "report", "message": line }));
    }
    show(json!({ "kind": "end" }));
}
