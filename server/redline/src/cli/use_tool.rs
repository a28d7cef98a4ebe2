//! `redline tools use`: one call through the same dispatch as an agent's.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
};

use redline_layers::{HunkId, ThreadId};
use redline_permissions::Context;
use redline_tools::{
    Cancel, Dialect, HunkDecision, ReviewState, Scope, ToolCall, ToolResult, builtin,
};
use redline_workspace::{Event, ResolveAction, ResolveRequest};
use serde_json::Value;

use super::{
    CliError, House,
    args::{ArgsError, Input, Words, from_json, read_input, typed},
    error, folder, print, tools,
};
use crate::{
    settings::Settings,
    terminal::{Answers, ColorChoice, SharedConsole, Tally, Tty, is_interactive, review},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
Arguments of the tool:
  --ARG VALUE …      by name; `redline tools show NAME` lists them
  --input FILE|-     or all of them as one JSON object, from a file or stdin

What is printed, and who decides:
  --json             print the whole result as one JSON line
  --only FIELD       print only this field of the result
  --yes              answer what is asked with yes, and accept what is proposed
  --dialect DIALECT  amp, agent-air or amplifier

In a terminal you are asked, and review what is proposed. Without one, asks are rejected unless
--yes is given, and edits wait: `redline review` or an editor on the folder shows them.
Exit code: 0 done or waiting, 1 error, 2 rejected.

Examples:
  redline tools use Read --path README.md
  redline tools use edit_file --path a.txt --old_str this --new_str that
  echo '{\"cmd\": \"ls\"}' | redline tools use Bash --json --yes --input -";

const NOBODY: &str = "nobody is there to ask: use --yes, or run it in a terminal";
const NO_REVIEW: &str = "the edit was not made: nobody is there to review it, and it cannot wait. \
    Use --yes to accept it, or run it in a terminal.";
const LEFT: &str = "the edit was left undecided and is gone, because it could not be kept";

/// Who decides.
#[derive(Clone)]
pub enum Presence {
    /// The user, here.
    User(SharedConsole),
    /// The user, beforehand: `--yes`.
    Yes,
    /// Nobody.
    Nobody,
}

/// Runs the command.
pub async fn main(words: &[String], color: ColorChoice) -> Result<ExitCode, CliError> {
    let words = Words::parse(words)?;
    let root = folder()?;
    let settings = Settings::load(std::slice::from_ref(&root))?;
    settings.told().iter().for_each(|note| error(note));
    let dialect = words.dialect.unwrap_or(settings.agent.dialect);
    if words.help {
        return Ok(tools::show(&words.name, dialect));
    }
    let call = call(&words, dialect)?;
    let presence = presence(&words, words.color.unwrap_or(color));
    let house = House::open(root, &settings, presence.answers());
    house.save_grants();
    let kept = house.keep();
    if let Err(why) = &kept {
        error(why);
    }
    let result = run(&house, call, dialect, &presence, kept.is_ok()).await;
    let code = report(&result, &words);
    if let Some(files) = waiting_files(&result) {
        error(&format!("{files}: waiting for your review; see it with `redline review`"));
    }
    Ok(code)
}

/// The files whose hunks the call has left waiting, one after the other.
fn waiting_files(result: &ToolResult) -> Option<String> {
    match result {
        ToolResult::Done { review: Some(note), track_files, .. }
            if note.state == ReviewState::Pending =>
        {
            Some(track_files.join(", "))
        }
        _ => None,
    }
}

fn presence(words: &Words, color: ColorChoice) -> Presence {
    let here = is_interactive();
    match words.json || words.only.is_some() {
        _ if words.yes => Presence::Yes,
        _ if !here => Presence::Nobody,
        true => Presence::User(Arc::new(Mutex::new(Tty::beside_stdout(color)))),
        false => Presence::User(Arc::new(Mutex::new(Tty::new(color)))),
    }
}

impl Presence {
    /// Who answers asks.
    pub fn answers(&self) -> Answers {
        match self {
            Presence::User(console) => Answers::User(Arc::clone(console)),
            Presence::Yes => Answers::Yes,
            Presence::Nobody => Answers::No(NOBODY),
        }
    }
}

fn call(words: &Words, dialect: Dialect) -> Result<ToolCall, ArgsError> {
    let args = match &words.input {
        Input::File(name) => from_json(&read_input(name)?, name)?,
        Input::Pairs(pairs) => {
            let tool = builtin().resolve(&words.name, dialect);
            let schema = tool.map_or(Value::Null, |tool| tool.spec.input_schema.clone());
            typed(pairs, &schema)?
        }
    };
    Ok(ToolCall { id: "cli".to_owned(), name: words.name.clone(), args })
}

/// Runs one call and has what it proposes decided.
pub async fn run(
    house: &House,
    call: ToolCall,
    dialect: Dialect,
    presence: &Presence,
    kept: bool,
) -> ToolResult {
    let scope = Scope {
        thread: ThreadId::from("cli"),
        agent: "you".to_owned(),
        context: Context::Thread,
        cwd: house.root.clone(),
        dialect,
        cancel: Cancel::new(),
        mode: None,
        subagent: None,
    };
    // A turn of its own: what earlier calls had decided is history when it ends.
    let thread = || scope.thread.clone();
    house.workspace.post(Event::TurnStarted { thread: thread() });
    let result = house.tools.run(&scope, vec![call], &|_| {}).await.pop();
    house.workspace.post(Event::TurnEnded { thread: thread() });
    let result = match result {
        Some(ToolResult::RejectedByUser { comment: Some(comment), .. }) if comment == NOBODY => {
            ToolResult::RejectedByUser { reason: comment, comment: None }
        }
        result => result.unwrap_or_else(|| ToolResult::error("the call has no result")),
    };
    let hunks = proposed(&result);
    if hunks.is_empty() { result } else { decided(result, hunks, house, presence, kept).await }
}

/// What the call has proposed and waits for the user.
fn proposed(result: &ToolResult) -> Vec<HunkId> {
    match result {
        ToolResult::Done { review: Some(note), .. } if note.state == ReviewState::Pending => {
            note.hunks.iter().filter_map(|hunk| hunk.parse().ok()).collect()
        }
        _ => Vec::new(),
    }
}

async fn decided(
    result: ToolResult,
    hunks: Vec<HunkId>,
    house: &House,
    presence: &Presence,
    kept: bool,
) -> ToolResult {
    let all = |action| ResolveRequest::hunks(action, hunks.clone());
    match presence {
        Presence::User(console) => {
            reviewed(result, review(&house.workspace, console, Some(&hunks)).await, kept)
        }
        Presence::Nobody if kept => result,
        Presence::Nobody => {
            // Nothing is on the disk, so there is nothing that a failed reject could leave behind.
            let _ = house.workspace.resolve(all(ResolveAction::Reject)).await;
            ToolResult::RejectedByUser { reason: NO_REVIEW.to_owned(), comment: None }
        }
        Presence::Yes => match house.workspace.resolve(all(ResolveAction::Accept)).await {
            Err(e) => ToolResult::error(e.to_string()),
            Ok(resolved) => match resolved.failed.first() {
                Some((_, reason)) => ToolResult::error(format!("could not be written: {reason}")),
                None => {
                    let accepted = |hunk: &redline_layers::HunkId| decision(hunk, "accepted", None);
                    resolve(result, resolved.resolved.iter().map(accepted).collect())
                }
            },
        },
    }
}

/// The result after a review: rejected where nothing was accepted.
fn reviewed(result: ToolResult, tally: Tally, kept: bool) -> ToolResult {
    let comments: Vec<&str> = tally.decisions.iter().filter_map(|d| d.comment.as_deref()).collect();
    let comment = (!comments.is_empty()).then(|| comments.join("\n"));
    match (tally.accepted(), tally.undecided) {
        (0, 0) => ToolResult::RejectedByUser { reason: "you rejected the edit".into(), comment },
        (0, left) if kept && tally.decisions.is_empty() && left > 0 => result,
        (0, _) if !kept => ToolResult::RejectedByUser { reason: LEFT.into(), comment },
        _ => resolve(result, tally.decisions),
    }
}

fn decision(hunk: &redline_layers::HunkId, word: &str, comment: Option<String>) -> HunkDecision {
    let (hunk, decision) = (hunk.to_string(), word.to_owned());
    HunkDecision { hunk, decision, comment, diff: None }
}

/// Says in a result that its proposals have been decided.
fn resolve(mut result: ToolResult, decisions: Vec<HunkDecision>) -> ToolResult {
    if let ToolResult::Done { result, review, .. } = &mut result {
        let accepted = decisions.iter().filter(|d| d.decision == "accepted").count();
        let note = format!("Accepted: {accepted} of {} hunks.", decisions.len());
        replace_note(result, &note);
        if let Some(review) = review {
            review.state = ReviewState::Resolved;
            review.decisions = decisions;
        }
    }
    result
}

/// Replaces the line that told the model to wait for the user.
fn replace_note(result: &mut Value, note: &str) {
    match result {
        Value::String(text) => {
            let line = |line| if is_waiting(line) { note } else { line };
            *text = text.lines().map(line).collect::<Vec<_>>().join("\n");
        }
        Value::Object(fields) => fields.values_mut().for_each(|value| {
            if value.as_str().is_some_and(|text| text.lines().any(is_waiting)) {
                replace_note(value, note);
            }
        }),
        _ => {}
    }
}

fn is_waiting(line: &str) -> bool {
    line.starts_with("Proposed; not in the file")
}

fn report(result: &ToolResult, words: &Words) -> ExitCode {
    if words.json {
        print(&format!("{}\n", serde_json::to_string(result).unwrap_or_default()));
        return code(result);
    }
    match result {
        ToolResult::Done { result, .. } => match &words.only {
            None => print(&text(result)),
            Some(field) => match result.get(field) {
                Some(value) => print(&text(value)),
                None => {
                    error(&no_field(field, result));
                    return ExitCode::FAILURE;
                }
            },
        },
        ToolResult::Error { message, .. } => error(message),
        ToolResult::RejectedByUser { reason, comment } => {
            let comment = comment.iter().map(|text| format!("\n{text}"));
            error(&format!("rejected: {reason}{}", comment.collect::<String>()));
        }
        ToolResult::Cancelled => error("cancelled"),
    }
    code(result)
}

fn code(result: &ToolResult) -> ExitCode {
    match result {
        ToolResult::Done { .. } => ExitCode::SUCCESS,
        ToolResult::Error { .. } | ToolResult::Cancelled => ExitCode::FAILURE,
        ToolResult::RejectedByUser { .. } => ExitCode::from(2),
    }
}

fn no_field(field: &str, result: &Value) -> String {
    match result.as_object() {
        Some(fields) => {
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            format!("the result has no field {field:?}; it has {}", names.join(", "))
        }
        None => format!("the result has no field {field:?}; it is one text"),
    }
}

/// A value for people: text as it is, an object field by field.
fn text(value: &Value) -> String {
    let mut out = match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match value {
                Value::String(text) if text.contains('\n') => format!("{name}:\n{text}"),
                value => format!("{name}: {}", text(value).trim_end()),
            };
            fields.iter().map(field).collect::<Vec<_>>().join("\n")
        }
        Value::Array(items) if items.iter().any(|item| item.is_array() || item.is_object()) => {
            serde_json::to_string_pretty(value).unwrap_or_default()
        }
        other => other.to_string(),
    };
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests;
