//! The agent as its tools see it: it runs subagents and knows threads.

use std::sync::Arc;

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use redline_permissions::Context;
use redline_tools::{Agents, Errand, Outcome, Scope, Sent, ThreadNote, ToolStatus, Work};

use crate::{
    Agent, agent::new_thread_id, event::Voice, subagent::Subagent, talk::Talk, thread, transcript,
};

impl Agents for Agent {
    fn run(&self, errand: Errand) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let prompt = errand.prompt.clone();
            match self.sent_out(errand) {
                Ok(subagent) => subagent.run(prompt).await,
                Err(reason) => Outcome::Failed { reason, work: Work::default() },
            }
        })
    }

    fn threads(&self) -> Vec<ThreadNote> {
        let note = |summary: crate::ThreadSummary| ThreadNote {
            thread: summary.thread,
            title: summary.title,
            updated_at: summary.updated_at,
            state: summary.state.name(),
        };
        self.threads().into_iter().map(note).collect()
    }

    fn transcript(&self, thread: &ThreadId) -> Option<String> {
        self.threads.with(thread, |thread| transcript::text(thread.title(), thread.messages()))
    }

    fn sent(&self, thread: &ThreadId) -> Vec<Sent> {
        let threads = self.threads.lock();
        let sent = |(id, of): &(ThreadId, thread::Thread)| {
            let errand = of.errand.as_ref().filter(|errand| errand.parent == *thread)?;
            Some(Sent {
                conversation: id.clone(),
                agent: errand.agent.clone(),
                about: of.title().to_owned(),
                call: errand.call.clone(),
                status: errand.status,
            })
        };
        threads.iter().filter_map(sent).collect()
    }
}

impl Agent {
    /// A subagent with a conversation of its own, in the turn that the call is part of.
    fn sent_out(&self, errand: Errand) -> Result<Subagent, String> {
        let provider = self.provider().map_err(|error| error.to_string())?;
        let Errand { agent, instructions, about, mode, most_requests, scope, call, .. } = errand;
        let conversation = new_thread_id();
        let mut threads = self.threads.lock();
        let parent = threads.get(&scope.thread);
        let (turn, model) = match &parent {
            Some(parent) => (parent.turn_id().unwrap_or_default(), parent.model.clone()),
            None => ("", None),
        };
        let turn = turn.to_owned();
        let thread = threads.get_or_start(&conversation, &about);
        thread.errand = Some(thread::Errand {
            parent: scope.thread.clone(),
            call: call.clone(),
            agent: agent.clone(),
            status: ToolStatus::InProgress,
        });
        drop(threads);
        let voice = Voice { thread: scope.thread.clone(), turn, parent: Some(call) };
        let talk = Talk {
            house: self.house.clone(),
            provider,
            emitter: self.emitter.clone(),
            threads: self.threads.clone(),
            model: model.or_else(|| self.settings().model),
            instructions: Some(instructions),
            scope: Scope {
                agent,
                context: Context::Subagent,
                mode: Some(Arc::new(mode)),
                subagent: Some(conversation),
                ..scope
            },
            voice,
        };
        Ok(Subagent { talk, most_requests })
    }
}
