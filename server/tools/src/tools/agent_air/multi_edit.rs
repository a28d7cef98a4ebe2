//! Agent Air's `multi_edit`.

use std::sync::Arc;

use redline_text::MOST_REPLACEMENTS;
use serde_json::{Value, json};

use super::{Form, Piece, Wanted, edited, flag, limits, piece, replacement, text, tool};
use crate::{Dialect, ToolContext, ToolDefinition, ToolResult};

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let run = Arc::new(|context, args| Box::pin(run(context, args)) as _);
    tool("multi_edit", DESCRIPTION, limits(MOST_REPLACEMENTS), schema(), run)
}

const DESCRIPTION: &str = "Make several replacements in one file, all or none. Every old_string is \
looked for in the file as it is before the call, so edits do not see each other; they must not \
overlap. At most 50. With dry_run nothing is changed: you get the counts, the similarity of fuzzy \
matches, the difference in size and the diff. The change is shown to the user, who accepts or \
rejects it; you see the file with it at once.";

fn schema() -> Value {
    let edit = json!({
        "type": "object",
        "properties": replacement(),
        "required": ["old_string", "new_string"]
    });
    json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Absolute path to the file"},
            "edits": {"type": "array", "items": edit, "description": "Array of edit objects"},
            "dry_run": {
                "type": "boolean",
                "default": false,
                "description": "Plan all edits without changing anything (default: false)"
            }
        },
        "required": ["file_path", "edits"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match pieces(&args) {
        Err(message) => ToolResult::error(format!("multi_edit: {message}.")),
        Ok(pieces) => {
            let path = text(&args, "file_path").to_owned();
            let form = Form::Several { dry_run: flag(&args, "dry_run") };
            let family = Dialect::AgentAir;
            edited(context, Wanted { path, file: None, pieces, family, form }).await
        }
    }
}

fn pieces(args: &Value) -> Result<Vec<Piece>, String> {
    let edits = args.get("edits").and_then(Value::as_array).into_iter().flatten();
    let numbered =
        |(index, edit)| piece(edit).map_err(|message| format!("edit {}: {message}", index + 1));
    edits.enumerate().map(numbered).collect()
}
