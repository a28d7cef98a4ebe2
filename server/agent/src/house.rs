//! What a turn needs of the floors below it.

use std::{path::PathBuf, sync::Arc};

use futures::future::BoxFuture;
use redline_layers::ThreadId;
use redline_tools::{Scope, ToolCall, ToolEvent, ToolResult, ToolSpec, Tools};
use redline_workspace::{Decisions, Event, Workspace};

/// Takes the events of tool calls.
pub(crate) type OnToolEvent<'a> = &'a (dyn Fn(ToolEvent) + Send + Sync);

/// The floors below, as a turn sees them: so that a turn can be tested without them.
pub(crate) trait House: Send + Sync + 'static {
    /// Runs a batch of calls: one result a call, in their order.
    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        calls: Vec<ToolCall>,
        on_event: OnToolEvent<'a>,
    ) -> BoxFuture<'a, Vec<ToolResult>>;
    /// What the user decided since this was last asked.
    fn decisions<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Decisions>;
    /// Hunks of the thread that wait for the user.
    fn pending(&self, thread: &ThreadId) -> usize;
    /// Tells the session.
    fn post(&self, event: Event);
    /// The folder that tools start in.
    fn folder(&self) -> PathBuf;
    /// The tools that the model of a scope is offered.
    fn specs(&self, scope: &Scope) -> Vec<&ToolSpec>;
}

/// The real floors.
pub(crate) struct Floors {
    pub(crate) tools: Arc<Tools>,
    pub(crate) workspace: Arc<Workspace>,
}

impl House for Floors {
    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        calls: Vec<ToolCall>,
        on_event: OnToolEvent<'a>,
    ) -> BoxFuture<'a, Vec<ToolResult>> {
        Box::pin(self.tools.run(scope, calls, on_event))
    }

    fn decisions<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Decisions> {
        Box::pin(self.workspace.take_decisions(thread))
    }

    fn pending(&self, thread: &ThreadId) -> usize {
        self.workspace.query(|session| session.pending_of(thread))
    }

    fn post(&self, event: Event) {
        self.workspace.post(event);
    }

    fn folder(&self) -> PathBuf {
        let first = self.workspace.roots().into_iter().next();
        first.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    fn specs(&self, scope: &Scope) -> Vec<&ToolSpec> {
        self.tools.specs_of(scope)
    }
}
