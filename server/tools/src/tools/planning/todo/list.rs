//! A todo list: what is valid, and how it is shown.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// Todos of a list.
pub(super) const MOST_TODOS: usize = 200;
/// Chars of an id, of a content.
pub(super) const MOST_CHARS: usize = 2_000;
/// Problems that are named at once.
const MOST_PROBLEMS: usize = 10;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Todo {
    #[serde(deserialize_with = "id")]
    pub id: String,
    pub content: String,
    pub status: Status,
    #[serde(default)]
    pub priority: Option<Priority>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Pending,
    InProgress,
    Completed,
}

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Priority {
    High,
    Medium,
    Low,
}

impl Status {
    /// The same marks as in plans.
    fn mark(self) -> &'static str {
        match self {
            Status::Pending => "[ ]",
            Status::InProgress => "[~]",
            Status::Completed => "[x]",
        }
    }
}

impl Priority {
    fn name(self) -> &'static str {
        match self {
            Priority::High => "high",
            Priority::Medium => "medium",
            Priority::Low => "low",
        }
    }
}

/// DESIGN, section 3: `todos: [{id, content, status, priority?}]`.
pub(super) fn schema() -> Value {
    let todo = json!({
        "type": "object",
        "properties": {
            "id": {"type": ["string", "integer"], "description": "Unique in the list"},
            "content": {"type": "string", "description": "What is to be done"},
            "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
            "priority": {"type": "string", "enum": ["high", "medium", "low"]}
        },
        "required": ["id", "content", "status"]
    });
    json!({
        "type": "object",
        "properties": {
            "todos": {"type": "array", "items": todo, "description": "The whole list, in order"}
        },
        "required": ["todos"]
    })
}

/// Models number their todos as often as they name them.
fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

/// The list of a call whose arguments fit the schema; `Err`: everything that is wrong with it.
pub(super) fn checked(args: &Value) -> Result<Vec<Todo>, Vec<String>> {
    let given = args.get("todos").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if given.len() > MOST_TODOS {
        let problem =
            format!("a list has at most {MOST_TODOS} todos, but these are {}", given.len());
        return Err(vec![problem]);
    }
    let parsed: Result<Vec<Todo>, _> = given.iter().map(Todo::deserialize).collect();
    let todos = parsed.map_err(|error| vec![error.to_string()])?;
    let mut problems = problems(&todos);
    match problems.len() {
        0 => Ok(todos),
        n => {
            problems.truncate(MOST_PROBLEMS);
            problems
                .extend((n > MOST_PROBLEMS).then(|| format!("… and {} more", n - MOST_PROBLEMS)));
            Err(problems)
        }
    }
}

fn problems(todos: &[Todo]) -> Vec<String> {
    let mut ids = HashSet::new();
    let mut problems = Vec::new();
    for (at, todo) in todos.iter().enumerate() {
        let mut tell = |what: String| problems.push(format!("todos[{at}]: {what}"));
        if todo.id.trim().is_empty() {
            tell("\"id\" is empty; give each todo an id of its own".to_owned());
        } else if !ids.insert(todo.id.as_str()) {
            let id = head(&todo.id);
            tell(format!("the id {id:?} is taken by a todo before it; give each an id of its own"));
        }
        if todo.content.trim().is_empty() {
            tell("\"content\" is empty; say what is to be done".to_owned());
        }
        if [&todo.id, &todo.content].into_iter().any(|text| text.chars().count() > MOST_CHARS) {
            tell(format!("it is longer than {MOST_CHARS} chars; make it shorter"));
        }
    }
    problems
}

fn head(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The list as a model reads it.
pub(super) fn shown(todos: &[Todo]) -> String {
    if todos.is_empty() {
        return "The todo list is empty. Use todo_write to make one.".to_owned();
    }
    let done = todos.iter().filter(|todo| todo.status == Status::Completed).count();
    let lines = todos.iter().map(line).collect::<Vec<_>>().join("\n");
    format!("Todos ({done} of {} completed):\n{lines}", todos.len())
}

/// Further lines of a content are indented, so that none looks like a todo.
fn line(todo: &Todo) -> String {
    let priority = todo.priority.map(|it| format!(" ({})", it.name())).unwrap_or_default();
    let id = todo.id.split_whitespace().collect::<Vec<_>>().join(" ");
    let content = todo.content.trim().lines().collect::<Vec<_>>().join("\n    ");
    format!("{} {id}: {content}{priority}", todo.status.mark())
}
