//! The first thing about a rule that does not fit a call.

use std::fmt;

use crate::call::COMMAND;
use crate::facts::{Facts, Fit, Part};
use crate::tool::ToolGlob;
use crate::{Condition, Context, Matches, Rule};

/// Why a rule does not match.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyNot {
    /// It is for other tools.
    Tool,
    /// It is for calls from there.
    Context(Context),
    /// There is no such argument in the call.
    Missing {
        /// The argument.
        key: String,
    },
    /// Part of a command is not understood, and only a rule that says the whole command allows that.
    Unread,
    /// The condition on an argument does not hold.
    Argument {
        /// The argument.
        key: String,
        /// The condition: patterns as written, anything else as JSON; "` or `" between alternatives.
        condition: String,
        /// All that it was held against: the argument, and for a path or a command its forms.
        forms: Vec<String>,
    },
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNot::Tool => f.write_str("it is for other tools"),
            WhyNot::Context(Context::Thread) => f.write_str("it is for the main thread only"),
            WhyNot::Context(Context::Subagent) => f.write_str("it is for subagents only"),
            WhyNot::Missing { key } => write!(f, "the call has no `{key}`"),
            WhyNot::Unread => f.write_str(
                "what cannot be read is allowed only by a rule that says the whole command exactly",
            ),
            WhyNot::Argument { key, condition, forms } => {
                let forms: Vec<String> = forms.iter().map(|form| format!("`{form}`")).collect();
                match forms.as_slice() {
                    [] => write!(f, "`{key}` does not match `{condition}`"),
                    [one] => write!(f, "`{key}` is {one}, which `{condition}` does not match"),
                    forms => {
                        let all = forms.join(", ");
                        write!(f, "`{condition}` matches none of the forms of `{key}`: {all}")
                    }
                }
            }
        }
    }
}

/// What is wrong before the arguments are looked at.
pub(super) fn of_call(facts: &Facts<'_>, rule: &Rule) -> Option<WhyNot> {
    let glob = ToolGlob::new(&rule.tool).ok();
    let is_for = |name: &&str| match &glob {
        Some(glob) => glob.is_match(name),
        None => rule.tool.eq_ignore_ascii_case(name),
    };
    if !facts.ground.call.names.iter().any(is_for) {
        return Some(WhyNot::Tool);
    }
    rule.context.filter(|context| *context != facts.ground.call.context).map(WhyNot::Context)
}

/// The first argument whose condition does not hold; the rule is known not to match.
pub(super) fn of_arguments(facts: &Facts<'_>, rule: &Rule) -> WhyNot {
    let fails = |(key, condition): &(&str, &Condition)| {
        facts.fit(&only(rule, key, (*condition).clone())) == Fit::No
    };
    let mut all = rule.matches.iter();
    let failing = all.find(fails).or_else(|| rule.matches.iter().next());
    let Some((key, condition)) = failing else { return WhyNot::Tool };
    if !is_there(facts, key) {
        return WhyNot::Missing { key: key.to_owned() };
    }
    let is_unread = matches!(facts.part, Part::Unknown { .. }) && key == COMMAND;
    if is_unread && !rule.action.tightens() {
        return WhyNot::Unread;
    }
    let (key, condition) = (key.to_owned(), written(condition));
    WhyNot::Argument { forms: forms(facts, rule, &key), key, condition }
}

/// The same rule with one condition.
fn only(rule: &Rule, key: &str, condition: Condition) -> Rule {
    Rule { matches: Matches::default().with(key, condition), ..rule.clone() }
}

fn is_there(facts: &Facts<'_>, key: &str) -> bool {
    let is_command = key == COMMAND && !matches!(facts.part, Part::Call);
    is_command
        || facts.ground.call.args.get(key).is_some()
        || facts.ground.call.paths.iter().any(|path| path.arg == key)
}

fn written(condition: &Condition) -> String {
    match condition {
        Condition::Pattern(pattern) => pattern.text().to_owned(),
        Condition::Any(all) => all.iter().map(written).collect::<Vec<_>>().join("` or `"),
        other => other.to_json().to_string(),
    }
}

/// How many forms are told.
const MAX_FORMS: usize = 8;

/// The forms that a rule of this action is held against: of all that could be, those that the
/// engine accepts.
fn forms(facts: &Facts<'_>, rule: &Rule, key: &str) -> Vec<String> {
    let candidates = candidates(facts, key, rule.action.tightens());
    if candidates.is_empty() {
        let value = facts.ground.call.args.get(key);
        return value
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .into_iter()
            .collect();
    }
    let mut forms: Vec<String> = Vec::new();
    for form in candidates {
        let is_new = !forms.contains(&form) && forms.len() < MAX_FORMS;
        if is_new && facts.fit(&only(rule, key, Condition::exactly(&form))) == Fit::Matches {
            forms.push(form);
        }
    }
    forms
}

/// Every text that could stand for a path or a command. An allowing rule sees the whole command only
/// where it says all of it literally, which is no form that its patterns are held against.
fn candidates(facts: &Facts<'_>, key: &str, tightens: bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    match facts.part {
        Part::Command { command, texts } if key == COMMAND => {
            all.extend(command.looks().map(str::to_owned));
            all.extend(tightens.then(|| texts.whole.text.to_owned()));
        }
        Part::Unknown { texts } if key == COMMAND => all.push(texts.whole.text.to_owned()),
        _ => {}
    }
    for path in facts.ground.of(key) {
        let looks = path.looks.iter();
        all.extend(looks.clone().map(|look| look.text.clone().into_owned()));
        all.extend(looks.map(|look| look.name().to_owned()));
    }
    all.retain(|form| !form.is_empty());
    all
}
