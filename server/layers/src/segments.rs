//! Groups of lines that hunks are made of.

use std::{collections::BTreeMap, ops::Range};

use crate::{Layers, Piece, PieceId, PieceState, span::Span, window::Window};

/// Which pieces a walk is about.
pub(crate) type Picked<'a> = &'a dyn Fn(PieceId) -> bool;

impl Layers {
    /// Groups of lines in a window that hold spans of the picked pieces. A group ends where a line
    /// starts in the editor's text, in the text without and in the text with the picked pieces alike.
    pub(crate) fn segments_in(&self, window: &Window, picked: Picked<'_>) -> Vec<Segment> {
        let mut walk = Walk { place: window.start, anchor: window.start, ..Walk::default() };
        let spans = self.spans.iter().enumerate().take(window.end.index + 1);
        for (index, span) in spans.skip(window.start.index) {
            let from = if index == window.start.index { window.start.inner } else { 0 };
            let to = if index == window.end.index { window.end.inner } else { span.len };
            (walk.place.index, walk.place.inner) = (index, from);
            if to <= from {
                continue;
            }
            let touched = span.is_touched() && self.can_show(span, picked);
            let pieces: Vec<PieceId> = span.pieces().filter(|&id| touched && picked(id)).collect();
            if !pieces.is_empty() {
                walk.touched(self, span, pieces, picked);
            } else if span.shown {
                walk.plain(self, to - from);
            } else {
                walk.place.hidden += span.len;
            }
        }
        (walk.place.index, walk.place.inner) = (window.end.index, window.end.inner);
        walk.close();
        join_by_piece(walk.segments)
    }
}

/// A place in the span list, with the bytes of both ropes before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub index: usize,
    pub inner: usize,
    pub shown: usize,
    pub hidden: usize,
}

/// Whole lines with the picked pieces in them.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub start: Place,
    pub end: Place,
    pub shown: Range<usize>,
    pub pieces: Vec<PieceId>,
}

impl Segment {
    pub fn whole(layers: &Layers, pieces: Vec<PieceId>) -> Self {
        let end = Place { index: layers.spans.len(), ..Place::default() };
        Segment { start: Place::default(), end, shown: 0..layers.shown.len(), pieces }
    }

    /// The place where pieces are that nothing is to be seen of: the start of its line.
    pub fn empty(layers: &Layers, pieces: &[PieceId]) -> Option<Self> {
        let mut at = 0;
        let mine = |span: &&Span| {
            let mine = span.pieces().any(|id| pieces.contains(&id));
            at += if span.shown && !mine { span.len } else { 0 };
            mine
        };
        layers.spans.iter().find(mine)?;
        let line = layers.shown.after_last_lf(0, at).unwrap_or(0);
        let end = Place { index: layers.spans.len(), ..Place::default() };
        Some(Segment { start: end, end, shown: line..line, pieces: Vec::new() })
    }

    pub fn joined(mut self, next: Segment) -> Segment {
        self.end = next.end;
        self.shown.end = next.shown.end;
        self.pieces.extend(next.pieces);
        self.pieces.sort_unstable();
        self.pieces.dedup();
        self
    }
}

/// Whether each of the texts of a hunk is at the start of a line.
#[derive(Debug, Clone, Copy)]
struct LineStart {
    editor: bool,
    without: bool,
    with: bool,
    /// With all of them but those that have lost their place.
    live: bool,
}

impl Default for LineStart {
    fn default() -> Self {
        Self::all(true)
    }
}

impl LineStart {
    fn all(start: bool) -> Self {
        Self { editor: start, without: start, with: start, live: start }
    }

    fn everywhere(self) -> bool {
        self.editor && self.without && self.with && self.live
    }
}

#[derive(Default)]
struct Walk {
    place: Place,
    /// The last place where a line starts in all texts.
    anchor: Place,
    lines: LineStart,
    open: Option<(Place, Vec<PieceId>)>,
    segments: Vec<Segment>,
}

impl Walk {
    fn touched(&mut self, layers: &Layers, span: &Span, pieces: Vec<PieceId>, picked: Picked<'_>) {
        if self.lines.everywhere() {
            self.close();
            self.anchor = self.place;
        }
        let anchor = self.anchor;
        self.open.get_or_insert((anchor, Vec::new())).1.extend(pieces);
        let at = if span.shown { &mut self.place.shown } else { &mut self.place.hidden };
        *at += span.len;
        let last = *at - 1;
        let rope = if span.shown { &layers.shown } else { &layers.hidden };
        let ends_line = rope.byte(last) == Some(b'\n');
        if span.shown {
            self.lines.editor = ends_line;
        }
        if layers.visible(span, &|p| p.state.in_editor() && !picked(p.id)) {
            self.lines.without = ends_line;
        }
        if layers.visible(span, &|p| p.state.in_editor() || picked(p.id)) {
            self.lines.with = ends_line;
        }
        let live = |p: &Piece| picked(p.id) && p.state != PieceState::Conflict;
        if layers.visible(span, &|p| p.state.in_editor() || live(p)) {
            self.lines.live = ends_line;
        }
    }

    fn plain(&mut self, layers: &Layers, len: usize) {
        let (from, to) = (self.place.shown, self.place.shown + len);
        if self.lines.everywhere() {
            self.close();
            self.anchor = self.place;
        } else if self.open.is_some()
            && let Some(line) = layers.shown.after_first_lf(from, to)
        {
            self.step(line);
            self.close();
        }
        if let Some(line) = layers.shown.after_last_lf(self.place.shown, to) {
            self.step(line);
        }
        let at_line_start = self.anchor.shown == to && self.anchor.index == self.place.index;
        self.lines = LineStart::all(at_line_start);
        self.place.shown = to;
    }

    /// Moves to the start of a line inside the current plain span.
    fn step(&mut self, line: usize) {
        self.place.inner += line - self.place.shown;
        self.place.shown = line;
        self.anchor = self.place;
    }

    fn close(&mut self) {
        if let Some((start, mut pieces)) = self.open.take() {
            pieces.sort_unstable();
            pieces.dedup();
            let shown = start.shown..self.place.shown;
            self.segments.push(Segment { start, end: self.place, shown, pieces });
        }
    }
}

/// Joins segments that hold the same piece, with all that lie between them.
fn join_by_piece(segments: Vec<Segment>) -> Vec<Segment> {
    let mut last: BTreeMap<PieceId, usize> = BTreeMap::new();
    for (index, segment) in segments.iter().enumerate() {
        last.extend(segment.pieces.iter().map(|&id| (id, index)));
    }
    let mut joined: Vec<Segment> = Vec::new();
    let mut reach = None;
    for (index, segment) in segments.into_iter().enumerate() {
        let far = segment.pieces.iter().filter_map(|id| last.get(id)).max().copied();
        match joined.pop() {
            Some(open) if reach >= Some(index) => joined.push(open.joined(segment)),
            before => {
                joined.extend(before);
                joined.push(segment);
            }
        }
        reach = reach.max(far);
    }
    joined
}
