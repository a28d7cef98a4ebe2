//! `edit_file` (seed 000, tool 2).

use redline_text::{LocateError, Located, Match, Options, locate};
use redline_workspace::{Change, ProposeError, Proposed, ReadError, Snapshot, WorkspacePath};
use serde_json::{Value, json};

use super::{proposal, secret, text};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, Source, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec {
        name: "edit_file".to_owned(),
        description: DESCRIPTION.to_owned(),
        input_schema: schema(),
        source: Source::Builtin,
        dialect: Some(Dialect::Amp),
        meta: Meta { proposes: true, ..Meta::default() },
    };
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Make a targeted replacement in an existing file. old_str must appear \
exactly once, unless replace_all is set; give enough surrounding lines to make it unique. The \
change is shown to the user, who accepts or rejects it; you see the file with it at once. Returns a \
git-style diff.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Absolute path to the file (MUST exist)"},
            "old_str": {
                "type": "string",
                "description": "Text to search for. Must match exactly."
            },
            "new_str": {"type": "string", "description": "Text to replace old_str with."},
            "replace_all": {
                "type": "boolean",
                "default": false,
                "description": "Replace all occurrences of old_str"
            }
        },
        "required": ["path", "old_str", "new_str"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match edit(&context, &args).await {
        Ok(result) | Err(result) => result,
    }
}

/// Tried twice: the user may type at the place between the look and the proposal.
async fn edit(context: &ToolContext, args: &Value) -> Result<ToolResult, ToolResult> {
    let written = text(args, "path");
    let file = context.path(written).map_err(|error| ToolResult::error(error.to_string()))?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(refused);
    }
    let mut tries = 2;
    loop {
        tries -= 1;
        let (snapshot, located) = look(context, &file, args).await?;
        let change = Change::Edit(located.edits.clone());
        match context.propose(snapshot, change).await {
            Ok(proposed) => return Ok(answer(context, &proposed, &located)),
            Err(ProposeError::Stale) if tries > 0 => {}
            Err(error) => return Err(ToolResult::file_error(error.to_string(), &file)),
        }
    }
}

async fn look(
    context: &ToolContext,
    file: &WorkspacePath,
    args: &Value,
) -> Result<(Snapshot, Located), ToolResult> {
    let (path, args) = (file.clone(), args.clone());
    let found = context.blocking(move |context| look_now(context, &path, &args)).await;
    found.map_err(|error| ToolResult::file_error(error.to_string(), file))
}

#[derive(Debug, thiserror::Error)]
enum EditError {
    /// Seed 000, edit_file, "Error Responses".
    #[error("file not found. Cannot update a file that doesn't exist.\nUse create_file for it.")]
    Missing,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// DESIGN, section 6: an edit of rejected text is told so.
    #[error(
        "{0}\nThe user rejected an earlier proposal with this text: it is not in the file. Read the \
         file again, and mind what the user said."
    )]
    Rejected(LocateError),
}

fn look_now(
    context: &ToolContext,
    file: &WorkspacePath,
    args: &Value,
) -> Result<(Snapshot, Located), EditError> {
    let snapshot = context.read(file)?;
    if !snapshot.exists {
        return Err(EditError::Missing);
    }
    let replace_all = args.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
    let (old, new) = (text(args, "old_str"), text(args, "new_str"));
    let located = locate(&snapshot.text, old, new, Options { replace_all });
    let located = located.map_err(|error| explained(context, file, old, error))?;
    Ok((snapshot, located))
}

fn explained(
    context: &ToolContext,
    file: &WorkspacePath,
    old: &str,
    error: LocateError,
) -> EditError {
    let rejected = context.workspace.query(|session| session.rejected_texts(file));
    let is_rejected = rejected.iter().any(|text| text.contains(old.trim_end_matches(['\r', '\n'])));
    match error {
        LocateError::NotFound(_) if is_rejected => EditError::Rejected(error),
        error => error.into(),
    }
}

fn answer(context: &ToolContext, proposed: &Proposed, located: &Located) -> ToolResult {
    let mut result = json!({
        "diff": proposal::diff(context, proposed),
        "lineRange": proposal::line_range(proposed),
    });
    if let Some(how) = how(located) {
        result["note"] = how.into();
    }
    proposal::answered(context, proposed, result)
}

/// DESIGN, section 4: the result says how it matched, where that is not what was asked for.
fn how(located: &Located) -> Option<String> {
    match located.how {
        Match::Exact if located.matches > 1 => {
            Some(format!("Replaced {} occurrences.", located.matches))
        }
        Match::Exact => None,
        Match::LineEndings => Some("old_str matched but for line ends.".to_owned()),
        Match::Whitespace => Some(
            "old_str matched but for white space; new_str was indented to fit the place."
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests;
