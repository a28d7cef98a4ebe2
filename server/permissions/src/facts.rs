//! Whether a rule's conditions hold for a call.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::call::COMMAND;
use crate::shell::SimpleCommand;
use crate::{Call, Condition, Matches, Pattern, ResolvedPath, Rule};

/// What a walk through the rules is about: a call, or one part of a command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) call: &'a Call<'a>,
    pub(crate) home: Option<&'a str>,
    pub(crate) part: Part<'a>,
}

/// Which part of a call the walk is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    /// A call of another tool than Bash: the call is one.
    Call,
    /// One simple command of a command text.
    Command { whole: &'a str, command: &'a SimpleCommand },
    /// Something in a command text of which nothing is known but that it is there.
    Unknown { whole: &'a str },
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

#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    Value(&'a Value),
    Path(&'a ResolvedPath),
    Command,
}

impl<'a> Facts<'a> {
    /// Holds a rule against the part. The tool's name and the context are checked before.
    pub(crate) fn fit(&self, rule: &Rule) -> Fit {
        let tighten = rule.action.tightens();
        if self.all(None, &rule.matches, self.call.args, tighten) {
            return Fit::Matches;
        }
        let rest = self.but_command(&rule.matches);
        if tighten && rest && self.perhaps(&rule.matches) { Fit::Perhaps } else { Fit::No }
    }

    fn all(&self, prefix: Option<&str>, matches: &Matches, args: &Value, tighten: bool) -> bool {
        matches.iter().all(|(key, condition)| {
            let name = prefix.map_or_else(|| key.to_owned(), |prefix| format!("{prefix}.{key}"));
            self.holds(&name, condition, args.get(key), tighten)
        })
    }

    fn but_command(&self, matches: &Matches) -> bool {
        let mut others = matches.iter().filter(|(key, _)| *key != COMMAND);
        others.all(|(key, condition)| self.holds(key, condition, self.call.args.get(key), true))
    }

    fn perhaps(&self, matches: &Matches) -> bool {
        let Some(condition) = matches.get(COMMAND) else { return false };
        match self.part {
            Part::Call => false,
            Part::Unknown { .. } => true,
            Part::Command { command, .. } => could_match(condition, command),
        }
    }

    /// An allowing rule needs every element of an array to match, a tightening one only one.
    fn holds(
        &self,
        key: &str,
        condition: &Condition,
        value: Option<&Value>,
        tighten: bool,
    ) -> bool {
        let items = self.items(key, value);
        let one = |item: &Item| self.one(key, condition, *item, tighten);
        if tighten { items.iter().any(one) } else { !items.is_empty() && items.iter().all(one) }
    }

    fn items<'v>(&self, key: &str, value: Option<&'v Value>) -> Vec<Item<'v>>
    where
        'a: 'v,
    {
        if key == COMMAND && !matches!(self.part, Part::Call) {
            return vec![Item::Command];
        }
        let paths: Vec<_> =
            self.call.paths.iter().filter(|path| path.arg == key).map(Item::Path).collect();
        match value {
            _ if !paths.is_empty() => paths,
            Some(Value::Array(elements)) => elements.iter().map(Item::Value).collect(),
            Some(value) => vec![Item::Value(value)],
            None => Vec::new(),
        }
    }

    fn one(&self, key: &str, condition: &Condition, item: Item<'_>, tighten: bool) -> bool {
        match (condition, item) {
            (Condition::Any(all), item) => all.iter().any(|c| self.one(key, c, item, tighten)),
            (Condition::Pattern(pattern), Item::Command) => self.command(pattern, tighten),
            (Condition::Pattern(pattern), Item::Path(path)) => self.path(pattern, path, tighten),
            (Condition::Pattern(pattern), Item::Value(Value::String(text))) => {
                pattern.matches(text)
            }
            (Condition::Literal(literal), Item::Value(value)) => literal.is(value),
            (Condition::Nested(inner), Item::Value(value @ Value::Object(_))) => {
                self.all(Some(key), inner, value, tighten)
            }
            _ => false,
        }
    }

    fn command(&self, pattern: &Pattern, tighten: bool) -> bool {
        match self.part {
            Part::Call => false,
            Part::Command { whole, command } if tighten => {
                command.looks().any(|look| pattern.matches(look)) || pattern.matches(whole)
            }
            Part::Command { whole, command } => {
                command.is_covered_by(pattern) || pattern.is_exactly(whole)
            }
            Part::Unknown { whole } if tighten => pattern.matches(whole),
            Part::Unknown { whole } => pattern.is_exactly(whole),
        }
    }

    fn path(&self, pattern: &Pattern, path: &ResolvedPath, tighten: bool) -> bool {
        let workspace = self.call.workspace;
        if !tighten {
            let real = exact_forms(&path.real, workspace);
            return real.iter().any(|form| pattern.matches_path(form, self.home));
        }
        let looks = looks(path, self.call.cwd, workspace);
        looks.iter().any(|form| {
            let name = form.rsplit('/').next().unwrap_or_default();
            pattern.matches_path(form, self.home)
                || (pattern.is_base_name() && pattern.matches(name))
        })
    }
}

fn could_match(condition: &Condition, command: &SimpleCommand) -> bool {
    match condition {
        Condition::Any(all) => all.iter().any(|one| could_match(one, command)),
        Condition::Pattern(pattern) => {
            command.all_pieces().any(|pieces| pattern.could_match(&pieces))
        }
        Condition::Literal(_) | Condition::Nested(_) => false,
    }
}

/// What an allowing rule may be held against: the real path, absolute and relative to its folder. A
/// path that is no valid text matches nothing.
fn exact_forms(real: &Path, workspace: &[PathBuf]) -> Vec<String> {
    let forms = std::iter::once(real).chain(relative(real, workspace));
    forms.filter_map(|form| form.to_str().map(str::to_owned)).collect()
}

/// What a tightening rule may be held against besides.
fn looks(path: &ResolvedPath, cwd: &Path, workspace: &[PathBuf]) -> Vec<String> {
    let lexical = lexical(&path.written, cwd);
    let mut forms = vec![path.written.clone()];
    for form in [path.real.as_path(), lexical.as_path()] {
        forms.push(form.to_string_lossy().into_owned());
        forms.extend(relative(form, workspace).map(|form| form.to_string_lossy().into_owned()));
    }
    forms
}

fn relative<'p>(path: &'p Path, workspace: &'p [PathBuf]) -> impl Iterator<Item = &'p Path> {
    workspace.iter().filter_map(|root| path.strip_prefix(root).ok())
}

/// The absolute path without `.` and `..`, as if there were no symlinks.
pub(crate) fn lexical(written: &str, cwd: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for component in cwd.join(written).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    path
}
