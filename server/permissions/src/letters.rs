//! Which characters a pattern needs: most rules of a list are passed over by that alone.

use regex_syntax::hir::{Hir, HirKind};

use crate::call::{COMMAND, PATH};
use crate::{Condition, Rule};

/// A set of ASCII characters, capitals as small letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Letters(u128);

impl Letters {
    /// Every one: of a text of which not enough is known.
    pub(crate) const ALL: Self = Letters(u128::MAX);

    pub(crate) fn of(text: &str) -> Self {
        Letters::of_bytes(text.as_bytes())
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        let bit = |byte: &u8| 1u128 << byte.to_ascii_lowercase();
        Letters(bytes.iter().filter(|byte| byte.is_ascii()).map(bit).fold(0, |all, bit| all | bit))
    }

    /// What every text has that a regular expression matches somewhere.
    pub(crate) fn of_regex(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => Letters::default(),
            HirKind::Literal(literal) => Letters::of_bytes(&literal.0),
            HirKind::Repetition(repetition) if repetition.min == 0 => Letters::default(),
            HirKind::Repetition(repetition) => Letters::of_regex(&repetition.sub),
            HirKind::Capture(capture) => Letters::of_regex(&capture.sub),
            HirKind::Concat(all) => all.iter().map(Letters::of_regex).fold(Letters(0), Letters::or),
            HirKind::Alternation(all) => {
                all.iter().map(Letters::of_regex).fold(Letters::ALL, Letters::and)
            }
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Letters(self.0 | other.0)
    }

    fn and(self, other: Self) -> Self {
        Letters(self.0 & other.0)
    }

    pub(crate) fn are_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// What a call must have for a rule to match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// In the command.
    pub(crate) command: Letters,
    /// In the path.
    pub(crate) path: Letters,
}

impl Needs {
    pub(crate) fn of(rule: &Rule) -> Self {
        let of = |key| rule.matches.get(key).map(condition).unwrap_or_default();
        Needs { command: of(COMMAND), path: of(PATH) }
    }

    pub(crate) fn are_in(self, other: Self) -> bool {
        self.command.are_in(other.command) && self.path.are_in(other.path)
    }
}

fn condition(condition: &Condition) -> Letters {
    match condition {
        Condition::Any(all) => all.iter().map(self::condition).fold(Letters::ALL, Letters::and),
        Condition::Pattern(pattern) => pattern.letters(),
        Condition::Literal(_) | Condition::Nested(_) => Letters::default(),
    }
}
