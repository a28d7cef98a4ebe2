//! A part of the file whose hunks depend on nothing outside of it: what one edit can have changed.
//!
//! A window begins and ends where a line starts inside text that no piece touches. Such a line starts
//! in every text that a hunk is made of, so no group of lines reaches over it; and no piece has text on
//! both sides of it, so no two groups are joined over it either.

use std::ops::Range;

use crate::{Hunk, Layers, PieceId, resolve::Decided, segments::Place, span::Span};

/// See the module's page.
#[derive(Debug, Clone)]
pub struct Window {
    pub(crate) start: Place,
    pub(crate) end: Place,
    pieces: Vec<PieceId>,
}

impl Window {
    pub(crate) fn whole(layers: &Layers) -> Self {
        let end = Place { index: layers.spans.len(), ..Place::default() };
        Window { start: Place::default(), end, pieces: Vec::new() }
    }

    /// The pieces, undecided or decided, that have text in the window; all of it lies there.
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// Whether a piece lies in the window.
    pub fn holds(&self, piece: PieceId) -> bool {
        self.pieces.binary_search(&piece).is_ok()
    }
}

impl Layers {
    /// The smallest window around a range (bytes of the editor's text). Cost: a look at each span,
    /// and the text up to the next line end that no piece touches.
    pub fn window(&self, range: Range<usize>) -> Window {
        let mut places = Vec::with_capacity(self.spans.len() + 1);
        let mut at = Place::default();
        for (index, span) in self.spans.iter().enumerate() {
            at.index = index;
            places.push(at);
            if span.shown { at.shown += span.len } else { at.hidden += span.len }
        }
        at.index = self.spans.len();
        places.push(at);
        // The first and the last span that the range touches.
        let first = places.partition_point(|place| place.shown < range.start).saturating_sub(1);
        let last = places.partition_point(|place| place.shown <= range.end).saturating_sub(1);
        self.grown(&places, first, last.min(self.spans.len()), &range)
    }

    fn grown(&self, places: &[Place], first: usize, last: usize, range: &Range<usize>) -> Window {
        let (mut first, mut last) = (first, last);
        loop {
            let start = self.line_before(places, first, range.start);
            let end = self.line_after(places, last, range.end);
            let pieces = self.pieces_between(start.index, end.index);
            let shared = |span: &Span| span.pieces().any(|id| pieces.binary_search(&id).is_ok());
            let outside = |index: &usize| *index < start.index || *index > end.index;
            let mut others = (0..self.spans.len())
                .filter(|index| !pieces.is_empty() && outside(index) && shared(&self.spans[*index]));
            let Some(other) = others.next() else { return Window { start, end, pieces } };
            first = first.min(other);
            last = last.max(others.next_back().unwrap_or(other));
        }
    }

    fn pieces_between(&self, first: usize, last: usize) -> Vec<PieceId> {
        let spans = self.spans.iter().take(last + 1).skip(first);
        let mut pieces: Vec<PieceId> = spans.flat_map(Span::pieces).collect();
        pieces.sort_unstable();
        pieces.dedup();
        // What was decided together is one hunk, wherever its pieces lie.
        let mine = |decided: &&Decided| {
            decided.pieces.iter().any(|id| pieces.binary_search(id).is_ok())
        };
        let together: Vec<PieceId> = match pieces.is_empty() {
            true => Vec::new(),
            false => self.decided.values().filter(mine).flat_map(|d| d.pieces.clone()).collect(),
        };
        pieces.extend(together);
        pieces.sort_unstable();
        pieces.dedup();
        pieces
    }

    /// The last line that starts at or before `at`, in span `from` or before it.
    fn line_before(&self, places: &[Place], from: usize, at: usize) -> Place {
        for index in (0..=from.min(self.spans.len().saturating_sub(1))).rev() {
            let Some(span) = self.spans.get(index) else { break };
            let start = places[index];
            if is_plain(span)
                && let Some(line) =
                    self.shown.after_last_lf(start.shown, at.clamp(start.shown, start.shown + span.len))
            {
                return inside(start, span, line);
            }
        }
        Place::default()
    }

    /// The first line that starts behind `at`, in span `from` or behind it.
    fn line_after(&self, places: &[Place], from: usize, at: usize) -> Place {
        for index in from..self.spans.len() {
            let (span, start) = (&self.spans[index], places[index]);
            let end = start.shown + span.len;
            if is_plain(span)
                && let Some(line) = self.shown.after_first_lf(at.clamp(start.shown, end), end)
            {
                return Place { index, inner: line - start.shown, shown: line, ..start };
            }
        }
        places.last().copied().unwrap_or_default()
    }

    /// The undecided and the decided hunks of a window.
    pub fn hunks_in(&self, window: &Window) -> Vec<Hunk> {
        let mut hunks = self.undecided_in(window);
        let inside = |id: &&crate::HunkId| {
            self.decided.get(id).is_some_and(|d| d.pieces.iter().any(|id| window.holds(*id)))
        };
        let decided = self.decided.keys().filter(inside);
        hunks.extend(decided.filter_map(|&id| self.decided_hunk_in(id, window)));
        hunks
    }

    /// Whether the hunks of a window are all that there is to know: a file that is being created is one
    /// hunk as a whole.
    pub fn has_windows(&self) -> bool {
        self.create.is_none() && self.appeared.is_none()
    }
}

fn is_plain(span: &Span) -> bool {
    span.shown && !span.is_touched()
}

/// A line start in a span. Behind its last byte the next span starts.
fn inside(start: Place, span: &Span, line: usize) -> Place {
    if line == start.shown + span.len {
        return Place { index: start.index + 1, inner: 0, shown: line, hidden: start.hidden };
    }
    Place { inner: line - start.shown, shown: line, ..start }
}
