//! `delete_file` (DESIGN, section 3; the seeds name it without a schema).

use redline_workspace::{
    Change, ProposeError, ProposeMode, Proposed, ReadError, Snapshot, WorkspacePath,
};
use serde_json::{Value, json};

use super::{secret, text};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ReviewNote, ReviewState, ToolContext,
    ToolDefinition, ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin(
        "delete_file",
        Dialect::Amp,
        DESCRIPTION,
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Absolute path of the file to delete."}
            },
            "required": ["path"]
        }),
    )
    .limits("One file, not a directory; what is no text: at most 16 MiB.")
    .meta(Meta { proposes: true, links: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Delete a file. The deletion is shown to the user, who accepts or rejects \
it; for you the file is gone at once. Of a symbolic link the link is deleted, not what it leads to. \
undo_edit takes it back.";

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match delete(&context, text(&args, "path")).await {
        Ok(result) | Err(result) => result,
    }
}

/// Tried twice: the user may type between the look and the proposal.
async fn delete(context: &ToolContext, written: &str) -> Result<ToolResult, ToolResult> {
    let file = context.entry(written).map_err(|error| ToolResult::error(error.to_string()))?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(refused);
    }
    let mut tries = 2;
    loop {
        tries -= 1;
        let snapshot = look(context, &file).await?;
        match context.propose(snapshot, Change::Delete).await {
            Ok(proposed) => return Ok(answer(context, &proposed)),
            Err(ProposeError::Stale) if tries > 0 => {}
            Err(error) => return Err(ToolResult::file_error(error.to_string(), &file)),
        }
    }
}

/// Why there is nothing to delete.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// In the words of edit_file (seed 000, "Error Responses").
    #[error("file not found. Cannot delete a file that doesn't exist.")]
    Missing,
    #[error(
        "this is a directory, and only files can be deleted: delete the files in it one by one, or \
         ask the user to remove it"
    )]
    Directory,
    #[error(transparent)]
    Read(#[from] ReadError),
}

async fn look(context: &ToolContext, file: &WorkspacePath) -> Result<Snapshot, ToolResult> {
    let path = file.clone();
    let found = context.blocking(move |context| look_now(context, &path)).await;
    found.map_err(|failure| ToolResult::file_error(failure.to_string(), file))
}

fn look_now(context: &ToolContext, file: &WorkspacePath) -> Result<Snapshot, Failure> {
    if file.as_path().symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Err(Failure::Directory);
    }
    let snapshot = context.workspace.read_any(file, &context.scope.thread)?;
    if snapshot.exists { Ok(snapshot) } else { Err(Failure::Missing) }
}

fn answer(context: &ToolContext, proposed: &Proposed) -> ToolResult {
    let file = &proposed.file;
    if proposed.hunks.is_empty() {
        let message = format!("Withdrew {file}: you had proposed it, and it was not accepted yet");
        return ToolResult::Done {
            result: message.into(),
            track_files: vec![file.to_string()],
            review: None,
        };
    }
    let state = match context.mode {
        ProposeMode::Pending => ReviewState::Pending,
        ProposeMode::Applied => ReviewState::Applied,
    };
    let done = ToolResult::Done {
        result: format!("Successfully deleted file {file}").into(),
        track_files: vec![file.to_string()],
        review: Some(ReviewNote::new(state, &proposed.hunks)),
    };
    match context.mode {
        ProposeMode::Pending => done.with_note(PROPOSED),
        ProposeMode::Applied => done,
    }
}

/// DESIGN, section 6: what the model reads of what waits.
const PROPOSED: &str = "Proposed; the file is there until the user accepts (1 hunk). Your tools \
answer as if it were gone.";

#[cfg(test)]
mod tests;
