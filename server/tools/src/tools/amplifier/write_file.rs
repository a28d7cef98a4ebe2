//! Amplifier's `write_file` (seed 003, "Writing Files").

use std::sync::Arc;

use serde_json::{Value, json};

use super::{text, tool, writable};
use crate::{
    Dialect, ToolContext, ToolDefinition, ToolResult,
    tools::write::{Wanted, written},
};

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let run = Arc::new(|context, args| Box::pin(run(context, args)) as _);
    tool("write_file", DESCRIPTION, schema(), run)
}

const DESCRIPTION: &str = "Create a file or overwrite an existing one with exactly this content. An \
existing file must have been read with read_file first, and not have changed since. Missing parent \
directories are created. The change is shown to the user, who accepts or rejects it; you see the \
file at once. Prefer edit_file for changes to an existing file.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The path of the file to write"},
            "content": {"type": "string", "description": "The content to write to the file"}
        },
        "required": ["file_path", "content"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let path = text(&args, "file_path");
    match writable(&context, path) {
        Err(refused) => *refused,
        Ok(file) => {
            let (content, family) = (text(&args, "content"), Dialect::Amplifier);
            written(&context, Wanted { file, path, content, family, creates_folders: true }).await
        }
    }
}
