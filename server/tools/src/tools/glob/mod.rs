//! `glob` (seed 000, tool 5).

mod find;
mod paths;

use std::{path::PathBuf, sync::atomic::AtomicBool};

use serde_json::{Value, json};

pub(super) use self::{find::Find, paths::Pattern};
use super::{
    StopOnDrop,
    files::{Place, Seen, name},
    text,
};
use crate::{
    Access, Dialect, ExecutionProfile, Meta, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
};

/// Seed 000, glob 3: "Default limit: 1000 files".
const DEFAULT_LIMIT: usize = 1_000;
/// Bytes of the paths that a call returns: the general limit, but kept by whole paths.
const MAX_BYTES: usize = 100_000;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!("{DEFAULT_LIMIT} files unless limit says otherwise, {MAX_BYTES} bytes");
    let spec = ToolSpec::builtin("glob", Dialect::Amp, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Find files by name. * matches within one folder, **/ folders of any \
depth: *.json are files of the working directory itself, **/*.json those below it too. {a,b} and \
[a-z] work. Returns absolute paths in order, at most 1000 unless limit is set, and how many remain; \
go on with offset. A pattern without a folder of its own is looked for in all folders of the \
workspace. Files that you proposed are found; hidden ones and those that .gitignore names \
are not, unless hidden ones are named.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "filePattern": {
                "type": "string",
                "description": "Glob pattern like \"**/*.js\" or \"src/**/*.ts\""
            },
            "limit": {"type": "number", "description": "Maximum results to return"},
            "offset": {"type": "number", "description": "Results to skip (pagination)"}
        },
        "required": ["filePattern"],
        "additionalProperties": false
    })
}

/// A rule on `--path` is about the folder that is walked.
fn keys(args: &Value) -> Vec<ResourceKey> {
    let (folder, _) = paths::split(text(args, "filePattern"));
    let written = folder.unwrap_or(".").to_owned();
    let place = Resource::File { argument: "path".to_owned(), written };
    let others = folder.is_none().then_some(Resource::Folders);
    let keys = [place].into_iter().chain(others);
    keys.map(|key| ResourceKey { key, mode: Access::Read }).collect()
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let flag = stop.flag();
    context.blocking(move |context| glob(context, &args, &flag)).await
}

fn glob(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    let written = paths::from_here(text(args, "filePattern"), &context.scope.cwd);
    let (folder, inside) = paths::split(written);
    let places = match Place::all(context, folder) {
        Ok(places) => places,
        Err(error) => return ToolResult::error(error.to_string()),
    };
    let mut files = Vec::new();
    for place in &places {
        let pattern = match Pattern::new(inside, &place.real) {
            Ok(pattern) => pattern,
            Err(error) => return ToolResult::error(format!("the pattern is no glob: {error}")),
        };
        let (hidden, seen) = (pattern.hidden, &Seen::at(context, &place.real));
        let find = Find { pattern: &pattern, place, seen, hidden, stop };
        files.append(&mut find.all(|file| file));
    }
    find::sort(&mut files);
    files.dedup();
    let names = files.iter().map(|file: &PathBuf| {
        let name = context.scope.cwd.join(name(&places, file));
        name.to_string_lossy().into_owned()
    });
    answer(names, number(args, "offset").unwrap_or(0), number(args, "limit"))
}

/// What is below 0 counts as 0; fractions are cut off.
fn number(args: &Value, name: &str) -> Option<usize> {
    let number = args.get(name)?;
    let exact = number.as_u64().and_then(|n| usize::try_from(n).ok());
    // Casting a float saturates.
    exact.or_else(|| number.as_f64().map(|n| n as usize))
}

/// Seed 000, glob, "Success Output".
fn answer(
    names: impl ExactSizeIterator<Item = String>,
    offset: usize,
    limit: Option<usize>,
) -> ToolResult {
    let total = names.len();
    let mut bytes = 0;
    let fits = |name: &String| {
        bytes += name.len() + 3;
        bytes <= MAX_BYTES
    };
    let files: Vec<String> =
        names.skip(offset).take(limit.unwrap_or(DEFAULT_LIMIT)).take_while(fits).collect();
    let next = offset.saturating_add(files.len());
    let remaining = total.saturating_sub(next);
    let result = ToolResult::done(json!({"files": files, "remaining": remaining}));
    if total == 0 {
        return result.with_note(
            "No file matches. * stops at /: **/ stands for any depth. Hidden and ignored files are \
             left out.",
        );
    }
    match remaining {
        0 => result,
        _ => result.with_note(&format!("Go on with offset: {next}.")),
    }
}

#[cfg(test)]
mod tests;
