//! Turns against a house of paper: scripted answers, tools that do as the test says.

mod direct;
mod provider;
mod requests;
mod subagents;
mod turns;

use std::{
    collections::HashMap,
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use redline_tools::{Dialect, Scope, ToolCall, ToolEvent, ToolResult, ToolSpec, ToolStatus};
use redline_workspace::{Decisions, Event};
use serde_json::Value;
use tokio::sync::{Notify, mpsc};

use crate::{
    Agent, AgentSettings, Prompt, ThreadEvent, ThreadEventKind,
    house::{House, OnToolEvent},
};

/// What a tool of the paper house does, by its name.
#[derive(Clone)]
enum Does {
    Answers(ToolResult),
    /// Waits until it is cancelled.
    WaitsForCancel,
    /// Never ends, whatever happens.
    Hangs,
    /// Waits until the test opens the gate.
    WaitsForGate,
    Panics,
}

#[derive(Default)]
struct Paper {
    tools: HashMap<&'static str, Does>,
    decisions: Mutex<Vec<Decisions>>,
    pending: Mutex<usize>,
    posted: Mutex<Vec<String>>,
    /// Of each batch of calls.
    scopes: Mutex<Vec<Scope>>,
    gate: Notify,
}

impl Paper {
    async fn one(&self, scope: &Scope, call: ToolCall, on_event: OnToolEvent<'_>) -> ToolResult {
        let event = |status, result| ToolEvent {
            call: call.clone(),
            status,
            title: call.name.clone(),
            elapsed_ms: None,
            progress: None,
            result,
        };
        on_event(event(ToolStatus::InProgress, None));
        let result = match &self.tools[call.name.as_str()] {
            Does::Answers(result) => result.clone(),
            Does::WaitsForCancel => {
                scope.cancel.cancelled().await;
                ToolResult::Cancelled
            }
            Does::Hangs => std::future::pending().await,
            Does::WaitsForGate => {
                self.gate.notified().await;
                ToolResult::done("through")
            }
            Does::Panics => panic!("a tool panics"),
        };
        on_event(event(result.status(), Some(result.clone())));
        result
    }
}

impl House for Paper {
    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        calls: Vec<ToolCall>,
        on_event: OnToolEvent<'a>,
    ) -> BoxFuture<'a, Vec<ToolResult>> {
        self.scopes.lock().unwrap().push(scope.clone());
        Box::pin(async move {
            let mut results = Vec::new();
            for call in calls {
                results.push(self.one(scope, call, on_event).await);
            }
            results
        })
    }

    fn decisions<'a>(&'a self, _: &'a ThreadId) -> BoxFuture<'a, Decisions> {
        let mut decisions = self.decisions.lock().unwrap();
        let none = || Decisions { lines: vec![], pending: 0 };
        let next = if decisions.is_empty() { none() } else { decisions.remove(0) };
        Box::pin(async move { next })
    }

    fn pending(&self, _: &ThreadId) -> usize {
        *self.pending.lock().unwrap()
    }

    fn post(&self, event: Event) {
        let line = match event {
            Event::TurnStarted { thread } => format!("started {thread}"),
            Event::TurnEnded { thread } => format!("ended {thread}"),
            Event::WithdrawAsks { thread, call, .. } => format!("withdraw {thread} {call:?}"),
            other => format!("{other:?}"),
        };
        self.posted.lock().unwrap().push(line);
    }

    fn folder(&self) -> PathBuf {
        PathBuf::from("/project")
    }

    fn specs(&self, _: &Scope) -> Vec<&ToolSpec> {
        Vec::new()
    }
}

/// An agent on a script, and what it sent.
struct Bench {
    agent: Arc<Agent>,
    paper: Arc<Paper>,
    events: mpsc::UnboundedReceiver<ThreadEvent>,
    _script: tempfile::NamedTempFile,
}

impl Bench {
    fn new(script: &str, paper: Paper) -> Self {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(script.as_bytes()).unwrap();
        let paper = Arc::new(paper);
        let (tx, events) = mpsc::unbounded_channel();
        let sink = Arc::new(move |event| drop(tx.send(event)));
        let settings =
            AgentSettings { script: Some(file.path().to_owned()), ..AgentSettings::default() };
        let agent = Agent::in_house(paper.clone(), sink, settings);
        Self { agent, paper, events, _script: file }
    }

    fn prompt(&self, text: &str) -> String {
        let thread = Some(ThreadId::from("T"));
        let prompt = Prompt { text: text.into(), thread, ..Prompt::default() };
        self.agent.prompt(prompt).unwrap().1
    }

    async fn event(&mut self) -> ThreadEvent {
        let next = tokio::time::timeout(Duration::from_secs(10), self.events.recv());
        next.await.expect("an event within ten seconds").expect("a living agent")
    }

    /// All events up to the end of a turn, one line each.
    async fn until_end(&mut self) -> String {
        let mut lines = Vec::new();
        loop {
            let ThreadEvent { turn, seq, event, .. } = self.event().await;
            let (text, end) = show(&event);
            lines.push(format!("{turn} {seq} {text}"));
            if end {
                return lines.join("\n");
            }
        }
    }

    /// The thread's messages, one line a block.
    fn transcript(&self) -> String {
        let messages = self.agent.messages(&ThreadId::from("T")).unwrap();
        messages.iter().map(message_text).collect::<Vec<_>>().join("\n")
    }
}

fn show(event: &ThreadEventKind) -> (String, bool) {
    match event {
        ThreadEventKind::Text { delta } => (format!("text {delta:?}"), false),
        ThreadEventKind::ToolCall(e) => (format!("tool {} {}", e.call.id, e.status.name()), false),
        ThreadEventKind::Usage(_) => ("usage".to_owned(), false),
        ThreadEventKind::TurnEnd { reason, message } => {
            (format!("end {} {}", reason.name(), message.as_deref().unwrap_or("-")), true)
        }
    }
}

fn message_text(message: &Value) -> String {
    let role = message["message"]["role"].as_str().unwrap();
    let blocks = message["message"]["content"].as_array().unwrap();
    let shown = blocks.iter().map(|block| match block["type"].as_str().unwrap() {
        "text" => format!("{:?}", block["text"].as_str().unwrap()),
        "tool_use" => format!("call {} {}", block["id"], block["name"]),
        _ => format!(
            "result {} {} error={}",
            block["tool_use_id"], block["content"], block["is_error"]
        ),
    });
    format!("{role}: {}", shown.collect::<Vec<_>>().join(" | "))
}
