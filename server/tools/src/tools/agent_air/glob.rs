//! Agent Air's `glob` (seed 002).

use std::{
    cmp::Reverse,
    collections::HashSet,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::SystemTime,
};

use redline_workspace::WorkspacePath;
use serde_json::{Value, json};

use super::numbers::at_least;
use crate::{
    Access, Dialect, ExecutionProfile, Meta, Resource, ResourceKey, ToolContext, ToolDefinition,
    ToolResult, ToolSpec,
    tools::{
        StopOnDrop,
        files::{Place, Seen, name},
        flag,
        glob::{Find, Pattern},
        grep::given,
        text,
    },
};

/// "Results are limited to 1000 files by default."
const DEFAULT_LIMIT: usize = 1_000;
/// Bytes of a result: the general limit, but kept by whole paths.
const MAX_BYTES: usize = 100_000;

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let limits = format!("{DEFAULT_LIMIT} files unless limit says otherwise, {MAX_BYTES} bytes");
    let spec = ToolSpec::builtin("glob", Dialect::AgentAir, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Find files by name. * matches within one folder, ** folders of any depth: \
*.rs are files of the directory itself, **/*.rs those below it too. ?, [abc], [!abc] and {a,b} work. \
Returns absolute paths, the most recently changed files first; those that you proposed and those with \
unsaved text come before all others. Hidden files need include_hidden, or a pattern that names them. \
Files that .gitignore names are left out, and symbolic links are not followed.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "Glob pattern (e.g., '**/*.rs')"},
            "path": {
                "type": "string",
                "description": "Directory to search (default: current directory)"
            },
            "limit": {
                "type": "integer",
                "default": DEFAULT_LIMIT,
                "description": "Max results (default: 1000)"
            },
            "include_hidden": {
                "type": "boolean",
                "default": false,
                "description": "Include hidden files (default: false)"
            }
        },
        "required": ["pattern"]
    })
}

fn keys(args: &Value) -> Vec<ResourceKey> {
    let path = given(args, "path");
    let written = path.unwrap_or(".").to_owned();
    let place = Resource::File { argument: "path".to_owned(), written };
    let keys = [place].into_iter().chain(path.is_none().then_some(Resource::Folders));
    keys.map(|key| ResourceKey { key, mode: Access::Read }).collect()
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let stopped = stop.flag();
    context.blocking(move |context| glob(context, &args, &stopped)).await
}

fn glob(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    match found(context, args, stop) {
        Ok(result) => result,
        Err(message) => ToolResult::error(message),
    }
}

fn found(context: &ToolContext, args: &Value, stop: &AtomicBool) -> Result<ToolResult, String> {
    let limit = at_least(args, "limit", 1).map_err(|error| format!("glob: {error}."))?;
    let written = text(args, "pattern");
    let places = Place::all(context, given(args, "path")).map_err(|error| error.to_string())?;
    let newest = Newest::new(context);
    let mut files = Vec::new();
    for place in &places {
        let seen = Seen::at(context, &place.real);
        is_folder(&place.real, &seen)?;
        let pattern = Pattern::new(written, &place.real)
            .map_err(|error| format!("Invalid glob pattern '{written}': {error}"))?;
        let hidden = pattern.hidden || flag(args, "include_hidden");
        let find = Find { pattern: &pattern, place, seen: &seen, hidden, stop };
        files.append(&mut find.all(|file| (newest.age(&file), file)));
    }
    // Those of the same age by name.
    files.sort_unstable();
    files.dedup();
    let names: Vec<String> = files
        .iter()
        .map(|(_, file)| context.scope.cwd.join(name(&places, file)).to_string_lossy().into_owned())
        .collect();
    if names.is_empty() {
        let place = places.first().map(|place| place.real.display().to_string());
        let place = place.unwrap_or_default();
        return Ok(ToolResult::done(format!(
            "No files found matching pattern '{written}' in '{place}'"
        )));
    }
    Ok(ToolResult::done(listed(&names, limit.unwrap_or(DEFAULT_LIMIT))))
}

/// # Errors
/// If it is none.
fn is_folder(place: &Path, seen: &Seen) -> Result<(), String> {
    if place.is_dir() {
        return Ok(());
    }
    let shown = place.display();
    match seen.get(place) {
        None if !place.exists() && seen.has(place) => Ok(()),
        None if !place.exists() => Err(format!("Search path does not exist: {shown}")),
        Some(None) => Err(format!("Search path does not exist: {shown}")),
        _ => Err(format!("Search path is not a directory: {shown}")),
    }
}

/// What is sorted by: what is not on the disk yet, then what was changed last, then what nothing is
/// known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Age {
    Newest,
    Changed(Reverse<SystemTime>),
    Unknown,
}

/// Files whose text is not on the disk, by the names that a user sees.
struct Newest {
    names: HashSet<String>,
    roots: Vec<PathBuf>,
}

impl Newest {
    fn new(context: &ToolContext) -> Self {
        let unseen = context.workspace.unseen(&context.scope.thread);
        let names = unseen.pending.into_iter().chain(unseen.unsaved).collect();
        Self { names, roots: context.workspace.roots() }
    }

    fn has(&self, file: &Path) -> bool {
        let name = || WorkspacePath::assume_canonical(file).display_in(&self.roots);
        !self.names.is_empty() && self.names.contains(&name())
    }

    fn age(&self, file: &Path) -> Age {
        if self.has(file) {
            return Age::Newest;
        }
        let changed = file.symlink_metadata().and_then(|metadata| metadata.modified());
        changed.map_or(Age::Unknown, |time| Age::Changed(Reverse(time)))
    }
}

/// As many as are asked for and fit, and how many there are besides.
fn listed(names: &[String], limit: usize) -> String {
    let mut bytes = 0;
    let fits = |name: &&String| {
        bytes += name.len() + 1;
        bytes <= MAX_BYTES
    };
    let shown: Vec<&str> = names.iter().take(limit).take_while(fits).map(String::as_str).collect();
    let mut out = shown.join("\n");
    let more = names.len() - shown.len();
    if more > 0 {
        let (shown, all) = (shown.len(), names.len());
        out.push_str(&format!("\n\n… and {more} more files (showing {shown}/{all})"));
    }
    out
}

#[cfg(test)]
mod tests;
