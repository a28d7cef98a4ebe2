//! How alike two texts are, and which lines of a text are most like others.

use std::collections::BinaryHeap;

use rapidfuzz::distance::levenshtein::{self, BatchComparator};

use super::view::View;
use crate::eol::to_lf;

/// From how many pairs of chars on two texts are not compared char by char any more.
const MOST_PAIRS: usize = 1 << 30;

/// After how many pairs of chars a search gives up: some tens of milliseconds.
const MOST_SEARCHED: u64 = 1 << 29;

/// 1 less the edit distance in chars by the longer text's length: 1.0 for equal texts. Line ends
/// and a final one do not count. Texts of many thousand lines are compared by what they share at
/// both ends.
pub(super) fn score(a: &str, b: &str) -> f64 {
    let (a, b) = (to_lf(a), to_lf(b));
    let (a, b) = (a.trim_end_matches('\n'), b.trim_end_matches('\n'));
    if a.len().saturating_mul(b.len()) > MOST_PAIRS {
        let same = crate::edit::common_prefix(a, b);
        let same = same + crate::edit::common_suffix(&a[same..], &b[same..]);
        return same as f64 / a.len().max(b.len()) as f64;
    }
    if a == b { 1.0 } else { levenshtein::normalized_similarity(a.chars(), b.chars()) }
}

/// Whether lines of the view that do not overlap those from `at` on are more like `olds` than
/// `than`. Lines that overlap them are no other place: moved by a `}`, they are as similar. True too
/// where that would take too long to find out.
pub(super) fn has_rival(view: &View, olds: &[&str], at: usize, than: f64) -> bool {
    let mut search = Search::new(view, olds, than);
    let elsewhere = |line: usize| line.abs_diff(at) >= olds.len();
    loop {
        match search.next(than, elsewhere) {
            Next::Found(_, score) if score > than => return true,
            Next::Found(..) => {}
            Next::Done => return false,
            Next::TooMuch => return true,
        }
    }
}

/// The lines of the view, as many as `olds` has, that are most like them and at least `least`: the
/// first one (from 0); of those that could be looked at in a short time.
pub(super) fn nearest(view: &View, olds: &[&str], least: f64) -> Option<usize> {
    let mut search = Search::new(view, olds, least);
    search.left /= 32;
    let mut best: Option<(usize, f64)> = None;
    while let Next::Found(line, score) = search.next(best.map_or(least, |best| best.1), |_| true) {
        let is_better = |(other, of): (usize, f64)| score > of || score == of && line < other;
        if best.is_none_or(is_better) {
            best = Some((line, score));
        }
    }
    best.map(|(line, _)| line)
}

/// All windows of some lines, the most promising first.
struct Search<'a> {
    view: &'a View,
    count: usize,
    comparator: BatchComparator<char>,
    heap: BinaryHeap<Window>,
    length: usize,
    /// How many pairs of chars may still be compared.
    left: u64,
}

enum Next {
    /// The first line of a window, and its score.
    Found(usize, f64),
    Done,
    TooMuch,
}

impl<'a> Search<'a> {
    fn new(view: &'a View, olds: &[&str], least: f64) -> Self {
        let old = olds.join("\n");
        let heap = bounds::windows(view, olds, &old, least).into();
        let comparator = BatchComparator::new(old.chars());
        Self { view, count: olds.len(), comparator, heap, length: old.len(), left: MOST_SEARCHED }
    }

    /// A window whose score is `cutoff` at least.
    fn next(&mut self, cutoff: f64, wanted: impl Fn(usize) -> bool) -> Next {
        while let Some(Window { bound, line }) = self.heap.pop() {
            if bound < cutoff {
                return Next::Done;
            }
            if !wanted(line) {
                continue;
            }
            let there = &self.view.text[self.view.span(line..line + self.count)];
            match self.left.checked_sub(there.len() as u64 * self.length as u64) {
                Some(left) => self.left = left,
                None => return Next::TooMuch,
            }
            let args = levenshtein::Args::default().score_cutoff(cutoff);
            let found = self.comparator.normalized_similarity_with_args(there.chars(), &args);
            if let Some(score) = found {
                return Next::Found(line, score);
            }
        }
        Next::Done
    }
}

/// Lines that may be like the old text, by how alike they are at most.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Window {
    bound: f64,
    line: usize,
}

impl Eq for Window {}

impl Ord for Window {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bound.total_cmp(&other.bound).then(other.line.cmp(&self.line))
    }
}

impl PartialOrd for Window {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

mod bounds;

#[cfg(test)]
mod tests;
