//! Ordered lists of rules, ready to be walked.

use crate::facts::{Facts, Fit};
use crate::glob::ToolGlob;
use crate::grant::has_in_view;
use crate::{Action, Call, Rule, SourcedRule};

/// Rules with their compiled tool names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    rules: Vec<SourcedRule>,
    tools: Vec<Option<ToolGlob>>,
}

impl Rules {
    pub(crate) fn new(rules: Vec<SourcedRule>) -> Self {
        let tools = rules.iter().map(|rule| ToolGlob::new(&rule.rule.tool).ok()).collect();
        Rules { rules, tools }
    }

    pub(crate) fn push(&mut self, rule: SourcedRule) {
        self.tools.push(ToolGlob::new(&rule.rule.tool).ok());
        self.rules.push(rule);
    }

    pub(crate) fn as_slice(&self) -> &[SourcedRule] {
        &self.rules
    }

    /// The rules for that tool and context, in order.
    pub(crate) fn of<'r>(&'r self, call: &Call) -> impl Iterator<Item = Listed<'r>> {
        let all = self.rules.iter().zip(&self.tools).enumerate();
        all.filter(|(_, (rule, tool))| concerns(&rule.rule, tool.as_ref(), call))
            .map(|(index, (rule, _))| Listed { index, rule })
    }

    /// Whether one of them rejects some call of these tools.
    pub(crate) fn may_reject(&self, names: &[&str]) -> bool {
        let mut all = self.rules.iter().zip(&self.tools);
        all.any(|(rule, tool)| {
            rule.rule.action == Action::Reject && is_for(&rule.rule, tool.as_ref(), names)
        })
    }

    /// Walks the list up to the first rule that matches.
    pub(crate) fn walk<'r>(&'r self, facts: &Facts) -> Walk<'r> {
        let mut walk = Walk::default();
        for rule in self.of(facts.call) {
            match facts.fit(&rule.rule.rule) {
                Fit::Matches => {
                    walk.decided = Some(rule);
                    break;
                }
                Fit::Perhaps => walk.perhaps = walk.perhaps.or(Some(rule)),
                Fit::No => {}
            }
        }
        walk
    }

    /// The first rule that allows.
    pub(crate) fn allowing<'r>(&'r self, facts: &Facts) -> Option<Listed<'r>> {
        let mut all = self
            .of(facts.call)
            .filter(|it| it.rule.rule.action == Action::Allow && has_in_view(it.rule, facts.call));
        all.find(|it| facts.fit(&it.rule.rule) == Fit::Matches)
    }
}

/// A rule and its index in its list, from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'r> {
    pub(crate) index: usize,
    pub(crate) rule: &'r SourcedRule,
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

fn concerns(rule: &Rule, tool: Option<&ToolGlob>, call: &Call) -> bool {
    is_for(rule, tool, call.names) && rule.context.is_none_or(|context| context == call.context)
}

/// A tool name that is no valid glob, which only a rule built by hand can have, is taken literally.
fn is_for(rule: &Rule, tool: Option<&ToolGlob>, names: &[&str]) -> bool {
    names.iter().any(|name| match tool {
        Some(glob) => glob.matches(name),
        None => rule.tool.eq_ignore_ascii_case(name),
    })
}
