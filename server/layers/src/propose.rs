//! Proposing: an op becomes pieces in the span list.

use redline_text::Edit;

use crate::{
    Layers, Op, Piece, PieceId, PieceState, Projection,
    lines::{Plain, whole_lines},
    span::{By, Span},
};

impl Layers {
    /// Adds an op as pending pieces and returns them in file order. Edits that change nothing make
    /// no piece, except that a creation always has one. Old text that the op's own pending pieces
    /// inserted is deleted like any other: the spans then have two pieces and decide together.
    /// Making a file again that was deleted ends the way back to the deletion.
    pub fn propose(&mut self, op: &Op) -> Vec<PieceId> {
        if op.deletes {
            return vec![self.propose_deletion(op)];
        }
        if op.creates && self.is_deleted() {
            self.bury();
        }
        let agent = Projection::Agent(op.thread.clone());
        let before = self.project(&agent);
        let trimmed = op.edits.iter().map(|edit| edit.trimmed(&before).widened(&before));
        let mut edits: Vec<Edit> =
            trimmed.filter(|edit| op.creates || !edit.is_noop(&before)).collect();
        whole_lines(&mut edits, &before, &Plain::of(self, &agent));
        let ids: Vec<PieceId> =
            (0..edits.len()).map(|i| PieceId { op: op.id, index: i as u32 }).collect();
        Weaver::new(self, op).weave(&edits, &ids);
        for &id in &ids {
            let state = PieceState::Pending;
            let piece = Piece { id, thread: op.thread.clone(), state, by_rule: false, lost: false };
            self.pieces.insert(id, piece);
        }
        if op.creates {
            // A rejected creation can't come back under a new one.
            if let Some(old) = std::mem::replace(&mut self.create, ids.first().copied()) {
                self.decided.retain(|_, decided| !decided.pieces.contains(&old));
                self.forget(&[old]);
            }
        }
        self.revision.bump();
        ids
    }
}

/// Rebuilds the span list in one pass, so that a replacement of ten thousand matches costs no more
/// than one walk over the file's spans.
struct Weaver<'a> {
    layers: &'a mut Layers,
    projection: Projection,
    spans: Vec<Span>,
    /// Bytes of the projection, of the hidden rope (as it was) passed so far.
    at: usize,
    hidden: usize,
    inserts: Vec<Edit>,
}

impl<'a> Weaver<'a> {
    fn new(layers: &'a mut Layers, op: &Op) -> Self {
        let projection = Projection::Agent(op.thread.clone());
        let spans = Vec::with_capacity(layers.spans.len() + 3 * op.edits.len());
        Self { layers, projection, spans, at: 0, hidden: 0, inserts: Vec::new() }
    }

    fn weave(mut self, edits: &[Edit], ids: &[PieceId]) {
        let mut todo = edits.iter().zip(ids.iter().copied()).peekable();
        for mut span in std::mem::take(&mut self.layers.spans) {
            let projection = &self.projection;
            let visible = self.layers.visible(&span, &|piece: &Piece| projection.has(piece));
            // Inserting as soon as the place is reached puts new text right behind the old text
            // that it replaces, and before anything that the thread does not see there.
            self.insert_due(&mut todo);
            while let Some(cut) = self.cut(todo.peek()).filter(|cut| visible && *cut < span.len) {
                let rest = span.split_off(cut);
                self.pass(span, true, todo.peek());
                span = rest;
                self.insert_due(&mut todo);
            }
            self.pass(span, visible, todo.peek());
        }
        self.insert_due(&mut todo);
        self.layers.spans = self.spans;
        self.layers.hidden.apply_all(&self.inserts);
    }

    /// Bytes from here to the next border of the next edit.
    fn cut(&self, next: Option<&(&Edit, PieceId)>) -> Option<usize> {
        let (edit, _) = next?;
        let border = if edit.range.start > self.at { edit.range.start } else { edit.range.end };
        Some(border - self.at)
    }

    fn pass(&mut self, mut span: Span, visible: bool, next: Option<&(&Edit, PieceId)>) {
        if let Some((edit, id)) = next
            && visible
            && edit.range.start <= self.at
        {
            span.gone.push(*id);
        }
        self.at += if visible { span.len } else { 0 };
        self.hidden += if span.shown { 0 } else { span.len };
        self.spans.push(span);
    }

    fn insert_due<'e>(
        &mut self,
        todo: &mut std::iter::Peekable<impl Iterator<Item = (&'e Edit, PieceId)>>,
    ) {
        while let Some((edit, id)) = todo.next_if(|(edit, _)| edit.range.end <= self.at) {
            if !edit.new.is_empty() {
                self.spans.push(Span::new(edit.new.len(), By::Piece(id), false));
                self.inserts.push(Edit::new(self.hidden..self.hidden, edit.new.as_str()));
            }
        }
    }
}
