//! `format_file {path}` (DESIGN, section 3, "Tools that the seeds name without a schema").
//!
//! Whoever formats, the result is a proposal like any other: what changes becomes hunks, or is
//! applied where a rule allows it, tracked and undoable. So the editor is asked for its formatter's
//! edits (`redline/format` with `preview`) and not to make them: the buffer would change at once,
//! without the user's word, and as if the user had typed it. It is asked only where the thread sees
//! what the editor shows: with proposals of the thread in the file, the editor's formatter would
//! format another text.
//!
//! Else it is the project's formatter (`formatters`), which gets the text on its standard input and
//! never sees the file. Many are programs of the repository, or load code of it (a `.prettierrc.js`):
//! to run them is to run a command, and the rules for commands decide (`ToolContext::may_run`). A
//! formatter from `PATH` whose configuration is data needs no more than the edit does.

mod find;
mod formatters;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "process_other.rs"]
mod process;
mod project;

use redline_layers::Projection;
use redline_text::{Edit, Eol, PositionRange, Text, eol_of, line_edits};
use redline_workspace::{Change, ProposeError, Snapshot, WorkspacePath};
use serde_json::{Value, json};

use super::{proposal, secret, text};
use crate::{
    Access, Dialect, ExecutionProfile, Formatted, Meta, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Absolute path to the file"}
        },
        "required": ["path"]
    });
    let spec = ToolSpec::builtin("format_file", Dialect::Amp, DESCRIPTION, schema)
        .limits(process::limits())
        .meta(Meta { proposes: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Write);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Format a file with the editor's formatter or the project's (rustfmt, \
prettier, ruff, black, gofmt, stylua, clang-format, shfmt and others, by the project's \
configuration files). The change is shown to the user, who accepts or rejects it; you see the file \
with it at once. Returns a git-style diff.";

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match format(&context, text(&args, "path")).await {
        Ok(result) | Err(result) => result,
    }
}

/// A file's text as a formatter has it.
struct Neat {
    text: Text,
    /// Who did it, in words.
    by: String,
}

async fn format(context: &ToolContext, written: &str) -> Result<ToolResult, ToolResult> {
    let file = context.path(written).map_err(|error| ToolResult::error(error.to_string()))?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(refused);
    }
    // Tried twice: the user may type while the formatter works.
    let mut is_first = true;
    loop {
        let (snapshot, caution) = look(context, &file).await?;
        let neat = match by_editor(context, &file, &snapshot).await {
            ByEditor::Neat(neat) => neat,
            ByEditor::InBuffer => return Ok(in_buffer(&file)),
            ByEditor::Nothing => project::formatted(context, &file, &snapshot.text).await?,
        };
        let neat = Neat { text: with_line_ends(neat.text, &snapshot.text), ..neat };
        let edits = line_edits(&snapshot.text, &neat.text);
        if edits.is_empty() {
            let message = format!("{file} is already formatted ({}).", neat.by);
            return Ok(ToolResult::done(message));
        }
        match context.propose(snapshot, Change::Edit(edits)).await {
            Ok(proposed) => {
                context.saw(&file);
                let diff = proposal::diff(context, &proposed);
                let result = json!({
                    "message": format!("Formatted {file} with {}.", neat.by),
                    "diff": diff.text,
                    "lineRange": diff.line_range,
                });
                let done = proposal::answered(context, &proposed, result);
                let notes = [diff.note, caution];
                return Ok(notes.iter().flatten().fold(done, |done, note| done.with_note(note)));
            }
            Err(ProposeError::Stale) if is_first => is_first = false,
            Err(error) => return Err(ToolResult::file_error(error.to_string(), &file)),
        }
    }
}

async fn look(
    context: &ToolContext,
    file: &WorkspacePath,
) -> Result<(Snapshot, Option<String>), ToolResult> {
    let path = file.clone();
    let look = move |context: &ToolContext| {
        context.read(&path).map(|snapshot| (snapshot, proposal::caution(context, &path)))
    };
    match context.blocking(look).await {
        Ok((snapshot, caution)) if snapshot.exists => Ok((snapshot, caution)),
        Ok(_) => {
            let message = format!("file not found: {file}\nThere is nothing to format.");
            Err(ToolResult::file_error(message, file))
        }
        Err(error) => Err(ToolResult::file_error(error.to_string(), file)),
    }
}

/// What came of asking the editor.
enum ByEditor {
    /// Its formatter's text.
    Neat(Neat),
    /// A client that knows no preview has formatted its buffer.
    InBuffer,
    /// It can't, or not now.
    Nothing,
}

async fn by_editor(context: &ToolContext, file: &WorkspacePath, seen: &Snapshot) -> ByEditor {
    if !seen.open || !is_as_shown(context, file, &seen.text) {
        return ByEditor::Nothing;
    }
    // An editor whose formatter fails is as one that has none.
    match context.format(file).await.unwrap_or(Formatted::Nothing) {
        Formatted::Nothing => ByEditor::Nothing,
        Formatted::InBuffer => ByEditor::InBuffer,
        Formatted::Edits { version, edits } => {
            let now = context.workspace.query(|session| session.version_of(file));
            let is_same = version.is_none_or(|version| now == Some(version));
            let encoding = context.workspace.query(|session| session.encoding());
            let edit = |(range, new): &(PositionRange, String)| {
                Edit::new(seen.text.offset_range(*range, encoding), new.as_str())
            };
            let text = applied(&seen.text, edits.iter().map(edit).collect());
            match text.filter(|_| is_same && is_as_shown(context, file, &seen.text)) {
                Some(text) => {
                    ByEditor::Neat(Neat { text, by: "the editor's formatter".to_owned() })
                }
                None => ByEditor::Nothing,
            }
        }
    }
}

/// Whether the editor shows this text.
fn is_as_shown(context: &ToolContext, file: &WorkspacePath, text: &Text) -> bool {
    let shown = context.workspace.query(|session| session.content(file, &Projection::Editor));
    shown.is_some_and(|shown| *text == *shown)
}

/// `None`: edits that overlap mean nothing.
fn applied(text: &Text, mut edits: Vec<Edit>) -> Option<Text> {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let overlaps = edits.windows(2).any(|pair| match pair {
        [one, next] => one.range.end > next.range.start,
        _ => false,
    });
    if overlaps {
        return None;
    }
    let mut text = text.clone();
    edits.iter().rev().for_each(|edit| text.apply(edit));
    Some(text)
}

fn in_buffer(file: &WorkspacePath) -> ToolResult {
    ToolResult::done(format!(
        "The editor has formatted {file} in its buffer; read the file again before you edit it."
    ))
}

/// The line ends that a file has survive (DESIGN, section 4): many formatters know LF only.
fn with_line_ends(neat: Text, before: &Text) -> Text {
    let keeps = eol_of(before) == Eol::CrLf;
    if !keeps {
        return neat;
    }
    let text = neat.to_string().replace("\r\n", "\n").replace('\n', "\r\n");
    Text::from(text)
}

#[cfg(test)]
mod tests;
