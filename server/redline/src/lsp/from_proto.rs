//! From the wire to the house. Errors are JSON-RPC errors that name the field.

use redline_layers::{HunkId, Revision, ThreadId};
use redline_workspace::{ResolveAction, ResolveRequest, Workspace, WorkspacePath};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use super::{protocol as wire, uri};

/// Parameters of a method of ours: −32602 with the path of the field that is wrong.
pub fn params<T: DeserializeOwned>(params: Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner().to_string();
        if path == "." { Error::invalid_params(why) } else { bad(&path, why) }
    })
}

/// −32602: a field is wrong.
pub fn bad(field: &str, why: impl std::fmt::Display) -> Error {
    Error::invalid_params(format!("{field}: {why}"))
}

/// −32803: it could not be done.
pub fn failed(why: impl ToString) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: why.to_string().into(), data: None }
}

/// The file that a client's URI names: as it named it at didOpen, else by its path.
pub fn file(workspace: &Workspace, field: &str, uri: &str) -> Result<WorkspacePath, Error> {
    if let Some(file) = workspace.query(|session| session.file_of(uri)) {
        return Ok(file);
    }
    let path = uri::to_path(uri).ok_or_else(|| bad(field, format!("{uri:?} names no file")))?;
    let root = std::path::Path::new("/");
    workspace.path(&path, root).map_err(|error| bad(field, error))
}

/// A decision, and the ids in it that are no hunk's name: they are stale.
pub fn resolve(
    params: wire::ResolveParams,
    workspace: &Workspace,
) -> Result<(ResolveRequest, Vec<String>), Error> {
    let file = params.uri.as_deref().map(|uri| file(workspace, "uri", uri)).transpose()?;
    let (hunks, unknown) = match params.hunks {
        Some(names) => {
            let (hunks, unknown) = hunk_ids(names);
            (Some(hunks), unknown)
        }
        None => (None, Vec::new()),
    };
    let request = ResolveRequest {
        action: match params.action {
            wire::Action::Accept => ResolveAction::Accept,
            wire::Action::Reject => ResolveAction::Reject,
            wire::Action::Reopen => ResolveAction::Reopen,
            wire::Action::Drop => ResolveAction::Drop,
        },
        file,
        hunks,
        include_applied: params.include.is_some(),
        comment: params.comment.filter(|comment| !comment.trim().is_empty()),
        final_text: params.final_text,
        revision: params.revision.map(Revision),
    };
    Ok((request, unknown))
}

fn hunk_ids(names: Vec<String>) -> (Vec<HunkId>, Vec<String>) {
    let mut ids = Vec::new();
    let mut unknown = Vec::new();
    for name in names {
        match name.parse() {
            Ok(id) => ids.push(id),
            Err(_) => unknown.push(name),
        }
    }
    (ids, unknown)
}

/// A prompt; URIs become paths as the model knows them.
pub fn prompt(params: wire::PromptParams, workspace: &Workspace) -> redline_agent::Prompt {
    redline_agent::Prompt {
        text: params.text,
        thread: params.thread_id.as_deref().map(ThreadId::from),
        model: params.model,
        context: params.context.map(|context| prompt_context(context, workspace)),
    }
}

/// What names no file is left out: a context is a hint, not an order.
fn prompt_context(
    context: wire::PromptContext,
    workspace: &Workspace,
) -> redline_agent::PromptContext {
    let name = |uri: &str| {
        let file = file(workspace, "uri", uri).ok()?;
        Some(file.as_path().display().to_string())
    };
    let selection = context.selection.and_then(|selection| {
        let range = selection.range;
        let until = range.end.line + u32::from(range.end.character > 0 || range.end == range.start);
        let first = range.start.line + 1;
        Some(redline_agent::Selection {
            file: name(&selection.uri)?,
            first,
            last: until.max(first),
        })
    });
    let open = context.open_uris.unwrap_or_default();
    redline_agent::PromptContext {
        active: context.active_uri.as_deref().and_then(name),
        selection,
        open: open.iter().filter_map(|uri| name(uri)).collect(),
    }
}
