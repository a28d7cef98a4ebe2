//! `Grep` (seed 000, tool 6).

mod found;
mod lines;
mod notes;
mod pattern;
mod rules;
mod scan;
mod search;

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use self::{
    pattern::Options,
    search::{Outcome, Search},
};
use super::{
    StopOnDrop,
    files::{Globs, Place, Seen},
    secret, text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("Grep", Dialect::Amp, DESCRIPTION, schema())
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Search the contents of files for a pattern, line by line. Returns lines \
as `path:line: text`, in the order of paths, relative to the working directory: at most 10 of a \
file, 100 in all, each cut to 200 characters. The pattern is a Rust regex (escape { and } with \\), \
without regard to case unless caseSensitive is set. Text that the user has not saved and changes \
that you proposed are searched; hidden files and those that .gitignore names are not, unless path \
or glob names them. A glob without / matches at any depth.";

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

/// Without a path it is the working directory that is searched, also as far as rules go.
fn keys(args: &Value) -> Vec<ResourceKey> {
    let written = path(args).unwrap_or(".").to_owned();
    let key = Resource::File { argument: "path".to_owned(), written };
    vec![ResourceKey { key, mode: Access::Read }]
}

fn path(args: &Value) -> Option<&str> {
    given(args, "path")
}

/// Models write an empty text for "none".
fn given<'a>(args: &'a Value, name: &str) -> Option<&'a str> {
    args.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let flag = stop.flag();
    context.blocking(move |context| grep(context, &args, &flag)).await
}

fn grep(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    match searched(context, args, stop) {
        Ok(lines) => ToolResult::done(lines),
        Err(result) => *result,
    }
}

fn searched(
    context: &ToolContext,
    args: &Value,
    stop: &AtomicBool,
) -> Result<Vec<String>, Box<ToolResult>> {
    let flag = |name: &str| args.get(name).and_then(Value::as_bool).unwrap_or_default();
    let options = Options { case_sensitive: flag("caseSensitive"), literal: flag("literal") };
    let matcher = pattern::compiled(text(args, "pattern"), options).map_err(|it| failed(&it))?;
    let place = Place::new(context, path(args)).map_err(|it| failed(&it.to_string()))?;
    let globs = globs(context, &place, args)?;
    let seen = Seen::at(context, &place.real);
    let may_forbid = rules::may_forbid(context);
    let search = Search {
        matcher: &matcher,
        root: &place.real,
        globs: globs.as_ref(),
        seen: &seen,
        is_forbidden: &|file| may_forbid && rules::forbid(context, args, file),
        stop,
    };
    let outcome = in_place(context, &place, args, &search)?;
    let mut lines = notes::result(&outcome, &place, options.literal);
    lines.extend(why_nothing(&outcome, &place, args));
    Ok(lines)
}

fn globs(
    context: &ToolContext,
    place: &Place,
    args: &Value,
) -> Result<Option<Globs>, Box<ToolResult>> {
    let Some(glob) = given(args, "glob") else { return Ok(None) };
    let mut bases = vec![context.scope.cwd.as_path()];
    bases.extend(path(args).map(|_| place.real.as_path()));
    Globs::new(glob, &bases).map(Some).map_err(|error| failed(&error.to_string()))
}

fn in_place(
    context: &ToolContext,
    place: &Place,
    args: &Value,
    search: &Search<'_>,
) -> Result<Outcome, Box<ToolResult>> {
    let real = place.real.as_path();
    if real.is_dir() {
        return Ok(search::folder(search));
    }
    if let Some(refused) = secret(context, path(args).unwrap_or_default(), real) {
        return Err(Box::new(refused));
    }
    match search.seen.get(real) {
        Some(Some(_)) => Ok(search::file(search)),
        Some(None) => Err(missing(place)),
        None if real.is_file() => Ok(search::file(search)),
        // A folder of proposed files.
        None if search.seen.has(real) => Ok(search::folder(search)),
        None if real.exists() => Err(failed(&format!("{} is not a regular file", real.display()))),
        None => Err(missing(place)),
    }
}

/// The seed's first line, and what `rg` would have printed.
fn failed(reason: &str) -> Box<ToolResult> {
    Box::new(ToolResult::error(format!("ripgrep exited with code 2\n{reason}")))
}

fn missing(place: &Place) -> Box<ToolResult> {
    let path = place.real.display().to_string();
    let hint =
        if path.contains(['*', '?', '{']) { "\nGive patterns as glob, not as path." } else { "" };
    let message =
        format!("ripgrep exited with code 2\nENOENT: no such file or directory '{path}'{hint}");
    Box::new(ToolResult::file_error(message, path))
}

/// A search that had nothing to search must not look like one that found nothing.
fn why_nothing(outcome: &Outcome, place: &Place, args: &Value) -> Option<String> {
    if outcome.binary && place.real.is_file() {
        return Some("Note: the file is binary: it was not searched.".to_owned());
    }
    if outcome.looked {
        return None;
    }
    let there = match given(args, "glob") {
        Some(glob) => format!("no file matches the glob {glob:?}"),
        None => "there is no file to search".to_owned(),
    };
    Some(format!("Note: {there}; hidden and ignored files are left out."))
}

#[cfg(test)]
mod tests;
