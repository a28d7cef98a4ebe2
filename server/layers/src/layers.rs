//! The text with its provenance, and its projections.

use std::collections::BTreeMap;

use redline_text::{Edit, Text};

use crate::{
    HunkId, Piece, PieceId, PieceState, Revision, ThreadId,
    delete::Deletion,
    resolve::Decided,
    span::{By, Span},
};

/// One file's text with provenance. Cloning is cheap (ropes share their chunks), so that a decision
/// can be tried on a copy.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    pub(crate) spans: Vec<Span>,
    /// The text of the spans that the editor shows, in order: the editor's text, byte for byte.
    pub(crate) shown: Text,
    /// The text of all other spans, in order.
    pub(crate) hidden: Text,
    pub(crate) pieces: BTreeMap<PieceId, Piece>,
    /// What the user decided and can still take back.
    pub(crate) decided: BTreeMap<HunkId, Decided>,
    /// The piece that creates the file; `None`: it exists.
    pub(crate) create: Option<PieceId>,
    /// The newest proposal to delete the file.
    pub(crate) deletion: Option<Deletion>,
    /// The piece that created it until it appeared by other means.
    pub(crate) appeared: Option<PieceId>,
    pub(crate) revision: Revision,
}

/// A way of looking at the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// Base, the user's and tools' edits, accepted and applied pieces: the editor's buffer.
    Editor,
    /// The editor's, with the pending pieces of one thread.
    Agent(ThreadId),
    /// The editor's, without applied pieces that the user has not kept.
    Base,
}

impl Projection {
    /// Whether a piece is active in this projection.
    pub(crate) fn has(&self, piece: &Piece) -> bool {
        match self {
            Projection::Editor => piece.state.in_editor(),
            Projection::Agent(thread) if piece.thread == *thread => piece.state.in_agent(),
            Projection::Agent(_) => piece.state.in_editor(),
            Projection::Base => piece.state == PieceState::Accepted,
        }
    }
}

impl Layers {
    /// A file that exists, with this text.
    pub fn new(text: Text) -> Self {
        let mut layers = Self { shown: text, ..Self::default() };
        if !layers.shown.is_empty() {
            layers.spans.push(Span::new(layers.shown.len(), By::Base, true));
        }
        layers
    }

    /// A file that does not exist: a place for an op that creates it.
    pub fn absent() -> Self {
        Self::default()
    }

    /// The editor's text.
    pub fn editor(&self) -> &Text {
        &self.shown
    }

    /// Counts every change of the text or of a piece's state.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The pieces that are not settled yet, oldest first.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.values()
    }

    /// Whether the file exists in a projection.
    pub fn exists(&self, projection: &Projection) -> bool {
        let deletion = self.deletion.as_ref().and_then(|it| self.pieces.get(&it.piece));
        if deletion.is_some_and(|piece| projection.has(piece)) {
            return false;
        }
        let piece = self.create.and_then(|id| self.pieces.get(&id));
        piece.is_none_or(|piece| projection.has(piece))
    }

    /// The text of a projection. Cost: the number of spans and of differing bytes.
    pub fn project(&self, projection: &Projection) -> Text {
        match projection {
            Projection::Editor => self.shown.clone(),
            _ => self.view(|piece| projection.has(piece)),
        }
    }

    /// The text in which exactly the pieces that `active` picks are active.
    pub(crate) fn view(&self, active: impl Fn(&Piece) -> bool) -> Text {
        let mut text = self.shown.clone();
        text.apply_all(&self.flips(|span| self.visible(span, &active)));
        text
    }

    /// The edits of the shown text that make it the text in which `visible` spans are visible.
    pub(crate) fn flips(&self, visible: impl Fn(&Span) -> bool) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        let (mut s, mut h) = (0, 0);
        for span in &self.spans {
            match (span.shown, visible(span)) {
                (true, false) => push(&mut edits, Edit::new(s..s + span.len, "")),
                (false, true) => {
                    push(&mut edits, Edit::new(s..s, self.hidden.slice(h..h + span.len)));
                }
                _ => {}
            }
            if span.shown { s += span.len } else { h += span.len }
        }
        edits
    }

    /// Whether one of the pieces creates the file.
    pub fn creates(&self, pieces: &[PieceId]) -> bool {
        self.create.is_some_and(|id| pieces.contains(&id))
    }

    /// Whose proposal to create the file waits for the user.
    pub fn creator(&self) -> Option<&ThreadId> {
        let piece = self.pieces.get(&self.create?)?;
        let waits = matches!(piece.state, PieceState::Pending | PieceState::Accepting);
        waits.then_some(&piece.thread)
    }

    /// Edits of the editor's text as edits of a projection. `None`: what the projection shows otherwise
    /// lies in one of them.
    pub fn carried(&self, edits: &[Edit], to: &Projection) -> Option<Vec<Edit>> {
        let flips = self.flips(|span| self.visible(span, &|piece| to.has(piece)));
        let carry = |edit: &Edit| {
            let Edit { range, new } = edit;
            let apart =
                |flip: &&Edit| flip.range.end <= range.start || range.end <= flip.range.start;
            let before = flips.iter().filter(|flip| flip.range.end <= range.start);
            let shift: isize = before.map(Edit::delta).sum();
            let at = |at: usize| at.saturating_add_signed(shift);
            let fits = flips.iter().filter(apart).count() == flips.len();
            fits.then(|| Edit::new(at(range.start)..at(range.end), new.as_str()))
        };
        edits.iter().map(carry).collect()
    }

    pub(crate) fn visible(&self, span: &Span, active: &impl Fn(&Piece) -> bool) -> bool {
        let is_active = |id: &PieceId| self.pieces.get(id).is_some_and(active);
        let inserted = match span.by {
            By::Piece(id) => is_active(&id),
            By::Base | By::User => true,
        };
        inserted && span.deleted.is_none() && !span.gone.iter().any(is_active)
    }
}

/// Appends an edit, joined with the last one where they touch.
fn push(edits: &mut Vec<Edit>, edit: Edit) {
    match edits.last_mut() {
        Some(last) if last.range.end == edit.range.start => {
            last.range.end = edit.range.end;
            last.new.push_str(&edit.new);
        }
        _ => edits.push(edit),
    }
}
