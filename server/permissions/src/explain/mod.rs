//! Every rule in order: why it did not match, which did, and what came of it then.
//!
//! Nothing here decides. Each answer is asked of the engine itself ([`Facts::fit`], the stages of the
//! walk), one condition or one form at a time, so that an explanation cannot say anything else than a
//! verdict.

mod why_not;

use crate::facts::{Facts, Fit, Part};
use crate::forms::{Texts, Whole};
use crate::judge;
use crate::reason::{self, Cause};
use crate::rules::Rules;
use crate::shell::{self, Shell};
use crate::walk::{self, Finding};
use crate::write::{self, Target};
use crate::{Action, Call, Policy, SourcedRule, Verdict};

pub use why_not::WhyNot;

/// A verdict and all that led to it.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// What is judged by itself; the most restrictive decides.
    pub parts: Vec<PartExplained>,
    /// What comes out.
    pub verdict: Verdict,
}

/// One part of a call, held against every rule.
#[derive(Debug, Clone)]
pub struct PartExplained {
    /// Which part.
    pub part: PartName,
    /// Every rule in the order of evaluation.
    pub rules: Vec<Held>,
    /// What the part came to, stage by stage: the first are the user's and the built-in rules, the
    /// others are there only if they changed something.
    pub stages: Vec<Stage>,
}

/// A part of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartName {
    /// The call: it is one.
    Call,
    /// A simple command.
    Command(String),
    /// What cannot be analysed, as a noun phrase.
    Opaque(String),
    /// A file that a redirection writes to, as written: it counts as an edit of the file.
    Write(String),
}

/// The list that a rule stands in, in the order in which they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleList {
    /// The user's.
    User,
    /// Those of the folder, which the user trusts.
    Trusted,
    /// Redline's own.
    BuiltIn,
    /// The repository's, which only tighten.
    Repository,
    /// What the user has granted, which only turns an *ask* into *allow*.
    Grants,
}

/// A rule, held against a part.
#[derive(Debug, Clone)]
pub struct Held {
    /// The list that it stands in.
    pub list: RuleList,
    /// Its number there, from 0.
    pub index: usize,
    /// The rule.
    pub rule: SourcedRule,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is the first that matches.
    Matches,
    /// What is unknown decides whether it matches: it counts as one that asks.
    Perhaps,
    /// A rule before it decided.
    NotReached {
        /// Whether it would have matched.
        would_match: bool,
    },
    /// It does not match.
    No(WhyNot),
}

/// What a part came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Which stage.
    pub name: StageName,
    /// What happens, as far as is known then.
    pub action: Action,
    /// A sentence.
    pub text: String,
}

/// A stage of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageName {
    /// The user's and the built-in rules.
    Rules,
    /// What no rule can say: files outside the workspace, protected places.
    Fence,
    /// The repository's rules.
    Repository,
    /// Grants.
    Grants,
    /// Of a file that a command writes: with what the rules for Bash say of it.
    Write,
}

impl Policy {
    /// Judges a call and says how it came to that.
    pub fn explain(&self, call: &Call<'_>) -> Explanation {
        Explanation { parts: self.parts(call), verdict: self.evaluate(call) }
    }

    fn parts(&self, call: &Call<'_>) -> Vec<PartExplained> {
        match (call.command(), call.is_bash()) {
            (Some(cmd), _) => self.parts_of_command(call, cmd),
            (None, true) => {
                vec![self.opaque(call, "", "the call without a `cmd` text")]
            }
            (None, false) => {
                let ground = self.ground(call);
                let facts = Facts { ground: &ground, part: Part::Call };
                vec![self.part(&facts, PartName::Call, None)]
            }
        }
    }

    fn parts_of_command(&self, call: &Call<'_>, whole: &str) -> Vec<PartExplained> {
        let Shell { commands, opaque, writes, .. } = shell::read(whole);
        let mut parts: Vec<PartExplained> =
            opaque.iter().map(|part| self.opaque(call, whole, part)).collect();
        let targets = write::targets(call, &writes, self.home());
        parts.extend(targets.iter().map(|target| self.written(call, whole, target)));
        let all = Whole::new(whole);
        for command in &commands {
            let name = PartName::Command(command.text.clone());
            let (ground, texts) = (self.ground(call), Texts::of(command, &all));
            let part = Part::Command { command, texts: &texts };
            let caution = command.caution.as_deref().map(Cause::Opaque);
            parts.push(self.part(&Facts { ground: &ground, part }, name, caution.as_ref()));
        }
        if parts.is_empty() {
            parts.push(self.opaque(call, whole, "the empty command"));
        }
        parts
    }

    fn opaque(&self, call: &Call<'_>, whole: &str, part: &str) -> PartExplained {
        let name = PartName::Opaque(part.to_owned());
        let (ground, whole) = (self.ground(call), Whole::new(whole));
        let texts = Texts::whole(&whole);
        let facts = Facts { ground: &ground, part: Part::Unknown { texts: &texts } };
        self.part(&facts, name, Some(&Cause::Opaque(part)))
    }

    /// As an edit of the file, and what the rules for Bash say besides.
    fn written(&self, call: &Call<'_>, whole: &str, target: &Target<'_>) -> PartExplained {
        let edit = target.call(call);
        let grounds = [self.ground(call), self.ground(&edit)];
        let [ground, edit_ground] = &grounds;
        let whole = Whole::new(whole);
        let texts = Texts::whole(&whole);
        let bash = Facts { ground, part: Part::Unknown { texts: &texts } };
        let edit_facts = Facts { ground: edit_ground, part: Part::Call };
        let name = PartName::Write(target.file.to_owned());
        let mut explained = self.part(&edit_facts, name, None);
        let lists = [&self.lists(call), &self.lists(&edit)];
        let finding = judge::written(target, lists, [&bash, &edit_facts]);
        let last = stage(StageName::Write, &finding, call);
        if explained.stages.last().is_none_or(|it| it.action != last.action) {
            explained.stages.push(last);
        }
        explained
    }

    fn part(
        &self,
        facts: &Facts<'_>,
        name: PartName,
        unknown: Option<&Cause<'_>>,
    ) -> PartExplained {
        let mut in_order = vec![(RuleList::User, &self.user)];
        let trusted = self.trusted_here(facts.ground.call);
        in_order.extend(trusted.map(|rules| (RuleList::Trusted, rules)));
        in_order.push((RuleList::BuiltIn, &*self.builtin));
        let mut rules = held(facts, &in_order);
        for file in &self.repository {
            rules.extend(held(facts, &[(RuleList::Repository, file)]));
        }
        rules.extend(held(facts, &[(RuleList::Grants, &self.grants)]));
        PartExplained { part: name, rules, stages: self.stages(facts, unknown) }
    }

    fn stages(&self, facts: &Facts<'_>, unknown: Option<&Cause<'_>>) -> Vec<Stage> {
        let call = facts.ground.call;
        let lists = self.lists(call);
        let mut finding = lists.base(facts, unknown);
        let mut stages = vec![stage(StageName::Rules, &finding, call)];
        let mut then = |name, finding: &Finding<'_>| {
            let now = stage(name, finding, call);
            if stages.last().is_none_or(|last| (last.action, &last.text) != (now.action, &now.text))
            {
                stages.push(now);
            }
        };
        walk::fence(&mut finding, facts);
        walk::fence_command(&mut finding, facts);
        then(StageName::Fence, &finding);
        lists.tighten(&mut finding, facts);
        then(StageName::Repository, &finding);
        walk::grant(&mut finding, &lists.grants, facts);
        then(StageName::Grants, &finding);
        stages
    }
}

fn stage(name: StageName, finding: &Finding<'_>, call: &Call<'_>) -> Stage {
    Stage { name, action: finding.action, text: reason::of(finding, call, false).text }
}

/// The rules of lists of which the first match decides.
fn held(facts: &Facts<'_>, lists: &[(RuleList, &Rules)]) -> Vec<Held> {
    let mut is_decided = false;
    let mut all = Vec::new();
    for (list, rules) in lists {
        for (index, rule) in rules.as_slice().iter().enumerate() {
            let outcome = outcome(facts, rule, *list, is_decided);
            is_decided |= outcome == Outcome::Matches;
            all.push(Held { list: *list, index, rule: rule.clone(), outcome });
        }
    }
    all
}

fn outcome(facts: &Facts<'_>, rule: &SourcedRule, list: RuleList, is_decided: bool) -> Outcome {
    let why_not = why_not::of_call(facts, &rule.rule);
    // Nothing but an *allow* can be granted.
    let is_void = list == RuleList::Grants && rule.rule.action != Action::Allow;
    let fit = if why_not.is_some() || is_void { Fit::No } else { facts.fit(&rule.rule) };
    match (is_decided, fit) {
        (true, fit) => Outcome::NotReached { would_match: fit == Fit::Matches },
        (false, Fit::Matches) => Outcome::Matches,
        (false, Fit::Perhaps) => Outcome::Perhaps,
        (false, Fit::No) => {
            Outcome::No(why_not.unwrap_or_else(|| why_not::of_arguments(facts, &rule.rule)))
        }
    }
}
