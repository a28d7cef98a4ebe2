//! `Grep` (seed 000, tool 6).

mod found;
mod lines;
mod notes;
mod pattern;
mod returns;
mod rules;
mod run;
mod scan;
mod search;

pub(super) use found::{Found, Hit, Unit};
pub(super) use notes::{skipped, why_nothing};
pub(super) use pattern::{Options, PatternError, compiled};
pub(super) use run::{Asked, Trouble, search};
pub(super) use scan::Wanted;
pub(super) use search::Done;

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::{StopOnDrop, flag, text};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!(
        "{} matching lines of a file, {MAX_TOTAL} in all; {} characters of a line",
        WANTED.matches, WANTED.max_chars
    );
    let spec = ToolSpec::builtin("Grep", Dialect::Amp, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

/// Seed 000, Grep, MAX_TOTAL_RESULTS.
const MAX_TOTAL: usize = 100;

/// Seed 000, Grep, MAX_MATCHES_PER_FILE and MAX_LINE_LENGTH.
const WANTED: Wanted =
    Wanted { matches: 10, text: true, before: 0, after: 0, multiline: false, max_chars: 200 };

const DESCRIPTION: &str = "Search the contents of files for a pattern, line by line. Returns lines \
as `path:line: text`, in the order of paths, relative to the working directory: at most 10 of a \
file, 100 in all, each cut to 200 characters. The pattern is a Rust regex (escape { and } with \\), \
without regard to case unless caseSensitive is set. Text that the user has not saved and changes \
that you proposed are searched; hidden files and those that .gitignore names are not, unless path \
or glob names them. A glob without / matches at any depth. Give path or glob, not both; without \
either all folders of the workspace are searched.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "Regex pattern to search for"},
            "path": {
                "type": "string",
                "description": "File or directory path. Cannot use with glob."
            },
            "glob": {
                "type": "string",
                "description": "Glob pattern for files. Cannot use with path."
            },
            "caseSensitive": {
                "type": "boolean",
                "description": "Case-sensitive search (default: false)"
            },
            "literal": {
                "type": "boolean",
                "description": "Treat pattern as literal string, not regex"
            }
        },
        "required": ["pattern"]
    })
}

/// Without a path it is the working directory that is searched, also as far as rules go; the other
/// folders of the workspace with it.
pub(super) fn keys(args: &Value) -> Vec<ResourceKey> {
    let file =
        |written: &str| Resource::File { argument: "path".to_owned(), written: written.to_owned() };
    let keys = match given(args, "path") {
        Some(path) => vec![file(path)],
        None => vec![file("."), Resource::Folders],
    };
    keys.into_iter().map(|key| ResourceKey { key, mode: Access::Read }).collect()
}

/// Models write an empty text for "none".
pub(super) fn given<'a>(args: &'a Value, name: &str) -> Option<&'a str> {
    args.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let stopped = stop.flag();
    context.blocking(move |context| grep(context, &args, &stopped)).await
}

fn grep(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    let (path, glob) = (given(args, "path"), given(args, "glob"));
    if path.is_some() && glob.is_some() {
        return failed(
            "\"path\" and \"glob\" cannot be used together. Leave one of them out: a glob can \
             start with a folder, as in src/**/*.ts.",
        );
    }
    let literal = flag(args, "literal");
    let options =
        Options { case_sensitive: flag(args, "caseSensitive"), literal, multiline: false };
    let matcher = match compiled(text(args, "pattern"), options) {
        Ok(matcher) => matcher,
        Err(error @ PatternError::Regex(_)) if !literal => {
            return failed(&format!(
                "{error} To search for the text as it is, run Grep again with literal:true."
            ));
        }
        Err(error) => return failed(&error.to_string()),
    };
    let asked = Asked {
        matcher: &matcher,
        wanted: WANTED,
        found: Found::new(MAX_TOTAL, Unit::Lines),
        path,
        glob,
        types: None,
        args,
        stop,
    };
    match search(context, asked) {
        Ok((done, places)) => {
            let mut lines = notes::result(&done, &places, literal);
            lines.extend(why_nothing(&done, &places, glob));
            ToolResult::done(lines)
        }
        Err(Trouble::Secret(refused)) => *refused,
        Err(Trouble::Missing(path)) => missing(&path),
        Err(Trouble::Glob(reason) | Trouble::Other(reason)) => failed(&reason),
    }
}

/// The seed's first line, and what `rg` would have printed.
fn failed(reason: &str) -> ToolResult {
    ToolResult::error(format!("ripgrep exited with code 2\n{reason}"))
}

fn missing(path: &str) -> ToolResult {
    let hint =
        if path.contains(['*', '?', '{']) { "\nGive patterns as glob, not as path." } else { "" };
    let message =
        format!("ripgrep exited with code 2\nENOENT: no such file or directory '{path}'{hint}");
    ToolResult::file_error(message, path.to_owned())
}

#[cfg(test)]
mod tests;
