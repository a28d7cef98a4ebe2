//! Why nothing is replaced, in the words of the caller's dialect.

use std::fmt;

use super::{Hint, hint};

/// What a dialect calls the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// The text to look for.
    pub old: &'static str,
    /// What comes in its place.
    pub new: &'static str,
}

impl Names {
    /// Those of seed 000.
    pub const AMP: Self = Self { old: "old_str", new: "new_str" };
    /// Those of seed 002.
    pub const AIR: Self = Self { old: "old_string", new: "new_string" };
}

/// Why nothing is replaced. The first line of each message is that of seed 000, edit_file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocateError {
    /// The replacement would change nothing.
    Same,
    /// There is nothing to look for, and there is text (an empty file has no text exactly once).
    EmptyOld,
    /// The new text has a placeholder in place of code, which it would delete.
    Omission {
        /// The line, without white space around it.
        line: String,
    },
    /// No stage found the text.
    NotFound(Hint),
    /// Several places match, and only one may.
    Multiple {
        /// How many places match.
        count: usize,
        /// The lines, from 1, where the first five start.
        lines: Vec<usize>,
    },
}

impl LocateError {
    /// The message, with the names of a dialect. `Display` has those of seed 000.
    pub fn worded(&self, names: Names) -> impl fmt::Display {
        Worded { error: self, names }
    }
}

impl std::error::Error for LocateError {}

impl fmt::Display for LocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.worded(Names::AMP).fmt(f)
    }
}

struct Worded<'a> {
    error: &'a LocateError,
    names: Names,
}

impl fmt::Display for Worded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Names { old, new } = self.names;
        match self.error {
            LocateError::Same => write!(f, "{old} and {new} must be different"),
            LocateError::EmptyOld => write!(
                f,
                "Could not find exact match for {old}\n\
                 {old} is empty; give the lines to replace, or write the whole file."
            ),
            LocateError::Omission { line } => write!(
                f,
                "{new} has a placeholder in place of code: {line}\n\
                 Nothing was changed. Write the code out, or replace only the lines that change."
            ),
            LocateError::NotFound(hint) => {
                write!(f, "Could not find exact match for {old}")?;
                hint.write(f, self.names)
            }
            LocateError::Multiple { count, lines } => write!(
                f,
                "found multiple matches for edit ({count} occurrences). Use replace_all or provide \
                 more context.{}",
                hint::places(lines, *count)
            ),
        }
    }
}
