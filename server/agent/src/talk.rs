//! One conversation with a model: what is asked, answered, called and told.

use std::{sync::Arc, time::Duration};

use redline_layers::ThreadId;
use redline_tools::{Scope, ToolCall, ToolEvent, ToolResult};
use serde_json::Value;

use crate::{
    Block, Message, ThreadEventKind,
    event::{Emitter, Voice},
    for_model,
    house::House,
    provider::{Asker, Provider, ProviderError, Reply, Request},
    thread::Threads,
};

/// How long tools may take to stop after a cancel before the turn ends without them.
const GRACE: Duration = Duration::from_secs(2);

/// Everything that it takes.
pub(crate) struct Talk {
    pub(crate) house: Arc<dyn House>,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) emitter: Arc<Emitter>,
    pub(crate) threads: Arc<Threads>,
    pub(crate) model: Option<String>,
    /// What the model is, and how it works.
    pub(crate) instructions: Option<String>,
    /// Whose conversation it is, and its cancel.
    pub(crate) scope: Scope,
    /// Under which names it is told.
    pub(crate) voice: Voice,
}

impl Talk {
    /// The thread that the messages are kept in.
    pub(crate) fn conversation(&self) -> &ThreadId {
        self.scope.conversation()
    }

    /// What the model answers to all that was said. Dropping the future gives the request up.
    pub(crate) async fn ask(&self) -> Result<Reply, ProviderError> {
        let messages =
            self.threads.with(self.conversation(), |t| t.messages().to_vec()).unwrap_or_default();
        let request = Request {
            model: self.model.as_deref(),
            messages: &messages,
            tools: self.house.specs(&self.scope),
            instructions: self.instructions.as_deref(),
            asker: self.asker(),
        };
        let on_text = |delta: &str| self.emit(ThreadEventKind::Text { delta: delta.to_owned() });
        self.provider.complete(request, &on_text).await
    }

    fn asker(&self) -> Asker<'_> {
        match &self.voice.parent {
            None => Asker::Thread(self.scope.thread.as_str()),
            Some(call) => Asker::Subagent { agent: &self.scope.agent, call },
        }
    }

    /// Takes the model's answer into the conversation; gives back its calls.
    pub(crate) fn answered(&self, reply: Reply) -> Vec<ToolCall> {
        let calls = reply.content.iter().filter_map(tool_call).collect();
        if let Some(usage) = &reply.usage {
            self.emit(ThreadEventKind::Usage(usage.clone()));
        }
        let Reply { content, stop_reason, usage } = reply;
        self.append(Message::assistant(&self.voice.thread, content, stop_reason, usage));
        calls
    }

    /// One result a call, also when the tools don't stop in time or lose count.
    pub(crate) async fn call(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        let on_event = |event: ToolEvent| self.emit(ThreadEventKind::ToolCall(Box::new(event)));
        let cut = async {
            self.scope.cancel.cancelled().await;
            tokio::time::sleep(GRACE).await;
        };
        let mut results = tokio::select! {
            biased;
            results = self.house.run(&self.scope, calls.to_vec(), &on_event) => results,
            () = cut => Vec::new(),
        };
        results.resize_with(calls.len(), || ToolResult::Cancelled);
        results
    }

    /// Says something to the model, with the next request.
    pub(crate) fn tell(&self, content: Vec<Block>) {
        self.append(Message::user(&self.voice.thread, content));
    }

    /// Gives calls that the model waits for in vain a result, so that the messages are whole.
    pub(crate) fn settle(&self) {
        let open = self.threads.with(self.conversation(), |thread| thread.open_calls());
        let open = open.unwrap_or_default();
        if !open.is_empty() {
            self.tell(open.iter().map(|call| result_block(call, &ToolResult::Cancelled)).collect());
        }
    }

    pub(crate) fn emit(&self, event: ThreadEventKind) {
        self.emitter.emit(&self.voice, event);
    }

    fn append(&self, message: Message) {
        let message = message.sent_by(self.voice.parent.as_deref());
        self.threads.with(self.conversation(), |thread| thread.append(message));
    }
}

/// What the model reads of each call.
pub(crate) fn result_blocks(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Block> {
    calls.iter().zip(results).map(|(call, result)| result_block(&call.id, result)).collect()
}

/// What the model reads of a call.
pub(crate) fn result_block(call: &str, result: &ToolResult) -> Block {
    let (content, is_error) = for_model(result);
    Block::ToolResult { tool_use_id: call.to_owned(), content, is_error }
}

/// The call whose rejection without a comment ends the turn (DESIGN section 3).
pub(crate) fn halting<'a>(
    calls: &'a [ToolCall],
    results: &'a [ToolResult],
) -> Option<(&'a ToolCall, &'a ToolResult)> {
    calls.iter().zip(results).find(|(_, result)| result.ends_turn())
}

fn tool_call(block: &Block) -> Option<ToolCall> {
    match block {
        Block::ToolUse { id, name, input } => Some(ToolCall {
            id: id.clone(),
            name: name.clone(),
            args: Value::Object(input.clone()),
        }),
        _ => None,
    }
}
