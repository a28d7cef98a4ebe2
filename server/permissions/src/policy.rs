//! All rules in force, and the way through them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::facts::Ground;
use crate::judge::{self, Lists};
use crate::rules::{Listed, Rules};
use crate::{Call, Source, SourcedRule, Verdict, builtin, home};

/// The rules in force. `Default` has none at all: a thread asks for everything, a subagent may
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    pub(crate) user: Rules,
    pub(crate) builtin: Arc<Rules>,
    /// One list for each file: what one says first must not hide what another says.
    pub(crate) repository: Vec<Rules>,
    /// The files of folders that the user trusts.
    trusted: Vec<(PathBuf, Rules)>,
    pub(crate) grants: Rules,
    home: Option<String>,
    own: Vec<[PathBuf; 2]>,
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

    /// With the folders of Redline's own settings and records, absolute: each as it is written and
    /// without links. What writes there, or names them in a command, is asked every time; only a
    /// user's rule that names the folder allows it.
    pub fn with_own_folders(mut self, folders: Vec<[PathBuf; 2]>) -> Self {
        self.own = folders;
        self
    }

    /// For file systems that do not tell `a` from `A`: rules that ask or reject match paths without
    /// regard to case. Rules that allow never do: the caller's real paths have the true case.
    pub fn ignoring_case(mut self, ignores: bool) -> Self {
        self.ignores_case = ignores;
        self
    }

    /// See [`Policy::ignoring_case`].
    pub fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    /// With the user's rules in place of the former ones.
    pub fn with_user_rules(mut self, rules: Vec<SourcedRule>) -> Self {
        self.user = Rules::new(rules);
        self
    }

    /// With the rules of repositories in place of the former ones. They can only tighten; those of
    /// each file by themselves.
    pub fn with_repository_rules(mut self, rules: Vec<SourcedRule>) -> Self {
        let rules: Vec<SourcedRule> = rules.into_iter().map(of_repository).collect();
        let files = rules.chunk_by(|one, next| one.source == next.source);
        self.repository = files.map(|file| Rules::new(file.to_vec())).collect();
        self
    }

    /// With the rules of a folder that the user trusts, besides the former ones. For calls of that
    /// folder they count behind the user's and before the built-in ones, delegates included; and for
    /// all calls they still tighten. Protected places they cannot open.
    pub fn with_trusted_rules(mut self, folder: PathBuf, rules: Vec<SourcedRule>) -> Self {
        let rules = Rules::new(rules.into_iter().map(of_repository).collect());
        self.trusted.push((folder, rules));
        self
    }

    /// With these grants in place of the former ones.
    pub fn with_grants(mut self, grants: Vec<SourcedRule>) -> Self {
        self.set_grants(grants);
        self
    }

    /// Puts these grants in place of the former ones.
    pub fn set_grants(&mut self, grants: Vec<SourcedRule>) {
        self.grants = Rules::new(grants);
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
        let trusted = self.trusted.iter().map(|(_, rules)| rules);
        let mut all = std::iter::once(&self.user).chain(&self.repository).chain(trusted);
        all.any(|rules| rules.may_reject(names))
    }

    /// Judges a call (DESIGN, section 5). Each part of a command is judged by itself; the most
    /// restrictive finding decides.
    pub fn evaluate(&self, call: &Call) -> Verdict {
        judge::verdict(self, call)
    }

    /// The rules that are about a call.
    pub(crate) fn lists(&self, call: &Call) -> Lists<'_> {
        fn about<'r>(rules: &'r Rules, call: &Call) -> Vec<Listed<'r>> {
            rules.of(call.names, call.context)
        }
        let of = |rules| about(rules, call);
        let untrusted = self.repository.iter().map(|rules| (of(rules), false));
        let trusted = self.trusted.iter().map(|(_, rules)| (of(rules), true));
        Lists {
            user: of(&self.user),
            trusted: self.trusted_here(call).map(of).unwrap_or_default(),
            builtin: of(&self.builtin),
            tightening: untrusted.chain(trusted).collect(),
            grants: of(&self.grants),
        }
    }

    /// The rules of the folder that the call belongs to, if the user trusts it.
    pub(crate) fn trusted_here(&self, call: &Call) -> Option<&Rules> {
        let home = home(call.cwd, call.workspace);
        let mut trusted = self.trusted.iter().filter(|(folder, _)| Some(folder) == home);
        trusted.next().map(|(_, rules)| rules)
    }

    /// What is known of a call.
    pub(crate) fn ground<'a>(&'a self, call: &'a Call<'a>) -> Ground<'a> {
        Ground::new(call, self.home(), self.ignores_case).with_own(&self.own)
    }

    /// The directory that `~` stands for.
    pub(crate) fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }
}

fn of_repository(rule: SourcedRule) -> SourcedRule {
    match rule.source {
        Source::Repository { .. } => rule,
        _ => SourcedRule { source: Source::Repository { path: PathBuf::new() }, ..rule },
    }
}
