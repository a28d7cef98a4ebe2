//! `Read` (seed 000, tool 1).

pub(super) mod image;
mod lines;
mod listing;

use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use self::lines::Range;
use super::{
    files::{Content, NoContent, content, folder, is_gone, line_count},
    secret, text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec, ToolStatus,
};

/// Bytes of the text that a call returns, line numbers aside (seed 000, MAX_FILE_SIZE).
const MAX_BYTES: usize = 65_536;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("Read", Dialect::Amp, DESCRIPTION, schema())
        .limits(limits())
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Read);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

fn limits() -> String {
    format!(
        "{MAX_BYTES} bytes of text; {} lines, {} by default; {} bytes a line; images {} bytes",
        lines::MAX_LINES,
        lines::DEFAULT_LINES,
        lines::MAX_BYTES_PER_LINE,
        image::MAX_BYTES,
    )
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
    match lines::range(args.get("read_range")) {
        Ok(range) => look(context, &file, range),
        Err(message) => ToolResult::file_error(message, &file),
    }
}

fn look(context: &ToolContext, file: &WorkspacePath, range: Option<Range>) -> ToolResult {
    match folder(context, file) {
        Ok(None) => {}
        Ok(Some(folder)) => return ToolResult::done(listing::listed(&folder)),
        Err(error) => return ToolResult::file_error(error.to_string(), file),
    }
    if let Some(kind) = image::kind(file).filter(|_| !is_gone(context, file)) {
        return image::shown(file, kind);
    }
    match content(context, file) {
        Ok(content) => {
            let answer = answer(&content, range, file);
            // What was too large to be shown has not been read.
            if answer.status() == ToolStatus::Done {
                context.has_read(file, &content.text);
            }
            answer
        }
        Err(NoContent::Missing) => missing(file),
        Err(NoContent::Binary) => binary(file),
        Err(NoContent::Other(message)) => ToolResult::file_error(message, file),
    }
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
        let count = line_count(&content.text);
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
