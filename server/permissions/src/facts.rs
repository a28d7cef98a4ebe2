//! Whether a rule's conditions hold for a call.

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::Value;

use crate::call::{COMMAND, PATH};
use crate::forms::{PathForms, Texts};
use crate::letters::{Letters, Needs};
use crate::own::Own;
use crate::pattern::folded;
use crate::shell::SimpleCommand;
use crate::{Call, Condition, Matches, Pattern, Rule};

/// What is known of a call, whatever part of it a walk is about.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) call: &'a Call<'a>,
    home: Option<&'a str>,
    /// As file systems compare it that do not regard case.
    folded_home: Option<String>,
    paths: Vec<PathForms<'a>>,
    /// The characters in the argument `path`; all if it is no path.
    letters: Letters,
    own: &'a [[PathBuf; 2]],
    ignores_case: bool,
}

impl<'a> Ground<'a> {
    /// With the home directory, and whether the workspace's file system does not regard case.
    pub(crate) fn new(call: &'a Call<'a>, home: Option<&'a str>, ignores_case: bool) -> Self {
        let forms = |path| PathForms::new(path, call, home, ignores_case);
        let paths: Vec<PathForms> = call.paths.iter().map(forms).collect();
        let seen = paths.iter().filter(|path| path.arg == PATH).map(PathForms::letters);
        let letters = seen.reduce(Letters::or).unwrap_or(Letters::ALL);
        let folded_home = home.filter(|_| ignores_case).map(folded);
        Ground { call, home, folded_home, paths, letters, own: &[], ignores_case }
    }

    /// With the folders of Redline's own.
    pub(crate) fn with_own(self, own: &'a [[PathBuf; 2]]) -> Self {
        Ground { own, ..self }
    }

    /// The folders of Redline's own.
    pub(crate) fn own(&self) -> Own<'a> {
        Own { folders: self.own, home: self.home, ignores_case: self.ignores_case }
    }

    /// The paths that an argument is.
    pub(crate) fn of(&self, key: &str) -> impl Iterator<Item = &PathForms<'a>> + Clone {
        self.paths.iter().filter(move |path| path.arg == key)
    }
}

/// What a walk through the rules is about: a call, or one part of a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) ground: &'a Ground<'a>,
    pub(crate) part: Part<'a>,
}

/// Which part of a call the walk is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    /// A call of another tool than Bash: the call is one.
    Call,
    /// One simple command of a command text.
    Command { command: &'a SimpleCommand, texts: &'a Texts<'a> },
    /// Something in a command text of which nothing is known but that it is there.
    Unknown { texts: &'a Texts<'a> },
}

/// How a rule relates to a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It matches.
    Matches,
    /// It would tighten, and whether it matches depends on what is unknown.
    Perhaps,
    /// It does not match.
    No,
}

/// An allowing rule needs every element of an array to match, a tightening one only one.
fn hold<T>(mut items: impl Iterator<Item = T>, tighten: bool, one: impl Fn(T) -> bool) -> bool {
    if tighten {
        return items.any(one);
    }
    let Some(first) = items.next() else { return false };
    one(first) && items.all(one)
}

impl<'a> Facts<'a> {
    /// Holds a rule against the part. The tool's name and the context are checked before.
    pub(crate) fn fit(&self, rule: &Rule) -> Fit {
        let (tighten, matches) = (rule.action.tightens(), &rule.matches);
        if self.all(None, matches, self.ground.call.args, tighten) {
            return Fit::Matches;
        }
        let perhaps = tighten && self.perhaps(matches) && self.but_command(matches);
        if perhaps { Fit::Perhaps } else { Fit::No }
    }

    /// What there is of what rules need. A rule that needs more does not match, not even perhaps.
    pub(crate) fn letters(&self) -> Needs {
        let command = match self.part {
            Part::Call => Letters::ALL,
            Part::Command { texts, .. } | Part::Unknown { texts } => texts.letters(),
        };
        Needs { command, path: self.ground.letters }
    }

    fn all(&self, prefix: Option<&str>, matches: &Matches, args: &Value, tighten: bool) -> bool {
        matches.iter().all(|(key, condition)| {
            let name = match prefix {
                None => Cow::Borrowed(key),
                Some(prefix) => Cow::Owned(format!("{prefix}.{key}")),
            };
            self.holds(&name, condition, args.get(key), tighten)
        })
    }

    fn but_command(&self, matches: &Matches) -> bool {
        let args = self.ground.call.args;
        let mut others = matches.iter().filter(|(key, _)| *key != COMMAND);
        others.all(|(key, condition)| self.holds(key, condition, args.get(key), true))
    }

    fn perhaps(&self, matches: &Matches) -> bool {
        match self.part {
            Part::Call => false,
            Part::Unknown { .. } => matches.get(COMMAND).is_some(),
            Part::Command { texts, .. } => {
                let could = |condition| texts.pieces.iter().any(|it| could_match(condition, it));
                let becomes = |condition| {
                    let may = |pattern: &Pattern| {
                        texts.signs.iter().any(|signs| pattern.could_match_signs(signs))
                    };
                    any(condition, &may)
                };
                let condition = matches.get(COMMAND);
                condition.is_some_and(could) || condition.is_some_and(becomes)
            }
        }
    }

    fn holds(
        &self,
        key: &str,
        condition: &Condition,
        value: Option<&Value>,
        tighten: bool,
    ) -> bool {
        if key == COMMAND && !matches!(self.part, Part::Call) {
            return any(condition, &|pattern| self.command(pattern, tighten));
        }
        let paths = self.ground.of(key);
        if paths.clone().next().is_some() {
            let one =
                |path: &PathForms| any(condition, &|pattern| self.path(pattern, path, tighten));
            return hold(paths, tighten, one);
        }
        let one = |value: &Value| self.value(key, condition, value, tighten);
        match value {
            Some(Value::Array(elements)) => hold(elements.iter(), tighten, one),
            Some(value) => one(value),
            None => false,
        }
    }

    fn value(&self, key: &str, condition: &Condition, value: &Value, tighten: bool) -> bool {
        match (condition, value) {
            (Condition::Any(all), _) => all.iter().any(|one| self.value(key, one, value, tighten)),
            (Condition::Pattern(pattern), Value::String(text)) => pattern.matches(text),
            (Condition::Literal(literal), value) => literal.is(value),
            (Condition::Nested(inner), Value::Object(_)) => {
                self.all(Some(key), inner, value, tighten)
            }
            _ => false,
        }
    }

    fn command(&self, pattern: &Pattern, tighten: bool) -> bool {
        match self.part {
            Part::Call => false,
            Part::Command { texts, .. } | Part::Unknown { texts } if tighten => {
                texts.resembles(pattern)
            }
            Part::Command { command, texts } => {
                command.is_covered_by(pattern) || pattern.is_exactly(texts.whole.text)
            }
            Part::Unknown { texts } => pattern.is_exactly(texts.whole.text),
        }
    }

    fn path(&self, pattern: &Pattern, path: &PathForms, tighten: bool) -> bool {
        let home = self.ground.home;
        if !tighten {
            return path.exact.iter().any(|form| pattern.matches_path(form, home));
        }
        let is_name = pattern.is_base_name();
        let seen = path.looks.iter().any(|look| {
            pattern.resembles_path(&look.text, home) || (is_name && pattern.resembles(look.name()))
        });
        let home = self.ground.folded_home.as_deref();
        seen || path.folded.iter().any(|look| {
            pattern.matches_folded_path(&look.text, home)
                || (is_name && pattern.matches_folded(look.name()))
        })
    }
}

/// Whether a pattern among the alternatives is such.
fn any(condition: &Condition, is: &dyn Fn(&Pattern) -> bool) -> bool {
    match condition {
        Condition::Any(all) => all.iter().any(|one| any(one, is)),
        Condition::Pattern(pattern) => is(pattern),
        Condition::Literal(_) | Condition::Nested(_) => false,
    }
}

fn could_match(condition: &Condition, pieces: &[&str]) -> bool {
    any(condition, &|pattern| pattern.could_match(pieces))
}
