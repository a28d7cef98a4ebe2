//! `Bash` (seed 000, tool 4).

mod guard;
mod notes;
mod prepare;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub(super) use self::{
    guard::refused,
    notes::{could_not_run, left_note, unseen_note},
    prepare::at_home,
};
use super::{
    running::{Exit, Job, Sink, Stream, Streams, Tail, start},
    text,
};
use crate::{Dialect, ExecutionProfile, Meta, ToolContext, ToolDefinition, ToolResult, ToolSpec};

/// Chars of the output that a model is shown: the last ones (seed 000, MAX_OUTPUT_CHARS).
const MAX_CHARS: usize = 50_000;
/// Chars of the output that are told while a command runs.
pub(super) const PROGRESS_CHARS: usize = 2_000;

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!("the last {MAX_CHARS} characters of the output; no timeout");
    let meta =
        Meta { disable_timeout: true, own_limit: true, ends_on_cancel: true, ..Meta::default() };
    let spec = ToolSpec::builtin("Bash", Dialect::Amp, DESCRIPTION, schema());
    ToolDefinition::new(spec.limits(limits).meta(meta), run)
        .profile(ExecutionProfile::SERIAL)
        .prepare(prepare::prepared)
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
    let cwd = match directory(&context, &args).await {
        Ok(cwd) => cwd,
        Err(result) => return *result,
    };
    if let Some(refused) = refused(&context, &cmd, &cwd) {
        return refused;
    }
    let unseen = context.blocking(|it| it.workspace.unseen(&it.scope.thread)).await;
    if let Err(moved) = context.unmoved().await {
        return moved;
    }
    let mut printed = Printed { output: Tail::chars(MAX_CHARS), context: &context };
    let job = Job { cmd: &cmd, cwd: &cwd, env: &[], streams: Streams::Merged };
    let ended = match start(&job) {
        Ok(running) => running.finish(&mut printed, context.scope.cancel.cancelled()).await,
        Err(error) => return could_not_run(&error),
    };
    let output = printed.output;
    // It may have written any file, also if it was cancelled.
    context.blocking(|context| context.workspace.rescan()).await;
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return could_not_run(&error),
    };
    let Exit::Code(code) = ended.exit else { return ToolResult::Cancelled };
    let notes = [cut_note(&output), ended.left.map(left_note), unseen_note(&unseen)];
    let done = ToolResult::done(shown(&cmd, &cwd, &output, code));
    notes.into_iter().flatten().fold(done, |done, note| done.with_note(&note))
}

/// Keeps the output, and tells the newest of it.
struct Printed<'a> {
    output: Tail,
    context: &'a ToolContext,
}

impl Sink for Printed<'_> {
    fn push(&mut self, _: Stream, chunk: &[u8]) {
        self.output.push(chunk);
    }

    fn tell(&mut self) {
        self.context.progress(self.output.last(PROGRESS_CHARS));
    }
}

async fn directory(context: &ToolContext, args: &Value) -> Result<PathBuf, Box<ToolResult>> {
    let cwd = match args.get("cwd").and_then(Value::as_str) {
        None => context.scope.cwd.clone(),
        Some(written) => {
            let found = context.path(written);
            found.map_err(|error| ToolResult::error(error.to_string()))?.as_path().to_owned()
        }
    };
    let looked = cwd.clone();
    if context.blocking(move |_| looked.is_dir()).await {
        return Ok(cwd);
    }
    let message = format!("the working directory does not exist: {}", cwd.display());
    Err(Box::new(ToolResult::file_error(message, cwd.display())))
}

/// Seed 000, Bash, "Output Format". Nothing is escaped.
fn shown(cmd: &str, cwd: &Path, output: &Tail, code: i32) -> String {
    let cwd = cwd.display();
    let output = output.last(MAX_CHARS);
    format!(
        "<command>{cmd}</command>\n<working_directory>{cwd}</working_directory>\n\
         <output>{output}</output>\n<exit_code>{code}</exit_code>"
    )
}

fn cut_note(output: &Tail) -> Option<String> {
    let total = output.total();
    output.exceeds(MAX_CHARS).then(|| {
        format!("Note: only the last {MAX_CHARS} characters of {total} bytes of output are shown.")
    })
}

#[cfg(test)]
mod tests;
