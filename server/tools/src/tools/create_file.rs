//! `create_file` (seed 000, tool 3).

use serde_json::{Value, json};

use super::{
    text,
    write::{Wanted, written},
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("create_file", Dialect::Amp, DESCRIPTION, schema())
        .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Create a new file or overwrite an existing one. Parent directories are \
created. The change is shown to the user, who accepts or rejects it; you see the file at once. \
Prefer edit_file for changes to an existing file.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description":
                    "Absolute path of file to create. If exists, will be overwritten."
            },
            "content": {"type": "string", "description": "The content for the file."}
        },
        "required": ["path", "content"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let path = text(&args, "path");
    match context.path(path) {
        Err(error) => ToolResult::error(error.to_string()),
        Ok(file) => {
            let (content, family) = (text(&args, "content"), Dialect::Amp);
            written(&context, Wanted { file, path, content, family, creates_folders: true }).await
        }
    }
}

#[cfg(test)]
mod tests;
