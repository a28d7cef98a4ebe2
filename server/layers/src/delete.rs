//! Deleting the file: a piece without text of its own.
//!
//! A deletion says that the file is not there; the spans stay as they are. So an editor that still
//! shows a deleted file has the text that it has, typing in it is where it was typed, and taking the
//! deletion back brings everything back. While it waits, or once it is made, it is the only hunk of
//! the file: what else its thread proposed there is rejected with it, and what other threads proposed
//! is not shown, until it is rejected.

use redline_text::Text;

use crate::{
    Decision, Hunk, HunkId, Layers, Op, Piece, PieceId, PieceState, PlanItem, ThreadId,
    resolve::Decided,
};

/// The proposal to delete the file.
#[derive(Debug, Clone)]
pub(crate) struct Deletion {
    pub piece: PieceId,
    /// The editor's text when it was proposed: what is deleted.
    pub text: Text,
}

impl Layers {
    /// Whether one of the pieces deletes the file.
    pub fn deletes(&self, pieces: &[PieceId]) -> bool {
        self.deletion.as_ref().is_some_and(|it| pieces.contains(&it.piece))
    }

    /// The newest proposal to delete the file, decided or not.
    pub fn deletion(&self) -> Option<&Piece> {
        self.pieces.get(&self.deletion.as_ref()?.piece)
    }

    /// What that deletes: the editor's text when it was proposed.
    pub fn deleted_text(&self) -> Option<&Text> {
        Some(&self.deletion.as_ref()?.text)
    }

    /// Whether the file was deleted: the editor's text is that of a buffer without a file, or what
    /// taking it back brings.
    pub fn is_deleted(&self) -> bool {
        self.deletion().is_some_and(|piece| piece.state.in_editor())
    }

    /// Whether the deletion waits for the user.
    pub fn awaits_deletion(&self) -> bool {
        let waits = |state| matches!(state, PieceState::Pending | PieceState::Accepting);
        self.deletion().is_some_and(|piece| waits(piece.state))
    }

    /// Whether this thread has proposed to delete the file, and the user has not decided.
    pub fn awaits_deletion_by(&self, thread: &ThreadId) -> bool {
        self.awaits_deletion() && self.deletion().is_some_and(|piece| piece.thread == *thread)
    }

    /// The threads of proposals that wait in the file, beside its deletion.
    pub fn waiting_beside_deletion(&self) -> Vec<(ThreadId, usize)> {
        let mut waiting: Vec<(ThreadId, usize)> = Vec::new();
        let own = self.deletion().map(|piece| piece.thread.clone());
        let waits = |piece: &&Piece| {
            piece.state == PieceState::Pending && Some(&piece.thread) != own.as_ref()
        };
        for piece in self.pieces.values().filter(waits) {
            match waiting.iter_mut().find(|(thread, _)| *thread == piece.thread) {
                Some((_, count)) => *count += 1,
                None => waiting.push((piece.thread.clone(), 1)),
            }
        }
        waiting
    }

    pub(crate) fn propose_deletion(&mut self, op: &Op) -> PieceId {
        let id = PieceId { op: op.id, index: 0 };
        // A rejected deletion can't come back under a new one.
        if let Some(old) = self.deletion.take() {
            self.drop_decision(old.piece);
            self.pieces.remove(&old.piece);
        }
        // An accepted creation is the file's: reopening it under a deletion would mean nothing.
        let settled = |id: &PieceId| self.state(*id) == Some(PieceState::Accepted);
        if let Some(create) = self.create.filter(settled) {
            self.drop_decision(create);
        }
        let (thread, state) = (op.thread.clone(), PieceState::Pending);
        self.pieces.insert(id, Piece { id, thread, state, by_rule: false, lost: false });
        self.deletion = Some(Deletion { piece: id, text: self.shown.clone() });
        self.revision.bump();
        id
    }

    /// What was decided together with the piece is final.
    fn drop_decision(&mut self, piece: PieceId) {
        let mine = |decided: &&Decided| decided.pieces.contains(&piece);
        let dropped = self.decided.values().filter(mine).flat_map(|it| it.pieces.iter().copied());
        let dropped: Vec<PieceId> = dropped.collect();
        self.decided.retain(|_, decided| !decided.pieces.contains(&piece));
        self.forget(&dropped);
    }

    /// The deletion that the user still has to say something about.
    pub(crate) fn open_deletion(&self) -> Option<&Deletion> {
        let is_open = |it: &&Deletion| self.state(it.piece).is_some_and(PieceState::is_undecided);
        self.deletion.as_ref().filter(is_open)
    }

    /// The whole file. Made: nothing of it is in the editor's text, whatever its buffer shows.
    pub(crate) fn deletion_hunk(&self, deletion: &Deletion) -> Hunk {
        let state = self.state(deletion.piece).unwrap_or(PieceState::Rejected);
        let waits = state.is_undecided() && state != PieceState::Applied;
        let range = if waits { 0..self.shown.len() } else { 0..0 };
        let old = if state.in_editor() { &deletion.text } else { &self.shown };
        Hunk {
            id: HunkId(deletion.piece),
            state,
            pieces: vec![deletion.piece],
            mixed: waits && self.shown != deletion.text,
            range,
            old: old.to_string(),
            new: String::new(),
        }
    }

    /// Accepting would take what came into the file since: nobody has agreed to that.
    pub(crate) fn would_lose(&self, decision: Decision, hunk: &Hunk) -> bool {
        decision == Decision::Accept
            && hunk.state != PieceState::Applied
            && self.deletes(&hunk.pieces)
            && self.deleted_text().is_some_and(|text| *text != self.shown)
    }

    pub(crate) fn deletion_item(&self, decision: Decision, hunk: Hunk) -> PlanItem {
        let id = hunk.id.0;
        let own = self.pieces.get(&id).map(|piece| &piece.thread);
        let beside = |takes: &dyn Fn(&Piece) -> bool| -> Vec<PieceId> {
            let undecided = |piece: &&Piece| piece.id != id && piece.state.is_undecided();
            let taken = self.pieces.values().filter(undecided).filter(|piece| takes(piece));
            taken.map(|piece| piece.id).chain([id]).collect()
        };
        let waits = hunk.state != PieceState::Applied;
        let mut unkept = Vec::new();
        let (mut pieces, to) = match decision {
            Decision::Accept => (vec![id], PieceState::Accepted),
            Decision::Undo => (beside(&|_| true), PieceState::Rejected),
            Decision::Reject | Decision::Drop => {
                let mine = |piece: &Piece| {
                    waits && Some(&piece.thread) == own && piece.state != PieceState::Applied
                };
                (beside(&mine), PieceState::Rejected)
            }
            Decision::Reopen => {
                let decided = self.decided.get(&hunk.id).map(|it| it.pieces.clone());
                (decided.unwrap_or_else(|| vec![id]), PieceState::Pending)
            }
        };
        let by_rule = self.pieces.get(&id).is_some_and(|piece| piece.by_rule);
        if decision == Decision::Reopen && hunk.state == PieceState::Accepted && by_rule {
            unkept = std::mem::take(&mut pieces);
        }
        pieces.sort_unstable();
        PlanItem { hunk, pieces, to, unkept }
    }

    /// The file that was deleted is there again.
    pub(crate) fn come_back(&mut self) {
        if let Some(deletion) = self.deletion.take() {
            self.drop_decision(deletion.piece);
            self.pieces.remove(&deletion.piece);
            self.revision.bump();
        }
    }

    /// The file that was deleted is no more, and nobody can take that back.
    pub(crate) fn bury(&mut self) {
        let mut revision = self.revision;
        revision.bump();
        *self = Layers { revision, ..Layers::absent() };
    }
}
