//! `undo_edit` (DESIGN, section 3): a thread takes its last op on a file back.

use redline_audit::{Author, Decision};
use redline_layers::{OpId, PieceId, PieceState, Projection, ThreadId};
use redline_text::{Document, Edit, Text};

use super::{Session, file::File};
use crate::{DiskText, Reply, Ticket, WithdrawError, Withdrawn, WorkspacePath};

impl Session {
    pub(super) fn withdraw(&mut self, ticket: Ticket, path: &WorkspacePath, thread: &ThreadId) {
        let result = self.withdrawn(path, thread);
        self.reply(ticket, Reply::Withdrawn(result.map(Box::new)));
    }

    /// What waits is withdrawn at once: the editor never had it. What the editor has belongs to the
    /// user: its inverse is handed back, to be proposed like any edit.
    fn withdrawn(
        &mut self,
        path: &WorkspacePath,
        thread: &ThreadId,
    ) -> Result<Withdrawn, WithdrawError> {
        let agent = Projection::Agent(thread.clone());
        let file = self.files.get_mut(path).ok_or(WithdrawError::Nothing)?;
        let op = file.last_op(thread).ok_or(WithdrawError::Nothing)?;
        let state = |file: &File, wanted: &[PieceState]| -> Vec<PieceId> {
            let pieces = file.layers.pieces().filter(|piece| piece.id.op == op);
            pieces.filter(|piece| wanted.contains(&piece.state)).map(|piece| piece.id).collect()
        };
        if !state(file, &[PieceState::Accepting]).is_empty() {
            return Err(WithdrawError::Busy);
        }
        let waiting = state(file, &[PieceState::Pending, PieceState::Conflict]);
        let inside = state(file, &[PieceState::Applied, PieceState::Accepted]);
        let skipped = state(file, &[PieceState::Rejected]).len();
        if file.layers.creates(&inside) {
            return Err(WithdrawError::Created);
        }
        if file.layers.deletes(&inside) {
            return self.undeleted(path, thread, op);
        }
        let before = file.layers.project(&agent);
        // Tried on a copy: a refusal changes nothing.
        let mut layers = file.layers.clone();
        layers.withdraw(&waiting);
        let parts = layers.components(&inside, PieceState::Pending);
        let inverse: Vec<Edit> = parts.into_iter().filter_map(|part| part.edit).collect();
        let inverse = layers.carried(&inverse, &agent).ok_or(WithdrawError::Overlaps)?;
        self.audit_pieces(path, &waiting, Decision::Withdrawn, Author::Agent);
        let file = self.files.get_mut(path).ok_or(WithdrawError::Nothing)?;
        file.layers = layers;
        file.limbo = None;
        file.undone_ops.insert(op);
        self.touch(path);
        let snapshot = self.snapshot_in(path, &agent).ok_or(WithdrawError::Nothing)?;
        Ok(Withdrawn {
            before,
            snapshot,
            inverse,
            withdrawn: waiting.len(),
            inside: inside.len(),
            restore: None,
            skipped,
        })
    }

    /// The file is gone: what it was is handed back, to be proposed.
    fn undeleted(
        &mut self,
        path: &WorkspacePath,
        thread: &ThreadId,
        op: OpId,
    ) -> Result<Withdrawn, WithdrawError> {
        let file = self.files.get_mut(path).ok_or(WithdrawError::Nothing)?;
        if file.open.is_some() {
            return Err(WithdrawError::StillOpen);
        }
        let text = file.layers.deleted_text().cloned().ok_or(WithdrawError::Nothing)?;
        let document = Document { text, format: file.format };
        let restore = Some(DiskText::new(document).with_mode(file.mode));
        file.limbo = None;
        file.undone_ops.insert(op);
        let agent = Projection::Agent(thread.clone());
        let snapshot = self.snapshot_in(path, &agent).ok_or(WithdrawError::Nothing)?;
        Ok(Withdrawn {
            before: Text::default(),
            snapshot,
            inverse: Vec::new(),
            withdrawn: 0,
            inside: 1,
            restore,
            skipped: 0,
        })
    }
}

impl File {
    /// The newest op of the thread of which something is left to take back.
    fn last_op(&self, thread: &ThreadId) -> Option<OpId> {
        let mine = |op: &&OpId| {
            self.ops.get(op).is_some_and(|info| info.origin.thread == *thread)
                && !self.undone_ops.contains(op)
                && self.ops.get(op).is_some_and(|info| info.origin.tool != "undo_edit")
        };
        let left = |op: &&OpId| {
            let mut pieces = self.layers.pieces().filter(|piece| piece.id.op == **op);
            pieces.any(|piece| piece.state != PieceState::Rejected)
        };
        self.ops.keys().rev().filter(mine).find(left).copied()
    }
}
