//! `Check`: the project's typechecker, linter and tests (seed 000, "Execution"; DESIGN, section 3).

mod diagnostic;
mod find;
mod parse;
mod project;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::{
    diagnostic::{Diagnostic, MAX_DIAGNOSTICS, ordered, summary},
    find::Kind,
    parse::parsed,
};
use super::{
    bash::{PROGRESS_CHARS, could_not_run, left_note, refused, unseen_note},
    running::{Ended, Exit, Head, Heard, Job, Sink, Streams, Tail, start},
};
use crate::{
    Dialect, ExecutionProfile, Line, Meta, ToolContext, ToolDefinition, ToolResult, ToolSpec,
};

/// Bytes of a command's stdout that are read: diagnostics as JSON are one long line.
const MAX_STDOUT: usize = 16 * 1024 * 1024;
/// Bytes of its stderr.
const MAX_STDERR: usize = 256 * 1024;
/// Chars of the output that are shown of a command that failed without a diagnostic.
const MAX_OUTPUT: usize = 4_000;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!(
        "{MAX_DIAGNOSTICS} diagnostics, errors first; the last {MAX_OUTPUT} characters of the output \
         of a command that failed without one; no timeout"
    );
    let meta = Meta { disable_timeout: true, ends_on_cancel: true, ..Meta::default() };
    let spec = ToolSpec::builtin("Check", Dialect::Amp, DESCRIPTION, schema());
    let profile = ExecutionProfile { commands: Some(find::commands), ..ExecutionProfile::SERIAL };
    ToolDefinition::new(spec.limits(limits).meta(meta), run).profile(profile)
}

const DESCRIPTION: &str = "Run the project's typechecker, linter and tests, found from its files or \
from the user's settings, and list what they report with file and line. It sees the files on disk: \
not your pending proposals and not what the user has not saved.";

fn schema() -> Value {
    let kinds = Kind::ALL.map(Kind::name);
    json!({
        "type": "object",
        "properties": {
            "kinds": {
                "type": "array",
                "items": {"type": "string", "enum": kinds},
                "description": "What to run; default: all that the project has"
            },
            "path": {
                "type": "string",
                "description": "File or directory: of the project that it is in, only what is about it"
            }
        }
    })
}

/// A command that has ended.
struct Ran {
    kind: String,
    cmd: String,
    cwd: PathBuf,
    code: i32,
    found: Vec<Diagnostic>,
    output: String,
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let commands = args.get("commands").cloned().unwrap_or_default();
    let lines: Vec<Line> = serde_json::from_value(commands).unwrap_or_default();
    let guarded = lines.iter().find_map(|line| refused(&context, &line.cmd, &line.cwd));
    if let Some(refused) = guarded {
        return refused;
    }
    let unseen = context.blocking(|it| it.workspace.unseen(&it.scope.thread)).await;
    let (mut ran, mut notes) = (Vec::new(), Vec::new());
    let mut ended = Ok(());
    for line in lines {
        match one(&context, line).await {
            Ok((done, left)) => {
                ran.push(done);
                notes.extend(left);
            }
            Err(result) => {
                ended = Err(*result);
                break;
            }
        }
    }
    // They may have written any file, also if they were cancelled.
    context.blocking(|context| context.workspace.rescan()).await;
    if let Err(result) = ended {
        return result;
    }
    notes.extend(unseen_note(&unseen));
    let path = args.get("path").and_then(Value::as_str).map(str::to_owned);
    let result = context.blocking(move |context| report(context, ran, path.as_deref())).await;
    notes.iter().fold(ToolResult::done(result), |done, note| done.with_note(note))
}

async fn one(context: &ToolContext, line: Line) -> Result<(Ran, Option<String>), Box<ToolResult>> {
    let Line { kind, cmd, cwd } = line;
    let lost = |error| Box::new(could_not_run(&error));
    let job = Job { cmd: &cmd, cwd: &cwd, env: &[], streams: Streams::Apart };
    let tell = |newest: &Tail| {
        context.progress(format!("$ {cmd}\n{}", newest.last(PROGRESS_CHARS)));
    };
    let (out, err) = (Head::bytes(MAX_STDOUT), Tail::bytes(MAX_STDERR));
    let mut heard = Heard { out, err, newest: Tail::chars(MAX_OUTPUT), tell };
    heard.tell();
    context.unmoved().await.map_err(Box::new)?;
    let running = start(&job).map_err(lost)?;
    let ended = running.finish(&mut heard, context.scope.cancel.cancelled()).await;
    let Ended { exit, left } = ended.map_err(lost)?;
    let Exit::Code(code) = exit else { return Err(Box::new(ToolResult::Cancelled)) };
    let (out, err, output) = (heard.out.text(), heard.err.text(), heard.newest.last(MAX_OUTPUT));
    let source = kind.clone();
    let found = context.blocking(move |_| parsed(&[&out, &err], &source)).await;
    Ok((Ran { kind, cmd, cwd, code, found, output }, left.map(left_note)))
}

/// Looks at the disk to tell which files are meant.
fn report(context: &ToolContext, mut ran: Vec<Ran>, path: Option<&str>) -> Value {
    let roots = context.workspace.roots();
    for one in &mut ran {
        one.found.iter_mut().for_each(|it| it.file = located(&it.file, &one.cwd, &roots));
    }
    let summary = summary(
        &ran.iter().map(|it| (it.kind.as_str(), it.code, &it.found[..])).collect::<Vec<_>>(),
    );
    let commands: Vec<Value> = ran.iter().map(command).collect();
    let within = path.and_then(|path| context.path(path).ok());
    let all = ran.into_iter().flat_map(|one| one.found);
    let (found, elsewhere): (Vec<_>, Vec<_>) = all.partition(|it| {
        within.as_ref().is_none_or(|path| Path::new(&it.file).starts_with(path.as_path()))
    });
    let (shown, left_out) = ordered(found);
    let shown: Vec<Value> = shown.iter().map(|it| it.to_json(&context.scope.cwd)).collect();
    let mut result = json!({"summary": summary, "commands": commands, "diagnostics": shown});
    if left_out > 0 {
        result["leftOut"] = left_out.into();
    }
    if !elsewhere.is_empty() {
        result["elsewhere"] = elsewhere.len().into();
    }
    result
}

fn command(ran: &Ran) -> Value {
    let mut shown =
        json!({"kind": ran.kind, "command": ran.cmd, "cwd": ran.cwd, "exitCode": ran.code});
    if ran.code != 0 && ran.found.is_empty() {
        shown["output"] = ran.output.as_str().into();
    }
    if ran.code == 127 {
        shown["hint"] = "its program is not installed, or not on the PATH".into();
    }
    shown
}

/// The file that a program names: programs speak of where they run, or of a folder above it (cargo
/// of its workspace).
fn located(file: &str, cwd: &Path, roots: &[PathBuf]) -> String {
    let inside = |folder: &&Path| roots.iter().any(|root| folder.starts_with(root));
    let mut folders = cwd.ancestors().take_while(inside).map(|folder| folder.join(file));
    let found = folders.find(|path| path.exists()).unwrap_or_else(|| cwd.join(file));
    found.components().collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests;
