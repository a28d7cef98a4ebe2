//! Agent Air's `bash` (seed 002, "Command Execution").

use std::{path::PathBuf, time::Duration};

use redline_workspace::Unseen;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    printed::{Ending, STDERR_BYTES, STDOUT_BYTES, heads, shown},
    tasks::{Order, Tasks},
};
use crate::{
    Dialect, ExecutionProfile, Meta, ToolContext, ToolDefinition, ToolResult, ToolSpec,
    directory::Directories,
    tools::{
        bash::{at_home, could_not_run, left_note, refused, unseen_note},
        flag,
        running::{Ended, Exit, Job, Streams, start},
        text,
    },
};

/// Milliseconds that a command may take if the call does not say.
const DEFAULT_TIMEOUT: u64 = 120_000;
/// The shortest and the longest that a call may say.
const TIMEOUTS: (u64, u64) = (1_000, 600_000);

/// The tool.
pub(super) fn definition() -> ToolDefinition {
    let limits = format!(
        "stdout {STDOUT_BYTES} bytes, stderr {STDERR_BYTES} bytes; timeout {DEFAULT_TIMEOUT} ms, \
         from {} to {} ms",
        TIMEOUTS.0, TIMEOUTS.1
    );
    let meta = Meta {
        disable_timeout: true,
        own_limit: true,
        ends_on_cancel: true,
        keeps_directory: true,
        ..Meta::default()
    };
    let spec = ToolSpec::builtin("bash", Dialect::AgentAir, DESCRIPTION, schema());
    ToolDefinition::new(spec.limits(limits).meta(meta), run)
        .profile(ExecutionProfile::SERIAL)
        .prepare(prepared)
}

const DESCRIPTION: &str = "Executes a bash command with a timeout. There is no input and no \
terminal. Setting working_dir changes the directory for this command and all later ones; variables \
do not last. With run_in_background it returns at once with a task id for bash_output and bash_kill. \
A command sees the files on disk: not your pending proposals and not what the user has not saved.";

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "Bash command to execute"},
            "timeout": {
                "type": "integer",
                "description": "Timeout in ms (default: 120000, max: 600000)"
            },
            "working_dir": {
                "type": "string",
                "description": "Working directory (must be absolute)"
            },
            "run_in_background": {
                "type": "boolean",
                "default": false,
                "description": "Run in background (default: false)"
            },
            "background_timeout": {
                "type": "integer",
                "description": "Background task timeout in ms"
            },
            "env": {"type": "object", "description": "Additional environment variables"}
        },
        "required": ["command"]
    })
}

/// `working_dir` is always there afterwards, so that rules, asks and grants see where it will run.
fn prepared(mut args: Value, cwd: &std::path::Path, home: Option<&std::path::Path>) -> Value {
    let Some(fields) = args.as_object_mut() else { return args };
    let given = fields.get("working_dir").and_then(Value::as_str);
    let folder = match given {
        Some(given) if given.starts_with('~') => at_home(given, cwd, home).display().to_string(),
        Some(given) => given.to_owned(),
        None => cwd.display().to_string(),
    };
    fields.insert("working_dir".to_owned(), folder.into());
    args
}

async fn run(context: ToolContext, args: Value) -> ToolResult {
    match ran(&context, &args).await {
        Ok(result) | Err(result) => result,
    }
}

async fn ran(context: &ToolContext, args: &Value) -> Result<ToolResult, ToolResult> {
    let order = order(context, args).await?;
    if let Some(refused) = refused(context, &order.command, &order.cwd) {
        return Err(refused);
    }
    context.state::<Directories>().set(context.scope.conversation(), &order.cwd);
    let unseen = context.blocking(|it| it.workspace.unseen(&it.scope.thread)).await;
    context.unmoved().await?;
    if flag(args, "run_in_background") {
        let limit = milliseconds(args, "background_timeout").map(|ms| ms.max(TIMEOUTS.0));
        return Ok(in_background(context, order, limit.map(Duration::from_millis), &unseen));
    }
    let timeout = milliseconds(args, "timeout").unwrap_or(DEFAULT_TIMEOUT);
    let timeout = timeout.clamp(TIMEOUTS.0, TIMEOUTS.1);
    in_foreground(context, &order, timeout, &unseen).await
}

/// Why a command was ended.
enum Stop {
    Cancelled,
    TimedOut,
}

async fn in_foreground(
    context: &ToolContext,
    order: &Order,
    timeout: u64,
    unseen: &Unseen,
) -> Result<ToolResult, ToolResult> {
    let job =
        Job { cmd: &order.command, cwd: &order.cwd, env: &order.env, streams: Streams::Apart };
    let mut printed = heads(context);
    let until = async {
        tokio::select! {
            () = context.scope.cancel.cancelled() => Stop::Cancelled,
            () = sleep(Duration::from_millis(timeout)) => Stop::TimedOut,
        }
    };
    let running = start(&job).map_err(|error| could_not_run(&error))?;
    let ended = running.finish(&mut printed, until).await;
    // It may have written any file, also if it was ended.
    context.blocking(|context| context.workspace.rescan()).await;
    let Ended { exit, left } = ended.map_err(|error| could_not_run(&error))?;
    match exit {
        Exit::Stopped(Stop::Cancelled) => Ok(ToolResult::Cancelled),
        Exit::Stopped(Stop::TimedOut) => {
            Err(timed_out(timeout, &shown(&printed.out, &printed.err, &Ending::Stopped)))
        }
        Exit::Code(code) => {
            let notes = [left.map(left_note), unseen_note(unseen)];
            let done = ToolResult::done(shown(&printed.out, &printed.err, &Ending::Exited(code)));
            Ok(notes.into_iter().flatten().fold(done, |done, note| done.with_note(&note)))
        }
    }
}

fn timed_out(timeout: u64, output: &str) -> ToolResult {
    let after = timeout as f64 / 1_000.0;
    ToolResult::error(format!(
        "Command timed out after {after} seconds. It was ended, with everything that it had started. \
         Give a longer timeout (at most {} ms), or use run_in_background.\n{output}",
        TIMEOUTS.1
    ))
}

fn in_background(
    context: &ToolContext,
    order: Order,
    limit: Option<Duration>,
    unseen: &Unseen,
) -> ToolResult {
    let task = match context.state::<Tasks>().start(context, order, limit) {
        Ok(task) => task,
        Err(error) => return ToolResult::error(error.to_string()),
    };
    let message = format!(
        "Started in the background. bash_output shows what {0} printed, bash_kill ends it.",
        task.id
    );
    let done = ToolResult::done(json!({
        "task_id": task.id, "process_id": task.process, "message": message,
    }));
    unseen_note(unseen).into_iter().fold(done, |done, note| done.with_note(&note))
}

async fn order(context: &ToolContext, args: &Value) -> Result<Order, ToolResult> {
    let command = text(args, "command").trim().to_owned();
    if command.is_empty() {
        return Err(ToolResult::error("the command is empty; give a command to run"));
    }
    let env = environment(args).map_err(ToolResult::error)?;
    let cwd = PathBuf::from(text(args, "working_dir"));
    if !cwd.is_absolute() {
        let written = cwd.display();
        return Err(ToolResult::file_error(
            format!("working_dir must be an absolute path, but is {written:?}", written = cwd),
            written,
        ));
    }
    let looked = cwd.clone();
    match context.blocking(move |_| std::fs::metadata(looked)).await {
        Ok(found) if found.is_dir() => Ok(Order { command, cwd, env }),
        Ok(_) => Err(no_directory("working_dir is not a directory", &cwd)),
        Err(_) => Err(no_directory("working_dir does not exist", &cwd)),
    }
}

fn no_directory(what: &str, cwd: &std::path::Path) -> ToolResult {
    let shown = cwd.display();
    let hint = "it is kept from call to call; give another one";
    ToolResult::file_error(format!("{what}: {shown} ({hint})"), shown)
}

/// Absurd numbers are what they come nearest to.
fn milliseconds(args: &Value, name: &str) -> Option<u64> {
    let value = args.get(name)?;
    value.as_u64().or_else(|| value.as_f64().map(|ms| ms as u64))
}

fn environment(args: &Value) -> Result<Vec<(String, String)>, String> {
    let given = args.get("env").and_then(Value::as_object);
    given.into_iter().flatten().map(variable).collect()
}

fn variable((name, value): (&String, &Value)) -> Result<(String, String), String> {
    let value = match value {
        Value::String(value) => value.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        _ => return Err(format!("env: the value of {name:?} must be a string")),
    };
    if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
        return Err(format!("env: {name:?} cannot be set: names hold no '=', and nothing a NUL"));
    }
    Ok((name.clone(), value))
}
