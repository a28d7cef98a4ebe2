//! `workspace/executeCommand`: the whole service for clients without our methods.

use redline_layers::ThreadId;
use redline_workspace::{ResolveAction, ResolveRequest};
use serde::Serialize;
use serde_json::Value;
use tower_lsp::jsonrpc::Result;

use super::{review, threads};
use crate::lsp::{
    from_proto, protocol as wire,
    server::{House, Server},
};

/// The commands of PROTOCOL.md, "Plain LSP clients".
pub const COMMANDS: [&str; 6] = [
    "redline.prompt",
    "redline.accept",
    "redline.reject",
    "redline.acceptAll",
    "redline.rejectAll",
    "redline.cancel",
];

/// Runs a command; its result is that of the method that it stands for.
pub async fn execute(server: &Server, params: Value) -> Result<Value> {
    let house = server.house()?;
    let params: wire::ExecuteCommand = from_proto::params(params)?;
    let arguments = Arguments(params.arguments.unwrap_or_default());
    match params.command.as_str() {
        "redline.prompt" => prompt(house, &arguments),
        "redline.accept" => one(house, ResolveAction::Accept, &arguments).await,
        "redline.reject" => one(house, ResolveAction::Reject, &arguments).await,
        "redline.acceptAll" => all(house, ResolveAction::Accept, &arguments).await,
        "redline.rejectAll" => all(house, ResolveAction::Reject, &arguments).await,
        "redline.cancel" => cancel(house, &arguments),
        // The title of a lens that does nothing.
        "" => Ok(Value::Null),
        other => Err(from_proto::bad(
            "command",
            format!("there is no command {other:?}; there are {}", COMMANDS.join(", ")),
        )),
    }
}

struct Arguments(Vec<Value>);

impl Arguments {
    fn text(&self, index: usize, what: &str) -> Result<&str> {
        self.optional(index, what)?.ok_or_else(|| {
            from_proto::bad(&format!("arguments[{index}]"), format!("missing: {what}"))
        })
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
    let mut commanded = house.commanded.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let thread = thread.or_else(|| commanded.clone());
    let prompt = redline_agent::Prompt { text, thread, ..redline_agent::Prompt::default() };
    let result = threads::say(house, prompt)?;
    *commanded = Some(ThreadId::from(result.thread_id.as_str()));
    json(result)
}

async fn one(house: &House, action: ResolveAction, arguments: &Arguments) -> Result<Value> {
    let name = arguments.text(0, "a hunk's id")?;
    let comment = arguments.optional(1, "a comment")?.map(str::to_owned);
    let (hunks, unknown) = match name.parse() {
        Ok(id) => (vec![id], Vec::new()),
        Err(_) => (Vec::new(), vec![name.to_owned()]),
    };
    let request = ResolveRequest { comment, ..ResolveRequest::hunks(action, hunks) };
    json(review::decide(house, request, unknown).await?)
}

async fn all(house: &House, action: ResolveAction, arguments: &Arguments) -> Result<Value> {
    let uri = arguments.optional(0, "a document's URI")?;
    let file =
        uri.map(|uri| from_proto::file(&house.workspace, "arguments[0]", uri)).transpose()?;
    let request = ResolveRequest { file, ..ResolveRequest::all(action) };
    json(review::decide(house, request, Vec::new()).await?)
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

fn json(result: impl Serialize) -> Result<Value> {
    serde_json::to_value(result).map_err(from_proto::failed)
}
