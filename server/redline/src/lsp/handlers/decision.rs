//! Decisions by command: what a command's argument names, and what becomes of it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use redline_agent::{PromptContext, Selection};
use redline_layers::HunkId;
use redline_workspace::{
    HunkState, HunkView, ResolveAction, ResolveRequest, Resolved, Workspace, WorkspacePath,
};
use serde_json::json;
use tower_lsp::jsonrpc::Result;

use crate::lsp::{
    from_proto,
    plain::{Lines, touching},
    server::House,
    transport::Peer,
};

/// The hunks that a command's first argument means: by id, or all at a place (`PATH:LINE`,
/// `PATH:FIRST-LAST`, lines from 1). Ids that are no hunk's name come back as the second part.
pub fn hunks(
    house: &House,
    action: ResolveAction,
    name: &str,
) -> Result<(Vec<HunkId>, Vec<String>)> {
    if let Ok(id) = name.parse() {
        return Ok((vec![id], Vec::new()));
    }
    let Some((file, lines)) = place(house, name)? else {
        return Ok((Vec::new(), vec![name.to_owned()]));
    };
    let review = house.workspace.query(|session| session.review(&file));
    let meant = |hunk: &&HunkView| suits(action, hunk.state) && touching(hunk, lines);
    let found: Vec<HunkId> =
        review.iter().flat_map(|review| review.hunks.iter().filter(meant)).map(|h| h.id).collect();
    match found.is_empty() {
        true => Err(from_proto::bad("arguments[0]", format!("no proposal is at {name}"))),
        false => Ok((found, Vec::new())),
    }
}

fn suits(action: ResolveAction, state: HunkState) -> bool {
    match action {
        ResolveAction::Reopen => matches!(state, HunkState::Accepted | HunkState::Rejected),
        _ => matches!(state, HunkState::Pending | HunkState::Conflict | HunkState::Applied),
    }
}

/// `PATH:LINE` or `PATH:FIRST-LAST`; `None`: it does not look like one.
fn place(house: &House, text: &str) -> Result<Option<(WorkspacePath, Lines)>> {
    let Some((path, lines)) = text.rsplit_once(':') else { return Ok(None) };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
        return Ok(None);
    };
    let first = first.saturating_sub(1);
    let lines = Lines { first, last: last.saturating_sub(1).max(first) };
    Ok(Some((named(&house.workspace, path)?, lines)))
}

/// A path as an editor shows it: absolute, or relative to one of the folders.
fn named(workspace: &Workspace, path: &str) -> Result<WorkspacePath> {
    let roots = workspace.roots();
    // A proposed file is not on the disk.
    let is_held = |root: &Path| {
        let file = workspace.path(path, root);
        file.is_ok_and(|file| workspace.query(|session| session.review(&file).is_some()))
    };
    let holds = |root: &&PathBuf| root.join(path).exists() || is_held(root);
    let root = roots.iter().find(holds).or(roots.first());
    let root = root.map_or(Path::new("/"), PathBuf::as_path);
    workspace.path(path, root).map_err(|error| from_proto::bad("path", error))
}

/// Where the user is, for a prompt.
pub fn context(house: &House, text: &str) -> Result<PromptContext> {
    let why =
        || from_proto::bad("arguments[2]", format!("{text:?} is not PATH:LINE or PATH:FIRST-LAST"));
    let (file, lines) = place(house, text)?.ok_or_else(why)?;
    let file = file.as_path().display().to_string();
    let selection = Selection { file: file.clone(), first: lines.first + 1, last: lines.last + 1 };
    Ok(PromptContext { active: Some(file), selection: Some(selection), ..open_files(house) })
}

/// What is open in the editor, for a prompt.
pub fn open_files(house: &House) -> PromptContext {
    let open = house.workspace.query(|session| {
        let open = session.held_files().filter(|file| session.uri_of(file).is_some());
        open.map(|file| file.as_path().display().to_string()).collect()
    });
    PromptContext { open, ..PromptContext::default() }
}

/// The JSON-RPC of Emacs 28 leaves what it reads together with an awaited answer lying until
/// something else arrives. So nothing is sent together with the answer, and something a bit later,
/// for an editor that was slow to read: a notification that means nothing (LSP 3.17: a client may
/// ignore any that starts with `$/`).
pub fn wake_after_answer(house: &House) {
    let peer = house.peer.clone();
    after_answer(house, move || {
        peer.pause();
        tokio::spawn(async move {
            for pause in WAKE {
                tokio::time::sleep(pause).await;
                peer.notify("$/redline/wake", json!({}));
            }
        });
    });
}

const WAKE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// Decides, once the command is answered. Some editors stand still until then (eglot): they could
/// neither take an edit, nor ask their user about it, nor send the didChange that shows it.
pub fn decide(house: &House, request: ResolveRequest, unknown: Vec<String>) {
    let (workspace, peer) = (house.workspace.clone(), house.peer.clone());
    after_answer(house, move || carry_out(workspace, peer, request, unknown));
}

/// Acts once the command is answered.
pub fn after_answer(house: &House, act: impl FnOnce() + Send + 'static) {
    house.peer.drop_after_answer(WhenDropped(Some(Box::new(act))));
}

struct WhenDropped(Option<Box<dyn FnOnce() + Send>>);

impl Drop for WhenDropped {
    fn drop(&mut self) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

/// Decided before the next message of the client is looked at; what became of it is told later.
fn carry_out(workspace: Arc<Workspace>, peer: Peer, request: ResolveRequest, unknown: Vec<String>) {
    let nothing = !unknown.is_empty() && request.hunks.as_ref().is_some_and(Vec::is_empty);
    let mut task = Box::pin(async move {
        let outcome = match nothing {
            true => Ok(Resolved::default()),
            false => workspace.resolve(request).await,
        };
        let (kind, words) = match outcome {
            Ok(resolved) => words(&resolved, &unknown),
            Err(error) => (WARNING, vec![error.to_string()]),
        };
        if !words.is_empty() {
            tell(&peer, kind, &words.join("; "));
        }
    });
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    // Its event is posted now. A task that is pending here is polled again when it starts.
    if task.as_mut().poll(&mut context).is_pending() {
        tokio::spawn(task);
    }
}

/// What became of a command, for the user.
pub fn tell(peer: &Peer, kind: u8, words: &str) {
    let params = json!({ "type": kind, "message": format!("Redline: {words}") });
    peer.notify("window/showMessage", params);
}

/// LSP's `MessageType.Warning`.
pub const WARNING: u8 = 2;
/// LSP's `MessageType.Info`.
pub const INFO: u8 = 3;

/// What the user must know: what was done shows by itself.
fn words(resolved: &Resolved, unknown: &[String]) -> (u8, Vec<String>) {
    let stale = resolved.stale.iter().map(ToString::to_string).chain(unknown.iter().cloned());
    let stale: Vec<String> = stale.collect();
    let mut words = Vec::new();
    if !stale.is_empty() {
        words.push(format!("not there any more: {}", stale.join(", ")));
    }
    words.extend(resolved.failed.iter().map(|(hunk, why)| format!("{hunk} is not done: {why}")));
    let kind = if words.is_empty() { INFO } else { WARNING };
    if !resolved.mixed.is_empty() {
        words.push("what you typed inside was kept".to_owned());
    }
    (kind, words)
}
