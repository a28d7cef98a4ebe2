//! Agent Air's `read_file` (seed 002; its words in its own source, 0.7).

mod binary;
mod similar;

use redline_text::Text;
use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use super::{absolute, number};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
    tools::{
        files::{Content, NoContent, content, folder, is_there, line, line_count},
        secret, text,
    },
};

/// Lines of one call, unless it says otherwise.
const DEFAULT_LINES: usize = 2_000;
/// Chars of a line.
const MAX_CHARS: usize = 2_000;
/// Bytes of numbered lines in one result.
const MAX_BYTES: usize = 50 * 1024;

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let limits =
        format!("{DEFAULT_LINES} lines by default; {MAX_CHARS} chars a line; {MAX_BYTES} bytes");
    let spec = ToolSpec::builtin("read_file", Dialect::AgentAir, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "file_path", Access::Read);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Read a text file. file_path must be absolute. Up to 2000 lines come from \
the start of the file, or from the line after offset; lines longer than 2000 characters are cut. \
Lines come numbered from 1, as `00001| text`; the numbers are not part of the file. Text that the \
user has not saved and changes that you proposed are in it. Binary files can't be read; for \
directories use ls.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "Absolute path to the file"},
            "offset": {
                "type": "integer",
                "default": 0,
                "description": "Line number to start from (0-based, default: 0)"
            },
            "limit": {
                "type": "integer",
                "default": DEFAULT_LINES,
                "description": "Maximum lines to read (default: 2000)"
            }
        },
        "required": ["file_path"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    context.blocking(move |context| read(context, &args).unwrap_or_else(|refused| *refused)).await
}

fn read(context: &ToolContext, args: &Value) -> Result<ToolResult, Box<ToolResult>> {
    let written = text(args, "file_path");
    let file = absolute(context, "file_path", written)?;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(Box::new(refused));
    }
    let failed = |message: String| Box::new(ToolResult::file_error(message, &file));
    if folder(context, &file).map_err(|error| failed(error.to_string()))?.is_some() {
        return Err(failed(format!("Cannot read directory: {written}. Use ls instead.")));
    }
    let exists = is_there(context, &file);
    if let Some(extension) = binary::extension(file.as_path()).filter(|_| exists) {
        return Err(failed(format!(
            "Cannot read binary file: {written}\nFiles that end in .{extension} are no text."
        )));
    }
    let content =
        content(context, &file).map_err(|error| refused(context, &file, written, error))?;
    if binary::is_content(&content.text) {
        return Err(failed(no_text(written)));
    }
    context.has_read(&file, &content.text);
    Ok(shown(&content, args))
}

fn no_text(written: &str) -> String {
    format!(
        "Cannot read binary file: {written}\nIts first bytes are not text: only text files can be \
         read."
    )
}

fn refused(
    context: &ToolContext,
    file: &WorkspacePath,
    written: &str,
    error: NoContent,
) -> Box<ToolResult> {
    let message = match error {
        NoContent::Binary => no_text(written),
        NoContent::Other(message) => message,
        NoContent::Missing => match similar::names(context, file).as_slice() {
            [] => format!("File not found: {written}"),
            names => format!(
                "File not found: {written}\n\nDid you mean one of these?\n{}",
                names.join("\n")
            ),
        },
    };
    Box::new(ToolResult::file_error(message, file))
}

fn shown(content: &Content, args: &Value) -> ToolResult {
    let offset = number(args, "offset").unwrap_or_default();
    let limit = number(args, "limit").unwrap_or(DEFAULT_LINES).max(1);
    let done = ToolResult::done(page(&content.text, offset, limit));
    content.note.iter().fold(done, |done, note| done.with_note(note))
}

/// Lines from `offset` (from 0) on, with where they end.
fn page(text: &Text, offset: usize, limit: usize) -> String {
    let total = line_count(text);
    let first = offset.min(total);
    let last = first.saturating_add(limit).min(total);
    let mut lines = Vec::new();
    let mut bytes = 0;
    for index in first..last {
        let line = line(text, index, MAX_CHARS);
        let cut = if line.is_cut { "..." } else { "" };
        let line = format!("{:05}| {}{cut}", index + 1, line.text);
        bytes += line.len() + 1;
        if bytes > MAX_BYTES {
            break;
        }
        lines.push(line);
    }
    let end = first + lines.len();
    let place = if end < last {
        format!(
            "(Output truncated at {MAX_BYTES} bytes. Use 'offset' parameter to read beyond line {end})"
        )
    } else if end < total {
        format!("(File has {total} total lines. Use 'offset' parameter to read beyond line {end})")
    } else {
        format!("(End of file - {total} total lines)")
    };
    format!("<file>\n{}\n\n{place}\n</file>", lines.join("\n"))
}

#[cfg(test)]
mod tests;
