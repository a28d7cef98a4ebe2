//! Whose change is a didChange? Ours (an edit in flight, an undo or redo of one), a tool's, or the
//! user's.

use redline_layers::{Author, Layers, PieceId, PieceState};
use redline_text::{Edit, Text};

use super::{
    Session,
    file::File,
    flight::{EditFlight, Flight},
    notes::Turned,
    recorded::Recorded,
};
use crate::{ChangeReason, WorkspacePath};

impl Session {
    /// One notification: edits that apply one after the other, and the reason if it is known.
    pub(super) fn absorb(
        &mut self,
        path: &WorkspacePath,
        edits: &[Edit],
        reason: Option<ChangeReason>,
    ) {
        self.look_at(path);
        match self.land(path, |flight| matches!(flight, Flight::Edit(_))) {
            Some(Flight::Edit(flight)) => self.absorb_in_flight(path, edits, flight),
            _ => {
                let Some(file) = self.files.get_mut(path) else { return };
                file.absorb_plain(edits, reason);
                let found = std::mem::take(&mut file.found);
                self.note_found(path, &found);
                let Some(file) = self.files.get_mut(path) else { return };
                for turned in std::mem::take(&mut file.turned) {
                    self.note_turned(path, turned);
                }
            }
        }
    }

    fn absorb_in_flight(&mut self, path: &WorkspacePath, edits: &[Edit], mut flight: EditFlight) {
        self.touch(path);
        let Some(file) = self.files.get_mut(path) else { return };
        let arrived = file.take(edits, &mut flight);
        if arrived == Arrived::Nothing {
            let author = file.author(None, edits);
            edits.iter().for_each(|edit| file.type_in(author, edit));
        }
        if arrived == Arrived::All {
            self.flown(path, flight);
        } else {
            file.flight = Some(Flight::Edit(flight));
        }
    }
}

/// How much of an edit in flight a notification contains. Unless it is `Nothing`, the whole
/// notification is accounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrived {
    Nothing,
    Parts,
    All,
}

impl File {
    fn take(&mut self, edits: &[Edit], flight: &mut EditFlight) -> Arrived {
        if self.take_whole(edits, flight) {
            return Arrived::All;
        }
        match self.take_parts(edits, flight) {
            Arrived::Nothing if self.take_among_others(edits, flight) => Arrived::All,
            arrived => arrived,
        }
    }

    /// The text after one of the changes is exactly the expected one.
    fn take_whole(&mut self, edits: &[Edit], flight: &mut EditFlight) -> bool {
        let target = flight.work.target(&self.layers);
        let mut text = self.layers.editor().clone();
        for (index, edit) in edits.iter().enumerate() {
            text.apply(edit);
            if text == *target.editor() {
                if flight.work.is_whole() {
                    flight.work.before = Some(self.layers.editor().clone());
                }
                self.layers = target;
                edits[index + 1..].iter().for_each(|edit| self.type_in(Author::User, edit));
                return true;
            }
        }
        false
    }

    /// Single changes are single parts of the edit: some clients send one notification for each.
    /// Changes the file only if at least one has come.
    fn take_parts(&mut self, edits: &[Edit], flight: &mut EditFlight) -> Arrived {
        if flight.work.is_whole() || !self.any_part(edits, flight) {
            return Arrived::Nothing;
        }
        for edit in edits {
            let part = part_of(&self.layers, &flight.remaining, flight.work.to, edit);
            match part {
                Some(pieces) => {
                    self.layers.set_state(&pieces, flight.work.to);
                    flight.remaining.retain(|id| !pieces.contains(id));
                }
                None => self.type_in(Author::User, edit),
            }
        }
        let idle = |layers: &Recorded| {
            let parts = layers.components(&flight.remaining, flight.work.to);
            parts.iter().all(|part| part.edit.is_none())
        };
        let done = idle(&self.layers);
        if done {
            flight.work.complete(&mut self.layers);
        }
        if done { Arrived::All } else { Arrived::Parts }
    }

    fn any_part(&self, edits: &[Edit], flight: &EditFlight) -> bool {
        let mut layers = self.layers.clone();
        edits.iter().any(|edit| {
            let found = part_of(&layers, &flight.remaining, flight.work.to, edit).is_some();
            layers.change(Author::User, edit);
            found
        })
    }

    /// The notification as a whole contains the expected edit, and something of the user's beside
    /// it.
    fn take_among_others(&mut self, edits: &[Edit], flight: &EditFlight) -> bool {
        if flight.work.is_whole() || flight.remaining.len() != flight.work.pieces.len() {
            return false;
        }
        let mut text = self.layers.editor().clone();
        edits.iter().for_each(|edit| text.apply(edit));
        let target = flight.work.target(&self.layers);
        let rest = redline_text::char_edits(target.editor(), &text);
        let ours = arrived(&self.layers, &flight.remaining, flight.work.to);
        let clash = |edit: &Edit| {
            ours.iter().any(|r| edit.range.start <= r.end && r.start <= edit.range.end)
        };
        if rest.iter().any(clash) {
            return false;
        }
        self.layers = target;
        rest.iter().rev().for_each(|edit| self.type_in(Author::User, edit));
        true
    }

    fn absorb_plain(&mut self, edits: &[Edit], reason: Option<ChangeReason>) {
        // Undoing a reopen brings text again: the reason says what is tried first, the exact match
        // decides.
        let redo_first = reason == Some(ChangeReason::Redo);
        let whole = match redo_first {
            true => self.redo_whole(edits) || self.undo_whole(edits),
            false => self.undo_whole(edits) || self.redo_whole(edits),
        };
        if whole {
            return;
        }
        let author = self.author(reason, edits);
        if author == Author::Tool && self.reload(edits) {
            return;
        }
        for edit in edits {
            let ours = match redo_first {
                true => self.redo_part(edit) || self.undo_part(edit),
                false => self.undo_part(edit) || self.redo_part(edit),
            };
            if !ours {
                self.type_in(author, edit);
            }
        }
    }

    /// The notification is the exact inverse of one of our edits.
    fn undo_whole(&mut self, edits: &[Edit]) -> bool {
        let Some(at) = self.group(&self.entered, edits, PieceState::Pending) else { return false };
        let pieces = self.entered.remove(at);
        self.layers.retract(&pieces);
        self.turned.push(Turned::Undone(pieces.clone()));
        self.undone.push(pieces);
        true
    }

    fn redo_whole(&mut self, edits: &[Edit]) -> bool {
        let Some(at) = self.group(&self.undone, edits, PieceState::Accepted) else { return false };
        let pieces = self.undone.remove(at);
        self.layers.readmit(&pieces);
        self.turned.push(Turned::Redone(pieces.clone()));
        self.entered.push(pieces);
        true
    }

    fn undo_part(&mut self, edit: &Edit) -> bool {
        let Some((at, part)) = self.part(&self.entered, edit, PieceState::Pending) else {
            return false;
        };
        self.entered[at].retain(|id| !part.contains(id));
        self.layers.retract(&part);
        self.turned.push(Turned::Undone(part.clone()));
        self.undone.push(part);
        true
    }

    fn redo_part(&mut self, edit: &Edit) -> bool {
        let Some((at, part)) = self.part(&self.undone, edit, PieceState::Accepted) else {
            return false;
        };
        self.undone[at].retain(|id| !part.contains(id));
        self.layers.readmit(&part);
        self.turned.push(Turned::Redone(part.clone()));
        self.entered.push(part);
        true
    }

    fn group(&self, groups: &[Vec<PieceId>], edits: &[Edit], to: PieceState) -> Option<usize> {
        let fits = |group: &&Vec<PieceId>| {
            let parts = self.layers.components(group, to);
            let ours: Vec<Edit> = parts.into_iter().filter_map(|part| part.edit).collect();
            let delta = |edits: &[Edit]| edits.iter().map(Edit::delta).sum::<isize>();
            !ours.is_empty() && delta(&ours) == delta(edits) && {
                let (mut want, mut got) =
                    (self.layers.editor().clone(), self.layers.editor().clone());
                want.apply_all(&ours);
                edits.iter().for_each(|edit| got.apply(edit));
                want == got
            }
        };
        groups.iter().rposition(|group| self.are_opposite(group, to) && fits(&group))
    }

    fn part(
        &self,
        groups: &[Vec<PieceId>],
        edit: &Edit,
        to: PieceState,
    ) -> Option<(usize, Vec<PieceId>)> {
        let found = |(at, group): (usize, &Vec<PieceId>)| {
            let opposite = self.are_opposite(group, to);
            let part = opposite.then(|| part_of(&self.layers, group, to, edit))??;
            Some((at, part))
        };
        groups.iter().enumerate().rev().find_map(found)
    }

    /// Whether all pieces are where an undo (or redo) can take them from.
    pub(super) fn are_opposite(&self, group: &[PieceId], to: PieceState) -> bool {
        let fits = |state: PieceState| state.in_editor() != to.in_editor();
        let mut pieces = self.layers.pieces().filter(|piece| group.contains(&piece.id)).peekable();
        pieces.peek().is_some()
            && pieces.all(|piece| fits(piece.state) && piece.state != PieceState::Rejected)
    }

    fn author(&self, reason: Option<ChangeReason>, edits: &[Edit]) -> Author {
        let saving = self.open.as_ref().is_some_and(|open| open.saving);
        if reason.is_some() {
            Author::UserUndo
        } else if saving || self.is_reload(edits) {
            Author::Tool
        } else {
            Author::User
        }
    }

    /// What others wrote into the file and the editor has loaded: what was proposed is settled by it.
    fn reload(&mut self, edits: &[Edit]) -> bool {
        let mut after = self.layers.editor().clone();
        edits.iter().for_each(|edit| after.apply(edit));
        self.found = self.settle_found(&after);
        if self.found.is_empty() {
            return false;
        }
        for edit in redline_text::line_edits(self.layers.editor(), &after).iter().rev() {
            self.type_in(Author::Tool, edit);
        }
        true
    }

    /// The whole text is replaced by what the disk holds, or one in which nothing was typed becomes
    /// that: VS Code tells a reload as the smallest edit.
    fn is_reload(&self, edits: &[Edit]) -> bool {
        let (text, Some(disk)) = (self.layers.editor(), &self.disk) else { return false };
        if let [edit] = edits
            && edit.range == (0..text.len())
            && !text.is_empty()
        {
            return disk.text == *edit.new.as_str();
        }
        if self.open.as_ref().is_none_or(|open| open.typed) || disk.text == *text {
            return false;
        }
        let mut after = text.clone();
        edits.iter().for_each(|edit| after.apply(edit));
        after == disk.text
    }

    /// An edit that is nobody's but `author`'s. A large one is first reduced by a diff, so that
    /// what it leaves as it was keeps its provenance.
    pub(super) fn type_in(&mut self, author: Author, edit: &Edit) {
        let behind = self.behind(edit);
        self.put_in(author, edit);
        if let Some(behind) = behind {
            self.mend(behind, edit);
        }
        if author != Author::Tool {
            self.open.iter_mut().for_each(|open| open.typed = true);
        }
        if author == Author::User {
            self.undone.clear();
        }
    }

    fn put_in(&mut self, author: Author, edit: &Edit) {
        let old = self.layers.editor().slice(edit.range.clone()).into_owned();
        if old.contains('\n') && edit.new.contains('\n') {
            let (old, new) = (Text::from(old), Text::from(edit.new.as_str()));
            for part in redline_text::char_edits(&old, &new).iter().rev() {
                let range = part.range.start + edit.range.start..part.range.end + edit.range.start;
                self.layers.change(author, &Edit::new(range, part.new.as_str()));
            }
        } else {
            self.layers.change(author, edit);
        }
    }
}

/// The pieces of `pieces` whose part of the edit has the same effect as `edit`.
fn part_of(
    layers: &Layers,
    pieces: &[PieceId],
    to: PieceState,
    edit: &Edit,
) -> Option<Vec<PieceId>> {
    let same = |ours: &Edit| ours.delta() == edit.delta() && has_same_effect(layers, ours, edit);
    let parts = layers.components(pieces, to);
    parts.into_iter().find(|part| part.edit.as_ref().is_some_and(same)).map(|part| part.pieces)
}

/// Equal edits, or ones that slid along equal text.
fn has_same_effect(layers: &Layers, a: &Edit, b: &Edit) -> bool {
    let text = layers.editor();
    let (a, b) = (a.trimmed(text), b.trimmed(text));
    if a == b {
        return true;
    }
    let mut texts = (text.clone(), text.clone());
    texts.0.apply(&a);
    texts.1.apply(&b);
    texts.0 == texts.1
}

/// Where the pieces' text lies once it has come: ranges of the new text.
fn arrived(layers: &Layers, pieces: &[PieceId], to: PieceState) -> Vec<std::ops::Range<usize>> {
    let mut shift = 0;
    let mut ranges = Vec::new();
    for edit in layers.components(pieces, to).into_iter().filter_map(|part| part.edit) {
        let start = edit.range.start.saturating_add_signed(shift);
        ranges.push(start..start + edit.new.len());
        shift += edit.delta();
    }
    ranges
}
