//! Agent Air's tools (seed 002), over the same operations as Amp's.

mod bash;
mod bash_tasks;
mod edit_file;
mod glob;
mod grep;
mod ls;
mod multi_edit;
mod numbers;
mod printed;
mod read_file;
mod tasks;
mod types;
mod write_file;

use std::path::Path;

use redline_text::{Leniency, Options, Threshold};
use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use super::{
    edit::{Form, Piece, Wanted, edited, limits},
    flag, number, text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition,
    ToolFunction, ToolResult, ToolSpec,
};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    let mut tools = vec![
        read_file::definition(),
        write_file::definition(),
        edit_file::definition(),
        multi_edit::definition(),
        ls::definition(),
        glob::definition(),
        grep::definition(),
        bash::definition(),
    ];
    tools.extend(bash_tasks::definitions());
    tools
}

/// Seed 002: "Only absolute paths are accepted; relative paths are rejected with a clear error
/// message."
fn absolute(
    context: &ToolContext,
    argument: &str,
    written: &str,
) -> Result<WorkspacePath, Box<ToolResult>> {
    if !Path::new(written).is_absolute() {
        let message = format!("{argument} must be an absolute path, got: {}", shortened(written));
        return Err(Box::new(ToolResult::error(message)));
    }
    context.path(written).map_err(|error| Box::new(ToolResult::error(error.to_string())))
}

/// Nobody wants to read megabytes of what was no path.
fn shortened(written: &str) -> String {
    const MOST: usize = 200;
    match written.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &written[..end]),
        None => written.to_owned(),
    }
}

/// A tool of the family that changes the file `file_path`.
fn tool(
    name: &str,
    description: &str,
    limits: String,
    input_schema: Value,
    run: ToolFunction,
) -> ToolDefinition {
    let spec = ToolSpec::builtin(name, Dialect::AgentAir, description, input_schema)
        .limits(limits)
        .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "file_path", Access::Write);
    let profile = Some(ExecutionProfile::keys(keys));
    ToolDefinition { spec, run, execution_profile: profile, prepare: None }
}

/// The arguments of one replacement, in seed 002's words.
fn replacement() -> Value {
    json!({
        "old_string": {"type": "string", "description": "String to find"},
        "new_string": {"type": "string", "description": "Replacement string"},
        "replace_all": {
            "type": "boolean",
            "default": false,
            "description": "Replace all occurrences (default: false)"
        },
        "fuzzy_match": {
            "type": "boolean",
            "default": false,
            "description": "Enable fuzzy matching (default: false)"
        },
        "fuzzy_threshold": {
            "type": "number",
            "default": 0.7,
            "description": "Similarity threshold 0.0-1.0 (default: 0.7)"
        }
    })
}

/// Seed 002, edit_file: exact, and only with `fuzzy_match` anything more lenient; "by default, only
/// the first occurrence is replaced". `Err` names what is wrong.
fn piece(args: &Value) -> Result<Piece, String> {
    let options = Options {
        replace_all: flag(args, "replace_all"),
        first_of_several: true,
        leniency: leniency(args)?,
    };
    let (old, new) = (text(args, "old_string").to_owned(), text(args, "new_string").to_owned());
    Ok(Piece { old, new, options })
}

fn leniency(args: &Value) -> Result<Leniency, String> {
    let threshold = match args.get("fuzzy_threshold").and_then(Value::as_f64) {
        None => Threshold::default(),
        Some(least) => Threshold::new(least).ok_or_else(|| {
            format!("\"fuzzy_threshold\" must be a number from 0.0 to 1.0, but is {least}")
        })?,
    };
    let is_fuzzy = flag(args, "fuzzy_match");
    Ok(if is_fuzzy { Leniency::Similar(threshold) } else { Leniency::Literal })
}

#[cfg(test)]
mod bash_tests;
#[cfg(test)]
mod tests;
