//! Agent Air's `ls` (seed 002, "Directory Operations").

mod row;

use std::{cmp::Ordering, time::SystemTime};

use globset::{Glob, GlobMatcher};
use serde_json::{Value, json};

use self::row::Row;
use super::{absolute, number};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, ResourceKey, ToolContext, ToolDefinition, ToolResult,
    ToolSpec, stamp,
    tools::{
        files::{Entry, Folder, check_braces, folder, is_there},
        flag, text,
    },
};

/// Entries that are shown, unless the call says otherwise.
const DEFAULT_LIMIT: usize = 1_000;
/// Bytes of a listing.
const MAX_BYTES: usize = 100 * 1024;

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("ls", Dialect::AgentAir, DESCRIPTION, schema())
        .limits(format!("{DEFAULT_LIMIT} entries by default; {MAX_BYTES} bytes"))
        .meta(Meta { own_limit: true, ..Meta::default() });
    let keys = |args: &Value| ResourceKey::file(args, "path", Access::Read);
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "List a directory. path must be absolute. Directories end in / and come \
first, unless directories_first is false. Files that start with a dot are left out, unless \
include_hidden is set. long_format adds permissions, size and modification time (UTC). Files that \
you proposed are listed, those that you proposed to delete are not.";

fn schema() -> Value {
    let flag = |default: bool, description: &str| json!({"type": "boolean", "default": default, "description": description});
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Absolute path to directory"},
            "long_format": flag(false, "Show detailed info (default: false)"),
            "include_hidden": flag(false, "Include dot files (default: false)"),
            "pattern": {"type": "string", "description": "Glob filter (e.g., '*.rs')"},
            "sort_by": {
                "type": "string",
                "enum": ["name", "size", "modified"],
                "default": "name",
                "description": "'name', 'size', or 'modified' (default: 'name')"
            },
            "reverse": flag(false, "Reverse sort order (default: false)"),
            "directories_first": flag(true, "List dirs before files (default: true)"),
            "limit": {
                "type": "integer",
                "default": DEFAULT_LIMIT,
                "description": "Maximum entries to show (default: 1000)"
            }
        },
        "required": ["path"]
    })
}

/// What the call wants to see, and how.
struct Wanted {
    long: bool,
    hidden: bool,
    pattern: Option<GlobMatcher>,
    sort: Sort,
    reverse: bool,
    folders_first: bool,
    limit: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Name,
    Size,
    Modified,
}

impl Wanted {
    fn new(args: &Value) -> Result<Self, String> {
        Ok(Self {
            long: flag(args, "long_format"),
            hidden: flag(args, "include_hidden"),
            pattern: args.get("pattern").and_then(Value::as_str).map(pattern).transpose()?,
            sort: match text(args, "sort_by") {
                "size" => Sort::Size,
                "modified" => Sort::Modified,
                _ => Sort::Name,
            },
            reverse: flag(args, "reverse"),
            folders_first: args.get("directories_first").and_then(Value::as_bool).unwrap_or(true),
            limit: number(args, "limit").unwrap_or(DEFAULT_LIMIT).max(1),
        })
    }

    fn takes(&self, entry: &Entry) -> bool {
        (self.hidden || !entry.name.starts_with('.'))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(&entry.name))
    }
}

/// Bytes of a glob: names are no longer than 255.
const MAX_PATTERN: usize = 4096;

fn pattern(glob: &str) -> Result<GlobMatcher, String> {
    let invalid = |error: &dyn std::fmt::Display| format!("Invalid pattern: {error}");
    if glob.len() > MAX_PATTERN {
        return Err(invalid(&format!("it has more than {MAX_PATTERN} bytes")));
    }
    check_braces(glob).map_err(|error| invalid(&error))?;
    Ok(Glob::new(glob).map_err(|error| invalid(&error))?.compile_matcher())
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    context.blocking(move |context| list(context, &args).unwrap_or_else(|refused| *refused)).await
}

fn list(context: &ToolContext, args: &Value) -> Result<ToolResult, Box<ToolResult>> {
    let written = text(args, "path");
    let place = absolute(context, "path", written)?;
    let failed = |message: String| Box::new(ToolResult::file_error(message, &place));
    let wanted = Wanted::new(args).map_err(failed)?;
    let found = folder(context, &place);
    match found.map_err(|error| failed(format!("Failed to read directory: {error}")))? {
        Some(folder) => Ok(ToolResult::done(listed(folder, &wanted))),
        None if !is_there(context, &place) => {
            Err(failed(format!("Path does not exist: {written}")))
        }
        None => Err(failed(format!("Path is not a directory: {written}. Use read_file instead."))),
    }
}

fn listed(folder: Folder, wanted: &Wanted) -> String {
    let is_cut = folder.is_cut;
    let entries = folder.entries.into_iter().filter(|entry| wanted.takes(entry));
    let knows = wanted.long || wanted.sort != Sort::Name;
    let mut rows: Vec<Row> = entries.map(|entry| Row::new(entry, knows)).collect();
    rows.sort_by(|a, b| order(a, b, wanted));
    if rows.is_empty() {
        return match &wanted.pattern {
            Some(pattern) => format!("No entries match {:?}", pattern.glob().glob()),
            None => "Directory is empty".to_owned(),
        };
    }
    let mut out = String::new();
    let mut shown = 0;
    for row in rows.iter().take(wanted.limit) {
        let line = if wanted.long { row.long() } else { row.short() };
        if shown > 0 && out.len() + line.len() > MAX_BYTES {
            break;
        }
        out.push_str(&line);
        out.push('\n');
        shown += 1;
    }
    out + &rest(shown, rows.len(), is_cut)
}

/// Seed 002: "output indicates how many entries were shown versus the total count with a '… and N
/// more entries' note".
fn rest(shown: usize, total: usize, is_cut: bool) -> String {
    let more = if is_cut { "at least " } else { "" };
    match total - shown {
        0 if !is_cut => String::new(),
        rest => format!("… and {more}{rest} more entries (showing {shown} of {more}{total})"),
    }
}

/// Seed 002: "directories are grouped before files. Within each group, entries are sorted by the
/// specified criterion"; reverse turns the order within the groups.
fn order(a: &Row, b: &Row, wanted: &Wanted) -> Ordering {
    let groups = match wanted.folders_first {
        true => b.entry.is_folder.cmp(&a.entry.is_folder),
        false => Ordering::Equal,
    };
    let by_name = || {
        let lower = |row: &Row| row.entry.name.to_lowercase();
        lower(a).cmp(&lower(b)).then_with(|| a.entry.name.cmp(&b.entry.name))
    };
    // What is not on the disk is newer than anything there.
    let modified = |row: &Row| (row.facts.modified.is_none(), row.facts.modified);
    let order = match wanted.sort {
        Sort::Name => by_name(),
        Sort::Size => a.facts.size.cmp(&b.facts.size).then_with(by_name),
        Sort::Modified => modified(a).cmp(&modified(b)).then_with(by_name),
    };
    groups.then(if wanted.reverse { order.reverse() } else { order })
}

/// Whole minutes, in UTC; for what is on no disk yet, in words of the same width.
fn time(modified: Option<SystemTime>) -> String {
    modified.map_or_else(|| format!("{:16}", "not on the disk"), stamp::minute)
}

#[cfg(test)]
mod tests;
