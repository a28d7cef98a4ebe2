//! What is told while a call runs.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::Value;

use super::{Resolved, audited::Audited};
use crate::{ToolCall, ToolEvent, ToolResult, ToolStatus};

/// The events of one call. The first says that it is in progress, the last has its result.
pub(super) struct Report<'a> {
    call: Mutex<ToolCall>,
    start: Instant,
    on_event: &'a (dyn Fn(ToolEvent) + Send + Sync),
    audited: Mutex<Audited>,
}

impl<'a> Report<'a> {
    pub fn new(call: &Resolved, on_event: &'a (dyn Fn(ToolEvent) + Send + Sync)) -> Self {
        let (call, audited) = (Mutex::new(call.call.clone()), Mutex::default());
        Self { call, start: Instant::now(), on_event, audited }
    }

    /// The call's id.
    pub fn id(&self) -> String {
        self.call.lock().unwrap_or_else(PoisonError::into_inner).id.clone()
    }

    /// What is to be written down of it. Not to be held across an await.
    pub fn audited(&self) -> MutexGuard<'_, Audited> {
        self.audited.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since it was started.
    pub fn millis(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The call starts, with these arguments.
    pub fn prepared(&self, args: &Value) {
        self.call.lock().unwrap_or_else(PoisonError::into_inner).args = args.clone();
        self.status(ToolStatus::InProgress);
    }

    pub fn status(&self, status: ToolStatus) {
        self.send(status, None, None);
    }

    pub fn progress(&self, text: String) {
        self.send(ToolStatus::InProgress, Some(text), None);
    }

    pub fn ended(&self, result: &ToolResult) {
        self.send(result.status(), None, Some(result.clone()));
    }

    /// One line for people: the tool and what it is about.
    pub fn title(&self) -> String {
        title(&self.call())
    }

    fn call(&self) -> ToolCall {
        self.call.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, status: ToolStatus, progress: Option<String>, result: Option<ToolResult>) {
        let call = self.call();
        let title = title(&call);
        let elapsed_ms = u64::try_from(self.start.elapsed().as_millis()).ok();
        (self.on_event)(ToolEvent { call, status, title, elapsed_ms, progress, result });
    }
}

/// The tool's name and the first line of the argument that says what it is about.
fn title(call: &ToolCall) -> String {
    const ABOUT: [&str; 11] = [
        "cmd",
        "pattern",
        "filePattern",
        "path",
        "file_path",
        "url",
        "query",
        "description",
        "task",
        "prompt",
        "threadId",
    ];
    let argument = |name: &str| call.args.get(name).and_then(Value::as_str);
    let about = ABOUT.into_iter().find_map(argument).unwrap_or_default();
    let line = about.lines().next().unwrap_or_default();
    format!("{} {}", call.name, shortened(line)).trim_end().to_owned()
}

pub(super) fn shortened(line: &str) -> String {
    const LIMIT: usize = 80;
    match line.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn titles_say_what_a_call_is_about() {
        let check = |name: &str, args: Value, want: &str| {
            let call = ToolCall { id: "1".into(), name: name.into(), args };
            assert_eq!(title(&call), want);
        };
        check("Read", json!({"path": "src/a.rs"}), "Read src/a.rs");
        check("Bash", json!({"cmd": "cargo test\nls"}), "Bash cargo test");
        check("Grep", json!({"path": "src", "pattern": "fn main"}), "Grep fn main");
        check("todo_read", json!({}), "todo_read");
        check("odd", json!("text"), "odd");
        check("Bash", json!({"cmd": "é".repeat(90)}), &format!("Bash {}…", "é".repeat(80)));
    }
}
