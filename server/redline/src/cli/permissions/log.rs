//! `redline permissions log`.

use std::process::ExitCode;

use clap::Args;
use redline_audit::{Decider, Moment, io::entries};
use redline_permissions::Action;
use serde_json::json;

use super::{
    super::{CliError, audit::place, folder, print},
    past::{PastCall, calls, plain},
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
Each line: when (UTC), what the rules said, who decided, how it ended, the call, and what became of
its proposals. `redline audit verify` says whether the log is as it was written.";

/// What is listed.
#[derive(Debug, Args)]
pub struct Options {
    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Only calls with this verdict: allow, ask, reject or delegate
    #[arg(long, value_name = "ACTION", value_parser = action)]
    action: Option<Action>,
    /// Only calls of this thread
    #[arg(long, value_name = "THREAD")]
    thread: Option<String>,
    /// Only calls since then: 30m, 2h, 7d, 2026-11-21, 2026-11-21T04:07 (UTC)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// At most so many, the newest
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Those of other folders too
    #[arg(long)]
    all: bool,
    /// One JSON object a line: the record, its result and its decisions
    #[arg(long)]
    json: bool,
}

fn action(text: &str) -> Result<Action, String> {
    let wanted = || format!("{text:?} is not allow, ask, reject or delegate");
    Action::parse(&text.to_lowercase()).ok_or_else(wanted)
}

/// Runs the command.
pub fn main(options: &Options) -> Result<ExitCode, CliError> {
    let since =
        options.since.as_deref().map(|text| Moment::since(text, Moment::now())).transpose()?;
    let here = folder()?;
    let fits = |past: &PastCall| {
        let verdict = past.call.verdict.as_ref().map(|verdict| verdict.action);
        since.is_none_or(|since| past.time >= since)
            && (options.all || past.is_in(&here))
            && options.tool.as_ref().is_none_or(|tool| past.is_of(tool))
            && options.action.is_none_or(|action| verdict == Some(action))
            && options.thread.as_ref().is_none_or(|thread| past.call.caller.thread == *thread)
    };
    let mut found: Vec<PastCall> = calls(entries(&place()?)?).into_iter().filter(fits).collect();
    let surplus = found.len().saturating_sub(options.limit);
    found.drain(..surplus);
    let line = if options.json { as_json } else { as_text };
    print(&found.iter().map(|past| line(past) + "\n").collect::<String>());
    Ok(ExitCode::SUCCESS)
}

fn as_json(past: &PastCall) -> String {
    json!({
        "seq": past.seq, "time": past.time, "pid": past.pid, "call": past.call,
        "result": past.result, "decisions": past.decisions,
    })
    .to_string()
}

fn as_text(past: &PastCall) -> String {
    let verdict = past.call.verdict.as_ref().map_or("-", |verdict| verdict.action.name());
    let (by, status) = (by(past), status(past));
    let mut line = format!("{}  {verdict:8}  {by:16}  {status:9}  {}", past.second(), past.title());
    let decided = past.decisions.iter().map(|decision| {
        let said = decision.comment.as_ref().map(|comment| format!(": {}", plain(comment)));
        format!("{} {:?}{}", decision.hunks.join(" "), decision.decision, said.unwrap_or_default())
    });
    let decided: Vec<String> = decided.collect();
    if !decided.is_empty() {
        line.push_str(&format!("  [{}]", decided.join(", ").to_lowercase()));
    }
    line
}

fn status(past: &PastCall) -> &str {
    match past.result.as_ref().map(|result| result.status.as_str()) {
        Some("rejected-by-user") => "rejected",
        Some(status) => status,
        None if past.call.within.is_some() => "-",
        None => "no end",
    }
}

/// Who decided, in few words: `built-in:12`, `you: once`.
fn by(past: &PastCall) -> String {
    match &past.call.by {
        Decider::Grant => "grant".to_owned(),
        Decider::User { option, comment: None } => format!("you: {option}"),
        Decider::User { option, comment: Some(said) } => {
            format!("you: {option}: {}", shortened(said))
        }
        Decider::Delegate { program, answer } => {
            format!("{program} ({answer})")
        }
        Decider::None => "nobody".to_owned(),
        Decider::Rule => {
            let Some(verdict) = &past.call.verdict else { return "rule".to_owned() };
            let whose = verdict.source.split(' ').next().unwrap_or_default();
            let line = verdict.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{whose}{line}")
        }
    }
}

/// What the user said, as far as a column takes it.
fn shortened(said: &str) -> String {
    const LIMIT: usize = 40;
    match said.char_indices().nth(LIMIT) {
        Some((end, _)) => plain(said.get(..end).unwrap_or_default()) + "…",
        None => plain(said),
    }
}
