//! Whether a text is in some other text: for errors that say where it is instead.

use super::{Match, STAGES, query::Found, query::Query, query::Source};
use crate::Text;

/// Where an old text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The first line (from 1) of the first place.
    pub first_line: usize,
    /// Its last line (from 1).
    pub last_line: usize,
    /// How many places there are.
    pub matches: usize,
    /// How they match: exactly, or but for line ends or white space.
    pub how: Match,
}

/// Where `old` is in `text`, exactly or but for white space; `None` for a blank `old`. Meant for
/// texts other than the one to be edited: what is only in the editor's buffer, only on disk, or in
/// another file.
pub fn place_of(text: &Text, old: &str) -> Option<Place> {
    let source = Source::new(text);
    let query = Query::new(&source, old, "");
    if query.old.trim().is_empty() {
        return None;
    }
    let near = |how: &Match| matches!(how, Match::Exact | Match::LineEndings | Match::Whitespace);
    STAGES.iter().filter(|(how, _)| near(how)).find_map(|&(how, stage)| {
        let Found { edits, overlap } = stage(&query);
        let range = edits.first()?.range.clone();
        let last = range.end.saturating_sub(1).max(range.start);
        Some(Place {
            first_line: text.line_of(range.start) + 1,
            last_line: text.line_of(last) + 1,
            matches: edits.len() + overlap.iter().len(),
            how,
        })
    })
}
