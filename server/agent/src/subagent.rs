//! A subagent at work: a conversation of its own inside a call of its thread.
//!
//! It works under the thread's name where proposals are concerned: it sees what the thread has
//! proposed, what it proposes is part of the same review, and the thread's agent sees it with its
//! next call. With a name of its own the layers would have to join two projections, and each edit of
//! a place that both touched would be a conflict. Only its messages, and what a model knows by
//! having read it, are its own (`Scope::conversation`).

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use redline_tools::{Outcome, ToolResult, ToolStatus, Work};

use crate::{
    Block,
    provider::Reply,
    talk::{Talk, halting, result_blocks},
};

/// One subagent, from its order to its answer. What the user decides of its proposals meanwhile is
/// told to the thread that sent it.
pub(crate) struct Subagent {
    pub(crate) talk: Talk,
    /// At least 1.
    pub(crate) most_requests: usize,
}

/// How the loop came to its end.
enum End {
    Said(String),
    Halted(String),
    Failed(String),
    Cancelled,
}

impl Subagent {
    /// Runs to the end. Its conversation says how it ended, also if the future is dropped.
    pub(crate) async fn run(self, prompt: String) -> Outcome {
        let mut left = Left { talk: &self.talk, status: ToolStatus::Cancelled };
        let mut work = Work::default();
        let drive = AssertUnwindSafe(self.drive(prompt, &mut work)).catch_unwind().await;
        let end = drive.unwrap_or_else(|_| {
            End::Failed("internal error: it was stopped; see the log".to_owned())
        });
        left.status = match &end {
            End::Said(_) => ToolStatus::Done,
            End::Halted(_) => ToolStatus::RejectedByUser,
            End::Failed(_) => ToolStatus::Error,
            End::Cancelled => ToolStatus::Cancelled,
        };
        match end {
            End::Said(said) => Outcome::Done(Work { said, ..work }),
            End::Halted(reason) => Outcome::Halted { reason, work },
            End::Failed(reason) => Outcome::Failed { reason, work },
            End::Cancelled => Outcome::Cancelled,
        }
    }

    async fn drive(&self, prompt: String, work: &mut Work) -> End {
        let talk = &self.talk;
        let mut content = vec![Block::text(prompt)];
        for _ in 0..self.most_requests {
            talk.tell(std::mem::take(&mut content));
            let reply = tokio::select! {
                biased;
                () = talk.scope.cancel.cancelled() => return End::Cancelled,
                reply = talk.ask() => match reply {
                    Ok(reply) => reply,
                    Err(error) => return End::Failed(error.to_string()),
                },
            };
            let said = said(&reply);
            let calls = talk.answered(reply);
            if calls.is_empty() {
                return End::Said(said);
            }
            let results = talk.call(&calls).await;
            results.iter().for_each(|result| work.add(result));
            content = result_blocks(&calls, &results);
            let halted = halting(&calls, &results);
            if talk.scope.cancel.is_cancelled() {
                talk.tell(content);
                return End::Cancelled;
            } else if let Some((call, result)) = halted {
                let why = refusal(&call.name, result);
                talk.tell(content);
                return End::Halted(why);
            }
        }
        talk.tell(content);
        End::Failed(self.too_long())
    }

    fn too_long(&self) -> String {
        let most = self.most_requests;
        let requests = if most == 1 { "request" } else { "requests" };
        format!("it made {most} {requests} to its model, the most it may. Give it a smaller part.")
    }
}

/// The text of an answer.
fn said(reply: &Reply) -> String {
    let texts = reply.content.iter().filter_map(|block| match block {
        Block::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn refusal(call: &str, result: &ToolResult) -> String {
    match result {
        ToolResult::RejectedByUser { reason, .. } => format!("{call} was rejected: {reason}"),
        _ => format!("{call} was rejected"),
    }
}

/// Writes down how a subagent ended, when it has.
struct Left<'a> {
    talk: &'a Talk,
    status: ToolStatus,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.talk.settle();
        self.talk.threads.with(self.talk.conversation(), |thread| {
            if let Some(errand) = &mut thread.errand {
                errand.status = self.status;
            }
            thread.touch();
        });
    }
}
