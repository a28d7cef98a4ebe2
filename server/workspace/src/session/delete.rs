//! A file is deleted: it is gone for the thread at once, and from the disk when the user accepts.
//! What an editor shows of it stays there: no buffer is closed, and nothing typed is lost.

use redline_layers::{
    Decision, Hunk, HunkId, Layers, Op, PieceId, PieceState, PlanItem, Projection, ThreadId,
};
use redline_text::{Format, Text};

use super::{
    Session,
    file::{File, OpInfo},
    jobs::{Step, Work},
};
use crate::{Change, Proposal, ProposeError, Proposed, Snapshot, WorkspacePath};

/// Bytes of a deleted file's text in a review: of a larger one the first lines are shown.
const MOST_SHOWN: usize = 256 << 10;

impl Session {
    pub(super) fn take_deletion(
        &mut self,
        proposal: &Proposal,
    ) -> Result<(Proposed, Vec<PieceId>), ProposeError> {
        let Snapshot { file: path, disk, text, .. } = &proposal.snapshot;
        let thread = proposal.origin.thread.clone();
        let agent = Projection::Agent(thread.clone());
        let file = self.files.entry(path.clone()).or_insert_with(|| File::from_disk(disk.clone()));
        let before = file.layers.project(&agent);
        if !file.layers.exists(&agent) || before != *text {
            return Err(ProposeError::Stale);
        }
        if file.layers.awaits_deletion() {
            return Err(ProposeError::Going);
        }
        let proposed = |hunks| Proposed {
            file: path.clone(),
            hunks,
            before,
            after: Text::default(),
            created: false,
            rejected_before: false,
        };
        if !file.layers.exists(&Projection::Editor) {
            let waiting = file.waiting_of(&thread).ok_or(ProposeError::Stale)?;
            file.layers.withdraw(&waiting);
            file.limbo = None;
            return Ok((proposed(Vec::new()), Vec::new()));
        }
        if file.disk.is_none() {
            return Err(ProposeError::NotOnDisk);
        }
        let id = self.next_op();
        let turn = Some(self.turns.current(&thread));
        let Some(file) = self.files.get_mut(path) else { return Err(ProposeError::Stale) };
        file.limbo = None;
        file.ops.insert(id, OpInfo { origin: proposal.origin.clone(), turn });
        let op = Op { id, thread, edits: Vec::new(), creates: false, deletes: true };
        let pieces = file.layers.propose(&op);
        let hunks = file.hunks_of(&pieces);
        Ok((proposed(hunks), pieces))
    }

    /// A file is written that the thread has deleted, or that was deleted.
    pub(super) fn make_way(&mut self, proposal: &Proposal) -> Result<(), ProposeError> {
        let path = &proposal.snapshot.file;
        let Some(file) = self.files.get_mut(path) else { return Ok(()) };
        match &proposal.change {
            Change::Write(_) if file.layers.awaits_deletion_by(&proposal.origin.thread) => {
                file.overwrite_instead()?;
                self.touch(path);
                // The tool looks again, at the text that the two amount to a change of.
                Err(ProposeError::Stale)
            }
            Change::Write(_) | Change::Restore(_) if file.layers.is_deleted() => {
                let Some(back) = file.begin_anew(&proposal.change) else { return Ok(()) };
                self.touch(path);
                back
            }
            _ => Ok(()),
        }
    }

    /// Another program has removed the file: what was proposed has happened.
    pub(super) fn note_removed(&mut self, path: &WorkspacePath) {
        let hunk = self.files.get(path).and_then(File::waiting_deletion);
        if let Some(hunk) = hunk {
            self.note_line(path, &hunk, |place| {
                format!("accepted {place}: another program has removed the file")
            });
            let why = "another program has removed it, as another agent had proposed";
            self.note_beside(path, hunk.id, why);
        }
    }

    /// Threads whose proposals go with a file that another one has deleted are told.
    pub(super) fn note_deletion(&mut self, path: &WorkspacePath, work: &Work) {
        let Some(file) = self.files.get(path) else { return };
        let deletion = file.layers.deletion().filter(|it| work.pieces.contains(&it.id));
        let Some(hunk) = deletion.map(|it| HunkId(it.id)) else { return };
        // Of one that the user keeps they have heard.
        let kept = |item: &PlanItem| item.hunk.state == PieceState::Applied;
        let why = match work.to {
            PieceState::Applied => "a rule allowed another agent to delete it",
            PieceState::Accepted if !work.items.iter().any(kept) => {
                "the user accepted that another agent deletes it"
            }
            _ => return,
        };
        self.note_beside(path, hunk, why);
    }

    fn note_beside(&mut self, path: &WorkspacePath, hunk: HunkId, why: &str) {
        let Some(file) = self.files.get(path) else { return };
        let name = path.display_in(&self.config.roots);
        for (thread, count) in file.layers.waiting_beside_deletion() {
            let line = format!("conflict {name}: {why}; your {count} changes in it went with it");
            self.add_note(thread, hunk, line, false);
        }
    }
}

impl File {
    /// What waits of the thread's; `None`: something is on its way.
    fn waiting_of(&self, thread: &ThreadId) -> Option<Vec<PieceId>> {
        let mine: Vec<_> = self.layers.pieces().filter(|piece| piece.thread == *thread).collect();
        let busy = mine.iter().any(|piece| piece.state == PieceState::Accepting);
        let waits = |state| matches!(state, PieceState::Pending | PieceState::Conflict);
        let waiting = mine.into_iter().filter(|piece| waits(piece.state)).map(|piece| piece.id);
        (!busy).then(|| waiting.collect())
    }

    /// Deleted and written by the same thread is overwritten.
    fn overwrite_instead(&mut self) -> Result<(), ProposeError> {
        let Some(piece) = self.layers.deletion().cloned() else { return Ok(()) };
        if piece.state != PieceState::Pending {
            return Err(ProposeError::Stale);
        }
        if !self.format.encoding.is_text() {
            return Err(ProposeError::NotText);
        }
        self.limbo = None;
        self.layers.withdraw(&[piece.id]);
        Ok(())
    }

    /// Prepares a deleted file for being made again. `Some`: the caller has to look again.
    fn begin_anew(&mut self, change: &Change) -> Option<Result<(), ProposeError>> {
        if self.flight.is_some() {
            return Some(Err(ProposeError::Stale));
        }
        if self.open.is_some() {
            // The buffer is the file: it is overwritten there, and saved.
            self.layers.appear(&Text::default());
            return Some(Err(ProposeError::Stale));
        }
        if matches!(change, Change::Write(_)) {
            self.forget_format();
        }
        None
    }

    fn forget_format(&mut self) {
        self.mode = None;
        if !self.format.encoding.is_text() {
            self.format = Format::default();
        }
    }

    /// The job that brings a deleted file back which an editor shows: its buffer has the text already.
    pub fn undeletion(&mut self) -> Option<Step> {
        let piece = self.layers.deletion().filter(|_| self.layers.is_deleted())?.id;
        self.open.as_ref()?;
        // What the user has accepted is theirs to reject.
        self.layers.set_state(&[piece], PieceState::Applied);
        let (decision, hunks) = (Decision::Reject, vec![HunkId(piece)]);
        Some(Step::Decide { decision, hunks, comment: None, final_text: None })
    }

    /// Deleting by rule would take what came into the file while that waited: nobody has looked at it.
    pub fn would_lose(&self, work: &Work) -> bool {
        work.to == PieceState::Applied
            && self.layers.deletes(&work.pieces)
            && self.layers.deleted_text() != Some(self.layers.editor())
    }

    /// Why the file can't be deleted now: a buffer has what is on no disk.
    pub fn keeps_from(&self, target: &Layers) -> Option<&'static str> {
        let editor = &Projection::Editor;
        let goes = self.layers.exists(editor) && !target.exists(editor) && target.is_deleted();
        let disk = self.disk.as_ref().map(|disk| &disk.text);
        let unsaved = self.open.is_some() && disk.is_some_and(|disk| disk != self.layers.editor());
        (goes && unsaved).then_some(
            "the editor has unsaved text of the file; save it or revert it there, then decide again",
        )
    }

    /// Somebody else has removed the file already.
    pub fn is_gone_already(&self, target: &Layers) -> bool {
        target.is_deleted() && !self.layers.is_deleted() && self.disk.is_none()
    }

    /// What the disk gets: of a deleted file that comes back what it held, whatever a buffer that
    /// still shows it holds by now.
    pub fn text_on_disk(&self, target: &Layers) -> Text {
        let deleted = self.layers.deleted_text();
        let deleted = deleted.filter(|_| self.open.is_some() && self.layers.is_deleted());
        deleted.unwrap_or_else(|| target.editor()).clone()
    }

    /// Somebody else has removed a file that was to be deleted: what was proposed has happened.
    pub fn settle_deletion(&mut self) {
        let Some(hunk) = self.waiting_deletion() else { return };
        for item in &self.layers.plan(Decision::Accept, &[hunk.id]).items {
            self.layers.decide(item);
            self.layers.settle(&[item.decided_id()]);
        }
    }

    fn waiting_deletion(&self) -> Option<Hunk> {
        let waits = |hunk: &Hunk| hunk.state == PieceState::Pending && !hunk.mixed;
        let hunk = self.layers.hunks().into_iter().next().filter(waits)?;
        self.layers.deletes(&hunk.pieces).then_some(hunk)
    }

    /// The file on disk is not the one that was to be deleted.
    pub fn lose_deletion(&mut self, text: &Text) {
        let Some(piece) = self.layers.deletion().cloned() else { return };
        if piece.state == PieceState::Pending && self.layers.editor() != text {
            self.layers.set_state(&[piece.id], PieceState::Conflict);
        }
    }

    /// A deletion as a client gets it: what is no text is not shown, and of a long one the first
    /// lines.
    pub fn shown_deletion(&self, mut hunk: Hunk) -> Hunk {
        if !self.format.encoding.is_text() {
            hunk.old.clear();
            hunk.range = 0..0;
        }
        if hunk.old.len() > MOST_SHOWN {
            let cut = Text::from(hunk.old.as_str()).floor(MOST_SHOWN);
            let cut = hunk.old[..cut].rfind('\n').map_or(cut, |at| at + 1);
            hunk.old.truncate(cut);
            hunk.range.end = hunk.range.end.min(hunk.range.start + cut);
        }
        hunk
    }
}
