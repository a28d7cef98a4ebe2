//! What the user reads of a call before it runs.

use std::path::{Path, PathBuf};

use redline_permissions::{
    Action, Call, Reason, Verdict, grant_anywhere, grant_for, home, parse_text,
};
use serde_json::Value;

use super::{case::Case, on_disk::Offer, report};
use crate::Line;

/// One line about the commands; the whole of them is the ask's detail. `None`: it runs none.
pub(super) fn title(case: &Case<'_>) -> Option<String> {
    let (line, others) = case.lines.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Some(command(&line.cmd) + &others)
}

/// One line about a command.
pub(super) fn command(cmd: &str) -> String {
    let first = cmd.lines().next().unwrap_or_default();
    let more = if cmd.lines().nth(1).is_some() { " …" } else { "" };
    format!("Run: {}{more}", report::shortened(first))
}

/// The exact commands, and all that they depend on. `None`: it runs none.
pub(super) fn detail(case: &Case<'_>) -> Option<String> {
    let elsewhere = |line: &Line| match line.cwd == case.cwd {
        true => line.cmd.clone(),
        false => format!("{}  (in {})", line.cmd, line.cwd.display()),
    };
    let mut text: Vec<String> = case.lines.iter().map(elsewhere).collect();
    let variable = |(name, value): (&String, &Value)| match value {
        Value::String(value) => format!("with {name}={value}"),
        other => format!("with {name}={other}"),
    };
    text.extend(case.environment().into_iter().map(variable));
    let is_set = |name: &str| case.args.get(name).and_then(Value::as_bool).unwrap_or_default();
    if is_set("run_in_background") && !text.is_empty() {
        text.push("in the background".to_owned());
    }
    (!text.is_empty()).then(|| text.join("\n"))
}

/// The rules that "allow for the session" would add, as a text of rules.
pub(super) fn covers(case: &Case<'_>) -> Option<String> {
    if !case.is_planned {
        return covers_call(&case.call());
    }
    let grant = |line: &Line| case.as_bash(line, &line.cmd, grant_for);
    // All of them, or it would be asked again.
    let each = case.lines.iter().map(|line| grant(line).pop().map(|it| it.to_string()));
    joined(&each.collect::<Option<Vec<_>>>()?)
}

/// The same of one call.
pub(super) fn covers_call(call: &Call<'_>) -> Option<String> {
    let rules: Vec<String> = grant_for(call).iter().map(ToString::to_string).collect();
    joined(&rules)
}

/// The same rules for commands in any directory.
pub(super) fn anywhere(covers: &str) -> String {
    let Ok(rules) = parse_text(covers) else { return covers.to_owned() };
    let mut all: Vec<String> = Vec::new();
    for (_, rule) in rules {
        let rule = grant_anywhere(rule).to_string();
        if !all.contains(&rule) {
            all.push(rule);
        }
    }
    all.join("\n")
}

/// Whether all of a call's commands run in the folder that the call belongs to.
pub(super) fn stays(case: &Case<'_>) -> bool {
    let run_in = case.lines.iter().map(|line| line.cwd.as_path());
    stay(&case.cwd, run_in, case.call().workspace)
}

/// The same of directories; `cwd`: the call's.
pub(crate) fn stay<'d>(
    cwd: &Path,
    mut run_in: impl Iterator<Item = &'d Path>,
    roots: &[PathBuf],
) -> bool {
    let folder = home(cwd, roots);
    folder.is_some_and(|folder| {
        run_in.all(|cwd| cwd.starts_with(folder) && home(cwd, roots) == Some(folder))
    })
}

fn joined(rules: &[String]) -> Option<String> {
    (!rules.is_empty()).then(|| rules.join("\n"))
}

/// Why it is asked: what the rules say, or that the command would miss what is not on disk.
pub(super) fn reason(verdict: Verdict, offer: &Offer) -> Reason {
    let reason = verdict.reason;
    if verdict.action != Action::Allow || offer.is_empty() {
        return reason;
    }
    let text = format!(
        "Asks because the command would not see what is not on disk; apart from that: {}",
        reason.text
    );
    Reason { text, ..reason }
}
