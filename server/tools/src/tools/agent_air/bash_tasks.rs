//! `bash_tasks`, `bash_output`, `bash_kill`: the background tasks of a thread (DESIGN, section 3).

use serde_json::{Value, json};

use super::{
    printed::{STDERR_BYTES, STDOUT_BYTES},
    tasks::{MOST_ENDED, MOST_RUNNING, Tasks},
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec, tools::text,
};

/// The tools.
pub(super) fn definitions() -> [ToolDefinition; 3] {
    let spec = |name, description, schema| {
        let meta = Meta { own_limit: true, ..Meta::default() };
        ToolSpec::builtin(name, Dialect::AgentAir, description, schema).meta(meta)
    };
    let kept = format!("{MOST_RUNNING} tasks at once, the last {MOST_ENDED} that have ended");
    let shown = format!("the last {STDOUT_BYTES} bytes of stdout and {STDERR_BYTES} of stderr");
    let tasks = spec(
        "bash_tasks",
        "Lists the background tasks that bash has started.",
        json!({
            "type": "object", "properties": {},
        }),
    );
    let output = spec(
        "bash_output",
        "Shows whether a background task still runs, and what it has printed.",
        by_id(),
    );
    let kill = spec(
        "bash_kill",
        "Ends a background task and everything that it has started, and shows what it printed.",
        by_id(),
    );
    let reads = ExecutionProfile::keys(|_| Vec::new());
    [
        ToolDefinition::new(tasks.limits(kept), list).profile(reads),
        ToolDefinition::new(output.limits(shown.clone()), show).profile(reads),
        ToolDefinition::new(kill.limits(shown), kill_it).profile(ExecutionProfile::keys(killed)),
    ]
}

fn by_id() -> Value {
    json!({
        "type": "object",
        "properties": {"task_id": {"type": "string", "description": "The task's id"}},
        "required": ["task_id"]
    })
}

fn killed(args: &Value) -> Vec<ResourceKey> {
    let key = Resource::Named(format!("task:{}", text(args, "task_id")));
    vec![ResourceKey { key, mode: Access::Write }]
}

async fn list(context: ToolContext, _: Value) -> ToolResult {
    let tasks = context.state::<Tasks>().of(&context.scope.thread);
    if tasks.is_empty() {
        return ToolResult::done("No background tasks.");
    }
    ToolResult::done(tasks.iter().map(|task| task.summary()).collect::<Vec<_>>())
}

async fn show(context: ToolContext, args: Value) -> ToolResult {
    let found = context.state::<Tasks>().find(&context.scope.thread, text(&args, "task_id"));
    found.map_or_else(ToolResult::error, |task| ToolResult::done(task.report()))
}

async fn kill_it(context: ToolContext, args: Value) -> ToolResult {
    let found = context.state::<Tasks>().find(&context.scope.thread, text(&args, "task_id"));
    let task = match found {
        Ok(task) => task,
        Err(unknown) => return ToolResult::error(unknown),
    };
    let had_ended = !task.is_running();
    task.kill().await;
    let done = ToolResult::done(task.report());
    if had_ended { done.with_note("It had ended before.") } else { done }
}
