//! Amplifier's `read_file` (seed 003, "Reading Files").

use redline_text::Text;
use serde_json::{Value, json};

use super::text;
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec,
    tools::{
        files::{Content, Folder, NoContent, content, folder, is_gone, line, line_count},
        number,
        read::image,
        secret,
    },
};

/// Lines of one call, unless it says otherwise, and at most (seed 003: "Maximum 2000 lines per
/// read").
const MAX_LINES: usize = 2_000;
/// Chars of a line.
const MAX_CHARS: usize = 2_000;
/// Bytes of a result: whole lines, so that it is never cut inside one.
const MAX_BYTES: usize = 100 * 1024;

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let limits = format!("{MAX_LINES} lines; {MAX_CHARS} chars a line; {MAX_BYTES} bytes");
    let spec = ToolSpec::builtin("read_file", Dialect::Amplifier, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "file_path", Access::Read);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Read a file or list a directory. file_path is absolute, relative, or \
@bundle:path for a resource of a bundle. Up to 2000 lines come, as cat -n has them: the number in \
six columns, a tab, the text; numbers and tab are not part of the file. Longer lines than 2000 \
characters are cut. Text that the user has not saved and changes that you proposed are in it. \
Directories are listed as DIR: and FILE: entries. Files must be read before they are changed.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "file_path": {
                "type": "string",
                "description": "The path or @bundle:path of the file or directory to read"
            },
            "offset": {
                "type": "integer",
                "default": 1,
                "description": "The line number to start reading from (1-indexed)"
            },
            "limit": {
                "type": "integer",
                "default": MAX_LINES,
                "description": "The number of lines to read (at most 2000)"
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
    let located = context.locate(Dialect::Amplifier, written);
    let file = located.map_err(|error| Box::new(ToolResult::error(error.to_string())))?.file;
    if let Some(refused) = secret(context, written, file.as_path()) {
        return Err(Box::new(refused));
    }
    let failed = |message: String| Box::new(ToolResult::file_error(message, &file));
    let found = folder(context, &file);
    match found.map_err(|error| failed(format!("Error listing directory: {error}")))? {
        Some(folder) => return Ok(ToolResult::done(listed(&folder))),
        None if is_gone(context, &file) => {}
        None => {
            if let Some(kind) = image::kind(&file) {
                return Ok(image::shown(&file, kind));
            }
        }
    }
    let content = content(context, &file).map_err(|error| failed(words(error, written)))?;
    context.has_read(&file, &content.text);
    Ok(shown(&content, args))
}

fn words(error: NoContent, written: &str) -> String {
    match error {
        NoContent::Missing => format!(
            "File not found: {written}\nList its directory with read_file, and check the path."
        ),
        NoContent::Binary => {
            format!("Cannot read file: {written} (not a text file or encoding issue)")
        }
        NoContent::Other(message) => message,
    }
}

/// Seed 003, "Directory Listing": "Alphabetically sorted", folders first as in its example, "relative
/// names only".
fn listed(folder: &Folder) -> String {
    let (folders, files): (Vec<_>, Vec<_>) =
        folder.entries.iter().partition(|entry| entry.is_folder);
    let folders = folders.iter().map(|entry| format!("DIR: {}/\n", entry.name));
    let files = files.iter().map(|entry| format!("FILE: {}\n", entry.name));
    let mut out = String::new();
    let mut shown = 0;
    for line in folders.chain(files) {
        if out.len() + line.len() > MAX_BYTES {
            break;
        }
        out.push_str(&line);
        shown += 1;
    }
    match folder.entries.len() - shown {
        0 if folder.is_cut => out.push_str("[There are more entries.]"),
        0 if shown == 0 => out.push_str("[The directory is empty.]"),
        0 => drop(out.pop()),
        more => out.push_str(&format!("[{more} more entries.]")),
    }
    out
}

fn shown(content: &Content, args: &Value) -> ToolResult {
    let offset = number(args, "offset").unwrap_or(1).max(1);
    let limit = number(args, "limit").unwrap_or(MAX_LINES).clamp(1, MAX_LINES);
    let done = ToolResult::done(page(&content.text, offset, limit));
    content.note.iter().fold(done, |done, note| done.with_note(note))
}

/// Seed 003, "Basic File Reading": `cat -n`; and a last line in brackets if there is more: a model
/// that is shown a part must not take it for the whole.
fn page(text: &Text, offset: usize, limit: usize) -> String {
    let total = line_count(text);
    if total == 0 {
        // Seed 003, "Warning: Empty File Contents".
        return "Warning: File exists but has empty contents".to_owned();
    }
    if offset > total {
        return format!("[The file has {total} lines: none from line {offset} on.]");
    }
    let last = (offset - 1).saturating_add(limit).min(total);
    let mut out = String::new();
    let mut shown = offset - 1;
    for number in offset..=last {
        let line = line(text, number - 1, MAX_CHARS);
        let cut = if line.is_cut { "... [truncated]" } else { "" };
        let line = format!("{number:6}\t{}{cut}\n", line.text);
        if out.len() + line.len() > MAX_BYTES {
            break;
        }
        out.push_str(&line);
        shown = number;
    }
    if shown < total {
        out += &format!("[Lines {offset}-{shown} of {total}. Go on with offset: {}.]", shown + 1);
    } else {
        out.pop();
    }
    out
}
