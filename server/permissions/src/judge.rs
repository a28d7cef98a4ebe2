//! Judging a call: each part of a command by itself, each file that it writes as an edit.

use crate::facts::{Facts, Ground, Part};
use crate::forms::{Texts, Whole};
use crate::reason::{self, Cause};
use crate::rules::{self, Listed, Walk};
use crate::shell::{self, Shell, SimpleCommand};
use crate::walk::{self, Finding};
use crate::write::{self, Certainty, Target};
use crate::{Action, Call, Matched, Origin, Policy, Verdict};

/// The rules in force that are about a call, each list in order.
#[derive(Debug)]
pub(crate) struct Lists<'a> {
    pub(crate) user: Vec<Listed<'a>>,
    /// Those of the call's folder, if the user trusts it.
    pub(crate) trusted: Vec<Listed<'a>>,
    pub(crate) builtin: Vec<Listed<'a>>,
    /// Those of each folder, which tighten, and whether the user trusts it.
    pub(crate) tightening: Vec<(Vec<Listed<'a>>, bool)>,
    pub(crate) grants: Vec<Listed<'a>>,
}

/// The verdict on a call.
pub(crate) fn verdict(law: &Policy, call: &Call) -> Verdict {
    match (call.command(), call.is_bash()) {
        (Some(cmd), _) => command(law, call, cmd),
        (None, true) => unknown(law, call, "the call without a `cmd` text", ""),
        (None, false) => {
            let (lists, ground) = (law.lists(call), law.ground(call));
            let facts = Facts { ground: &ground, part: Part::Call };
            most(call, false, &[judge(&lists, &facts, None)])
        }
    }
}

fn unknown(law: &Policy, call: &Call, part: &str, whole: &str) -> Verdict {
    let (lists, ground, whole) = (law.lists(call), law.ground(call), Whole::new(whole));
    let texts = Texts::whole(&whole);
    let facts = Facts { ground: &ground, part: Part::Unknown { texts: &texts } };
    most(call, false, &[judge(&lists, &facts, Some(&Cause::Opaque(part)))])
}

fn command(law: &Policy, call: &Call, whole: &str) -> Verdict {
    let Shell { commands, opaque, writes, .. } = shell::read(whole);
    if commands.is_empty() && opaque.is_none() && writes.is_empty() {
        return unknown(law, call, "the empty command", whole);
    }
    let (lists, ground) = (law.lists(call), law.ground(call));
    let whole = Whole::remembering(whole);
    let texts = Texts::whole(&whole);
    let unknown = Facts { ground: &ground, part: Part::Unknown { texts: &texts } };
    let targets = write::targets(call, &writes, law.home());
    let edits: Vec<Call> = targets.iter().map(|target| target.call(call)).collect();
    let grounds: Vec<Ground> = edits.iter().map(|edit| law.ground(edit)).collect();
    let edit_lists = edits.first().map(|edit| law.lists(edit));
    let seen: Vec<(&SimpleCommand, Texts)> =
        commands.iter().map(|command| (command, Texts::of(command, &whole))).collect();
    let mut findings: Vec<Finding> = Vec::new();
    if let Some(part) = &opaque {
        findings.push(judge(&lists, &unknown, Some(&Cause::Opaque(part))));
    }
    for (target, ground) in targets.iter().zip(&grounds) {
        if let Some(edit_lists) = &edit_lists {
            let edit = Facts { ground, part: Part::Call };
            findings.push(written(target, [&lists, edit_lists], [&unknown, &edit]));
        }
    }
    findings.extend(seen.iter().map(|(command, texts)| {
        let part = Part::Command { command, texts };
        let caution = command.caution.as_deref().map(Cause::Opaque);
        let finding = judge(&lists, &Facts { ground: &ground, part }, caution.as_ref());
        Finding { part: Some(&command.text), ..finding }
    }));
    most(call, findings.len() > 1, &findings)
}

impl<'a> Lists<'a> {
    /// What the rules that decide say: the first that matches.
    pub(crate) fn base(&self, facts: &Facts<'a>, unknown: Option<&Cause<'a>>) -> Finding<'a> {
        walk::base([&self.user, &self.trusted, &self.builtin], facts, unknown)
    }

    /// What the folders' rules make stricter.
    pub(crate) fn tighten(&self, finding: &mut Finding<'a>, facts: &Facts<'a>) {
        for (rules, is_trusted) in &self.tightening {
            walk::tighten(finding, rules::walk(rules, facts), *is_trusted);
        }
    }
}

fn judge<'a>(lists: &Lists<'a>, facts: &Facts<'a>, unknown: Option<&Cause<'a>>) -> Finding<'a> {
    let mut finding = lists.base(facts, unknown);
    walk::fence(&mut finding, facts);
    walk::fence_command(&mut finding, facts);
    lists.tighten(&mut finding, facts);
    walk::grant(&mut finding, &lists.grants, facts);
    finding
}

/// What the rules for Bash say of a file that a command writes. One that may be about something
/// else in the command is not about this.
fn by_command<'a>(lists: &Lists<'a>, facts: &Facts<'a>) -> Finding<'a> {
    let decided = |list: &[Listed<'a>]| Walk { perhaps: None, ..rules::walk(list, facts) };
    let base = decided(&lists.user).or(|| decided(&lists.trusted)).or(|| decided(&lists.builtin));
    let mut finding = base.decided.map_or_else(|| Finding::none(facts.ground.call), Finding::of);
    for (rules, is_trusted) in &lists.tightening {
        walk::tighten(&mut finding, decided(rules), *is_trusted);
    }
    finding
}

/// What comes of a file that a command writes: the rules for Bash may speak of it as of anything in
/// the command, and the rules for edits as of that file. Whoever speaks decides; of two that do, the
/// stricter one.
pub(crate) fn written<'a>(
    target: &'a Target<'a>,
    [bash_lists, edit_lists]: [&Lists<'a>; 2],
    [bash, edit]: [&Facts<'a>; 2],
) -> Finding<'a> {
    let ours = by_command(bash_lists, bash);
    let mut theirs = judge(edit_lists, edit, None);
    theirs.write = Some(target.file);
    if target.certainty != Certainty::Certain && theirs.runs() {
        theirs.becomes(Action::Ask, Cause::Write(target.file), Origin::Redirection);
    }
    let delegates = [ours.delegates.as_slice(), theirs.delegates.as_slice()].concat();
    let mut finding = stricter(ours, theirs);
    if target.certainty == Certainty::Unknown {
        let theirs = edit_lists.tightening.iter().flat_map(|(rules, _)| rules);
        let mut all = edit_lists.user.iter().chain(theirs);
        walk::suspect(&mut finding, all.find(|it| it.rule.rule.action.tightens()).copied());
    }
    finding.delegates = delegates;
    walk::grant(&mut finding, &bash_lists.grants, bash);
    finding
}

fn stricter<'a>(ours: Finding<'a>, mut theirs: Finding<'a>) -> Finding<'a> {
    match (ours.action, theirs.action) {
        (_, Action::Reject) => return theirs,
        (Action::Reject, _) => return ours,
        _ => {}
    }
    match (ours.speaks(), theirs.speaks()) {
        (true, false) => ours,
        (true, true) if ours.weight() > theirs.weight() => ours,
        (false, false) => {
            theirs.origin = Origin::Redirection;
            theirs
        }
        _ => theirs,
    }
}

/// The most restrictive finding, the first of equals.
fn most(call: &Call, is_list: bool, findings: &[Finding]) -> Verdict {
    let heaviest = findings.iter().rev().max_by_key(|finding| finding.weight());
    let mut delegates: Vec<String> = Vec::new();
    for program in findings.iter().flat_map(|finding| &finding.delegates) {
        if !delegates.iter().any(|known| known == program) {
            delegates.push((*program).to_owned());
        }
    }
    match heaviest {
        Some(finding) => Verdict {
            action: finding.action,
            reason: reason::of(finding, call, is_list),
            matched: finding.cause.listed().map(Matched::of),
            message: finding.message().map(str::to_owned),
            grantable: finding.grantable,
            origin: finding.origin,
            delegates,
        },
        None => Verdict {
            action: Action::Ask,
            reason: reason::nothing(),
            matched: None,
            message: None,
            grantable: false,
            origin: Origin::NoRule,
            delegates,
        },
    }
}
