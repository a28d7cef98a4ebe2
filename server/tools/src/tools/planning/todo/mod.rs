//! `todo_read` and `todo_write` (DESIGN, section 3): what a thread has to do, kept while the
//! process lives.

mod list;

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use redline_layers::ThreadId;
use serde_json::{Value, json};

use self::list::{MOST_CHARS, MOST_TODOS, Todo, checked, shown};
use crate::{
    Access, Dialect, ExecutionProfile, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![reader(), writer()]
}

fn reader() -> ToolDefinition {
    let schema = json!({"type": "object", "properties": {}});
    let spec = ToolSpec::builtin("todo_read", Dialect::Amp, READ, schema).limits(LIFE);
    let keys = |_: &Value| touched(Access::Read);
    ToolDefinition::new(spec, read).profile(ExecutionProfile::keys(keys))
}

fn writer() -> ToolDefinition {
    let limits = format!("at most {MOST_TODOS} todos of {MOST_CHARS} chars; {LIFE}");
    let spec = ToolSpec::builtin("todo_write", Dialect::Amp, WRITE, list::schema()).limits(limits);
    let keys = |_: &Value| touched(Access::Write);
    ToolDefinition::new(spec, write).profile(ExecutionProfile::keys(keys))
}

const LIFE: &str = "one list for each thread, until the process ends";

const READ: &str = "Read your todo list for this conversation.";

const WRITE: &str = "Write your todo list for this conversation: the whole list, in order; it takes \
the place of the former one. An empty list clears it. Use it for work of several steps: mark a todo \
in_progress when you start on it and completed as soon as it is done.";

fn touched(mode: Access) -> Vec<ResourceKey> {
    vec![ResourceKey { key: Resource::Named("todos".to_owned()), mode }]
}

/// The lists of all threads.
#[derive(Default)]
struct Lists(Mutex<HashMap<ThreadId, Vec<Todo>>>);

async fn read(context: ToolContext, _: Value) -> ToolResult {
    let lists = context.state::<Lists>();
    let lists = lists.0.lock().unwrap_or_else(PoisonError::into_inner);
    let todos = lists.get(context.scope.conversation()).map(Vec::as_slice).unwrap_or_default();
    ToolResult::done(shown(todos))
}

async fn write(context: ToolContext, args: Value) -> ToolResult {
    let todos = match checked(&args) {
        Ok(todos) => todos,
        Err(problems) => {
            let problems = problems.join("\n");
            return ToolResult::error(format!("todo_write: {problems}\nNothing was changed."));
        }
    };
    let text = shown(&todos);
    let lists = context.state::<Lists>();
    let mut lists = lists.0.lock().unwrap_or_else(PoisonError::into_inner);
    match todos.is_empty() {
        true => drop(lists.remove(context.scope.conversation())),
        false => drop(lists.insert(context.scope.conversation().clone(), todos)),
    }
    ToolResult::done(text)
}

#[cfg(test)]
mod tests;
