//! Talking to the agent, and running one tool.

use redline_layers::ThreadId;
use redline_permissions::Context;
use redline_tools::ToolCall;
use serde_json::Value;
use tower_lsp::jsonrpc::Result;

use crate::lsp::{
    from_proto, progress, protocol as wire,
    server::{House, Server},
    settings::Configured,
    to_proto,
};

/// `redline/prompt`: answered at once; the turn works in a task of its own.
pub async fn prompt(server: &Server, params: Value) -> Result<wire::PromptResult> {
    let house = server.house()?;
    let params: wire::PromptParams = from_proto::params(params)?;
    // What the user saw when they sent it.
    let prompt = from_proto::prompt(params, &house.workspace);
    // A `stat` of each file: the turn begins with what they say now.
    let _turn = house.settings.in_turn(Configured::refresh).await;
    say(house, prompt)
}

/// Hands a prompt to the agent. Nothing may be awaited between this and the answer.
pub fn say(house: &House, prompt: redline_agent::Prompt) -> Result<wire::PromptResult> {
    let title = prompt.text.clone();
    let (thread, turn, hold) = house.agent.prompt_held(prompt).map_err(|error| match error {
        redline_agent::PromptError::Empty => from_proto::bad("text", error),
        error => from_proto::failed(error),
    })?;
    house.peer.drop_after_answer(hold);
    house.feed.begin(&house.agent, &thread, &turn, &title);
    Ok(wire::PromptResult { thread_id: thread.to_string(), turn_id: turn })
}

/// `redline/cancel`
pub async fn cancel(server: &Server, params: Value) -> Result<()> {
    let house = server.house()?;
    let params: wire::ThreadParams = from_proto::params(params)?;
    house.agent.cancel(&ThreadId::from(params.thread_id.as_str()));
    Ok(())
}

/// `window/workDoneProgress/cancel`
pub async fn progress_cancel(server: &Server, params: Value) {
    let token = params.get("token").and_then(Value::as_str);
    if let (Ok(house), Some(thread)) = (server.house(), token.and_then(progress::thread_of)) {
        house.agent.cancel(&thread);
    }
}

/// `redline/tool`: a `$/cancelRequest` drops this future, which cancels the call.
pub async fn tool(server: &Server, params: Value) -> Result<wire::ToolResult> {
    let house = server.house()?;
    let params: wire::ToolParams = from_proto::params(params)?;
    let thread = params.thread_id.as_deref().map(ThreadId::from);
    let call = ToolCall { id: String::new(), name: params.name, args: Value::Object(params.args) };
    let context = params.context.unwrap_or(Context::Thread);
    let dialect = params.dialect.unwrap_or(house.agent.settings().dialect);
    Ok(house.agent.tool(thread, call, context, dialect).await)
}

/// `redline/threads`
pub async fn threads(server: &Server, _: Value) -> Result<wire::ThreadsResult> {
    let threads = server.house()?.agent.threads();
    Ok(wire::ThreadsResult { threads: threads.into_iter().map(to_proto::thread).collect() })
}

/// `redline/thread`
pub async fn thread(server: &Server, params: Value) -> Result<wire::ThreadResult> {
    let house = server.house()?;
    let params: wire::ThreadParams = from_proto::params(params)?;
    let messages = house.agent.messages(&ThreadId::from(params.thread_id.as_str()));
    let unknown = || from_proto::bad("threadId", format!("no thread {:?}", params.thread_id));
    Ok(wire::ThreadResult { messages: messages.ok_or_else(unknown)? })
}
