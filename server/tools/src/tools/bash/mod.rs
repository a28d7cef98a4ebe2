//! `Bash` (seed 000, tool 4).

mod output;
mod prepare;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "process_other.rs"]
mod process;
mod shell;

use std::path::PathBuf;

use redline_workspace::Unseen;
use serde_json::{Value, json};

use self::{
    output::Output,
    process::{Ended, Exit},
};
use super::text;
use crate::{Dialect, ExecutionProfile, Meta, ToolContext, ToolDefinition, ToolResult, ToolSpec};

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let spec = ToolSpec::builtin("Bash", Dialect::Amp, DESCRIPTION, schema()).meta(Meta {
        disable_timeout: true,
        own_limit: true,
        ends_on_cancel: true,
        ..Meta::default()
    });
    ToolDefinition::new(spec, run).profile(ExecutionProfile::SERIAL).prepare(prepare::prepared)
}

const DESCRIPTION: &str = "Run a shell command. Every call is a new shell: cd and variables do not \
last, so use cwd for the directory. There is no input and no terminal. Only the last 50,000 \
characters of the output are kept. A command sees the files on disk: not your pending proposals and \
not what the user has not saved.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "cmd": {"type": "string", "description": "The shell command to execute"},
            "cwd": {"type": "string", "description": "Working directory (absolute path)"}
        },
        "required": ["cmd"]
    })
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    let cmd = text(&args, "cmd").to_owned();
    let cwd = match directory(&context, &args) {
        Ok(cwd) => cwd,
        Err(result) => return *result,
    };
    let unseen = context.workspace.unseen(&context.scope.thread);
    let progress = |output: &Output| context.progress(output.tail(output::PROGRESS_CHARS));
    let ended = process::run(&cmd, &cwd, &context.scope.cancel, progress).await;
    // It may have written any file, also if it was cancelled.
    context.blocking(|context| context.workspace.rescan()).await;
    match ended {
        Ok(Ended { exit: Exit::Cancelled, .. }) => ToolResult::Cancelled,
        Ok(Ended { exit: Exit::Code(code), output, left }) => {
            let shown = shown(&cmd, &cwd, &output, code);
            notes(&output, left, &unseen)
                .iter()
                .fold(ToolResult::done(shown), |done, note| done.with_note(note))
        }
        Err(error) => ToolResult::error(format!("could not run the command: {error}")),
    }
}

fn directory(context: &ToolContext, args: &Value) -> Result<PathBuf, Box<ToolResult>> {
    let cwd = match args.get("cwd").and_then(Value::as_str) {
        None => context.scope.cwd.clone(),
        Some(written) => {
            let found = context.path(written);
            found.map_err(|error| ToolResult::error(error.to_string()))?.as_path().to_owned()
        }
    };
    if cwd.is_dir() {
        return Ok(cwd);
    }
    let message = format!("the working directory does not exist: {}", cwd.display());
    Err(Box::new(ToolResult::file_error(message, cwd.display())))
}

/// Seed 000, Bash, "Output Format". Nothing is escaped.
fn shown(cmd: &str, cwd: &std::path::Path, output: &Output, code: i32) -> String {
    let cwd = cwd.display();
    let output = output.tail(output::MAX_CHARS);
    format!(
        "<command>{cmd}</command>\n<working_directory>{cwd}</working_directory>\n\
         <output>{output}</output>\n<exit_code>{code}</exit_code>"
    )
}

fn notes(output: &Output, left: Option<i32>, unseen: &Unseen) -> Vec<String> {
    let mut notes = Vec::new();
    if output.is_cut() {
        notes.push(format!(
            "Note: only the last {} characters of {} bytes of output are shown.",
            output::MAX_CHARS,
            output.total()
        ));
    }
    if let Some(group) = left {
        notes.push(format!(
            "Note: it left processes running (process group {group}); their output is not seen."
        ));
    }
    notes.extend(unseen_note(unseen));
    notes
}

/// DESIGN, section 6, "Bash and what is not on disk".
fn unseen_note(unseen: &Unseen) -> Option<String> {
    let mut files: Vec<&str> =
        unseen.pending.iter().chain(&unseen.unsaved).map(String::as_str).collect();
    files.sort_unstable();
    files.dedup();
    let count = match files.len() {
        0 => return None,
        1 => "1 file has".to_owned(),
        n => format!("{n} files have"),
    };
    Some(format!(
        "Note: {count} proposals or unsaved text that this command did not see: {}",
        files.join(", ")
    ))
}

#[cfg(test)]
mod tests;
