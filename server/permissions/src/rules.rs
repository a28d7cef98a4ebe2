//! Ordered lists of rules, ready to be walked.

use std::collections::HashMap;

use crate::facts::{Facts, Fit};
use crate::grant::has_in_view;
use crate::letters::Needs;
use crate::tool::{ToolGlob, fold};
use crate::{Action, Context, SourcedRule};

/// Rules, findable by the tools that they are about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    rules: Vec<SourcedRule>,
    /// Of each rule, in the same order: what is looked at before the rule is.
    gates: Vec<Gate>,
    /// By folded tool name: the rules that name the tool, in order.
    named: HashMap<String, Vec<usize>>,
    /// The rules whose tool is a pattern, in order.
    open: Vec<(usize, ToolGlob)>,
}

#[derive(Debug, Clone, Copy)]
struct Gate {
    needs: Needs,
    context: Option<Context>,
}

impl Rules {
    pub(crate) fn new(rules: Vec<SourcedRule>) -> Self {
        let mut all = Rules::default();
        rules.into_iter().for_each(|rule| all.push(rule));
        all
    }

    /// Adds a rule at the end. A tool name that is no valid glob, which only a rule built by hand
    /// can have, is taken literally.
    pub(crate) fn push(&mut self, rule: SourcedRule) {
        let index = self.rules.len();
        let names = match ToolGlob::new(&rule.rule.tool) {
            Ok(ToolGlob::Names(names)) => names,
            Err(_) => vec![fold(&rule.rule.tool)],
            Ok(glob) => {
                self.open.push((index, glob));
                Vec::new()
            }
        };
        for name in names {
            self.named.entry(name).or_default().push(index);
        }
        self.gates.push(Gate { needs: Needs::of(&rule.rule), context: rule.rule.context });
        self.rules.push(rule);
    }

    pub(crate) fn as_slice(&self) -> &[SourcedRule] {
        &self.rules
    }

    /// The rules for a tool of these names and that context, in order.
    pub(crate) fn of(&self, names: &[&str], context: Context) -> Vec<Listed<'_>> {
        let rules = self.about(names).into_iter().filter_map(|index| {
            let (rule, gate) = self.rules.get(index).zip(self.gates.get(index))?;
            let is_for = gate.context.is_none_or(|only| only == context);
            is_for.then_some(Listed { index, rule, needs: gate.needs })
        });
        rules.collect()
    }

    fn about(&self, names: &[&str]) -> Vec<usize> {
        let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
        let named = folded.iter().filter_map(|name| self.named.get(name)).flatten().copied();
        let mut found: Vec<usize> = named.collect();
        let matches = |glob: &ToolGlob| {
            names.iter().zip(&folded).any(|(name, folded)| glob.matches(name, folded))
        };
        let open = self.open.iter().filter(|(_, glob)| matches(glob)).map(|(index, _)| *index);
        found.extend(open);
        if !found.is_sorted() {
            found.sort_unstable();
        }
        found.dedup();
        found
    }

    /// Whether one of them rejects some call of these tools.
    pub(crate) fn may_reject(&self, names: &[&str]) -> bool {
        let mut about = self.about(names).into_iter().filter_map(|index| self.rules.get(index));
        about.any(|rule| rule.rule.action == Action::Reject)
    }
}

/// A rule and its index in its list, from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'r> {
    pub(crate) index: usize,
    pub(crate) rule: &'r SourcedRule,
    needs: Needs,
}

/// Walks rules up to the first that matches.
pub(crate) fn walk<'r>(rules: &[Listed<'r>], facts: &Facts) -> Walk<'r> {
    let mut walk = Walk::default();
    let letters = facts.letters();
    for listed in rules.iter().filter(|it| it.needs.are_in(letters)) {
        match facts.fit(&listed.rule.rule) {
            Fit::Matches => {
                walk.decided = Some(*listed);
                break;
            }
            Fit::Perhaps => walk.perhaps = walk.perhaps.or(Some(*listed)),
            Fit::No => {}
        }
    }
    walk
}

/// The first rule that allows.
pub(crate) fn allowing<'r>(rules: &[Listed<'r>], facts: &Facts) -> Option<Listed<'r>> {
    let call = facts.ground.call;
    let mut all = rules
        .iter()
        .filter(|it| it.rule.rule.action == Action::Allow && has_in_view(it.rule, call));
    all.find(|it| facts.fit(&it.rule.rule) == Fit::Matches).copied()
}

/// Where a walk ended.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Walk<'r> {
    /// The first rule that matches.
    pub(crate) decided: Option<Listed<'r>>,
    /// The first rule before it that would tighten and perhaps matches.
    pub(crate) perhaps: Option<Listed<'r>>,
}

impl<'r> Walk<'r> {
    /// The walk through a list and, if nothing there decided, through the next.
    pub(crate) fn or(self, next: impl FnOnce() -> Walk<'r>) -> Walk<'r> {
        if self.decided.is_some() {
            return self;
        }
        let next = next();
        Walk { perhaps: self.perhaps.or(next.perhaps), ..next }
    }
}
