//! All rules in force, and the way through them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::facts::{Facts, Part, lexical};
use crate::reason::{self, Cause};
use crate::rules::{Listed, Rules};
use crate::shell::{self, Shell};
use crate::walk::{self, Finding};
use crate::{
    Action, Call, Matched, Origin, ResolvedPath, Source, SourcedRule, Verdict, builtin, home,
    protected,
};

/// The rules in force. `Default` has none at all: a thread asks for everything, a subagent may
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    pub(crate) user: Rules,
    pub(crate) builtin: Rules,
    /// One list for each file: what one says first must not hide what another says.
    pub(crate) repository: Vec<Rules>,
    /// The files of folders that the user trusts.
    pub(crate) trusted: Vec<(PathBuf, Rules)>,
    pub(crate) grants: Rules,
    pub(crate) home: Option<String>,
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
        std::iter::once(&self.user).chain(self.theirs()).any(|rules| rules.may_reject(names))
    }

    /// Judges a call (DESIGN, section 5). Each part of a command is judged by itself; the most
    /// restrictive finding decides.
    pub fn evaluate(&self, call: &Call) -> Verdict {
        match (call.command(), call.is_bash()) {
            (Some(cmd), _) => self.command(call, cmd),
            (None, true) => self.unknown(call, "the call without a `cmd` text", ""),
            (None, false) => {
                let facts = self.facts(call, Part::Call);
                verdict(call, false, &[self.judge(&facts, None)])
            }
        }
    }

    fn theirs(&self) -> impl Iterator<Item = &Rules> {
        self.repository.iter().chain(self.trusted.iter().map(|(_, rules)| rules))
    }

    /// The lists that are walked for a call, in order.
    pub(crate) fn lists(&self, call: &Call) -> walk::Lists<'_> {
        let home = home(call.cwd, call.workspace);
        let mut trusted = self.trusted.iter().filter(|(folder, _)| Some(folder) == home);
        let trusted = trusted.next().map(|(_, rules)| rules);
        walk::Lists { user: &self.user, trusted, builtin: &self.builtin }
    }

    pub(crate) fn tighten<'a>(&'a self, finding: &mut Finding<'a>, facts: &Facts) {
        for rules in &self.repository {
            walk::tighten(finding, rules, facts, false);
        }
        for (_, rules) in &self.trusted {
            walk::tighten(finding, rules, facts, true);
        }
    }

    fn facts<'a>(&'a self, call: &'a Call<'a>, part: Part<'a>) -> Facts<'a> {
        Facts { call, home: self.home.as_deref(), part }
    }

    fn unknown(&self, call: &Call, part: &str, whole: &str) -> Verdict {
        let facts = self.facts(call, Part::Unknown { whole });
        verdict(call, false, &[self.judge(&facts, Some(&Cause::Opaque(part)))])
    }

    fn command(&self, call: &Call, whole: &str) -> Verdict {
        let Shell { commands, opaque, writes } = shell::read(whole);
        if commands.is_empty() && opaque.is_none() && writes.is_empty() {
            return self.unknown(call, "the empty command", whole);
        }
        let unknown = self.facts(call, Part::Unknown { whole });
        let known: Vec<Facts> = commands
            .iter()
            .map(|command| self.facts(call, Part::Command { whole, command }))
            .collect();
        let mut findings: Vec<Finding> = Vec::new();
        if let Some(part) = &opaque {
            findings.push(self.judge(&unknown, Some(&Cause::Opaque(part))));
        }
        for file in &writes {
            findings.push(self.write(&unknown, file, self.rejected_write(call, file)));
        }
        for (facts, command) in known.iter().zip(&commands) {
            let caution = command.caution.as_deref().map(Cause::Opaque);
            findings.push(self.judge(facts, caution.as_ref()));
        }
        verdict(call, findings.len() > 1, &findings)
    }

    fn judge<'a>(&'a self, facts: &Facts<'a>, unknown: Option<&Cause<'a>>) -> Finding<'a> {
        let mut finding = walk::base(self.lists(facts.call), facts, unknown);
        walk::fence(&mut finding, facts.call);
        walk::fence_command(&mut finding, facts);
        self.tighten(&mut finding, facts);
        walk::grant(&mut finding, &self.grants, facts);
        if let Part::Command { command, .. } = facts.part {
            finding.part = Some(&command.text);
        }
        finding
    }

    /// A redirection that writes is asked as something unknown, but rejected where an edit of the
    /// file would be, and protected like one.
    fn write<'a>(
        &'a self,
        facts: &Facts<'a>,
        file: &'a str,
        rejected: Option<Listed<'a>>,
    ) -> Finding<'a> {
        let cause = Cause::Write(file);
        let mut finding = walk::base(self.lists(facts.call), facts, Some(&cause));
        if let Some(place) = write_place(facts.call, file) {
            walk::protect(&mut finding, place);
        }
        self.tighten(&mut finding, facts);
        walk::grant(&mut finding, &self.grants, facts);
        match rejected {
            Some(rule) if finding.action != Action::Reject => Finding::of(rule),
            _ => finding,
        }
    }

    /// The rule that would reject an edit of the file.
    fn rejected_write(&self, call: &Call, file: &str) -> Option<Listed<'_>> {
        let args: Value = json!({ "path": file });
        let paths = [resolved(call, file)];
        let edit =
            Call { names: &["edit_file", "create_file"], args: &args, paths: &paths, ..*call };
        let facts = self.facts(&edit, Part::Call);
        let lists = std::iter::once(&self.user).chain(self.theirs());
        let mut first = lists.filter_map(|rules| rules.walk(&facts).decided);
        first.find(|it| it.rule.rule.action == Action::Reject)
    }
}

fn of_repository(rule: SourcedRule) -> SourcedRule {
    match rule.source {
        Source::Repository { .. } => rule,
        _ => SourcedRule { source: Source::Repository { path: PathBuf::new() }, ..rule },
    }
}

fn write_place(call: &Call, file: &str) -> Option<&'static str> {
    protected::place_of(&resolved(call, file), call.cwd, call.workspace)
}

/// The path of a redirection, without regard to symlinks: only tightening rules see it.
fn resolved(call: &Call, file: &str) -> ResolvedPath {
    let real = lexical(file, call.cwd);
    let inside_workspace = call.workspace.iter().any(|root| real.starts_with(root));
    ResolvedPath { arg: "path".to_owned(), written: file.to_owned(), real, inside_workspace }
}

/// The most restrictive finding, the first of equals.
fn verdict(call: &Call, is_list: bool, findings: &[Finding]) -> Verdict {
    let heaviest = findings.iter().rev().max_by_key(|finding| finding.weight());
    let mut delegates: Vec<String> = Vec::new();
    for program in findings.iter().flat_map(|finding| &finding.delegates) {
        if !delegates.iter().any(|known| known == program) {
            delegates.push((*program).to_owned());
        }
    }
    match heaviest {
        Some(finding) => Verdict {
            matched: finding.cause.listed().map(Matched::of),
            action: finding.action,
            reason: reason::of(finding, call, is_list),
            message: finding.message().map(str::to_owned),
            grantable: finding.grantable,
            origin: finding.origin,
            delegates,
        },
        None => Verdict {
            matched: None,
            action: Action::Ask,
            reason: reason::nothing(),
            message: None,
            grantable: false,
            origin: Origin::NoRule,
            delegates,
        },
    }
}
