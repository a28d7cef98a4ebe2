//! Rules that do not do what they look like: that can never match, that another one hides, or that
//! allow more than they seem to.
//!
//! What is said here of a rule is true. That a rule hides another is proved by inclusion of their
//! patterns, and that it allows too much by a call that the engine, given this rule alone, does
//! allow. What can't be proved is not said: no finding does not mean no fault.

mod covers;
mod known;
mod never;
mod probes;
mod regex_text;
mod wide;

use std::fmt;

use crate::{Action, SourcedRule};

pub use known::{KnownArgument, KnownTool};

/// Something about a rule that its author did not mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The rule's index in the list.
    pub rule: usize,
    /// What kind of flaw.
    pub kind: FlawKind,
    /// The earlier rule that it is about.
    pub other: Option<usize>,
    /// Sentences.
    pub text: String,
    /// What to write instead, as a phrase.
    pub instead: Option<String>,
}

/// A kind of flaw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlawKind {
    /// It, or one of its alternatives, can match no call.
    Never,
    /// It matches only what is written in one certain way.
    Narrow,
    /// An earlier rule matches all that it does.
    Shadowed,
    /// An earlier rule says something else of the same calls.
    Contradictory,
    /// It allows more than it seems to.
    Wide,
}

impl FlawKind {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            FlawKind::Never => "never",
            FlawKind::Narrow => "narrow",
            FlawKind::Shadowed => "shadowed",
            FlawKind::Contradictory => "contradictory",
            FlawKind::Wide => "wide",
        }
    }
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What can be said of one rule alone.
#[derive(Debug, Clone)]
struct Remark {
    kind: FlawKind,
    text: String,
    instead: Option<String>,
}

impl Remark {
    fn new(kind: FlawKind, text: impl Into<String>) -> Self {
        Remark { kind, text: text.into(), instead: None }
    }

    fn instead(self, instead: impl Into<String>) -> Self {
        Remark { instead: Some(instead.into()), ..self }
    }
}

/// Looks at the rules of one list, in order. `tools`: those that there are.
pub fn check(rules: &[SourcedRule], tools: &[KnownTool]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (index, sourced) in rules.iter().enumerate() {
        let rule = &sourced.rule;
        let mut remarks = never::remarks(rule, tools);
        if remarks.is_empty() && rule.action == Action::Allow {
            remarks = wide::remarks(rule, tools);
        }
        flaws.extend(remarks.into_iter().map(|remark| {
            let Remark { kind, text, instead } = remark;
            Flaw { rule: index, kind, other: None, text, instead }
        }));
        flaws.extend(hidden(rules, index, tools));
    }
    flaws
}

/// The first earlier rule that hides it.
fn hidden(rules: &[SourcedRule], index: usize, tools: &[KnownTool]) -> Option<Flaw> {
    let late = &rules.get(index)?.rule;
    let earlier = rules.get(..index)?.iter().enumerate();
    let (at, early, cover) = earlier
        .filter_map(|(at, early)| {
            let cover = covers::covers(&early.rule, late, tools)?;
            Some((at, &early.rule, cover))
        })
        .next()?;
    let same = early.action == late.action;
    let is_mutual = !same && covers::covers(late, early, tools).is_some();
    let kind = if is_mutual { FlawKind::Contradictory } else { FlawKind::Shadowed };
    let line = rules.get(at).and_then(|rule| rule.line);
    let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    let first = format!("rule {at}{line}, `{early}`,");
    let (text, instead) = match (is_mutual, same, cover) {
        (true, ..) => (
            format!("{first} says {} of the same calls, and the first rule counts.", early.action),
            "keep one of the two",
        ),
        (false, true, _) => (
            format!(
                "{first} comes before it, matches everything that it matches, and does the same."
            ),
            "remove it",
        ),
        (false, false, covers::Cover::All) => (
            format!(
                "it never decides: {first} comes before it and matches everything that it matches."
            ),
            EXCEPTION,
        ),
        (false, false, covers::Cover::Plain) => (
            format!(
                "{first} comes before it and decides for every call that is what this rule says; left \
                 are calls that only look like it."
            ),
            EXCEPTION,
        ),
    };
    Some(Flaw { rule: index, kind, other: Some(at), text, instead: Some(instead.to_owned()) })
}

const EXCEPTION: &str = "put it before that rule, if it is the exception, or remove it";
