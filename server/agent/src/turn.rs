//! One turn: model → tool calls → results → model, until it ends.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use redline_layers::ThreadId;
use redline_tools::{Scope, ToolCall, ToolEvent, ToolResult};
use redline_workspace::Decisions;
use serde_json::Value;

use crate::{
    Block, Message, ThreadEventKind, TurnEndReason,
    event::Emitter,
    for_model,
    house::House,
    provider::{Provider, ProviderError, Reply, Request},
    thread::{Thread, Threads},
};

/// How long tools may take to stop after a cancel before the turn ends without them.
const GRACE: Duration = Duration::from_secs(2);

/// Everything that one turn needs.
pub(crate) struct Turn {
    pub(crate) house: Arc<dyn House>,
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) emitter: Arc<Emitter>,
    pub(crate) threads: Arc<Threads>,
    pub(crate) id: String,
    pub(crate) model: Option<String>,
    /// Whose turn it is, and its cancel.
    pub(crate) scope: Scope,
}

/// How the loop came to its end.
enum End {
    /// The model stopped, or the user rejected a call without a word.
    Finished(Option<String>),
    Cancelled,
    Failed(String),
}

impl Turn {
    /// Runs to the end. A thread whose turn is over is idle, whatever happened.
    pub(crate) async fn run(self) {
        let end = AssertUnwindSafe(self.drive()).catch_unwind().await.unwrap_or_else(|_| {
            End::Failed("internal error: the turn was stopped; see the log".to_owned())
        });
        self.close(end);
    }

    fn thread(&self) -> &ThreadId {
        &self.scope.thread
    }

    async fn drive(&self) -> End {
        let mut results = Vec::new();
        let mut first = true;
        loop {
            self.tell(std::mem::take(&mut results), first).await;
            let reply = tokio::select! {
                biased;
                () = self.scope.cancel.cancelled() => return End::Cancelled,
                reply = self.ask() => match reply {
                    Ok(reply) => reply,
                    Err(error) => return End::Failed(error.to_string()),
                },
            };
            let calls = self.answered(reply);
            if calls.is_empty() {
                match self.threads.with(self.thread(), |thread| thread.queue.is_empty()) {
                    Some(false) => continue,
                    _ => return End::Finished(None),
                }
            }
            let outcomes = self.call(&calls).await;
            results =
                calls.iter().zip(&outcomes).map(|(call, r)| result_block(&call.id, r)).collect();
            let stop = if self.scope.cancel.is_cancelled() {
                Some(End::Cancelled)
            } else {
                halted_by(&calls, &outcomes).map(End::Finished)
            };
            if let Some(end) = stop {
                self.append(Message::user(self.thread(), results));
                return end;
            }
            first = false;
        }
    }

    /// The user message that goes to the model next: results, decisions, prompts.
    async fn tell(&self, results: Vec<Block>, first: bool) {
        let decisions = self.house.decisions(self.thread()).await;
        self.threads.with(self.thread(), |thread| {
            let note = decision_note(thread, &decisions, first).map(Block::text);
            let content: Vec<Block> =
                results.into_iter().chain(note).chain(thread.take_queue()).collect();
            thread.append(Message::user(self.thread(), content));
        });
    }

    async fn ask(&self) -> Result<Reply, ProviderError> {
        let messages =
            self.threads.with(self.thread(), |t| t.messages().to_vec()).unwrap_or_default();
        let request = Request {
            model: self.model.as_deref(),
            messages: &messages,
            tools: self.house.specs(self.scope.dialect),
        };
        let on_text = |delta: &str| self.emit(ThreadEventKind::Text { delta: delta.to_owned() });
        self.provider.complete(request, &on_text).await
    }

    /// Takes the model's answer into the thread; gives back its calls.
    fn answered(&self, reply: Reply) -> Vec<ToolCall> {
        let calls = reply.content.iter().filter_map(tool_call).collect();
        if let Some(usage) = &reply.usage {
            self.emit(ThreadEventKind::Usage(usage.clone()));
        }
        let Reply { content, stop_reason, usage } = reply;
        self.append(Message::assistant(self.thread(), content, stop_reason, usage));
        calls
    }

    /// One result a call, also when the tools don't stop in time or lose count.
    async fn call(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
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

    fn append(&self, message: Message) {
        self.threads.with(self.thread(), |thread| thread.append(message));
    }

    fn emit(&self, event: ThreadEventKind) {
        self.emitter.emit(self.thread(), &self.id, event);
    }

    /// Ends the turn in one step under the lock: a prompt that comes at this moment either joined
    /// it or starts the next one.
    fn close(&self, end: End) {
        let pending = self.house.pending(self.thread());
        let (reason, message) = match end {
            End::Failed(message) => (TurnEndReason::Error, Some(message)),
            End::Cancelled => (TurnEndReason::Cancelled, None),
            End::Finished(message) if pending == 0 => (TurnEndReason::Done, message),
            End::Finished(message) => (TurnEndReason::AwaitingReview, message),
        };
        let mut threads = self.threads.lock();
        if let Some(thread) = threads.get(self.thread()) {
            settle(self.thread(), thread);
            thread.turn = None;
        }
        let thread = self.thread().clone();
        self.house.post(redline_workspace::Event::TurnEnded { thread });
        self.emit(ThreadEventKind::TurnEnd { reason, message });
    }
}

/// Leaves the messages whole: every call has a result, and no prompt is lost.
fn settle(id: &ThreadId, thread: &mut Thread) {
    let open = thread.open_calls();
    let cancelled = open.iter().map(|call| result_block(call, &ToolResult::Cancelled));
    let content: Vec<Block> =
        cancelled.collect::<Vec<_>>().into_iter().chain(thread.take_queue()).collect();
    if !content.is_empty() {
        thread.append(Message::user(id, content));
    }
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

fn result_block(call: &str, result: &ToolResult) -> Block {
    let (content, is_error) = for_model(result);
    Block::ToolResult { tool_use_id: call.to_owned(), content, is_error }
}

/// A rejection without a comment ends the turn (DESIGN section 3).
fn halted_by(calls: &[ToolCall], results: &[ToolResult]) -> Option<Option<String>> {
    let (call, _) = calls.iter().zip(results).find(|(_, result)| result.ends_turn())?;
    Some(Some(format!("stopped: {} was rejected", call.name)))
}

/// What the user decided, one line a hunk, and how many hunks wait. At the beginning of a turn the
/// number alone is worth a line, if the model was not told it before.
fn decision_note(thread: &mut Thread, decisions: &Decisions, first: bool) -> Option<String> {
    let Decisions { lines, pending } = decisions;
    if lines.is_empty() && !(first && *pending > 0 && *pending != thread.told_pending) {
        return None;
    }
    thread.told_pending = *pending;
    let still = (*pending > 0).then(|| format!("still pending: {pending}"));
    Some(lines.iter().cloned().chain(still).collect::<Vec<_>>().join("\n"))
}
