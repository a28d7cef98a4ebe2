//! Tells the client of new review states.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use redline_workspace::{Review, WorkspacePath};
use serde_json::Value;

use super::diagnostics::diagnostics;
use crate::lsp::{
    client::Client,
    standard::{Diagnostic, PublishDiagnostics},
    to_proto,
    transport::Peer,
};

/// Publishes diagnostics and refreshes lenses, where the client takes them.
pub struct View {
    peer: Peer,
    client: Client,
    /// What each file shows.
    shown: Mutex<HashMap<WorkspacePath, Shown>>,
    lenses: Arc<Lenses>,
}

#[derive(PartialEq)]
struct Shown {
    uri: String,
    /// An editor forgets what it was told of a file that it opens anew.
    open: bool,
    diagnostics: Vec<Diagnostic>,
}

impl View {
    /// A view for that client.
    pub fn new(peer: Peer, client: Client) -> Self {
        let lenses = Arc::new(Lenses::new(peer.clone()));
        Self { peer, client, shown: Mutex::default(), lenses }
    }

    /// The review state of a file has changed.
    pub fn show(&self, review: &Review) {
        if self.client.diagnostics {
            self.publish(review);
        }
        if self.client.lens_refresh {
            self.lenses.refresh();
        }
    }

    fn publish(&self, review: &Review) {
        let new = Shown {
            uri: to_proto::uri_of(review),
            open: review.version.is_some(),
            diagnostics: diagnostics(review, self.client.encoding),
        };
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match shown.get(&review.file) {
            Some(old) if *old == new => return,
            Some(old) if old.uri != new.uri => self.send(&old.uri, &[]),
            None if new.diagnostics.is_empty() => return,
            _ => {}
        }
        self.send(&new.uri, &new.diagnostics);
        match new.diagnostics.is_empty() {
            true => drop(shown.remove(&review.file)),
            false => drop(shown.insert(review.file.clone(), new)),
        }
    }

    fn send(&self, uri: &str, diagnostics: &[Diagnostic]) {
        let params = PublishDiagnostics { uri, diagnostics };
        self.peer.notify("textDocument/publishDiagnostics", params);
    }
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
