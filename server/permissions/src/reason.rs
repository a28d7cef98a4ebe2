//! Why a verdict is what it is, in sentences for people.

use crate::fence::Stop;
use crate::protected::Place;
use crate::rules::Listed;
use crate::walk::Finding;
use crate::{Action, Call, Origin, ResolvedPath, Rule, Source, SourcedRule, grant_for};

/// The reason of a verdict; the same in dialogs, logs and on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The verdict's action.
    pub action: Action,
    /// The rule that decided, in text form; `None` if none did.
    pub rule: Option<String>,
    /// Where it stands: `built-in`, `user <path>`, `repository <path>`, `session grant`,
    /// `saved grant <path>`, `editor settings`, or `no rule`.
    pub source: String,
    /// The line there, counted from 1.
    pub line: Option<u32>,
    /// One sentence: why, and what would change it.
    pub text: String,
}

/// What a finding rests on.
#[derive(Debug, Clone)]
pub(crate) enum Cause<'a> {
    Rule(Listed<'a>),
    /// It would tighten, and whether it matches depends on what is unknown.
    Perhaps(Listed<'a>),
    NoRule,
    Outside(&'a ResolvedPath),
    Protected(Place<'a>),
    Opaque(&'a str),
    Write(&'a str),
    /// A command that goes further than the built-in rules.
    Fence(Stop<'a>),
}

impl<'a> Cause<'a> {
    pub(crate) fn listed(&self) -> Option<Listed<'a>> {
        match self {
            Cause::Rule(listed) | Cause::Perhaps(listed) => Some(*listed),
            _ => None,
        }
    }

    fn rule(&self) -> Option<&'a SourcedRule> {
        self.listed().map(|listed| listed.rule)
    }

    /// The origin of an ask that has this cause, where the cause alone says it.
    pub(crate) fn unknown_origin(&self) -> Origin {
        match self {
            Cause::Write(_) => Origin::Redirection,
            _ => Origin::Opaque,
        }
    }
}

/// The longest text that a sentence quotes, in chars.
const MAX_QUOTE: usize = 160;

/// The reason of a finding. In a list of several parts it names the part that it is about.
pub(crate) fn of(finding: &Finding, call: &Call, is_list: bool) -> Reason {
    let rule = finding.cause.rule();
    let part = finding.part.filter(|_| is_list);
    let part = part.map(|part| format!(" for {}", quote(part))).unwrap_or_default();
    let verb = verb(finding.action);
    Reason {
        action: finding.action,
        rule: rule.map(|rule| rule.rule.to_string()),
        source: source(finding),
        line: rule.and_then(|rule| rule.line),
        text: format!("{verb}{part} because {}; {}.", why(finding, call), change(finding, call)),
    }
}

/// The reason when there is nothing to judge.
pub(crate) fn nothing() -> Reason {
    let text = "Asks because the call has no part that a rule could be held against; only your \
                answer to this ask can let it run.";
    let (action, source) = (Action::Ask, "no rule".to_owned());
    Reason { action, rule: None, source, line: None, text: text.to_owned() }
}

fn verb(action: Action) -> &'static str {
    match action {
        Action::Allow => "Allowed",
        Action::Ask => "Asks",
        Action::Reject => "Rejected",
        Action::Delegate => "Delegated",
    }
}

fn source(finding: &Finding) -> String {
    match finding.cause.rule() {
        Some(rule) => rule.source.to_string(),
        None if matches!(finding.cause, Cause::NoRule) => "no rule".to_owned(),
        None => "built-in".to_owned(),
    }
}

fn why(finding: &Finding, call: &Call) -> String {
    let Some(file) = finding.write else { return cause(finding, call) };
    let file = quote(file);
    match &finding.cause {
        Cause::Rule(it) => {
            let says = says(finding.action);
            format!("it would write {file}, and {} {says} that", named(it.rule))
        }
        Cause::NoRule => format!("it would write {file}, and no rule covers that"),
        Cause::Protected(place) => format!(
            "it would write {file}, and files in {} can start programs or grant permissions",
            quote(&place.to_string())
        ),
        Cause::Write(_) => format!("it would write {file}, and where that is cannot be told"),
        Cause::Perhaps(it) => {
            format!("it would write {file}, and that may be what {} is about", named(it.rule))
        }
        Cause::Outside(_) | Cause::Opaque(_) | Cause::Fence(_) => {
            format!("it would write {file}, and {}", cause(finding, call))
        }
    }
}

/// What a rule does, in a sentence about it.
fn says(action: Action) -> &'static str {
    match action {
        Action::Allow => "allows",
        Action::Ask => "asks for",
        Action::Reject => "rejects",
        Action::Delegate => "delegates",
    }
}

fn cause(finding: &Finding, call: &Call) -> String {
    match &finding.cause {
        Cause::Rule(it) if finding.origin == Origin::Trusted => {
            format!("of {}, which you trust", named(it.rule))
        }
        Cause::Rule(it) => format!("of {}", named(it.rule)),
        Cause::Perhaps(it) => {
            format!(
                "what its variables or patterns stand for is not known, and it may be what {} is about",
                named(it.rule)
            )
        }
        Cause::NoRule if finding.action == Action::Reject => {
            format!("no rule covers {} and a subagent cannot ask", quote(call.name()))
        }
        Cause::NoRule => format!("no rule covers {}", quote(call.name())),
        Cause::Outside(path) => format!(
            "{} lies outside the workspace, and the built-in rules are about files inside it",
            quote(&path.real.to_string_lossy())
        ),
        Cause::Protected(place) => format!(
            "it would write to {}, where files can start programs or grant permissions",
            quote(&place.to_string())
        ),
        Cause::Opaque(part) => format!("{} cannot be analysed", shorten(part)),
        Cause::Write(file) => format!("where {} is cannot be told", quote(file)),
        Cause::Fence(Stop { word, why }) => format!(
            "{} {why}, and the built-in rules only let commands look around inside the workspace",
            quote(word)
        ),
    }
}

fn named(rule: &SourcedRule) -> String {
    let text = quote(&rule.rule.to_string());
    let line = rule.line.map(|line| format!("line {line}"));
    let (owner, path) = match &rule.source {
        Source::User { path } => ("your rule", Some(path)),
        Source::BuiltIn => ("built-in rule", None),
        Source::Repository { path } => ("this repository's rule", Some(path)),
        Source::SessionGrant { .. } => ("your grant for this session,", None),
        Source::SavedGrant { folder, day, .. } => return saved(&text, folder.is_some(), day),
        Source::Editor => ("the rule in your editor's settings,", None),
    };
    let path = path.map(|path| path.display().to_string()).filter(|path| !path.is_empty());
    let place: Vec<String> = path.into_iter().chain(line).collect();
    match place.as_slice() {
        [] => format!("{owner} {text}"),
        place => format!("{owner} {text} ({})", place.join(", ")),
    }
}

fn saved(rule: &str, is_for_folder: bool, day: &str) -> String {
    let place = if is_for_folder { "this folder" } else { "all folders" };
    format!("the grant {rule} that you saved for {place} on {day}")
}

/// What would change it.
fn change(finding: &Finding, call: &Call) -> String {
    match (finding.action, &finding.cause) {
        (Action::Ask, Cause::Protected(place)) if !call.is_bash() => {
            let place = quote(&place.to_string());
            format!("no grant covers it, only an `allow` rule of yours that names {place} does")
        }
        (Action::Ask, _) if !finding.grantable => {
            "it is asked every time, and no grant covers it".to_owned()
        }
        (Action::Allow, Cause::Rule(it)) => allowed(it.rule, call),
        (Action::Delegate, _) => "change that rule to decide without the program".to_owned(),
        (Action::Reject, Cause::NoRule) => allow(call, "add", "to your rules"),
        (_, Cause::Rule(it) | Cause::Perhaps(it)) => restricted(finding.action, it.rule, call),
        _ => allow(call, "add", "to your rules"),
    }
}

fn allowed(rule: &SourcedRule, call: &Call) -> String {
    match rule.source {
        Source::SessionGrant { .. } => "the grant ends when Redline does".to_owned(),
        Source::SavedGrant { .. } => {
            "to be asked again, revoke it with `redline permissions grants revoke`".to_owned()
        }
        Source::BuiltIn => {
            let ask = Rule::new(Action::Ask, globset::escape(call.name()));
            format!("to be asked, add {} to your rules", quote(&ask.to_string()))
        }
        _ => "to be asked, edit or remove that rule".to_owned(),
    }
}

fn restricted(action: Action, rule: &SourcedRule, call: &Call) -> String {
    match (&rule.source, action) {
        (Source::Repository { .. }, Action::Ask) => {
            "no rule of yours can lift it, but an answer for the session can".to_owned()
        }
        (Source::Repository { .. }, _) => {
            "to change that, edit or remove the rule in the repository".to_owned()
        }
        (Source::BuiltIn, _) => allow(call, "add", "to your rules"),
        (_, Action::Ask) => allow(call, "put", "before that rule"),
        _ => "to change that, edit or remove the rule".to_owned(),
    }
}

fn allow(call: &Call, verb: &str, place: &str) -> String {
    let rules = grant_for(call);
    match rules.as_slice() {
        [rule] if rule.to_string().chars().count() <= MAX_QUOTE => {
            format!("to allow it always, {verb} {} {place}", quote(&rule.to_string()))
        }
        _ => {
            let tool = quote(call.name());
            format!("to allow it always, {verb} an `allow` rule for this call of {tool} {place}")
        }
    }
}

/// Long texts are cut in sentences; the rule and the arguments are elsewhere in full.
fn quote(text: &str) -> String {
    format!("`{}`", shorten(text))
}

fn shorten(text: &str) -> String {
    let mut chars = text.chars().map(|char| if char.is_control() { '␤' } else { char });
    let short: String = chars.by_ref().take(MAX_QUOTE).collect();
    if chars.next().is_none() { short } else { format!("{short}…") }
}
