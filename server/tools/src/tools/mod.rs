//! The tools. Each file quotes the contract that it keeps.

mod agent_air;
mod agents;
mod amplifier;
mod asking;
mod bash;
mod create_file;
mod delete_file;
mod edit;
mod edit_file;
mod files;
mod glob;
mod grep;
mod guidance;
mod planning;
mod proposal;
mod read;
mod undo_edit;
mod web;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use redline_permissions::guards::is_secret_file as is_secret;
use serde_json::Value;

use crate::{Registry, ToolContext, ToolResult};

/// All tools: Amp's (seeds 000 and 001), and what Agent Air (seed 002) and Amplifier (seed 003) have
/// that Amp has not, or has otherwise.
pub fn builtin() -> Registry {
    let mut registry = Registry::new();
    let amp = vec![
        read::definition(),
        edit_file::definition(),
        create_file::definition(),
        delete_file::definition(),
        undo_edit::definition(),
        bash::definition(),
        glob::definition(),
        grep::definition(),
    ];
    let groups = [
        amp,
        web::definitions(),
        planning::definitions(),
        asking::definitions(),
        agents::definitions(),
        agent_air::definitions(),
        amplifier::definitions(),
    ];
    for tool in groups.into_iter().flatten() {
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
        let amp = [
            "Read",
            "edit_file",
            "create_file",
            "delete_file",
            "undo_edit",
            "Bash",
            "glob",
            "Grep",
        ];
        assert_eq!(names, amp);
    }
}
