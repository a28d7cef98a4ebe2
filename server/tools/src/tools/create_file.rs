//! `create_file` (seed 000, tool 3).

use redline_text::{Eol, Text, eol_of};
use redline_workspace::{Change, ProposeError, Proposed, Snapshot, WorkspacePath};
use serde_json::{Value, json};

use super::{guidance, proposal, secret, text};
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
    match create(&context, &args).await {
        Ok(result) | Err(result) => result,
    }
}

/// Tried twice: a file may appear or change between the look and the proposal.
async fn create(context: &ToolContext, args: &Value) -> Result<ToolResult, ToolResult> {
    let written = text(args, "path");
    let file = context.path(written).map_err(|error| ToolResult::error(error.to_string()))?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(refused);
    }
    let mut tries = 2;
    loop {
        tries -= 1;
        let snapshot = look(context, &file).await?;
        let (existed, content) = (snapshot.exists, content(text(args, "content"), &snapshot));
        match context.propose(snapshot, Change::Write(content)).await {
            Ok(proposed) => {
                context.saw(&file);
                return Ok(answer(context, &file, existed, Some(&proposed)).await);
            }
            // Overwriting a file with its own text is what the caller wanted.
            Err(ProposeError::Nothing) => return Ok(answer(context, &file, existed, None).await),
            Err(ProposeError::Stale) if tries > 0 => {}
            Err(error) => return Err(ToolResult::file_error(error.to_string(), &file)),
        }
    }
}

async fn look(context: &ToolContext, file: &WorkspacePath) -> Result<Snapshot, ToolResult> {
    let path = file.clone();
    let snapshot = context.blocking(move |context| context.read(&path)).await;
    snapshot.map_err(|error| ToolResult::file_error(error.to_string(), file))
}

/// Seed 000, create_file 2: "Appends trailing newline if content doesn't end with one". A file that
/// has CR LF line ends keeps them.
fn content(written: &str, snapshot: &Snapshot) -> Text {
    let mut content = written.to_owned();
    if !content.is_empty() && !content.ends_with('\n') {
        content.push('\n');
    }
    let keeps_crlf = snapshot.exists && eol_of(&snapshot.text) == Eol::CrLf;
    if keeps_crlf && !content.contains('\r') {
        content = content.replace('\n', "\r\n");
    }
    Text::from(content)
}

async fn answer(
    context: &ToolContext,
    file: &WorkspacePath,
    existed: bool,
    proposed: Option<&Proposed>,
) -> ToolResult {
    let message =
        format!("Successfully {} file {file}", if existed { "overwrote" } else { "created" });
    let path = file.clone();
    let look = move |context: &ToolContext| {
        (guidance::near(&path, context), proposal::caution(context, &path))
    };
    let (guidance, caution) = context.blocking(look).await;
    let result = match guidance.as_slice() {
        [] => Value::from(message),
        found => json!({"message": message, "discoveredGuidanceFiles": found}),
    };
    match proposed {
        Some(proposed) => {
            let done = proposal::answered(context, proposed, result);
            caution.iter().fold(done, |done, note| done.with_note(note))
        }
        None => ToolResult::done(result).with_note("The file had this content already."),
    }
}

#[cfg(test)]
mod tests;
