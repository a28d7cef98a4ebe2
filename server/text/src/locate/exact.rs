//! The first stage: a substring of the rope, char by char.

use memchr::memmem::Finder;

use super::{endings, query::Found, query::Query};
use crate::{Edit, Text};

/// How much of the rope is looked at in one go: large enough for the searcher to run at full
/// speed, small enough to stay in the cache.
const WINDOW: usize = 64 * 1024;

/// Every match. None at all if one of them would cut a CR LF pair in two: then the stage that
/// knows line ends has to look.
pub(super) fn find(query: &Query<'_>) -> Found {
    let (text, len) = (query.text(), query.old.len());
    let starts = find_all(text, query.old);
    let cuts =
        |at: usize| at > 0 && text.byte(at - 1) == Some(b'\r') && text.byte(at) == Some(b'\n');
    if starts.iter().any(|&at| cuts(at) || cuts(at + len)) {
        return Found::default();
    }
    let overlap = match starts.as_slice() {
        [only] => overlapping(text, query.old, *only),
        _ => None,
    };
    let edit = |at| Edit::new(at..at + len, endings::replacement(query, at..at + len));
    Found { edits: starts.into_iter().map(edit).collect(), overlap }
}

/// Where `needle`, found at `start`, starts again before it ends.
fn overlapping(text: &Text, needle: &str, start: usize) -> Option<usize> {
    let around = text.slice(start..start + 2 * needle.len() - 1);
    let again = memchr::memmem::find(around.as_bytes().get(1..)?, needle.as_bytes());
    again.map(|i| start + 1 + i)
}

/// The bytes where `needle` starts, left to right, not overlapping. An empty needle is nowhere.
fn find_all(text: &Text, needle: &str) -> Vec<usize> {
    let mut search = Search::new(needle);
    if needle.is_empty() {
        return Vec::new();
    }
    for chunk in text.chunks() {
        search.push(chunk);
    }
    search.finish()
}

/// A window that slides over the chunks of a rope.
struct Search<'n> {
    finder: Finder<'n>,
    len: usize,
    window: Vec<u8>,
    /// The byte of the text that the window starts at.
    base: usize,
    found: Vec<usize>,
}

impl<'n> Search<'n> {
    fn new(needle: &'n str) -> Self {
        let finder = Finder::new(needle);
        Self { finder, len: needle.len(), window: Vec::new(), base: 0, found: Vec::new() }
    }

    fn push(&mut self, chunk: &str) {
        self.window.extend_from_slice(chunk.as_bytes());
        if self.window.len() >= WINDOW.max(2 * self.len) {
            self.scan();
        }
    }

    fn scan(&mut self) {
        let mut at = 0;
        while let Some(i) = self.finder.find(&self.window[at..]) {
            self.found.push(self.base + at + i);
            at += i + self.len;
        }
        // A match may start in the last `len - 1` bytes, but not before the end of the last one.
        let keep = at.max(self.window.len().saturating_sub(self.len - 1));
        self.window.drain(..keep);
        self.base += keep;
    }

    fn finish(mut self) -> Vec<usize> {
        self.scan();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn matches_across_windows_are_found() {
        let word = "needle".repeat(9);
        let text = format!("{}{word}{}{word}", "x".repeat(WINDOW - 7), "é".repeat(WINDOW));
        let want: Vec<usize> = text.match_indices(&word).map(|(i, _)| i).collect();
        assert_eq!(find_all(&Text::from(text), &word), want);
    }

    proptest! {
        #[test]
        fn finds_what_a_string_search_finds(s in "[ab\r\né]{0,400}", needle in "[ab\r\né]{1,4}") {
            let want: Vec<usize> = s.match_indices(&needle).map(|(i, _)| i).collect();
            prop_assert_eq!(find_all(&Text::from(s), &needle), want);
        }
    }
}
