//! Open documents. Everything here happens in the order of the messages: no awaits.

use redline_workspace::{ChangeReason, ContentChange, Event};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lsp::{
    from_proto, protocol as wire,
    server::{House, Server},
    uri,
};

/// `textDocument/didOpen`. Documents that are no files (unsaved ones, views) are not followed.
pub async fn did_open(server: &Server, params: Value) {
    take(server, "textDocument/didOpen", params, |house, params: wire::DidOpen| {
        let wire::OpenedDocument { uri, version, text } = params.text_document;
        match from_proto::file(&house.workspace, "uri", &uri) {
            Ok(file) => house.workspace.opened(file, uri, version, text),
            Err(error) => house.log.info(&format!("not followed: {}", error.message)),
        }
    });
}

/// `textDocument/didChange`
pub async fn did_change(server: &Server, params: Value) {
    take(server, "textDocument/didChange", params, |house, params: wire::DidChange| {
        let wire::VersionedDocument { uri, version } = params.text_document;
        if !is_followed(&uri) {
            return;
        }
        let change = |c: wire::ContentChange| ContentChange { range: c.range, text: c.text };
        let changes = params.content_changes.into_iter().map(change).collect();
        house.workspace.changed(uri, version, changes);
        house.changes.send_replace(());
    });
}

/// `textDocument/didSave`
pub async fn did_save(server: &Server, params: Value) {
    take(server, "textDocument/didSave", params, |house, params: wire::Document| {
        let uri = params.text_document.uri;
        if is_followed(&uri) {
            house.workspace.post(Event::Saved { uri });
        }
    });
}

/// `textDocument/didClose`
pub async fn did_close(server: &Server, params: Value) {
    take(server, "textDocument/didClose", params, |house, params: wire::Document| {
        let uri = params.text_document.uri;
        if is_followed(&uri) {
            house.workspace.closed(uri);
        }
    });
}

/// `redline/changeReason`
pub async fn change_reason(server: &Server, params: Value) {
    take(server, "redline/changeReason", params, |house, params: wire::ChangeReasonParams| {
        let wire::ChangeReasonParams { uri, version, reason } = params;
        let reason = match reason {
            wire::ChangeReason::Undo => ChangeReason::Undo,
            wire::ChangeReason::Redo => ChangeReason::Redo,
        };
        house.workspace.post(Event::ChangeReason { uri, version, reason });
    });
}

/// Of other documents nothing was opened, so nothing can be wrong with their changes.
fn is_followed(uri: &str) -> bool {
    uri::to_path(uri).is_some()
}

/// A notification has no answer: what is wrong with it goes to the log.
fn take<T: DeserializeOwned>(
    server: &Server,
    method: &str,
    params: Value,
    f: impl FnOnce(&House, T),
) {
    let Ok(house) = server.house() else { return };
    match from_proto::params(params) {
        Ok(params) => f(house, params),
        Err(error) => server.log().error(&format!("{method} ignored: {}", error.message)),
    }
}
