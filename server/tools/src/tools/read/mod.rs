//! `Read` (seed 000, tool 1).

mod image;
mod lines;
mod listing;

use std::path::Path;

use redline_text::{DecodeError, Text};
use redline_workspace::{ReadError, WorkspacePath};
use serde_json::{Value, json};

use self::lines::Range;
use super::{secret, text};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
};

/// Bytes of the text that a call returns, line numbers aside (seed 000, MAX_FILE_SIZE).
const MAX_BYTES: usize = 65_536;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("Read", Dialect::Amp, DESCRIPTION, schema())
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Read);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Read a file or list a directory. Lines come numbered, as `1: text`; the \
numbers are not part of the file. Text that the user has not saved and changes that you proposed \
are in it. Directories are listed with / after the names of subdirectories. PNG, JPEG, GIF and \
WebP files are shown as images.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description":
                    "The absolute path to the file or directory (MUST be absolute, not relative)."
            },
            "read_range": {
                "type": "array",
                "items": {"type": "number"},
                "minItems": 2,
                "maxItems": 2,
                "description":
                    "Line range [start, end], 1-indexed. Default: [1, 500]. Hard cap: 2,000 lines."
            }
        },
        "required": ["path"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    context.blocking(move |context| read(context, &args)).await
}

fn read(context: &ToolContext, args: &Value) -> ToolResult {
    let written = text(args, "path");
    let file = match context.path(written) {
        Ok(file) => file,
        Err(error) => return ToolResult::error(error.to_string()),
    };
    if let Some(refused) = secret(context, written, file.as_path()) {
        return refused;
    }
    let range = match lines::range(args.get("read_range")) {
        Ok(range) => range,
        Err(message) => return ToolResult::file_error(message, &file),
    };
    let path = file.as_path();
    if path.is_dir() {
        return listing::listed(context, &file);
    }
    let is_gone =
        |session: &redline_workspace::Session| session.is_gone(&file, &context.scope.thread);
    // Looked at again: it may be there by now.
    if context.workspace.query(is_gone) && context.read(&file).is_ok_and(|found| !found.exists) {
        return missing(&file);
    }
    if let Some(kind) = image::kind(path) {
        return image::shown(path, kind);
    }
    match content(context, &file) {
        Ok(content) => {
            context.saw(&file);
            answer(&content, range, &file)
        }
        Err(result) => *result,
    }
}

/// A file's text and what the reader should know about it.
struct Content {
    text: Text,
    note: Option<String>,
}

fn content(context: &ToolContext, file: &WorkspacePath) -> Result<Content, Box<ToolResult>> {
    let failed = |error: &dyn std::fmt::Display| ToolResult::file_error(error.to_string(), file);
    let refused = match context.read(file) {
        Ok(snapshot) if snapshot.exists => {
            return Ok(Content { text: snapshot.text, note: None });
        }
        Ok(_) => missing(file),
        Err(ReadError::Decode(DecodeError::Binary { .. })) => binary(file),
        Err(ReadError::Decode(error)) => match undecodable(file.as_path(), error) {
            Ok(content) => return Ok(content),
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    };
    Err(Box::new(refused))
}

/// Seed 000, Read: `errors="replace"`. For looking at only: edits refuse such a file.
fn undecodable(path: &Path, error: DecodeError) -> std::io::Result<Content> {
    let text = Text::from(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
    Ok(Content { text, note: Some(format!("[Shown with U+FFFD where {error}.]")) })
}

/// Seed 000, Read, "Error Responses".
fn missing(file: &WorkspacePath) -> ToolResult {
    ToolResult::file_error(format!("ENOENT: no such file or directory '{file}'"), file)
}

/// Seed 000, Read, "Error Responses".
fn binary(file: &WorkspacePath) -> ToolResult {
    ToolResult::file_error("File appears to be binary and cannot be displayed as text.", file)
}

fn answer(content: &Content, range: Option<Range>, file: &WorkspacePath) -> ToolResult {
    let size = content.text.len();
    if range.is_none() && size > MAX_BYTES {
        let count = lines::count(&content.text);
        let message = format!(
            "File content exceeds maximum allowed size ({MAX_BYTES} bytes)\n\
             It has {count} lines ({size} bytes). Read part of it with read_range: [start, end]."
        );
        return ToolResult::file_error(message, file);
    }
    let result = ToolResult::done(lines::numbered(&content.text, range.unwrap_or_default()));
    match &content.note {
        Some(note) => result.with_note(note),
        None => result,
    }
}

#[cfg(test)]
mod tests;
