//! A tool proposes a change.

use redline_layers::{Op, PieceId, PieceState, Projection, ThreadId};
use redline_text::{Edit, Text, line_edits};

use super::{
    Session,
    file::{File, OpInfo},
    jobs::{Job, Step},
};
use crate::{Change, Proposal, ProposeError, ProposeMode, Proposed, Reply, Snapshot, Ticket};

impl Session {
    pub(super) fn propose(&mut self, ticket: Ticket, proposal: Proposal) {
        match self.take_proposal(&proposal) {
            Err(error) => self.reply(ticket, Reply::Proposed(Err(error))),
            Ok((proposed, pieces)) => {
                self.touch(&proposed.file);
                match proposal.mode {
                    ProposeMode::Pending => self.reply(ticket, Reply::Proposed(Ok(proposed))),
                    ProposeMode::Applied => self.apply_at_once(ticket, proposed, pieces),
                }
            }
        }
    }

    fn apply_at_once(&mut self, ticket: Ticket, proposed: Proposed, pieces: Vec<PieceId>) {
        let path = proposed.file.clone();
        let call = self.open_proposal(ticket, proposed);
        self.queue(&path, Job { call, step: Step::Apply(pieces) });
        self.close_call(call);
    }

    pub(super) fn take_proposal(
        &mut self,
        proposal: &Proposal,
    ) -> Result<(Proposed, Vec<PieceId>), ProposeError> {
        if let Change::Delete = proposal.change {
            return self.take_deletion(proposal);
        }
        self.make_way(proposal)?;
        let Snapshot { file: path, disk, .. } = &proposal.snapshot;
        let agent = Projection::Agent(proposal.origin.thread.clone());
        let file = self.files.entry(path.clone()).or_insert_with(|| File::from_disk(disk.clone()));
        let before = file.layers.project(&agent);
        let existed = file.exists() && file.layers.exists(&agent) || has_own_creation(file, &agent);
        let edits = wanted(&proposal.change, &proposal.snapshot, &before, existed)?;
        let creates = !existed;
        let theirs = |creator: &ThreadId| *creator != proposal.origin.thread;
        if creates && file.layers.creator().is_some_and(theirs) {
            return Err(ProposeError::Coming);
        }
        if let Change::Restore(disk) = &proposal.change {
            (file.format, file.mode) = (disk.format, disk.mode);
        }
        if !creates && edits.iter().all(|edit| edit.is_noop(&before)) {
            let written = file.open.is_none() || file.disk.is_some();
            return Err(if written { ProposeError::Nothing } else { ProposeError::NotOnDisk });
        }
        let rejected_before = edits
            .iter()
            .any(|e| !e.new.is_empty() && file.rejected.iter().any(|text| text.contains(&e.new)));
        let thread = proposal.origin.thread.clone();
        let id = self.next_op();
        let turn = self.turns.current(&thread);
        let Some(file) = self.files.get_mut(path) else { return Err(ProposeError::Stale) };
        file.limbo = None;
        file.ops.insert(id, OpInfo { origin: proposal.origin.clone(), turn: Some(turn) });
        let pieces = file.layers.propose(&Op { id, thread, edits, creates, deletes: false });
        let after = file.layers.project(&agent);
        let proposed = Proposed {
            file: path.clone(),
            hunks: file.hunks_of(&pieces),
            before,
            after,
            created: creates,
            rejected_before,
        };
        Ok((proposed, pieces))
    }
}

impl File {
    pub(super) fn hunks_of(&self, pieces: &[PieceId]) -> Vec<redline_layers::HunkId> {
        let holds = |hunk: &redline_layers::Hunk| {
            hunk.pieces.iter().any(|id| pieces.binary_search(id).is_ok())
        };
        self.layers.hunks().into_iter().filter(holds).map(|hunk| hunk.id).collect()
    }
}

/// The thread itself has proposed to create the file.
fn has_own_creation(file: &File, agent: &Projection) -> bool {
    let waits = |state| matches!(state, PieceState::Pending | PieceState::Accepting);
    file.layers.exists(agent) && file.layers.pieces().any(|piece| waits(piece.state))
}

/// The change as edits of what the thread sees now.
fn wanted(
    change: &Change,
    snapshot: &Snapshot,
    now: &Text,
    exists: bool,
) -> Result<Vec<Edit>, ProposeError> {
    match change {
        Change::Edit(_) if !exists => Err(ProposeError::Stale),
        Change::Edit(edits) => carried(edits, &snapshot.text, now),
        Change::Restore(disk) if !exists => Ok(vec![Edit::new(0..0, disk.text.to_string())]),
        // Taken elsewhere, or there is a file again.
        Change::Delete | Change::Restore(_) => Err(ProposeError::Stale),
        Change::Write(text) if !exists => Ok(vec![Edit::new(0..0, text.to_string())]),
        Change::Write(text) if snapshot.text == *now => Ok(line_edits(now, text)),
        Change::Write(_) => Err(ProposeError::Stale),
    }
}

/// Carries edits of the snapshot to the text as it is now. What changed in between lies in one
/// window between the texts' common start and end: edits outside it keep their meaning.
fn carried(edits: &[Edit], seen: &Text, now: &Text) -> Result<Vec<Edit>, ProposeError> {
    if seen == now {
        return Ok(edits.to_vec());
    }
    let window = Edit::new(0..seen.len(), now.to_string()).trimmed(seen);
    let shift = window.delta();
    edits
        .iter()
        .map(|edit| {
            if edit.range.end <= window.range.start {
                Ok(edit.clone())
            } else if edit.range.start >= window.range.end {
                let at = |offset: usize| offset.saturating_add_signed(shift);
                Ok(Edit::new(at(edit.range.start)..at(edit.range.end), edit.new.as_str()))
            } else {
                Err(ProposeError::Stale)
            }
        })
        .collect()
}
