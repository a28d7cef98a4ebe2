//! The narrowest rules that cover a call.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::call::COMMAND;
use crate::facts::{Facts, Fit, Ground, Part};
use crate::forms::{Texts, Whole};
use crate::write;
use crate::{
    Action, Call, Condition, Literal, Matches, Rule, Source, SourcedRule, protected, shell,
};

/// The argument of commands that nobody waits for (seed 002, bash).
const BACKGROUND: &str = "run_in_background";

/// The narrowest rule that covers the call: for Bash the exact command (and directory, if one is
/// given), for calls with paths exactly those paths, for others exactly those arguments. It
/// matches literally, whatever characters the arguments hold. Empty if nothing may be granted: a
/// write to a protected place, or arguments that a rule cannot express: lists, since a condition holds
/// for each element, and none at all, since a rule without conditions is for all calls.
pub fn grant_for(call: &Call) -> Vec<Rule> {
    if call.name().is_empty() || is_protected(call) {
        return Vec::new();
    }
    let Some(matches) = conditions(call) else { return Vec::new() };
    let rule = Rule { matches, ..Rule::new(Action::Allow, globset::escape(call.name())) };
    let is_sound = rule.check().is_ok() && covers(&rule, call);
    if is_sound { vec![rule] } else { Vec::new() }
}

/// A grant for a command wherever it is run: the same without its directory. Others are as they are.
pub fn grant_anywhere(rule: Rule) -> Rule {
    let is_command = rule.tool.eq_ignore_ascii_case("bash") && rule.matches.get(COMMAND).is_some();
    match is_command {
        true => Rule { matches: rule.matches.without("cwd"), ..rule },
        false => rule,
    }
}

/// Reads of protected places may be granted; only the policy knows what a read is, and it does not
/// make those asks ungrantable.
fn is_protected(call: &Call) -> bool {
    let shell = call.command().map(shell::read).unwrap_or_default();
    let targets = write::targets(call, &shell.writes, None);
    targets.iter().any(|target| protected::named(&target.call(call)).is_some())
        || (protected::named(call).is_some() && !crate::builtin::is_read(call))
}

fn conditions(call: &Call) -> Option<Matches> {
    if call.is_bash() {
        let mut exact = Matches::default().with(COMMAND, Condition::exactly(call.command()?));
        if in_background(call) {
            exact.add(BACKGROUND, Condition::Literal(Literal::Bool(true)));
        }
        return match call.args.get("cwd") {
            Some(Value::String(cwd)) => Some(exact.with("cwd", directory(call, cwd)?)),
            _ => Some(exact),
        };
    }
    let matches = if call.paths.is_empty() { arguments(call.args)? } else { paths(call)? };
    (!matches.is_empty()).then_some(matches)
}

fn paths(call: &Call) -> Option<Matches> {
    let mut matches = Matches::default();
    for path in call.paths.iter().filter(|path| !path.arg.contains('.')) {
        matches.add(path.arg.clone(), Condition::exactly(path.real.to_str()?));
    }
    Some(matches)
}

/// A command that goes on when its call has ended is another thing than one that is waited for.
fn in_background(call: &Call) -> bool {
    call.is_bash()
        && call
            .args
            .get(BACKGROUND)
            .is_some_and(|flag| !matches!(flag, Value::Bool(false) | Value::Null))
}

/// Whether a grant has this call in view at all. One for a folder counts there only, none that does
/// not speak of it lets a command go on in the background, and one for certain arguments is for calls
/// with no others.
pub(crate) fn has_in_view(grant: &SourcedRule, call: &Call) -> bool {
    let here = match &grant.source {
        Source::SavedGrant { folder: Some(folder), .. }
        | Source::SessionGrant { folder: Some(folder) } => {
            home(call.cwd, call.workspace) == Some(folder)
        }
        _ => true,
    };
    here && names_all(&grant.rule.matches, call)
        && (!in_background(call) || grant.rule.matches.get(BACKGROUND).is_some())
}

/// A grant for a command or for paths is about these. One without conditions is no answer to an ask,
/// but what the user has written in its place: it is for all calls.
fn names_all(matches: &Matches, call: &Call) -> bool {
    let is_path = |key: &str| call.paths.iter().any(|path| path.arg == key);
    matches.is_empty()
        || call.is_bash()
        || matches.iter().any(|(key, _)| is_path(key))
        || names_each(matches, call.args)
}

/// No rule can say "and nothing else", nor "this list".
fn names_each(matches: &Matches, args: &Value) -> bool {
    let mut args = args.as_object().into_iter().flatten();
    args.all(|(key, value)| match (matches.get(key), value) {
        (None, _) | (_, Value::Array(_)) => false,
        (Some(Condition::Nested(inner)), Value::Object(_)) => names_each(inner, value),
        (Some(_), Value::Object(_)) => false,
        (Some(_), _) => true,
    })
}

/// The folder of the workspace that a call belongs to: the innermost that its directory lies in, else
/// the first. `None`: the workspace has no folders.
pub fn home<'a>(cwd: &Path, workspace: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let around = workspace.iter().filter(|root| cwd.starts_with(root));
    around.max_by_key(|root| root.as_os_str().len()).or_else(|| workspace.first())
}

fn directory(call: &Call, written: &str) -> Option<Condition> {
    let path = call.paths.iter().find(|path| path.arg == "cwd");
    let real = path.map(|path| path.real.to_str()).unwrap_or(Some(written))?;
    Some(Condition::exactly(real))
}

fn arguments(args: &Value) -> Option<Matches> {
    let mut matches = Matches::default();
    for (key, value) in args.as_object()? {
        if key.is_empty() {
            return None;
        }
        matches.add(key, exactly(value)?);
    }
    Some(matches)
}

fn exactly(value: &Value) -> Option<Condition> {
    Some(match value {
        Value::String(text) => Condition::exactly(text),
        Value::Null => Condition::Literal(Literal::Null),
        Value::Bool(value) => Condition::Literal(Literal::Bool(*value)),
        Value::Number(value) => Condition::Literal(Literal::Number(value.clone())),
        Value::Object(_) => Condition::Nested(arguments(value)?),
        Value::Array(_) => return None,
    })
}

/// A last check, since a grant that does not cover its call would ask again and again.
fn covers(rule: &Rule, call: &Call) -> bool {
    let whole = call.command().unwrap_or_default();
    let whole = Whole::new(whole);
    let texts = Texts::whole(&whole);
    let part = match call.is_bash() {
        true => Part::Unknown { texts: &texts },
        false => Part::Call,
    };
    let ground = Ground::new(call, None, false);
    Facts { ground: &ground, part }.fit(rule) == Fit::Matches
}
