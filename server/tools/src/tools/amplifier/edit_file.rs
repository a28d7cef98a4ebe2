//! Amplifier's `edit_file` (seed 003, "Editing Files").

use std::sync::Arc;

use redline_text::Options;
use serde_json::{Value, json};

use super::{text, tool, writable};
use crate::{
    Dialect, ToolContext, ToolDefinition, ToolResult,
    tools::{
        edit::{Form, Piece, Wanted, edited},
        flag,
    },
};

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let run = Arc::new(|context, args| Box::pin(run(context, args)) as _);
    tool("edit_file", DESCRIPTION, schema(), run)
}

const DESCRIPTION: &str = "Replace a string in an existing file. The file must have been read with \
read_file first, and not have changed since. old_string must be unique in the file, unless \
replace_all is set; take it from what follows the tab in read_file's lines, with its indentation. \
The change is shown to the user, who accepts or rejects it; you see the file with it at once. \
Returns a git-style diff.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The path of the file to modify"},
            "old_string": {"type": "string", "description": "The text to replace"},
            "new_string": {
                "type": "string",
                "description": "The text to replace it with (must be different from old_string)"
            },
            "replace_all": {
                "type": "boolean",
                "default": false,
                "description": "Replace all occurrences of old_string (default: false)"
            }
        },
        "required": ["file_path", "old_string", "new_string"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let path = text(&args, "file_path").to_owned();
    let file = match writable(&context, &path) {
        Ok(file) => Some(file),
        Err(refused) => return *refused,
    };
    let piece = Piece {
        old: text(&args, "old_string").to_owned(),
        new: text(&args, "new_string").to_owned(),
        options: Options { replace_all: flag(&args, "replace_all"), ..Options::ONE },
    };
    let (pieces, family) = (vec![piece], Dialect::Amplifier);
    edited(context, Wanted { path, file, pieces, family, form: Form::One }).await
}
