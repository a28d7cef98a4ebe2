//! Amplifier's file tools (seed 003), over the same operations as Amp's.

mod edit_file;
mod read_file;
mod write_file;

use redline_workspace::WorkspacePath;
use serde_json::Value;

use super::text;
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition,
    ToolFunction, ToolResult, ToolSpec,
};

/// The tools.
pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![read_file::definition(), write_file::definition(), edit_file::definition()]
}

/// A tool of the family that changes the file `file_path`.
fn tool(name: &str, description: &str, input_schema: Value, run: ToolFunction) -> ToolDefinition {
    let spec = ToolSpec::builtin(name, Dialect::Amplifier, description, input_schema)
        .limits("only files that were read, and have not changed since; no files of bundles")
        .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "file_path", Access::Write);
    let profile = Some(ExecutionProfile::keys(keys));
    ToolDefinition { spec, run, execution_profile: profile, prepare: None }
}

/// The file that the call wants to change. Seed 003 has bundles for reading: templates, guides.
fn writable(context: &ToolContext, written: &str) -> Result<WorkspacePath, Box<ToolResult>> {
    let located = context.locate(Dialect::Amplifier, written);
    let located = located.map_err(|error| Box::new(ToolResult::error(error.to_string())))?;
    if located.in_bundle {
        let message = format!(
            "Access denied: {written} is not within allowed write paths\nBundles are read-only; \
             write to a file of the workspace."
        );
        return Err(Box::new(ToolResult::file_error(message, &located.file)));
    }
    Ok(located.file)
}

#[cfg(test)]
mod tests;
