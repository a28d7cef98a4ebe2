//! `undo_edit` (DESIGN, section 3): the thread's last edit of a file, taken back.

use redline_workspace::{Change, Proposed, Withdrawn, WorkspacePath};
use serde_json::{Value, json};

use super::{proposal, secret, text};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin(
        "undo_edit",
        Dialect::Amp,
        DESCRIPTION,
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Absolute path to the file"}
            },
            "required": ["path"]
        }),
    )
    .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Undo your last edit of a file. What still waits for the user is withdrawn; \
what the user has accepted is theirs, so the change back is proposed to them. What the user typed \
stays. Call it again to undo the edit before.";

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match undo(&context, &args).await {
        Ok(result) | Err(result) => result,
    }
}

async fn undo(context: &ToolContext, args: &Value) -> Result<ToolResult, ToolResult> {
    let written = text(args, "path");
    let file = context.path(written).map_err(|error| ToolResult::error(error.to_string()))?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(refused);
    }
    let failed = |error: String| ToolResult::file_error(error, &file);
    let thread = &context.scope.thread;
    let taken = context.workspace.withdraw(&file, thread).await;
    let taken = taken.map_err(|error| failed(error.to_string()))?;
    if let Some(disk) = &taken.restore {
        let change = Change::Restore(disk.clone());
        let proposed = context.propose(taken.snapshot.clone(), change).await;
        let proposed = proposed.map_err(|error| failed(error.to_string()))?;
        let result = json!({ "message": "Undone: the deletion; the file is created again." });
        return Ok(proposal::answered(context, &proposed, result));
    }
    if taken.inverse.is_empty() {
        return Ok(withdrawn(context, &file, &taken));
    }
    let change = Change::Edit(taken.inverse.clone());
    let proposed = context.propose(taken.snapshot.clone(), change).await;
    let proposed = proposed.map_err(|error| failed(error.to_string()))?;
    let all = Proposed { before: taken.before.clone(), ..proposed.clone() };
    let diff = proposal::diff(context, &all);
    let result = json!({ "diff": diff.text, "message": message(&taken) });
    Ok(proposal::answered(context, &proposed, result))
}

/// Nothing of the edit had reached the editor.
fn withdrawn(context: &ToolContext, file: &WorkspacePath, taken: &Withdrawn) -> ToolResult {
    let mut result = json!({ "message": message(taken) });
    if taken.snapshot.exists {
        let diff = proposal::diff_of(context, file, Some(&taken.before), &taken.snapshot.text);
        result["diff"] = diff.text.into();
    }
    ToolResult::Done { result, track_files: vec![file.to_string()], review: None }
}

/// DESIGN, section 3: the result counts each.
fn message(taken: &Withdrawn) -> String {
    let changes = |n: usize| format!("{n} change{}", if n == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    if taken.withdrawn > 0 {
        parts.push(format!("{} withdrawn", changes(taken.withdrawn)));
    }
    if taken.inside > 0 {
        parts.push(format!("{} that the file has: their undo is an edit", changes(taken.inside)));
    }
    if taken.skipped > 0 {
        parts.push(format!("{} skipped, because the user rejected them", changes(taken.skipped)));
    }
    format!("Undone: {}.", parts.join("; "))
}

#[cfg(test)]
mod tests;
