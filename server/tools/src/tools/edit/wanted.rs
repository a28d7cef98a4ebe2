//! What a call of any family wants done to a file: its arguments, read.

use redline_text::{Names, Options, Replacement};
use redline_workspace::WorkspacePath;

use crate::Dialect;

/// Replacements in one file.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tools) struct Wanted {
    /// The file, in the caller's words.
    pub path: String,
    /// The file, where the caller's family has words of its own for files.
    pub file: Option<WorkspacePath>,
    /// All of them are made, or none.
    pub pieces: Vec<Piece>,
    /// Whose contract holds: names of the texts, words of errors, whether the file must have been
    /// read.
    pub family: Dialect,
    /// How the call was made.
    pub form: Form,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tools) struct Piece {
    /// What to look for.
    pub old: String,
    /// What comes in its place.
    pub new: String,
    /// How to look.
    pub options: Options,
}

/// How a call was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum Form {
    /// One replacement, which errors need not name.
    One,
    /// A list of them.
    Several {
        /// Only say what would be done.
        dry_run: bool,
    },
}

impl Piece {
    fn replacement(&self) -> Replacement<'_> {
        Replacement { old: &self.old, new: &self.new, options: self.options }
    }
}

impl Wanted {
    /// What the caller's family calls the texts.
    pub fn names(&self) -> Names {
        match self.family {
            Dialect::Amp => Names::AMP,
            Dialect::AgentAir | Dialect::Amplifier => Names::AIR,
        }
    }

    /// As the locator takes them.
    pub fn replacements(&self) -> Vec<Replacement<'_>> {
        self.pieces.iter().map(Piece::replacement).collect()
    }
}
