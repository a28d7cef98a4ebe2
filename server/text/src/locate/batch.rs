//! Several replacements at once: all are looked for in the same text, all or none are made.

use thiserror::Error;

use super::{LocateError, Located, Match, Names, Options, locate};
use crate::{Edit, Text};

/// How many replacements one call may have (seed 002, multi_edit: "A maximum of 50 edits").
pub const MOST_REPLACEMENTS: usize = 50;

/// One of several replacements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replacement<'a> {
    /// The text to look for.
    pub old: &'a str,
    /// What comes in its place.
    pub new: &'a str,
    /// How to look for it.
    pub options: Options,
}

/// What to do for all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Ascending, none overlaps another; each refers to the text as it was before all of them.
    pub edits: Vec<Edit>,
    /// One for each replacement, in the caller's order.
    pub reports: Vec<Report>,
}

/// How one replacement was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// How it matched.
    pub how: Match,
    /// How alike old text and place are; see [`Located::score`].
    pub score: f64,
    /// How many places match.
    pub matches: usize,
    /// How many of them are replaced.
    pub replaced: usize,
    /// The first line (from 1) of the first place that is replaced, in the text as it was.
    pub first_line: usize,
    /// The last line (from 1) of that place.
    pub last_line: usize,
}

impl Batch {
    /// How many replacements were not found exactly (but for line ends).
    pub fn fuzzy(&self) -> usize {
        self.inexact().count()
    }

    /// The average score of those, 0.0 to 1.0; `None` if all are exact.
    pub fn average_similarity(&self) -> Option<f64> {
        let count = self.fuzzy();
        let sum: f64 = self.inexact().map(|report| report.score).sum();
        (count > 0).then(|| sum / count as f64)
    }

    /// How many bytes longer the text becomes (negative: shorter).
    pub fn delta(&self) -> isize {
        self.edits.iter().map(Edit::delta).sum()
    }

    fn inexact(&self) -> impl Iterator<Item = &Report> {
        self.reports.iter().filter(|report| !report.how.is_literal())
    }
}

/// Why no replacement is made. Replacements count from 1 in messages, from 0 in fields.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BatchError {
    /// There is nothing to do.
    #[error("edits is empty: give at least one edit")]
    Empty,
    /// Seed 002, multi_edit.
    #[error(
        "too many edits: {0}, and at most {MOST_REPLACEMENTS} can be made in one call. Nothing was \
         changed; make them in several calls."
    )]
    TooMany(usize),
    /// These were not found; the others may have been.
    #[error("{}", failures(.failed, *.of, Names::AMP))]
    Failed {
        /// Which ones, and why; ascending, at least one.
        failed: Vec<(usize, LocateError)>,
        /// How many replacements there are in all.
        of: usize,
    },
    /// Two change the same part of the text.
    #[error(
        "edit {} and edit {} overlap at line {line}. Nothing was changed; make one edit of both, or \
         give each less context.",
        first + 1,
        second + 1
    )]
    Overlap {
        /// The one that starts first.
        first: usize,
        /// The one that starts inside it.
        second: usize,
        /// The line (from 1) where the second one starts.
        line: usize,
    },
}

impl BatchError {
    /// The message, with the names of a dialect. `Display` has those of seed 000.
    pub fn worded(&self, names: Names) -> String {
        match self {
            Self::Failed { failed, of } => failures(failed, *of, names),
            other => other.to_string(),
        }
    }
}

fn failures(failed: &[(usize, LocateError)], of: usize, names: Names) -> String {
    let said = failed.iter().map(|(i, error)| {
        let number = i + 1;
        format!("edit {number} of {of}: {}\n", error.worded(names))
    });
    said.collect::<String>() + "Nothing was changed: all edits of a call are made, or none."
}

/// Finds every old text in `text` as it is and says which edits put all new texts in their places.
///
/// # Errors
/// If there is no replacement or there are more than 50, if any is not found, or if two overlap.
/// Places that only touch do not overlap.
pub fn locate_batch(text: &Text, replacements: &[Replacement<'_>]) -> Result<Batch, BatchError> {
    match replacements.len() {
        0 => return Err(BatchError::Empty),
        count if count > MOST_REPLACEMENTS => return Err(BatchError::TooMany(count)),
        _ => {}
    }
    let found = all_located(text, replacements)?;
    let reports = found.iter().map(|located| report(text, located)).collect();
    let edits = merged(text, found)?;
    Ok(Batch { edits, reports })
}

fn all_located(text: &Text, wanted: &[Replacement<'_>]) -> Result<Vec<Located>, BatchError> {
    let mut found = Vec::with_capacity(wanted.len());
    let mut failed = Vec::new();
    for (i, one) in wanted.iter().enumerate() {
        match locate(text, one.old, one.new, one.options) {
            Ok(located) => found.push(located),
            Err(error) => failed.push((i, error)),
        }
    }
    if failed.is_empty() { Ok(found) } else { Err(BatchError::Failed { failed, of: wanted.len() }) }
}

fn report(text: &Text, located: &Located) -> Report {
    let Located { edits, how, matches, score } = located;
    let range = edits.first().map(|edit| edit.range.clone()).unwrap_or_default();
    let last = range.end.saturating_sub(1).max(range.start);
    Report {
        how: *how,
        score: *score,
        matches: *matches,
        replaced: edits.len(),
        first_line: text.line_of(range.start) + 1,
        last_line: text.line_of(last) + 1,
    }
}

/// All edits in order, if none overlaps another.
fn merged(text: &Text, found: Vec<Located>) -> Result<Vec<Edit>, BatchError> {
    let owned = |(i, located): (usize, Located)| located.edits.into_iter().map(move |e| (i, e));
    let mut edits: Vec<(usize, Edit)> = found.into_iter().enumerate().flat_map(owned).collect();
    edits.sort_by_key(|(i, edit)| (edit.range.start, edit.range.end, *i));
    for pair in edits.windows(2) {
        let [(first, a), (second, b)] = pair else { continue };
        if b.range.start < a.range.end || b.range == a.range {
            let line = text.line_of(b.range.start) + 1;
            return Err(BatchError::Overlap { first: *first, second: *second, line });
        }
    }
    Ok(edits.into_iter().map(|(_, edit)| edit).collect())
}

#[cfg(test)]
mod tests;
