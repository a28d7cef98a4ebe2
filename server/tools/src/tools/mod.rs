//! The tools. Each file quotes the contract that it keeps.

mod agent_air;
mod agents;
mod amplifier;
mod asking;
#[cfg(test)]
mod bad_input;
mod bash;
mod check;
mod create_file;
mod delete_file;
mod edit;
mod edit_file;
mod files;
mod format_file;
mod glob;
mod grep;
mod guidance;
mod mermaid;
mod planning;
mod proposal;
mod read;
pub(crate) mod running;
mod undo_edit;
mod web;
mod write;

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

pub use self::web::{SearchService, WebSearch, WebSearchError};

/// All tools: Amp's (seeds 000 and 001), and what Agent Air (seed 002) and Amplifier (seed 003) have
/// that Amp has not, or has otherwise.
pub fn builtin() -> Registry {
    let mut registry = Registry::new();
    for tool in groups().into_iter().flatten() {
        // Names of these lists can't clash: `no_two_tools_share_a_name` looks.
        let _ = registry.register(tool);
    }
    registry
}

fn groups() -> [Vec<ToolDefinition>; 7] {
    let amp = vec![
        read::definition(),
        edit_file::definition(),
        create_file::definition(),
        delete_file::definition(),
        undo_edit::definition(),
        format_file::definition(),
        bash::definition(),
        check::definition(),
        glob::definition(),
        grep::definition(),
        mermaid::definition(),
    ];
    [
        amp,
        web::definitions(),
        planning::definitions(),
        asking::definitions(),
        agents::definitions(),
        agent_air::definitions(),
        amplifier::definitions(),
    ]
}

/// A string argument that the schema requires.
fn text<'a>(args: &'a Value, name: &str) -> &'a str {
    args.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// An optional argument that is true or false; false where it is not given.
fn flag(args: &Value, name: &str) -> bool {
    args.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// An optional number: fractions are cut off, what is below 0 is 0, what is too large is the largest
/// there is.
fn number(args: &Value, name: &str) -> Option<usize> {
    let number = args.get(name)?;
    let exact = number.as_u64().and_then(|number| usize::try_from(number).ok());
    // Casting a float saturates.
    exact.or_else(|| number.as_f64().map(|number| number as usize))
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

/// Opens a regular file for reading: neither waits nor follows a symlink.
///
/// # Errors
/// If it can't be opened.
pub(crate) fn open_plain(file: &std::path::Path) -> std::io::Result<std::fs::File> {
    files::open(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tools_share_a_name() {
        let count = groups().into_iter().flatten().count();
        assert_eq!(builtin().tools().count(), count);
    }
}
