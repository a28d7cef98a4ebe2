//! The tools. Each file quotes the contract that it keeps.

mod agent_air;
mod bash;
mod create_file;
mod edit;
mod edit_file;
mod files;
mod glob;
mod grep;
mod guidance;
mod proposal;
mod read;
mod undo_edit;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use redline_permissions::guards::is_secret_file as is_secret;
use serde_json::Value;

use crate::{Registry, ToolContext, ToolDefinition, ToolResult};

/// Amp's tools (seed 000): `Read`, `edit_file`, `create_file`, `undo_edit`, `Bash`, `glob`, `Grep`;
/// and those of Agent Air's (seed 002) that Amp has not, or has otherwise: `edit_file`,
/// `multi_edit`.
pub fn builtin() -> Registry {
    let mut registry = Registry::new();
    let tools: [ToolDefinition; 9] = [
        read::definition(),
        edit_file::definition(),
        create_file::definition(),
        undo_edit::definition(),
        bash::definition(),
        glob::definition(),
        grep::definition(),
        agent_air::edit_file(),
        agent_air::multi_edit(),
    ];
    for tool in tools {
        // Names of this list can't clash: `every_builtin_is_registered` looks.
        let _ = registry.register(tool);
    }
    registry
}

/// A string argument that the schema requires.
fn text<'a>(args: &'a Value, name: &str) -> &'a str {
    args.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// An optional argument that is true or false; false where it is not given.
fn flag(args: &Value, name: &str) -> bool {
    args.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// Tells the threads of a call that it was dropped: cancelled, or out of time.
#[derive(Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Seed 000, Read, "Error Responses": for every tool that looks at or changes a file's content.
/// Goes by the file's real name and by the one that was written, and is lifted only by a rule of the
/// user's that names the file.
fn secret(context: &ToolContext, written: &str, real: &Path) -> Option<ToolResult> {
    if context.unguarded || !is_secret(real) && !is_secret(Path::new(written)) {
        return None;
    }
    Some(ToolResult::Error {
        message: "Refusing to read env file. Reading secrets is not permitted.".to_owned(),
        error_code: Some("reading-secret-file".to_owned()),
        absolute_path: Some(real.display().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    #[test]
    fn every_builtin_is_registered() {
        let registry = builtin();
        let names: Vec<&str> =
            registry.offered(Dialect::Amp).iter().map(|spec| spec.name.as_str()).collect();
        let amp = ["Read", "edit_file", "create_file", "undo_edit", "Bash", "glob", "Grep"];
        assert_eq!(names, amp);
    }
}
