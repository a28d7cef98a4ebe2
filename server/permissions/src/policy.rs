//! All rules in force, and the way through them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::facts::Ground;
use crate::judge::{self, Lists};
use crate::rules::Rules;
use crate::{Call, Source, SourcedRule, Verdict, builtin};

/// The rules in force. `Default` has none at all: a thread asks for everything, a subagent may
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    user: Rules,
    builtin: Arc<Rules>,
    repository: Rules,
    grants: Rules,
    home: Option<String>,
    ignores_case: bool,
}

impl Policy {
    /// The built-in rules alone.
    pub fn builtin() -> Self {
        Policy { builtin: builtin::rules(), ..Policy::default() }
    }

    /// With the directory that `~` and `$HOME` stand for in path patterns. Without one, or if it is
    /// no valid UTF-8, they stand for themselves.
    pub fn with_home(mut self, home: PathBuf) -> Self {
        self.home = home.to_str().map(str::to_owned);
        self
    }

    /// For file systems that do not tell `a` from `A`: rules that ask or reject match paths without
    /// regard to case. Rules that allow never do: the caller's real paths have the true case.
    pub fn ignoring_case(mut self, ignores: bool) -> Self {
        self.ignores_case = ignores;
        self
    }

    /// With the user's rules in place of the former ones.
    pub fn with_user_rules(mut self, rules: Vec<SourcedRule>) -> Self {
        self.user = Rules::new(rules);
        self
    }

    /// With the repository's rules in place of the former ones. They can only tighten.
    pub fn with_repository_rules(mut self, rules: Vec<SourcedRule>) -> Self {
        let rules = rules.into_iter().map(|rule| match rule.source {
            Source::Repository { .. } => rule,
            _ => SourcedRule { source: Source::Repository { path: PathBuf::new() }, ..rule },
        });
        self.repository = Rules::new(rules.collect());
        self
    }

    /// Adds what the user has granted. Only *allow* rules have an effect.
    pub fn add_grant(&mut self, rule: SourcedRule) {
        self.grants.push(rule);
    }

    /// What the user has granted, oldest first.
    pub fn grants(&self) -> &[SourcedRule] {
        self.grants.as_slice()
    }

    /// The built-in rules, in order.
    pub fn builtin_rules(&self) -> &[SourcedRule] {
        self.builtin.as_slice()
    }

    /// Whether a rule of the user's or the repository's rejects some call of these tools.
    pub fn may_reject(&self, names: &[&str]) -> bool {
        [&self.user, &self.repository].into_iter().any(|rules| rules.may_reject(names))
    }

    /// Judges a call (DESIGN, section 5). Each part of a command is judged by itself; the most
    /// restrictive finding decides.
    pub fn evaluate(&self, call: &Call) -> Verdict {
        judge::verdict(self, call)
    }

    /// The rules that are about a call.
    pub(crate) fn lists(&self, call: &Call) -> Lists<'_> {
        Lists {
            user: self.user.of(call.names, call.context),
            builtin: self.builtin.of(call.names, call.context),
            repository: self.repository.of(call.names, call.context),
            grants: self.grants.of(call.names, call.context),
        }
    }

    /// What is known of a call.
    pub(crate) fn ground<'a>(&'a self, call: &'a Call<'a>) -> Ground<'a> {
        Ground::new(call, self.home(), self.ignores_case)
    }

    /// The directory that `~` stands for.
    pub(crate) fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }
}
