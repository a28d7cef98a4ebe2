//! Finding the text that a model wants to replace, without ever guessing.
//!
//! The stages are tried in order; the first one that finds anything decides, and it must have
//! found one place only, or `replace_all` must be set. More lenient stages come later in
//! [`STAGES`], and those that only a caller who asks for it gets are in [`ON_REQUEST`].

mod batch;
mod endings;
mod error;
mod escapes;
mod exact;
mod fold;
mod hint;
mod indent;
mod loose;
mod nearest;
mod numbers;
mod omission;
mod options;
mod part;
mod place;
mod query;
mod similar;
mod tokens;
mod transcribe;
mod typo;
mod view;
mod wanted;
mod whitespace;
mod windows;

use query::{Found, Query, Source};

pub use batch::{Batch, BatchError, MOST_REPLACEMENTS, Replacement, Report, locate_batch};
pub use error::{LocateError, Names};
pub use hint::{Difference, Differing, Hint};
pub use options::{Leniency, Options, Threshold};
pub use place::{Place, place_of};

use crate::{Edit, Text};

/// How old text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Match {
    /// Char by char.
    Exact,
    /// But for LF against CR LF.
    LineEndings,
    /// But for white space, by lines.
    Whitespace,
    /// With line breaks, tabs and quotes in place of `\n`, `\t` and `\"`.
    Escapes,
    /// But for quotes, dashes and other chars that look alike, and for how accents are composed.
    LookAlikes,
    /// Lines that are similar; only where the caller asks for it.
    Similar,
}

impl Match {
    /// Whether nothing but line ends differed.
    pub fn is_literal(self) -> bool {
        matches!(self, Match::Exact | Match::LineEndings)
    }
}

/// Where old text was found, and what replaces it.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// One edit for each place that is replaced, ascending. The new text has the indentation and
    /// the line ends of its place; it is not trimmed.
    pub edits: Vec<Edit>,
    /// How all of them matched.
    pub how: Match,
    /// How many places matched; more than there are edits where only the first was asked for.
    pub matches: usize,
    /// How alike old text and places are, from 0.0 to 1.0: 1.0 but for line ends, 0.95 but for
    /// white space (seed 002), else by edit distance; that of the least similar place.
    pub score: f64,
}

type Stage = fn(&Query<'_>) -> Found;

const STAGES: [(Match, Stage); 5] = [
    (Match::Exact, exact::find),
    (Match::LineEndings, endings::find),
    (Match::Whitespace, whitespace::find),
    (Match::Escapes, escapes::find),
    (Match::LookAlikes, |query| part::find(query, fold::Fold::LookAlikes)),
];

/// Similarity, from sure to less sure.
const ON_REQUEST: [(Match, Stage); 3] =
    [(Match::Similar, loose::find), (Match::Similar, numbers::find), (Match::Similar, typo::find)];

/// Finds `old` in `text` and says which edits put `new` in its place. `new` is always literal,
/// but for line ends (those of the place, unless line ends are all that `old` and `new` differ in),
/// indentation where white space differed, and look-alikes that `new` has from `old` and the text
/// has otherwise.
///
/// # Errors
/// If nothing is to be done, nothing is found, or more than one place without `replace_all`.
pub fn locate(text: &Text, old: &str, new: &str, options: Options) -> Result<Located, LocateError> {
    let source = Source::new(text);
    let query = Query::new(&source, old, new);
    if query.old == query.new {
        return Err(LocateError::Same);
    }
    if let Some(line) = omission::in_new(query.old, query.new) {
        return Err(LocateError::Omission { line });
    }
    if text.is_empty() && query.old.is_empty() {
        // All of an empty text, and nowhere else in it.
        let edits = vec![Edit::new(0..0, query.new)];
        return Ok(Located { edits, how: Match::Exact, matches: 1, score: 1.0 });
    }
    if query.old.is_empty() {
        return Err(LocateError::EmptyOld);
    }
    let blank = query.old.trim().is_empty();
    if blank && !text.is_empty() {
        return Err(LocateError::NotFound(Hint::Blank));
    }
    for (how, stage) in stages(options.leniency) {
        let found = stage(&query);
        if !found.is_empty() {
            return decide(&query, how, found, options);
        }
    }
    Err(LocateError::NotFound(hint::explain(&query)))
}

fn stages(leniency: Leniency) -> impl Iterator<Item = (Match, Stage)> {
    let always = STAGES.into_iter();
    let (lenient, asked) = match leniency {
        Leniency::Literal => (false, false),
        Leniency::Lenient => (true, false),
        Leniency::Similar(_) => (true, true),
    };
    let always = always.filter(move |(how, _)| lenient || how.is_literal());
    always.chain(ON_REQUEST.into_iter().filter(move |_| asked))
}

fn decide(
    query: &Query<'_>,
    how: Match,
    found: Found,
    options: Options,
) -> Result<Located, LocateError> {
    let (text, matches) = (query.text(), found.matches());
    let Found { mut edits, overlap } = found;
    let first_only = options.first_of_several && how.is_literal() && !options.replace_all;
    let score = score(query, how, &edits);
    if let Leniency::Similar(least) = options.leniency
        && score < least.get()
    {
        return Err(LocateError::NotFound(hint::explain(query)));
    }
    // Of two ways to read escapes, all places of one are not all places.
    let all = options.replace_all && !(how == Match::Escapes && overlap.is_some());
    if matches > 1 && !all && !first_only {
        let starts = edits.iter().map(|edit| edit.range.start).chain(overlap);
        let lines = starts.take(5).map(|at| text.line_of(at) + 1).collect();
        return Err(LocateError::Multiple { count: matches, lines });
    }
    if first_only {
        edits.truncate(1);
    }
    if edits.iter().all(|edit| edit.is_noop(text)) {
        return Err(LocateError::NotFound(hint::applied(text, &edits)));
    }
    let matches = if options.replace_all { edits.len() } else { matches };
    Ok(Located { matches, edits, how, score })
}

/// Seed 002: "Exact matches score 1.0, whitespace-insensitive matches score 0.95, and fuzzy matches
/// score based on string similarity".
fn score(query: &Query<'_>, how: Match, edits: &[Edit]) -> f64 {
    match how {
        Match::Exact | Match::LineEndings => 1.0,
        Match::Whitespace => 0.95,
        Match::Escapes | Match::LookAlikes | Match::Similar => {
            let there = |edit: &Edit| query.text().slice(edit.range.clone());
            let scores = edits.iter().map(|edit| similar::score(query.old, &there(edit)));
            scores.fold(1.0, f64::min)
        }
    }
}

#[cfg(test)]
mod tests;
