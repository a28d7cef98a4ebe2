//! Agent Air's `grep` (seed 002).

use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};

use super::{super::grep as search, numbers::at_least, types};
use crate::{
    Dialect, ExecutionProfile, Meta, ToolContext, ToolDefinition, ToolResult, ToolSpec,
    tools::{
        StopOnDrop,
        files::{Place, name},
        flag, text,
    },
};
use search::{Asked, Done, Found, Hit, Options, Trouble, Unit, Wanted, given};

/// "Results are limited to 1000 matches by default."
const DEFAULT_LIMIT: usize = 1_000;
/// Matches or files that can be asked for.
const MAX_LIMIT: usize = 10_000;
/// Lines before and after a match.
const MAX_CONTEXT: usize = 1_000;
/// Characters of a line, as `read_file` has it.
const MAX_CHARS: usize = 2_000;
/// Bytes of a result: the general limit, but kept by whole lines.
const MAX_BYTES: usize = 100_000;

/// The tool.
pub(in crate::tools) fn definition() -> ToolDefinition {
    let limits = format!(
        "{DEFAULT_LIMIT} matching lines (content) or files (the other modes) unless limit says \
         otherwise, at most {MAX_LIMIT}; {MAX_CONTEXT} lines of context; {MAX_CHARS} characters of \
         a line; {MAX_BYTES} bytes"
    );
    let spec = ToolSpec::builtin("grep", Dialect::AgentAir, DESCRIPTION, schema())
        .limits(limits)
        .meta(Meta { own_limit: true, ..Meta::default() });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::keys(search::keys))
}

const DESCRIPTION: &str = "Search the contents of files for a regular expression (Rust's syntax: \
escape { and } with \\). output_mode \"files_with_matches\" (default) gives the paths of files with \
a match, \"content\" the lines as `path:line: text`, with context lines as `path-line- text` and -- \
where lines are left out, \"count\" the number of matching lines as `path:count`. Paths are absolute \
and in order. Narrow the search with path, with glob (\"*.js\" at any depth, or from the folder on, \
as in \"src/**/*.ts\") or with type (js, ts, tsx, py, rust, go, java, c, cpp and many more). With \
multiline a match may span lines and . takes line ends. Text that the user has not saved and changes \
that you proposed are searched; binary files, hidden files and those that .gitignore names are not, \
unless path names them.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "Regex pattern to search"},
            "path": {
                "type": "string",
                "description": "File or directory to search (default: current directory)"
            },
            "glob": {"type": "string", "description": "Glob pattern filter (e.g., '*.js')"},
            "type": {"type": "string", "description": "File type (e.g., 'rust', 'js', 'py')"},
            "output_mode": {
                "type": "string",
                "enum": ["files_with_matches", "content", "count"],
                "default": "files_with_matches",
                "description": "'files_with_matches' (default), 'content', or 'count'"
            },
            "-i": {
                "type": "boolean",
                "default": false,
                "description": "Case insensitive (default: false)"
            },
            "-A": {"type": "integer", "description": "Lines after match"},
            "-B": {"type": "integer", "description": "Lines before match"},
            "-C": {"type": "integer", "description": "Context lines before and after"},
            "-n": {
                "type": "boolean",
                "default": true,
                "description": "Show line numbers (default: true)"
            },
            "multiline": {
                "type": "boolean",
                "default": false,
                "description": "Matches may span lines and . matches line ends (default: false)"
            },
            "limit": {
                "type": "integer",
                "default": DEFAULT_LIMIT,
                "description": "Maximum number of results (default: 1000)"
            }
        },
        "required": ["pattern"]
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Files,
    Content,
    Count,
}

/// What a call asks for, read and checked.
struct Form {
    mode: Mode,
    limit: usize,
    before: usize,
    after: usize,
    numbers: bool,
    options: Options,
}

impl Form {
    /// `Err` names what is wrong.
    fn new(args: &Value) -> Result<Self, String> {
        let mode = match given(args, "output_mode") {
            Some("content") => Mode::Content,
            Some("count") => Mode::Count,
            _ => Mode::Files,
        };
        let lines = |name| at_least(args, name, 0).map(|n| n.unwrap_or(0).min(MAX_CONTEXT));
        let (before, after, around) = (lines("-B")?, lines("-A")?, lines("-C")?);
        let (before, after) = if around > 0 { (around, around) } else { (before, after) };
        let options = Options {
            case_sensitive: !flag(args, "-i"),
            literal: false,
            multiline: flag(args, "multiline"),
        };
        Ok(Self {
            mode,
            limit: at_least(args, "limit", 1)?.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT),
            before,
            after,
            numbers: args.get("-n").and_then(Value::as_bool).unwrap_or(true),
            options,
        })
    }

    fn unit(&self) -> Unit {
        if self.mode == Mode::Content { Unit::Lines } else { Unit::Files }
    }

    fn wanted(&self) -> Wanted {
        let is_content = self.mode == Mode::Content;
        Wanted {
            matches: match self.mode {
                Mode::Files => 1,
                // One more says that there are more.
                Mode::Content => self.limit as u64 + 1,
                Mode::Count => u64::MAX,
            },
            text: is_content,
            before: if is_content { self.before } else { 0 },
            after: if is_content { self.after } else { 0 },
            multiline: self.options.multiline,
            max_chars: MAX_CHARS,
        }
    }
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let stop = StopOnDrop::default();
    let stopped = stop.flag();
    context.blocking(move |context| grep(context, &args, &stopped)).await
}

fn grep(context: &ToolContext, args: &Value, stop: &AtomicBool) -> ToolResult {
    let form = match Form::new(args) {
        Ok(form) => form,
        Err(error) => return ToolResult::error(format!("grep: {error}.")),
    };
    match searched(context, &form, args, stop) {
        Ok((done, places)) => result(context, &form, &done, &places, args),
        Err(error) => *error,
    }
}

fn searched(
    context: &ToolContext,
    form: &Form,
    args: &Value,
    stop: &AtomicBool,
) -> Result<(Done, Vec<Place>), Box<ToolResult>> {
    let failed_with = |error: String| Box::new(ToolResult::error(error));
    let matcher = search::compiled(text(args, "pattern"), form.options)
        .map_err(|error| failed_with(format!("Invalid regex pattern: {error}")))?;
    let asked = Asked {
        matcher: &matcher,
        wanted: form.wanted(),
        found: Found::new(form.limit, form.unit()),
        path: given(args, "path"),
        glob: given(args, "glob"),
        types: given(args, "type").map(types::named).transpose().map_err(failed_with)?,
        args,
        stop,
    };
    search::search(context, asked).map_err(|trouble| Box::new(failed(trouble, args)))
}

fn failed(trouble: Trouble, args: &Value) -> ToolResult {
    match trouble {
        Trouble::Secret(refused) => *refused,
        Trouble::Missing(path) => {
            ToolResult::file_error(format!("Search path does not exist: {path}"), path)
        }
        Trouble::Glob(error) => {
            let glob = given(args, "glob").unwrap_or_default();
            ToolResult::error(format!("Invalid glob pattern '{glob}': {error}"))
        }
        Trouble::Other(reason) => ToolResult::error(reason),
    }
}

fn result(
    context: &ToolContext,
    form: &Form,
    done: &Done,
    places: &[Place],
    args: &Value,
) -> ToolResult {
    let (lines, is_cut) = lines(context, form, done, places);
    let mut notes = Vec::new();
    if is_cut {
        notes.push(format!(
            "Note: the result is cut at {MAX_BYTES} bytes. Narrow the search with a longer pattern, \
             path, glob or type."
        ));
    } else if done.found.is_full() {
        notes.push(format!(
            "Note: there are more matches; these are the first {} in the order of paths. Narrow the \
             search with a longer pattern, path, glob or type, or raise limit.",
            form.limit
        ));
    }
    notes.extend(search::skipped(&done.found, places));
    notes.extend(search::why_nothing(done, places, given(args, "glob")));
    let text = if lines.is_empty() { "No matches found".to_owned() } else { lines.join("\n") };
    notes.iter().fold(ToolResult::done(text), |result, note| result.with_note(note))
}

/// The lines of a result, and whether some had to be left out for its size.
fn lines(context: &ToolContext, form: &Form, done: &Done, places: &[Place]) -> (Vec<String>, bool) {
    let mut lines = Vec::new();
    let mut bytes = 0;
    for (file, hits, shown) in done.found.files() {
        let path = context.scope.cwd.join(name(places, file));
        let path = path.to_string_lossy();
        // As grep has it, the first line of a file is apart from the last one of the file before.
        let gap = form.before + form.after > 0 && form.mode == Mode::Content && !lines.is_empty();
        let mut more = match form.mode {
            Mode::Files => vec![path.into_owned()],
            Mode::Count => vec![format!("{path}:{}", hits.count)],
            Mode::Content => shown.iter().map(|hit| line(&path, hit, form.numbers)).collect(),
        };
        if gap {
            more.insert(0, "--".to_owned());
        }
        for line in more {
            bytes += line.len() + 1;
            if bytes > MAX_BYTES {
                return (lines, true);
            }
            lines.push(line);
        }
    }
    (lines, false)
}

fn line(path: &str, hit: &Hit, numbers: bool) -> String {
    match hit {
        Hit::Match(line) if numbers => format!("{path}:{}: {}", line.number, line.text),
        Hit::Match(line) => format!("{path}: {}", line.text),
        Hit::Context(line) if numbers => format!("{path}-{}- {}", line.number, line.text),
        Hit::Context(line) => format!("{path}- {}", line.text),
        Hit::Break => "--".to_owned(),
    }
}

#[cfg(test)]
mod tests;
