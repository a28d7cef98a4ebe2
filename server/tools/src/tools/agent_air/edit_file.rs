//! Agent Air's `edit_file`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Form, Wanted, edited, limits, piece, replacement, text, tool};
use crate::{Dialect, ToolContext, ToolDefinition, ToolResult};

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    tool(
        "edit_file",
        DESCRIPTION,
        limits(1),
        schema(),
        Arc::new(|context, args| Box::pin(run(context, args))),
    )
}

const DESCRIPTION: &str = "Replace a string in an existing file. The first occurrence is replaced, \
or all of them with replace_all. old_string must be in the file exactly, unless fuzzy_match is set: \
then white space may differ, and text that is similar enough and the only such place is taken. The \
change is shown to the user, who accepts or rejects it; you see the file with it at once. Returns a \
git-style diff.";

fn schema() -> Value {
    let mut properties = json!({
        "file_path": {"type": "string", "description": "Absolute path to the file"}
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut properties, replacement()) {
        all.extend(more);
    }
    let required = ["file_path", "old_string", "new_string"];
    json!({"type": "object", "properties": properties, "required": required})
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match piece(&args) {
        Err(message) => ToolResult::error(format!("edit_file: {message}.")),
        Ok(piece) => {
            let path = text(&args, "file_path").to_owned();
            let (pieces, family) = (vec![piece], Dialect::AgentAir);
            let wanted = Wanted { path, file: None, pieces, family, form: Form::One };
            edited(context, wanted).await
        }
    }
}
