//! Checkpoints: what each turn of a thread did to the text of files, and the way back to before it.
//!
//! Going back takes away what the thread's turns did and nothing else: each change is undone in the
//! text as it is now, newest first, and places that somebody has changed since are left alone. The
//! result is applied like anything that a rule allows: it is shown as hunks, and can be undone.

use std::{collections::BTreeMap, path::PathBuf};

use redline_audit::{Author, Decision};
use redline_layers::{HunkId, PieceId, PieceState, Projection, ThreadId};
use redline_text::{Document, Edit, Format, Text, char_edits};

use super::{
    Session,
    file::File,
    jobs::{Job, Step, Work},
};
use crate::{
    Change, Checkpoint, DiskText, Effect, Origin, Past, Proposal, ProposeMode, Rewound, Snapshot,
    Ticket, WorkspacePath,
};

impl Session {
    /// A job has changed the editor's text: it is kept, for the way back.
    pub(super) fn mark(&mut self, path: &WorkspacePath, work: &Work) {
        let Some(file) = self.files.get(path).filter(|file| !file.is_too_large()) else { return };
        // What is taken back is seen in the text; to take that back could only lose what it restored.
        if !work.to.in_editor() {
            return;
        }
        let marks = file.marks(path, work);
        marks.into_iter().for_each(|mark| self.effect(Effect::Checkpoint(Box::new(mark))));
    }

    /// Back to before a turn. `past` goes from the newest change to the oldest.
    pub(super) fn rewind(&mut self, ticket: Ticket, thread: &ThreadId, turn: u32, past: Vec<Past>) {
        let mut rewound =
            Rewound { withdrawn: self.withdraw_since(thread, turn), ..Rewound::default() };
        let mut files: BTreeMap<WorkspacePath, Vec<Past>> = BTreeMap::new();
        past.into_iter().for_each(|past| files.entry(past.file.clone()).or_default().push(past));
        rewound.kept.extend(self.under_way(thread));
        let mut jobs = Vec::new();
        for (path, changes) in files {
            match self.back(&path, thread, turn, &joined(changes)) {
                Ok((step, kept)) => {
                    rewound.kept.extend(kept.map(|why| (path.clone(), why)));
                    if let Some(step) = step {
                        rewound.files.push(path.clone());
                        jobs.push((path, step));
                    }
                }
                Err(why) => rewound.kept.push((path, why)),
            }
        }
        let call = self.open_rewind(ticket, rewound);
        for (path, step) in jobs {
            self.touch(&path);
            self.queue(&path, Job { call, step });
        }
        self.close_call(call);
    }

    /// Files with a decision on its way: it would land after everything was taken back.
    fn under_way(&self, thread: &ThreadId) -> Vec<(WorkspacePath, String)> {
        let of_it = |file: &File| file.ops.values().any(|op| op.origin.thread == *thread);
        let busy = |file: &File| file.flight.is_some() || !file.queue.is_empty();
        let busy = self.files.iter().filter(|(_, file)| busy(file) && of_it(file));
        let why = "a decision on it is on its way; go back again when it is done";
        busy.map(|(path, _)| (path.clone(), why.to_owned())).collect()
    }

    /// The turns of a thread whose proposals wait, with their files.
    pub(crate) fn waiting_turns(&self, thread: &ThreadId) -> BTreeMap<u32, Vec<PathBuf>> {
        let mut turns: BTreeMap<u32, Vec<PathBuf>> = BTreeMap::new();
        for (path, file) in &self.files {
            for id in file.waiting_since(thread, 0) {
                let made = file.ops.get(&id.op).and_then(|op| op.turn);
                turns.entry(made.unwrap_or_default()).or_default().push(path.as_path().to_owned());
            }
        }
        turns
    }

    /// What the thread proposed in these turns and nobody has decided. Returns the number of pieces.
    fn withdraw_since(&mut self, thread: &ThreadId, turn: u32) -> usize {
        let mut count = 0;
        let paths: Vec<WorkspacePath> = self.files.keys().cloned().collect();
        for path in paths {
            let Some(file) = self.files.get_mut(&path) else { continue };
            let waiting = file.waiting_since(thread, turn);
            if !waiting.is_empty() {
                file.limbo = None;
                count += waiting.len();
                self.audit_pieces(&path, &waiting, Decision::Rewound, Author::User);
                let Some(file) = self.files.get_mut(&path) else { continue };
                file.layers.withdraw(&waiting);
                self.touch(&path);
            }
        }
        count
    }

    /// Proposes the way back in one file: the pieces, and what was left as it is.
    fn back(
        &mut self,
        path: &WorkspacePath,
        thread: &ThreadId,
        turn: u32,
        changes: &[Past],
    ) -> Result<Back, String> {
        let disk: Option<DiskText> = changes.first().and_then(|past| past.disk.clone());
        // What others wrote since stays.
        if disk.is_some() {
            self.disk_changed(path, disk.clone());
        }
        let file = self.files.entry(path.clone()).or_insert_with(|| File::from_disk(disk));
        if !file.layers.exists(&Projection::Editor) || !file.exists() && disk_is_gone(changes) {
            return self.brought_back(path, thread, turn, changes);
        }
        let (target, left) = undone(file.layers.editor(), changes);
        let kept = places_left(left);
        let agent = Projection::Agent(thread.clone());
        let edits = char_edits(file.layers.editor(), &target);
        if edits.is_empty() {
            return match changes.iter().any(|past| past.before.is_none()) {
                true => {
                    Err("it was created in that turn; delete it if you do not want it".to_owned())
                }
                false => Ok((None, kept)),
            };
        }
        let is_text = |format: Format| format.encoding.is_text();
        if changes.first().is_some_and(|last| is_text(last.format) != is_text(file.format)) {
            let why =
                "one of what it was and what it is now is no text; delete it, and go back again";
            return Err(why.to_owned());
        }
        let overlaps = "older proposals lie over the place; decide them first";
        let edits = file.layers.carried(&edits, &agent).ok_or(overlaps)?;
        let snapshot = self.snapshot_in(path, &agent).ok_or("it does not exist any more")?;
        let origin = origin(thread, turn);
        let (change, mode) = (Change::Edit(edits), ProposeMode::Applied);
        let step = self.taken_back(&Proposal { snapshot, change, origin, mode }, turn)?;
        Ok((step, kept))
    }

    fn taken_back(&mut self, back: &Proposal, turn: u32) -> Result<Option<Step>, String> {
        let path = &back.snapshot.file;
        let (_, pieces) = self.take_proposal(back).map_err(|error| error.to_string())?;
        if let Some(first) = pieces.first() {
            let name = path.display_in(&self.config.roots);
            let line = format!("undone {name}: the user went back to before your turn {turn}");
            self.add_note(back.origin.thread.clone(), HunkId(*first), line, false);
        }
        Ok((!pieces.is_empty()).then_some(Step::Apply(pieces)))
    }

    /// The file is gone. If it was the thread that deleted it, it comes back as it was before the
    /// first of the changes; if that made it, it stays away.
    fn brought_back(
        &mut self,
        path: &WorkspacePath,
        thread: &ThreadId,
        turn: u32,
        changes: &[Past],
    ) -> Result<Back, String> {
        let gone = || "it does not exist any more".to_owned();
        let (last, earlier) = changes.split_first().ok_or_else(gone)?;
        let (Some(deleted), None) = (&last.before, &last.after) else { return Err(gone()) };
        if changes.iter().any(|past| past.before.is_none()) {
            return Ok((None, None));
        }
        if let Some(step) = self.files.get_mut(path).and_then(File::undeletion) {
            let more = "it is there again; go back once more for what was changed in it before";
            return Ok((Some(step), (!earlier.is_empty()).then(|| more.to_owned())));
        }
        let (text, left) = undone(deleted, earlier);
        let document = Document { text, format: last.format };
        let change = Change::Restore(DiskText::new(document).with_mode(last.mode));
        let origin = origin(thread, turn);
        let snapshot = Snapshot::of_disk(path.clone(), None);
        let mode = ProposeMode::Applied;
        let step = self.taken_back(&Proposal { snapshot, change, origin, mode }, turn)?;
        Ok((step, places_left(left)))
    }
}

/// The job that goes back in one file, if there is anything to do, and what is left as it is.
type Back = (Option<Step>, Option<String>);

fn origin(thread: &ThreadId, turn: u32) -> Origin {
    Origin {
        thread: thread.clone(),
        agent: "Redline".to_owned(),
        tool: "rewind".to_owned(),
        call: format!("rewind-{turn}"),
    }
}

/// What is told of places that could not be taken back.
fn places_left(left: usize) -> Option<String> {
    match left {
        0 => None,
        1 => Some("1 place has changed since and is as it was".to_owned()),
        _ => Some(format!("{left} places have changed since and are as they were")),
    }
}

fn disk_is_gone(changes: &[Past]) -> bool {
    changes.first().is_some_and(|past| past.disk.is_none())
}

impl File {
    /// What the work did, by turn and thread: the newest goes first when they are taken back.
    fn marks(&self, path: &WorkspacePath, work: &Work) -> Vec<Checkpoint> {
        let mut groups: BTreeMap<(u32, ThreadId), Vec<PieceId>> = BTreeMap::new();
        for id in &work.pieces {
            if let Some(op) = self.ops.get(&id.op).filter(|op| op.origin.tool != "rewind") {
                let of = (op.turn.unwrap_or_default(), op.origin.thread.clone());
                groups.entry(of).or_default().push(*id);
            }
        }
        let mut after =
            self.layers.exists(&Projection::Editor).then(|| self.layers.editor().clone());
        let (mut gone, mut marks) = (Vec::new(), Vec::new());
        let whole = work.before.is_some();
        for ((turn, thread), pieces) in groups.into_iter().rev() {
            gone.extend(pieces);
            let before = self.text_before(work, if whole { &work.pieces } else { &gone });
            if before != after {
                let (file, before) = (path.clone(), before.clone());
                let (format, mode) = (self.format, self.mode);
                marks.push(Checkpoint { thread, turn, file, before, after, format, mode });
            }
            after = before;
            if whole {
                break;
            }
        }
        marks.reverse();
        marks
    }

    /// The editor's text without what the work did to these pieces; `None`: there was no file.
    fn text_before(&self, work: &Work, pieces: &[PieceId]) -> Option<Text> {
        if work.to.in_editor() && self.layers.creates(pieces) {
            return None;
        }
        if work.to.in_editor() && self.layers.deletes(pieces) {
            return self.layers.deleted_text().cloned();
        }
        if let Some(before) = &work.before {
            return Some(before.clone());
        }
        let opposite = if work.to.in_editor() { PieceState::Pending } else { PieceState::Accepted };
        // What a rule had applied was in the text before it was kept.
        let kept = |id: &PieceId| {
            let by_rule = |piece: &redline_layers::Piece| piece.id == *id && piece.by_rule;
            work.to == PieceState::Accepted && self.layers.pieces().any(by_rule)
        };
        let pieces: Vec<PieceId> = pieces.iter().copied().filter(|id| !kept(id)).collect();
        let parts = self.layers.components(&pieces, opposite);
        let edits: Vec<Edit> = parts.into_iter().filter_map(|part| part.edit).collect();
        let mut text = self.layers.editor().clone();
        text.apply_all(&edits);
        Some(text)
    }

    fn waiting_since(&self, thread: &ThreadId, turn: u32) -> Vec<PieceId> {
        let recent = |id: &PieceId| {
            self.ops.get(&id.op).is_some_and(|op| {
                op.origin.thread == *thread && op.turn.is_none_or(|made| made >= turn)
            })
        };
        let waits = |state| matches!(state, PieceState::Pending | PieceState::Conflict);
        let pieces = self.layers.pieces().filter(|piece| waits(piece.state) && recent(&piece.id));
        pieces.map(|piece| piece.id).collect()
    }
}

/// A file that was deleted and then made again was changed: what it was is known, and what it is to
/// be again. Unless it began with being made: then there is nothing that it was.
fn joined(changes: Vec<Past>) -> Vec<Past> {
    let mut joined: Vec<Past> = Vec::with_capacity(changes.len());
    for past in changes.iter().cloned() {
        match joined.last_mut() {
            Some(made) if made.before.is_none() && past.after.is_none() => {
                made.before = past.before;
                for newer in &mut joined {
                    (newer.format, newer.mode) = (past.format, past.mode);
                }
            }
            _ => joined.push(past),
        }
    }
    if joined.iter().any(|past| past.before.is_none()) { changes } else { joined }
}

/// The text without these changes, newest first, and the number of places that are left as they are
/// because they have changed since.
fn undone(now: &Text, changes: &[Past]) -> (Text, usize) {
    let (mut text, mut left) = (now.clone(), 0);
    for Past { before, after, .. } in changes {
        let (Some(before), Some(after)) = (before, after) else { continue };
        let since = char_edits(after, &text);
        // Taken back already, by the user or an editor's undo.
        let done = |back: &Edit| since.contains(back);
        let clashes = |back: &&Edit| since.iter().any(|edit| meets(edit, back));
        let (lost, back): (Vec<Edit>, Vec<Edit>) = char_edits(after, before)
            .into_iter()
            .filter(|back| !done(back))
            .partition(|back| clashes(&back));
        left += lost.len();
        let moved = |at: usize| {
            let earlier = since.iter().filter(|edit| edit.range.end <= at);
            at.saturating_add_signed(earlier.map(Edit::delta).sum())
        };
        let back: Vec<Edit> = back
            .into_iter()
            .map(|edit| {
                let start = moved(edit.range.start);
                // What was inserted right behind the place is not of it.
                let at = edit.range.end;
                let inside = since.iter().filter(|e| e.range.end <= at && e.range.start < at);
                let end = at.saturating_add_signed(inside.map(Edit::delta).sum());
                Edit::new(start..end.max(start), edit.new)
            })
            .collect();
        text.apply_all(&back);
    }
    (text, left)
}

/// Whether two edits of one text are about the same place.
fn meets(a: &Edit, b: &Edit) -> bool {
    let inside = a.range.start < b.range.end && b.range.start < a.range.end;
    inside || a.range == b.range || (b.range.start < a.range.start && a.range.end < b.range.end)
}
