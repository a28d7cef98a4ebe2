//! Finding the text that a model wants to replace, without ever guessing.
//!
//! The stages are tried in order; the first one that finds anything decides, and it must have
//! found one place only, or `replace_all` must be set. More lenient stages belong at the end of
//! [`STAGES`].

mod endings;
mod exact;
mod hint;
mod indent;
mod nearest;
mod view;
mod whitespace;

use std::cell::OnceCell;

use thiserror::Error;
use view::View;

pub use hint::{Difference, Differing, Hint};

use crate::{Edit, Eol, Text, eol::only_eol};

/// How to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Replace every match instead of demanding that there is one only.
    pub replace_all: bool,
}

/// How old text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Match {
    /// Char by char.
    Exact,
    /// But for LF against CR LF.
    LineEndings,
    /// Whole lines, but for white space.
    Whitespace,
}

/// Where old text was found, and what replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// One edit for each match, ascending. The new text has the indentation and the line ends of
    /// its place; it is not trimmed.
    pub edits: Vec<Edit>,
    /// How all of them matched.
    pub how: Match,
    /// How many places matched.
    pub matches: usize,
}

/// Why nothing is replaced. The first line of each message is that of seed 000, edit_file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LocateError {
    /// The replacement would change nothing.
    #[error("old_str and new_str must be different")]
    Same,
    /// There is nothing to look for: white space only, or no text (which only an empty file has
    /// exactly once).
    #[error(
        "Could not find exact match for old_str\n\
         old_str has no text to look for; give the lines to replace, or write the whole file."
    )]
    EmptyOld,
    /// No stage found the text.
    #[error("Could not find exact match for old_str{0}")]
    NotFound(Hint),
    /// Several places match, and only one may.
    #[error(
        "found multiple matches for edit ({count} occurrences). Use replace_all or provide more \
         context.{}",
        hint::places(lines, *count)
    )]
    Multiple {
        /// How many places match.
        count: usize,
        /// The lines, from 1, where the first five start.
        lines: Vec<usize>,
    },
}

/// What the stages look for, and where.
struct Query<'a> {
    text: &'a Text,
    old: &'a str,
    new: &'a str,
    view: OnceCell<View>,
    only_eol: OnceCell<Option<Eol>>,
}

impl<'a> Query<'a> {
    /// A byte order mark is no part of a text: where the caller sends one along, it is left out.
    fn new(text: &'a Text, old: &'a str, new: &'a str) -> Self {
        const BOM: char = '\u{feff}';
        let (view, only_eol) = (OnceCell::new(), OnceCell::new());
        match old.strip_prefix(BOM) {
            Some(old) if !text.chunks().any(|chunk| chunk.contains(BOM)) => {
                Self { text, old, new: new.strip_prefix(BOM).unwrap_or(new), view, only_eol }
            }
            _ => Self { text, old, new, view, only_eol },
        }
    }

    /// The text's line end, if it has no other.
    fn only_eol(&self) -> Option<Eol> {
        *self.only_eol.get_or_init(|| only_eol(self.text))
    }

    /// The text with LF line ends: made when the first stage needs it.
    fn view(&self) -> &View {
        self.view.get_or_init(|| View::new(self.text))
    }
}

/// What a stage finds.
#[derive(Default)]
struct Found {
    /// Every place where old text is, ascending and not overlapping, with what replaces it there.
    edits: Vec<Edit>,
    /// Where a match starts (byte of the text) that overlaps the only one. `}\n}` in `}\n}\n}` can
    /// be replaced in two ways, so that it counts as two.
    overlap: Option<usize>,
}

type Stage = fn(&Query<'_>) -> Found;

const STAGES: [(Match, Stage); 3] = [
    (Match::Exact, exact::find),
    (Match::LineEndings, endings::find),
    (Match::Whitespace, whitespace::find),
];

/// Finds `old` in `text` and says which edits put `new` in its place. `new` is always literal,
/// but for line ends (those of the place, unless line ends are all that `old` and `new` differ in)
/// and, where white space differed, indentation.
///
/// # Errors
/// If nothing is to be done, nothing is found, or more than one place without `replace_all`.
pub fn locate(text: &Text, old: &str, new: &str, options: Options) -> Result<Located, LocateError> {
    let query = Query::new(text, old, new);
    if query.old == query.new {
        return Err(LocateError::Same);
    }
    if text.is_empty() && query.old.is_empty() {
        // All of an empty text, and nowhere else in it.
        let edits = vec![Edit::new(0..0, query.new)];
        return Ok(Located { edits, how: Match::Exact, matches: 1 });
    }
    if query.old.trim().is_empty() {
        return Err(LocateError::EmptyOld);
    }
    for (how, stage) in STAGES {
        let found = stage(&query);
        if !found.edits.is_empty() {
            return decide(text, how, found, options);
        }
    }
    Err(LocateError::NotFound(hint::explain(&query)))
}

fn decide(text: &Text, how: Match, found: Found, options: Options) -> Result<Located, LocateError> {
    let Found { edits, overlap } = found;
    let count = edits.len() + overlap.iter().len();
    if count > 1 && !options.replace_all {
        let starts = edits.iter().map(|edit| edit.range.start).chain(overlap);
        let lines = starts.take(5).map(|at| text.line_of(at) + 1).collect();
        return Err(LocateError::Multiple { count, lines });
    }
    if edits.iter().all(|edit| edit.is_noop(text)) {
        return Err(LocateError::NotFound(hint::applied(text, &edits)));
    }
    Ok(Located { matches: edits.len(), edits, how })
}

#[cfg(test)]
mod tests;
