//! `glob` (seed 000, tool 5).

mod paths;

use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ignore::{DirEntry, WalkState};
use serde_json::{Value, json};

use self::paths::Pattern;
use super::{
    StopOnDrop,
    files::{Place, Seen, is_hidden, is_ignored, walk},
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
    let spec = ToolSpec::builtin("glob", Dialect::Amp, DESCRIPTION, schema())
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(keys))
}

const DESCRIPTION: &str = "Find files by name. * matches within one folder, **/ folders of any \
depth: *.json are files of the working directory itself, **/*.json those below it too. {a,b} and \
[a-z] work. Returns absolute paths in order, at most 1000 unless limit is set, and how many remain; \
go on with offset. Files that you proposed are found; hidden ones and those that .gitignore names \
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
    let key = Resource::File { argument: "path".to_owned(), written };
    vec![ResourceKey { key, mode: Access::Read }]
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let flag = stop.flag();
    context.blocking(move |context| glob(context, &args, &flag)).await
}

fn glob(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    let written = paths::from_here(text(args, "filePattern"), &context.scope.cwd);
    let (folder, inside) = paths::split(written);
    let place = match Place::new(context, folder) {
        Ok(place) => place,
        Err(error) => return ToolResult::error(error.to_string()),
    };
    let pattern = match Pattern::new(inside, &place.real) {
        Ok(pattern) => pattern,
        Err(error) => return ToolResult::error(format!("the pattern is no glob: {error}")),
    };
    let seen = Seen::at(context, &place.real);
    let mut files = Files { pattern: &pattern, place: &place, seen: &seen, stop }.all();
    // Stable, since that merges the sorted parts.
    files.sort();
    // A proposed file that is written meanwhile is found twice.
    files.dedup();
    let names = files.iter().map(|file| {
        let name = context.scope.cwd.join(place.name(file));
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

struct Files<'a> {
    pattern: &'a Pattern,
    place: &'a Place,
    seen: &'a Seen,
    stop: &'a AtomicBool,
}

impl Files<'_> {
    fn all(&self) -> Vec<PathBuf> {
        let found = Mutex::new(self.only_seen());
        if self.place.real.is_dir() {
            walk(&self.place.real, self.pattern.hidden).run(|| {
                let mut part = Part { files: Vec::new(), all: &found };
                Box::new(move |entry| self.visit(entry, &mut part.files))
            });
        }
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn only_seen(&self) -> Vec<PathBuf> {
        let root = &self.place.real;
        let files = self.seen.only_here().map(|(file, _)| file);
        let wanted = files.filter(|file| {
            (self.pattern.hidden || !is_hidden(file, root))
                && self.pattern.takes(file)
                && !is_ignored(file)
        });
        wanted.map(PathBuf::from).collect()
    }

    fn visit(&self, entry: Result<DirEntry, ignore::Error>, files: &mut Vec<PathBuf>) -> WalkState {
        if self.stop.load(Ordering::Relaxed) {
            return WalkState::Quit;
        }
        // What can't be read has no files to list.
        let Ok(entry) = entry else { return WalkState::Continue };
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.is_some_and(|kind| kind.is_dir()) {
            let enters = self.pattern.enters(path);
            return if enters { WalkState::Continue } else { WalkState::Skip };
        }
        let is_file = kind.is_some_and(|kind| kind.is_file());
        if is_file && self.pattern.takes(path) && self.seen.get(path) != Some(None) {
            files.push(entry.into_path());
        }
        WalkState::Continue
    }
}

/// What one thread found; joins the rest when the thread ends.
struct Part<'a> {
    files: Vec<PathBuf>,
    all: &'a Mutex<Vec<PathBuf>>,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        self.files.sort_unstable();
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.files);
    }
}

#[cfg(test)]
mod tests;
