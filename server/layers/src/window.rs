//! A part of the file whose hunks depend on nothing outside of it: what one edit can have changed.
//!
//! A window begins and ends where a line starts inside text that no piece touches. Such a line starts
//! in every text that a hunk is made of, so no group of lines reaches over it; and no piece, nor what was
//! decided together, has text on both sides of it, so no two groups are joined over it either.

use std::ops::Range;

use crate::{Hunk, Layers, PieceId, segments::Place, settle::Extent, span::Span};

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

    /// The pieces, undecided or decided, that reach into the window; all of their text lies there.
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
        let mut extents = self.extents();
        self.join_decided(&mut extents);
        let mut pieces = Vec::new();
        loop {
            let start = self.line_before(places, first, range.start);
            let end = self.line_after(places, last, range.end);
            let meets =
                |extent: &mut Extent| extent.first <= end.index && start.index <= extent.last;
            let met: Vec<Extent> = extents.extract_if(.., meets).collect();
            if met.is_empty() {
                return Window { start, end, pieces: self.with_decided(pieces) };
            }
            for extent in met {
                pieces.push(extent.piece);
                first = first.min(extent.first);
                last = last.max(extent.last);
            }
        }
    }

    /// With those that were decided together with one of them, though nothing of them be left.
    fn with_decided(&self, mut pieces: Vec<PieceId>) -> Vec<PieceId> {
        pieces.sort_unstable();
        let held = |id: &PieceId| pieces.binary_search(id).is_ok();
        let mine = self.decided.values().filter(|decided| decided.pieces.iter().any(held));
        let more: Vec<PieceId> = mine.flat_map(|decided| decided.pieces.iter().copied()).collect();
        pieces.extend(more);
        pieces.sort_unstable();
        pieces.dedup();
        pieces
    }

    /// What was decided together is one hunk, with all that lies between its pieces.
    fn join_decided(&self, extents: &mut [Extent]) {
        for decided in self.decided.values().filter(|decided| decided.pieces.len() > 1) {
            let places: Vec<usize> = decided
                .pieces
                .iter()
                .filter_map(|id| extents.binary_search_by_key(id, |extent| extent.piece).ok())
                .collect();
            let first = places.iter().map(|&at| extents[at].first).min();
            let last = places.iter().map(|&at| extents[at].last).max();
            for at in places {
                extents[at].first = first.unwrap_or(extents[at].first);
                extents[at].last = last.unwrap_or(extents[at].last);
            }
        }
    }

    /// The last line that starts at or before `at`, in span `from` or before it.
    fn line_before(&self, places: &[Place], from: usize, at: usize) -> Place {
        for index in (0..=from.min(self.spans.len().saturating_sub(1))).rev() {
            let Some(span) = self.spans.get(index) else { break };
            let start = places[index];
            if is_plain(span)
                && let Some(line) = self
                    .shown
                    .after_last_lf(start.shown, at.clamp(start.shown, start.shown + span.len))
            {
                return inside(start, span, line);
            }
        }
        Place::default()
    }

    /// The first line that starts behind `at`, in span `from` or behind it.
    fn line_after(&self, places: &[Place], from: usize, at: usize) -> Place {
        let spans = self.spans.iter().zip(places.iter().copied());
        for (span, start) in spans.skip(from) {
            let end = start.shown + span.len;
            if is_plain(span)
                && let Some(line) = self.shown.after_first_lf(at.clamp(start.shown, end), end)
            {
                return Place { inner: line - start.shown, shown: line, ..start };
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

    /// Whether the hunks of a window are all that there is to know: a file that is being created
    /// or deleted is one hunk as a whole.
    pub fn has_windows(&self) -> bool {
        self.create.is_none() && self.appeared.is_none() && self.deletion.is_none()
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
