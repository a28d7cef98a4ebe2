//! One turn: model → tool calls → results → model, until it ends.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use redline_layers::ThreadId;
use redline_tools::ToolResult;
use redline_workspace::Decisions;

use crate::{
    Block, Message, ThreadEventKind, TurnEndReason,
    talk::{Talk, halting, result_block, result_blocks},
    thread::Thread,
};

/// A turn of a thread that a user talks to.
pub(crate) struct Turn(pub(crate) Talk);

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
        &self.0.scope.thread
    }

    async fn drive(&self) -> End {
        let talk = &self.0;
        let mut results = Vec::new();
        let mut first = true;
        loop {
            self.tell(std::mem::take(&mut results), first).await;
            let reply = tokio::select! {
                biased;
                () = talk.scope.cancel.cancelled() => return End::Cancelled,
                reply = talk.ask() => match reply {
                    Ok(reply) => reply,
                    Err(error) => return End::Failed(error.to_string()),
                },
            };
            let calls = talk.answered(reply);
            if calls.is_empty() {
                match talk.threads.with(self.thread(), |thread| thread.queue.is_empty()) {
                    Some(false) => continue,
                    _ => return End::Finished(None),
                }
            }
            let outcomes = talk.call(&calls).await;
            results = result_blocks(&calls, &outcomes);
            let stop = if talk.scope.cancel.is_cancelled() {
                Some(End::Cancelled)
            } else {
                let halted = halting(&calls, &outcomes);
                halted.map(|(call, _)| End::Finished(Some(rejected(&call.name))))
            };
            if let Some(end) = stop {
                talk.tell(results);
                return end;
            }
            first = false;
        }
    }

    /// The user message that goes to the model next: results, decisions, prompts.
    async fn tell(&self, results: Vec<Block>, first: bool) {
        let decisions = self.0.house.decisions(self.thread()).await;
        self.0.threads.with(self.thread(), |thread| {
            let note = decision_note(thread, &decisions, first).map(Block::text);
            let content: Vec<Block> =
                results.into_iter().chain(note).chain(thread.take_queue()).collect();
            thread.append(Message::user(self.thread(), content));
        });
    }

    /// Ends the turn in one step under the lock: a prompt that comes at this moment either joined
    /// it or starts the next one.
    fn close(&self, end: End) {
        let pending = self.0.house.pending(self.thread());
        let (reason, message) = match end {
            End::Failed(message) => (TurnEndReason::Error, Some(message)),
            End::Cancelled => (TurnEndReason::Cancelled, None),
            End::Finished(message) if pending == 0 => (TurnEndReason::Done, message),
            End::Finished(message) => (TurnEndReason::AwaitingReview, message),
        };
        let mut threads = self.0.threads.lock();
        if let Some(thread) = threads.get(self.thread()) {
            settle(self.thread(), thread);
            thread.turn = None;
        }
        let thread = self.thread().clone();
        self.0.house.post(redline_workspace::Event::TurnEnded { thread });
        self.0.emit(ThreadEventKind::TurnEnd { reason, message });
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

fn rejected(call: &str) -> String {
    format!("stopped: {call} was rejected")
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
