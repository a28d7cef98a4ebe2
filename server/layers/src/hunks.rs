//! Hunks: what the user sees and decides.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    HunkId, Layers, Piece, PieceId, PieceState,
    segments::Segment,
    span::{By, Span},
    window::Window,
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
        if let Some(deletion) = self.open_deletion() {
            return vec![self.deletion_hunk(deletion)];
        }
        // What waited in a file that is gone waits for nobody.
        if self.is_deleted() {
            return Vec::new();
        }
        let undecided = self.undecided(self.pieces.keys().copied());
        if let Some(create) = self.create.filter(|id| undecided.contains(id)) {
            let whole = Segment::whole(self, undecided);
            return vec![self.hunk(HunkId(create), &whole)];
        }
        self.live_hunks(&Window::whole(self), &undecided)
    }

    pub(crate) fn undecided_in(&self, window: &Window) -> Vec<Hunk> {
        self.live_hunks(window, &self.undecided(window.pieces().iter().copied()))
    }

    fn undecided(&self, ids: impl Iterator<Item = PieceId>) -> Vec<PieceId> {
        ids.filter(|id| self.state(*id).is_some_and(PieceState::is_undecided)).collect()
    }

    fn live_hunks(&self, window: &Window, undecided: &[PieceId]) -> Vec<Hunk> {
        let segments = self.segments_in(window, &|id| undecided.binary_search(&id).is_ok());
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

    /// What was decided and can still be reopened, shown or not, oldest first.
    pub fn decided(&self) -> impl Iterator<Item = (HunkId, &[PieceId])> {
        self.decided.iter().map(|(id, decided)| (*id, decided.pieces.as_slice()))
    }

    pub(crate) fn decided_hunk(&self, id: HunkId) -> Option<Hunk> {
        self.decided_hunk_in(id, &Window::whole(self))
    }

    /// A decided hunk, all of whose pieces lie in the window.
    pub(crate) fn decided_hunk_in(&self, id: HunkId, window: &Window) -> Option<Hunk> {
        let pieces = &self.decided.get(&id)?.pieces;
        let is_decided = |id: &PieceId| self.state(*id).is_some_and(|state| !state.is_undecided());
        if !pieces.iter().all(is_decided) {
            return None;
        }
        if let Some(deletion) = self.deletion.as_ref().filter(|it| pieces.contains(&it.piece)) {
            return Some(self.deletion_hunk(deletion));
        }
        if self.is_deleted() {
            return None;
        }
        let mut segments = self.segments_in(window, &|piece| pieces.contains(&piece)).into_iter();
        // What the user has deleted since leaves its place, and a created file itself.
        let creates = self.create.is_some_and(|id| pieces.contains(&id));
        let first = match segments.next() {
            None if creates => Segment::whole(self, Vec::new()),
            None => Segment::empty(self, pieces)?,
            Some(first) => first,
        };
        let mut all = segments.fold(first, Segment::joined);
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

    pub(crate) fn state(&self, id: PieceId) -> Option<PieceState> {
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
    pub(crate) fn can_show(&self, span: &Span, picked: &dyn Fn(PieceId) -> bool) -> bool {
        let active = |id| self.pieces.get(&id).is_some_and(|piece| piece.state.in_editor());
        let inserted = match span.by {
            By::Piece(id) => picked(id) || active(id),
            By::Base | By::User => true,
        };
        let kept = span.gone.iter().all(|&id| picked(id) || !active(id));
        inserted && kept && span.deleted.is_none()
    }
}
