//! What can be wrong with a rule.

use std::fmt;

use thiserror::Error;

/// A rule that cannot be used, and where it stands. Nothing of the file is used then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct RuleError {
    /// Where.
    pub place: Place,
    /// What, and what was expected.
    pub problem: Problem,
}

/// A place in rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the text form.
    Text {
        /// Counted from 1.
        line: u32,
        /// In chars, counted from 1.
        column: u32,
    },
    /// In the JSON form.
    Json {
        /// The rule's index in the array, from 0; `None`: the array itself.
        rule: Option<usize>,
        /// The property, dotted; of an array the index from 0. Empty: the rule itself.
        key: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column } => write!(f, "line {line}, column {column}"),
            Place::Json { rule: None, .. } => f.write_str("permissions"),
            Place::Json { rule: Some(rule), key } if key.is_empty() => {
                write!(f, "permissions[{rule}]")
            }
            Place::Json { rule: Some(rule), key } => {
                write!(f, "permissions[{rule}].{}", key.trim_end_matches('.'))
            }
        }
    }
}

/// What is wrong, told so that it can be mended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// Something else was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A property that no rule has, or an argument without a name. The place is its key's.
    #[error("expected {expected}, found {found}")]
    Key {
        /// What may stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A quote was opened and not closed.
    #[error("this {0} quote is never closed")]
    OpenQuote(&'static str),
    /// A character that a shell would take as an operator.
    #[error("`{0}` means something to a shell: put the value in single quotes")]
    Operator(char),
    /// `--key:op`.
    #[error("unknown operator `{0}`: conditions have none, write `--key value`")]
    Operation(String),
    /// `--key=value`.
    #[error("write `--{0} value` with a space instead of `=`")]
    Equals(String),
    /// A regular expression that does not compile.
    #[error("`/{pattern}/` is not a valid regular expression: {reason}")]
    Regex {
        /// Without the slashes.
        pattern: String,
        /// One line.
        reason: String,
    },
    /// A regular expression of a length that no rule needs.
    #[error(
        "this regular expression has {bytes} bytes, and {most} is the most: write several rules"
    )]
    LongRegex {
        /// Of it, without the slashes.
        bytes: usize,
        /// That it may have.
        most: usize,
    },
    /// `//`.
    #[error("an empty regular expression matches everything: write `*` if that is meant")]
    EmptyRegex,
    /// A tool glob that does not compile.
    #[error("`{glob}` is not a valid tool name pattern: {reason}")]
    Tool {
        /// The glob.
        glob: String,
        /// One line.
        reason: String,
    },
    /// `delegate` alone.
    #[error("`delegate` needs `to`, the program that decides")]
    DelegateWithoutTo,
    /// `to` with another action.
    #[error("`to` belongs to `delegate` rules only")]
    ToWithoutDelegate,
    /// `message` with another action.
    #[error("`message` belongs to `reject` rules only")]
    MessageWithoutReject,
    /// The same action argument twice.
    #[error("`--{0}` is given twice")]
    Twice(&'static str),
}

impl Problem {
    pub(crate) fn expected(expected: &'static str, found: impl fmt::Display) -> Self {
        Problem::Expected { expected, found: found.to_string() }
    }
}
