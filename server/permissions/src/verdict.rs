//! What comes out.

use crate::rules::Listed;
use crate::{Action, Reason, Source};

/// The answer to a call.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What happens.
    pub action: Action,
    /// Why, and what would change it.
    pub reason: Reason,
    /// The rule that decided on the part that decided; `None` if none did. Also the rule that may be
    /// meant where variables hide it.
    pub matched: Option<Matched>,
    /// What a reject rule wants the model to be told; without it a reject halts the turn.
    pub message: Option<String>,
    /// Whether the user's answer to an *ask* may be kept as a grant. `false`: it is always asked.
    pub grantable: bool,
    /// What the verdict rests on, for callers that treat some asks in their own way (a built-in ask
    /// for a file edit becomes pending hunks).
    pub origin: Origin,
    /// The programs that delegate rules name, in order. They are asked first, whatever the action
    /// is: one that rejects wins over the user's answer.
    pub delegates: Vec<String>,
}

/// A rule and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// In the list that it is of (the user's rules with the editor's before them, the built-in ones,
    /// the repository's, the grants), counted from 0.
    pub index: usize,
    /// Where it stands.
    pub source: Source,
    /// The line there, counted from 1.
    pub line: Option<u32>,
    /// The rule in text form.
    pub text: String,
}

impl Matched {
    pub(crate) fn of(listed: Listed<'_>) -> Self {
        let Listed { index, rule, .. } = listed;
        let (source, line) = (rule.source.clone(), rule.line);
        Matched { index, source, line, text: rule.rule.to_string() }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A rule of the user's, from a file or the editor.
    User,
    /// A built-in rule.
    BuiltIn,
    /// A repository's rule, which tightened.
    Repository,
    /// A rule of a repository that the user trusts. It lifts no guard and no protection.
    Trusted,
    /// A grant of the user's.
    Grant,
    /// No rule matched.
    NoRule,
    /// A read that leaves the workspace.
    Outside,
    /// A write to a place that is always asked.
    Protected,
    /// A command that cannot be analysed.
    Opaque,
    /// A command that writes a file by redirection.
    Redirection,
}
