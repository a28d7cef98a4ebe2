//! Hunks: what the user sees and decides.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{
    HunkId, Layers, Piece, PieceId, PieceState,
    span::{By, Span},
};

/// A closure of pieces that share lines, in whole lines of the editor's text. Lines end with LF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// Named after its oldest undecided piece.
    pub id: HunkId,
    /// The state of its pieces; with a pending one among them: `Pending`.
    pub state: PieceState,
    /// Its pieces, oldest first.
    pub pieces: Vec<PieceId>,
    /// The user typed strictly inside one of its pieces after that was made.
    pub mixed: bool,
    /// Bytes of the editor's text: whole lines. Rejected: empty, at its place.
    pub range: Range<usize>,
    /// Undecided: the editor's text of `range`. In the editor (applied, accepted): what undoing
    /// puts there.
    pub old: String,
    /// Undecided: exactly what accepting puts there. In the editor: the text of `range`.
    pub new: String,
}

impl Layers {
    /// The undecided hunks, in file order. A hunk that would change nothing any more (the user did
    /// the same by hand) is left out.
    pub fn hunks(&self) -> Vec<Hunk> {
        let undecided: Vec<PieceId> =
            self.pieces.values().filter(|p| p.state.is_undecided()).map(|p| p.id).collect();
        let creating = self.create.filter(|id| undecided.contains(id));
        if let Some(create) = creating {
            let whole = Segment::whole(self, undecided);
            return vec![self.hunk(HunkId(create), &whole)];
        }
        let segments = self.segments(&|id| undecided.binary_search(&id).is_ok());
        let named = segments.iter().filter_map(|s| Some((HunkId(*s.pieces.first()?), s)));
        named.filter_map(|(id, segment)| self.live_hunk(id, segment)).collect()
    }

    /// The hunk of a segment. If what waits in it would change nothing, what a rule applied remains.
    fn live_hunk(&self, id: HunkId, segment: &Segment) -> Option<Hunk> {
        let hunk = self.hunk(id, segment);
        if hunk.old != hunk.new || hunk.state == PieceState::Conflict {
            return Some(hunk);
        }
        let mut segment = segment.clone();
        segment.pieces.retain(|id| {
            self.pieces.get(id).is_some_and(|piece| piece.state == PieceState::Applied)
        });
        let rest = self.hunk(HunkId(*segment.pieces.first()?), &segment);
        (rest.old != rest.new).then_some(rest)
    }

    /// The hunks that were decided and can still be reopened, oldest first.
    pub fn decided_hunks(&self) -> Vec<Hunk> {
        self.decided.keys().filter_map(|&id| self.decided_hunk(id)).collect()
    }

    pub(crate) fn decided_hunk(&self, id: HunkId) -> Option<Hunk> {
        let pieces = &self.decided.get(&id)?.pieces;
        let is_decided =
            |id: &PieceId| self.pieces.get(id).is_some_and(|piece| !piece.state.is_undecided());
        if !pieces.iter().all(is_decided) {
            return None;
        }
        let mut segments = self.segments(&|piece| pieces.contains(&piece)).into_iter();
        let mut all = segments.next().unwrap_or_else(|| Segment::whole(self, Vec::new()));
        all = segments.fold(all, Segment::joined);
        all.pieces.clone_from(pieces);
        Some(self.hunk(id, &all))
    }

    fn hunk(&self, id: HunkId, segment: &Segment) -> Hunk {
        let state = self.state_of(&segment.pieces);
        let takes = self.taken(&segment.pieces);
        let mine = |piece: &Piece| takes.contains(&piece.id);
        let without = |p: &Piece| p.state.in_editor() && !mine(p);
        let with = |p: &Piece| p.state.in_editor() || mine(p);
        let (old, new) = match state {
            PieceState::Applied | PieceState::Accepted => {
                (self.segment_text(segment, &without), self.segment_text(segment, &with))
            }
            _ => {
                let now = |p: &Piece| p.state.in_editor();
                (self.segment_text(segment, &now), self.segment_text(segment, &with))
            }
        };
        let mut range = segment.shown.clone();
        if state == PieceState::Rejected {
            range.end = range.start;
        }
        let mixed = self.is_mixed(segment);
        Hunk { id, state, pieces: segment.pieces.clone(), mixed, range, old, new }
    }

    /// The pieces of a hunk that accepting it takes: neither those that lose to another thread's nor,
    /// beside others, those that have lost their place already.
    pub(crate) fn taken(&self, pieces: &[PieceId]) -> Vec<PieceId> {
        let lost = |id: &PieceId| self.state(*id) == Some(PieceState::Conflict);
        let losers = self.losers(pieces);
        let all_lost = pieces.iter().all(lost);
        let takes = |id: &PieceId| !losers.contains(id) && (all_lost || !lost(id));
        pieces.iter().copied().filter(takes).collect()
    }

    fn state(&self, id: PieceId) -> Option<PieceState> {
        self.pieces.get(&id).map(|piece| piece.state)
    }

    /// Pieces of other threads than the oldest one's that delete what a piece of that one deletes:
    /// the oldest goes first, they are in conflict once it is accepted.
    pub(crate) fn losers(&self, pieces: &[PieceId]) -> Vec<PieceId> {
        let thread = |id: &PieceId| self.pieces.get(id).map(|piece| &piece.thread);
        let winner = pieces.first().and_then(thread);
        let mut rivals: Vec<PieceId> = pieces.to_vec();
        rivals.retain(|id| thread(id) != winner);
        if rivals.is_empty() {
            return rivals;
        }
        let wins = |id: &PieceId| pieces.contains(id) && thread(id) == winner;
        let contested: Vec<&Span> = self.spans.iter().filter(|s| s.gone.iter().any(wins)).collect();
        rivals.retain(|id| contested.iter().any(|span| span.gone.contains(id)));
        rivals
    }

    fn state_of(&self, pieces: &[PieceId]) -> PieceState {
        let states = || pieces.iter().filter_map(|id| Some(self.pieces.get(id)?.state));
        let order = [
            PieceState::Accepting,
            PieceState::Pending,
            PieceState::Conflict,
            PieceState::Applied,
            PieceState::Accepted,
        ];
        let first = order.into_iter().find(|&want| states().any(|state| state == want));
        first.unwrap_or(PieceState::Rejected)
    }

    /// Whether text of the user's lies between the first and the last span of one piece. All spans
    /// of a segment's pieces that can be shown lie in the segment.
    fn is_mixed(&self, segment: &Segment) -> bool {
        let end = (segment.end.index + 1).min(self.spans.len());
        let window = segment.start.index.min(end)..end;
        segment.pieces.iter().any(|&id| !self.user_spans_within(id, window.clone()).is_empty())
    }

    /// The indices of the shown spans of the user's strictly inside a piece.
    pub(crate) fn user_spans_inside(&self, id: PieceId) -> Vec<usize> {
        self.user_spans_within(id, 0..self.spans.len())
    }

    fn user_spans_within(&self, id: PieceId, window: Range<usize>) -> Vec<usize> {
        let open = |other: PieceId| {
            other == id || self.pieces.get(&other).is_some_and(|piece| piece.state.is_undecided())
        };
        let touches =
            |span: &Span| span.pieces().any(|piece| piece == id) && self.can_show(span, &open);
        let mut found = window.filter(|&index| touches(&self.spans[index]));
        let Some(first) = found.next() else { return Vec::new() };
        let last = found.next_back().unwrap_or(first);
        let typed = |span: &Span| span.shown && span.by == By::User && !touches(span);
        (first..last).filter(|&index| typed(&self.spans[index])).collect()
    }

    fn segment_text(&self, segment: &Segment, active: &impl Fn(&Piece) -> bool) -> String {
        let mut text = String::new();
        let mut at = segment.start;
        for index in segment.start.index..self.spans.len() {
            let span = &self.spans[index];
            let skip = if index == at.index { at.inner } else { 0 };
            let end = if index == segment.end.index { segment.end.inner } else { span.len };
            if index > segment.end.index || end < skip {
                break;
            }
            let (rope, from) = if span.shown {
                (&self.shown, &mut at.shown)
            } else {
                (&self.hidden, &mut at.hidden)
            };
            if self.visible(span, active) {
                text.push_str(&rope.slice(*from..*from + (end - skip)));
            }
            *from += end - skip;
        }
        text
    }

    /// Whether some decision on the picked pieces would show the span.
    fn can_show(&self, span: &Span, picked: &dyn Fn(PieceId) -> bool) -> bool {
        let active = |id| self.pieces.get(&id).is_some_and(|piece| piece.state.in_editor());
        let inserted = match span.by {
            By::Piece(id) => picked(id) || active(id),
            By::Base | By::User => true,
        };
        let kept = span.gone.iter().all(|&id| picked(id) || !active(id));
        inserted && kept && span.deleted.is_none()
    }

    /// Groups of lines that hold spans of the picked pieces. A group ends where a line starts in
    /// the editor's text, in the text without and in the text with the picked pieces alike.
    fn segments(&self, picked: &dyn Fn(PieceId) -> bool) -> Vec<Segment> {
        let mut walk = Walk::default();
        for (index, span) in self.spans.iter().enumerate() {
            walk.place.index = index;
            walk.place.inner = 0;
            let touched = span.is_touched() && self.can_show(span, picked);
            let pieces: Vec<PieceId> = span.pieces().filter(|&id| touched && picked(id)).collect();
            if !pieces.is_empty() {
                walk.touched(self, span, pieces, picked);
            } else if span.shown {
                walk.plain(self, span);
            } else {
                walk.place.hidden += span.len;
            }
        }
        walk.place.index = self.spans.len();
        walk.place.inner = 0;
        walk.close();
        join_by_piece(walk.segments)
    }
}

/// A place in the span list, with the bytes of both ropes before it.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    index: usize,
    inner: usize,
    shown: usize,
    hidden: usize,
}

#[derive(Debug, Clone)]
struct Segment {
    start: Place,
    end: Place,
    shown: Range<usize>,
    pieces: Vec<PieceId>,
}

impl Segment {
    fn whole(layers: &Layers, pieces: Vec<PieceId>) -> Self {
        let end = Place { index: layers.spans.len(), ..Place::default() };
        Segment { start: Place::default(), end, shown: 0..layers.shown.len(), pieces }
    }

    fn joined(mut self, next: Segment) -> Segment {
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
    fn touched(
        &mut self,
        layers: &Layers,
        span: &Span,
        pieces: Vec<PieceId>,
        picked: &dyn Fn(PieceId) -> bool,
    ) {
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

    fn plain(&mut self, layers: &Layers, span: &Span) {
        let (from, to) = (self.place.shown, self.place.shown + span.len);
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
