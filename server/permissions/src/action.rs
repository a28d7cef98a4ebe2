//! What a rule does, and for whom.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What happens to a call (seed 004, permission rules).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Run it silently.
    Allow,
    /// Ask the user.
    Ask,
    /// Block it.
    Reject,
    /// Let a program decide.
    Delegate,
}

impl Action {
    /// All of them, in the order in which messages name them.
    pub const ALL: [Action; 4] = [Action::Allow, Action::Ask, Action::Reject, Action::Delegate];

    /// The name in rules, in both forms.
    pub fn name(self) -> &'static str {
        match self {
            Action::Allow => "allow",
            Action::Ask => "ask",
            Action::Reject => "reject",
            Action::Delegate => "delegate",
        }
    }

    /// The action of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// How restrictive it is. A delegate may still allow, so it stands below *ask*.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Action::Allow => 0,
            Action::Delegate => 1,
            Action::Ask => 2,
            Action::Reject => 3,
        }
    }

    /// Whether rules of this action may also match what a call looks like.
    pub(crate) fn tightens(self) -> bool {
        matches!(self, Action::Ask | Action::Reject)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who makes a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// The main thread, which a user watches.
    Thread,
    /// A subagent, which nobody watches.
    Subagent,
}

impl Context {
    /// The name in rules.
    pub fn name(self) -> &'static str {
        match self {
            Context::Thread => "thread",
            Context::Subagent => "subagent",
        }
    }

    /// The context of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Context::Thread, Context::Subagent].into_iter().find(|context| context.name() == name)
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
