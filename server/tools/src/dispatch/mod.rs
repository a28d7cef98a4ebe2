//! The one way from a call to its result: resolve → validate → prepare → permit → run → trim
//! (DESIGN, section 3).

mod audited;
mod case;
mod command;
mod delegate;
mod diffstat;
mod judge;
mod meanwhile;
mod on_disk;
mod permit;
mod places;
mod report;
mod resolve;
mod run;
mod trim;
mod urls;
mod wording;

use std::{
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use futures::{FutureExt, future::join_all};
use redline_workspace::Workspace;
use resolve::Resolved;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::{
    Agents, Dialect, Host, Registry, Scope, ToolCall, ToolDefinition, ToolEvent, ToolResult,
    ToolSettings, ToolSpec, batches, context::Told, dialect::ruled_names, directory::Directories,
    memory::Memory, state::States, validate,
};
pub(crate) use permit::options;
use report::Report;
pub(crate) use wording::stay;

pub use judge::Judged;

/// The tools of one workspace.
pub struct Tools {
    workspace: Arc<Workspace>,
    host: Arc<dyn Host>,
    registry: Registry,
    /// Serial tools run one at a time in the workspace, whatever thread they are of.
    serial: Semaphore,
    told: Arc<Told>,
    memory: Arc<Memory>,
    states: Arc<States>,
    settings: Mutex<Arc<ToolSettings>>,
    agents: Mutex<Option<Weak<dyn Agents>>>,
}

impl Tools {
    /// The tools of `registry` over a workspace; `host` is what they may want of the user's side.
    pub fn new(workspace: Arc<Workspace>, host: Arc<dyn Host>, registry: Registry) -> Arc<Self> {
        Arc::new(Self {
            workspace,
            host,
            registry,
            serial: Semaphore::new(1),
            told: Arc::default(),
            memory: Arc::default(),
            states: Arc::default(),
            settings: Mutex::default(),
            agents: Mutex::default(),
        })
    }

    /// What the user configured, for calls that begin from now on.
    pub fn configure(&self, settings: ToolSettings) {
        self.workspace.wants_audit(settings.audit.unwrap_or(true));
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    fn settings(&self) -> Arc<ToolSettings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a model of that dialect is offered.
    pub fn specs(&self, dialect: Dialect) -> Vec<&ToolSpec> {
        self.registry.offered(dialect)
    }

    /// What the model of a thread is offered.
    pub fn specs_of(&self, scope: &Scope) -> Vec<&ToolSpec> {
        self.registry.offered_in(scope.dialect, scope.mode.as_deref())
    }

    /// Who runs subagents from now on. Not held: agents hold their tools.
    pub fn connect(&self, agents: Weak<dyn Agents>) {
        *self.agents.lock().unwrap_or_else(PoisonError::into_inner) = Some(agents);
    }

    fn agents(&self) -> Option<Arc<dyn Agents>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.upgrade()
    }

    /// All tools by name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Runs the calls of one assistant message: in batches by what they touch, in order. Exactly
    /// one result for each call, in the same order. After a reject that says nothing to the model
    /// the siblings in the same batch finish and later calls are cancelled (DESIGN, section 3).
    pub async fn run(
        &self,
        scope: &Scope,
        calls: Vec<ToolCall>,
        on_event: &(dyn Fn(ToolEvent) + Send + Sync),
    ) -> Vec<ToolResult> {
        let calls: Vec<Resolved> =
            calls.into_iter().map(|call| self.resolve(scope, call)).collect();
        let footprints: Vec<_> = calls.iter().map(|call| call.footprint.clone()).collect();
        let mut results: Vec<ToolResult> = Vec::with_capacity(calls.len());
        for batch in batches(&footprints) {
            let over = results.iter().any(ToolResult::ends_turn);
            let calls = batch.iter().filter_map(|&index| calls.get(index));
            let running = calls.map(|call| self.one(scope, call, over, on_event));
            results.extend(join_all(running).await);
        }
        results
    }

    async fn one(
        &self,
        scope: &Scope,
        call: &Resolved,
        over: bool,
        on_event: &(dyn Fn(ToolEvent) + Send + Sync),
    ) -> ToolResult {
        let report = Report::new(call, on_event);
        let work = async {
            if over || scope.cancel.is_cancelled() {
                return ToolResult::Cancelled;
            }
            self.dispatch(scope, call, &report).await
        };
        let result = match AssertUnwindSafe(work).catch_unwind().await {
            Ok(result) => result,
            Err(panic) => run::panicked(&call.call.name, panic.as_ref()),
        };
        self.write_end(scope, call, &report, &result).await;
        report.ended(&result);
        result
    }

    /// Where the call starts if it does not say.
    fn start(&self, scope: &Scope, keeps_directory: bool) -> PathBuf {
        let directories = self.states.of::<Directories>();
        // A subagent begins where its thread is.
        let of = || directories.of(scope.conversation()).or_else(|| directories.of(&scope.thread));
        let kept = keeps_directory.then(of);
        kept.flatten().unwrap_or_else(|| scope.cwd.clone())
    }

    /// The directory of a command as it really is, so that rules, asks, grants and the run speak of
    /// one place whatever links and `..` lead to it.
    fn in_real_directory(&self, scope: &Scope, tool: &ToolDefinition, mut args: Value) -> Value {
        if !ruled_names(&tool.spec.name).contains(&"Bash") {
            return args;
        }
        for name in ["cwd", "working_dir"] {
            let Some(written) = args.get(name).and_then(Value::as_str) else { continue };
            // Agent Air's must be absolute; its tool says so.
            if name == "working_dir" && !Path::new(written).is_absolute() {
                continue;
            }
            let real = self.workspace.path(written, &scope.cwd).ok();
            if let Some(real) = real.as_ref().and_then(|real| real.as_path().to_str()) {
                args[name] = real.into();
            }
        }
        args
    }

    /// The arguments as rules, asks and the tool get them, and the names of those that the tool has
    /// not. `Err`: the sentence for the model.
    async fn ready(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: &Value,
    ) -> Result<(Value, Vec<String>), String> {
        let valid = validate(args, &tool.spec.input_schema)
            .map_err(|error| format!("{}: {error}.", tool.spec.name))?;
        let args = match tool.prepare {
            Some(prepare) => {
                let cwd = self.start(scope, tool.spec.meta.keeps_directory);
                prepare(valid.args, &cwd, self.workspace.home().as_deref())
            }
            None => valid.args,
        };
        let args = self.planned(scope, tool, args).await?;
        Ok((self.in_real_directory(scope, tool, args), valid.ignored))
    }

    async fn dispatch(&self, scope: &Scope, call: &Resolved, report: &Report<'_>) -> ToolResult {
        let tool = match &call.tool {
            Ok(tool) => tool,
            Err(why) => return ToolResult::error(why),
        };
        self.host.refresh().await;
        let (args, ignored) = match self.ready(scope, tool, &call.call.args).await {
            Ok(ready) => ready,
            Err(reason) => return ToolResult::error(reason),
        };
        report.prepared(&args);
        let permit = tokio::select! {
            biased;
            permit = self.permit(scope, tool, &args, report) => permit,
            () = scope.cancel.cancelled() => return ToolResult::Cancelled,
        };
        self.write_call(report).await;
        let result = match permit {
            Ok(permit) => self.run_tool(scope, tool, args, permit, report).await,
            Err(result) => result,
        };
        let result = if tool.spec.meta.own_limit { result } else { trim::trimmed(result) };
        match ignored.as_slice() {
            [] => result,
            ignored => result.with_note(&format!(
                "Note: ignored what is no argument of {}: {}.",
                tool.spec.name,
                ignored.join(", ")
            )),
        }
    }
}

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod tests;
