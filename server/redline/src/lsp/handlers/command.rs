//! `workspace/executeCommand`: the whole service for clients without our methods.

use redline_layers::ThreadId;
use redline_workspace::{ResolveAction, ResolveRequest};
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;

use super::{decision, grants, rewind, threads};
use crate::lsp::{
    from_proto, plain, protocol as wire,
    server::{House, Server},
    settings::Configured,
    standard::ShowDocument,
    uri,
};

/// The commands of PROTOCOL.md, "Plain LSP clients"; then those of docs/plain-lsp.md.
pub const COMMANDS: [&str; 15] = [
    "redline.prompt",
    "redline.accept",
    "redline.reject",
    "redline.acceptAll",
    "redline.rejectAll",
    "redline.cancel",
    "redline.reopen",
    "redline.show",
    "redline.ask",
    "redline.newThread",
    "redline.rewind",
    "redline.grants",
    "redline.revoke",
    "redline.trust",
    "redline.refuse",
];

/// Runs a command. What is wrong with it is its error; what comes of a decision is shown in the
/// editor, for the command is answered before.
pub async fn execute(server: &Server, params: Value) -> Result<Value> {
    let house = server.house()?;
    let params: wire::ExecuteCommand = from_proto::params(params)?;
    let arguments = Arguments(params.arguments.unwrap_or_default());
    if let Some(answer) = slow(house, &params.command, &arguments).await {
        return answer;
    }
    decision::wake_after_answer(house);
    match params.command.as_str() {
        "redline.accept" => one(house, ResolveAction::Accept, &arguments),
        "redline.reject" => one(house, ResolveAction::Reject, &arguments),
        "redline.reopen" => one(house, ResolveAction::Reopen, &arguments),
        "redline.acceptAll" => all(house, ResolveAction::Accept, &arguments),
        "redline.rejectAll" => all(house, ResolveAction::Reject, &arguments),
        "redline.cancel" => cancel(house, &arguments),
        "redline.rewind" => back(house, &arguments),
        "redline.show" => show(house, &arguments),
        "redline.ask" => Ok(Value::Bool(house.asks.again())),
        "redline.refuse" => {
            let comment = arguments.optional(0, "a comment")?.unwrap_or_default();
            Ok(Value::Bool(house.asks.refuse(comment)))
        }
        "redline.newThread" => {
            *commanded(house) = None;
            Ok(Value::Null)
        }
        // The title of a lens that does nothing.
        "" => Ok(Value::Null),
        other => Err(from_proto::bad(
            "command",
            format!("there is no command {other:?}; there are {}", COMMANDS.join(", ")),
        )),
    }
}

/// Those that read the disk. What comes after the answer is said after the last await.
async fn slow(house: &House, command: &str, arguments: &Arguments) -> Option<Result<Value>> {
    let _turn;
    let answer = match command {
        "redline.prompt" => {
            _turn = house.settings.in_turn(Configured::refresh).await;
            decision::wake_after_answer(house);
            return Some(prompt(house, arguments));
        }
        "redline.grants" => grants::list(house).await,
        "redline.revoke" => match arguments.text(0, "the rule") {
            Ok(rule) => grants::revoke(house, rule).await,
            Err(error) => Err(error),
        },
        "redline.trust" => match arguments.optional(0, "a folder") {
            Ok(folder) => grants::trust(house, folder).await,
            Err(error) => Err(error),
        },
        _ => return None,
    };
    decision::wake_after_answer(house);
    Some(answer)
}

struct Arguments(Vec<Value>);

impl Arguments {
    fn text(&self, index: usize, what: &str) -> Result<&str> {
        self.optional(index, what)?.ok_or_else(|| {
            from_proto::bad(&format!("arguments[{index}]"), format!("missing: {what}"))
        })
    }

    fn number(&self, index: usize, what: &str) -> Result<Option<u32>> {
        match self.0.get(index) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => serde_json::from_value(value.clone()).map(Some).map_err(|_| {
                let why = format!("expected {what}, got {value}");
                from_proto::bad(&format!("arguments[{index}]"), why)
            }),
        }
    }

    fn optional(&self, index: usize, what: &str) -> Result<Option<&str>> {
        match self.0.get(index) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => {
                let why = format!("expected {what} as a string, got {other}");
                Err(from_proto::bad(&format!("arguments[{index}]"), why))
            }
        }
    }
}

/// Without a thread the conversation of the last command goes on, so that a plain client's agent is
/// told what was decided.
fn prompt(house: &House, arguments: &Arguments) -> Result<Value> {
    let text = arguments.text(0, "the prompt")?.to_owned();
    let thread = arguments.optional(1, "a thread's id")?.map(ThreadId::from);
    let context = match arguments.optional(2, "the place where you are, as PATH:LINES")? {
        Some(place) => decision::context(house, place)?,
        None => decision::open_files(house),
    };
    let mut commanded = commanded(house);
    let thread = thread.or_else(|| commanded.clone());
    let prompt = redline_agent::Prompt {
        text,
        thread,
        context: Some(context),
        ..redline_agent::Prompt::default()
    };
    let result = threads::say(house, prompt)?;
    *commanded = Some(ThreadId::from(result.thread_id.as_str()));
    json(result)
}

fn commanded(house: &House) -> std::sync::MutexGuard<'_, Option<ThreadId>> {
    house.commanded.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn one(house: &House, action: ResolveAction, arguments: &Arguments) -> Result<Value> {
    let name = arguments.text(0, "a hunk's id, or its place as PATH:LINE")?;
    let comment = arguments.optional(1, "a comment")?.filter(|comment| !comment.trim().is_empty());
    let (hunks, unknown) = decision::hunks(house, action, name)?;
    let comment = comment.map(str::to_owned);
    let request = ResolveRequest { comment, ..ResolveRequest::hunks(action, hunks) };
    decision::decide(house, request, unknown);
    Ok(Value::Null)
}

fn all(house: &House, action: ResolveAction, arguments: &Arguments) -> Result<Value> {
    let uri = arguments.optional(0, "a document's URI")?;
    let file =
        uri.map(|uri| from_proto::file(&house.workspace, "arguments[0]", uri)).transpose()?;
    decision::decide(house, ResolveRequest { file, ..ResolveRequest::all(action) }, Vec::new());
    Ok(Value::Null)
}

fn cancel(house: &House, arguments: &Arguments) -> Result<Value> {
    match arguments.optional(0, "a thread's id")? {
        Some(thread) => drop(house.agent.cancel(&ThreadId::from(thread))),
        None => {
            for thread in house.agent.threads() {
                house.agent.cancel(&thread.thread);
            }
        }
    }
    Ok(Value::Null)
}

/// Without a number, back to before the last turn that changed a file; if none has, to the beginning.
fn back(house: &House, arguments: &Arguments) -> Result<Value> {
    let asked = arguments.number(0, "the turn's number")?;
    let last = || house.agent.threads().into_iter().next().map(|thread| thread.thread);
    let thread = commanded(house).clone().or_else(last);
    let thread = thread
        .ok_or_else(|| from_proto::failed("there is no thread yet, so nothing to go back to"))?;
    let last = || house.workspace.turns(&thread).into_keys().next_back();
    let turn = asked.or_else(last).unwrap_or(1);
    rewind::go(house, thread, turn);
    Ok(Value::Null)
}

/// All proposals (or those of one document) as a diff: in a window of the editor where it opens
/// documents, and in the result.
fn show(house: &House, arguments: &Arguments) -> Result<Value> {
    let uri = arguments.optional(0, "a document's URI")?;
    let file =
        uri.map(|uri| from_proto::file(&house.workspace, "arguments[0]", uri)).transpose()?;
    let diff = plain::diff(&house.workspace, file.as_ref());
    if diff.is_empty() {
        house
            .peer
            .notify("window/showMessage", json!({ "type": 3, "message": "Nothing is proposed." }));
        return Ok(json!({ "diff": diff }));
    }
    if !house.client.show_document {
        return Ok(json!({ "diff": diff }));
    }
    let path = house.proposals.write(&diff).map_err(from_proto::failed)?;
    let uri = uri::from_path(&path);
    let params = ShowDocument { uri: uri.clone(), external: false, take_focus: true };
    let call = house.peer.request("window/showDocument", params);
    // Whether it is shown is the editor's business.
    tokio::spawn(async move { drop(call.await) });
    Ok(json!({ "diff": diff, "uri": uri }))
}

fn json(result: impl Serialize) -> Result<Value> {
    serde_json::to_value(result).map_err(from_proto::failed)
}
