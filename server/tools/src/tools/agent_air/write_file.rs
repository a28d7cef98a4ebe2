//! Agent Air's `write_file` (seed 002).

use std::sync::Arc;

use serde_json::{Value, json};

use super::{absolute, text, tool};
use crate::{
    Dialect, ToolContext, ToolDefinition, ToolResult,
    tools::write::{Wanted, written},
};

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let run = Arc::new(|context, args| Box::pin(run(context, args)) as _);
    tool("write_file", DESCRIPTION, String::new(), schema(), run)
}

const DESCRIPTION: &str = "Create a file or overwrite an existing one with exactly this content. \
file_path must be absolute. Missing parent directories are created, unless create_directories is \
false. The change is shown to the user, who accepts or rejects it; you see the file at once. Prefer \
edit_file for changes to an existing file.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Absolute path to the file"},
            "content": {"type": "string", "description": "Content to write"},
            "create_directories": {
                "type": "boolean",
                "default": true,
                "description": "Create parent directories (default: true)"
            }
        },
        "required": ["file_path", "content"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let path = text(&args, "file_path");
    match absolute(&context, "file_path", path) {
        Err(refused) => *refused,
        Ok(file) => {
            let creates = args.get("create_directories").and_then(Value::as_bool).unwrap_or(true);
            let content = text(&args, "content");
            let family = Dialect::AgentAir;
            written(&context, Wanted { file, path, content, family, creates_folders: creates })
                .await
        }
    }
}

#[cfg(test)]
mod tests;
