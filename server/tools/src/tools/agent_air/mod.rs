//! Agent Air's tools (seed 002), over the same operations as Amp's.

mod edit_file;
mod glob;
mod grep;
mod multi_edit;
mod numbers;
mod types;

use redline_text::{Leniency, Options, Threshold};
use serde_json::{Value, json};

use super::{
    edit::{Form, Piece, Wanted, edited},
    flag, text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolDefinition, ToolFunction, ToolSpec,
};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![edit_file::definition(), multi_edit::definition(), glob::definition(), grep::definition()]
}

/// A tool of the family that changes the file `file_path`.
fn tool(name: &str, description: &str, input_schema: Value, run: ToolFunction) -> ToolDefinition {
    let spec = ToolSpec::builtin(name, Dialect::AgentAir, description, input_schema)
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
mod tests;
