//! A job on its way through the editor or onto the disk. One per file at a time.

use redline_layers::{PieceId, PieceState, PlanItem};
use redline_text::Edit;

use super::{Session, file::File, jobs::Work};
use crate::{
    DiskText, EditId, Effect, LogLevel, TextEdit, WorkspacePath, WriteError, WriteId, WriteRequest,
};

/// What a file waits for.
#[derive(Debug)]
pub(super) enum Flight {
    /// The didChange that contains our edit.
    Edit(EditFlight),
    /// The end of a disk write.
    Write {
        work: Work,
        write: WriteId,
        /// The file was opened meanwhile, with the new text: the layers have it already.
        seen: bool,
    },
}

#[derive(Debug)]
pub(super) struct EditFlight {
    pub work: Work,
    /// Pieces that the editor has not shown to have taken yet.
    pub remaining: Vec<PieceId>,
    pub edit: EditId,
    /// The version that the edit was made for.
    pub version: i32,
    pub attempts: u32,
    /// The user had unsaved typing before.
    pub typed_before: bool,
}

impl Flight {
    /// What it carries.
    pub fn work(&self) -> &Work {
        match self {
            Flight::Edit(flight) => &flight.work,
            Flight::Write { work, .. } => work,
        }
    }
}

/// An edit that meets the user's typing is sent again, but not for ever.
const ATTEMPTS: u32 = 3;
/// A client that never answers.
const ANSWER_MILLIS: u64 = 15_000;
/// A client that says `applied` and has not shown it.
const PROOF_MILLIS: u64 = 2_000;

impl Session {
    /// Asks the editor to take the work's text.
    pub(super) fn fly(&mut self, path: &WorkspacePath, mut work: Work) {
        self.audit_before(path, &mut work);
        let Some(file) = self.files.get_mut(path) else { return };
        let typed_before = file.open.as_ref().is_some_and(|open| open.typed);
        if work.to == PieceState::Accepted {
            let waiting: Vec<PieceId> = file
                .layers
                .pieces()
                .filter(|p| p.state == PieceState::Pending && work.pieces.contains(&p.id))
                .map(|p| p.id)
                .collect();
            file.layers.set_state(&waiting, PieceState::Accepting);
        }
        let remaining = work.pieces.clone();
        let edit = EditId(0);
        let flight = EditFlight { work, remaining, edit, version: 0, attempts: 0, typed_before };
        self.touch(path);
        self.send_edit(path, flight);
    }

    fn send_edit(&mut self, path: &WorkspacePath, mut flight: EditFlight) {
        self.last_edit += 1;
        flight.edit = EditId(self.last_edit);
        flight.attempts += 1;
        let encoding = self.config.encoding;
        let Some(file) = self.files.get_mut(path) else { return };
        let Some(open) = &file.open else { return };
        flight.version = open.version;
        let text = file.layers.editor();
        let edits = flight.edits(file).into_iter().map(|edit| TextEdit {
            range: text.position_range(edit.range, encoding),
            new: edit.new,
        });
        let effect = Effect::ApplyEdit {
            edit: flight.edit,
            uri: open.uri.clone(),
            version: open.version,
            edits: edits.collect(),
            label: label(&flight.work),
        };
        let timer = Effect::StartTimer { edit: flight.edit, millis: ANSWER_MILLIS };
        file.flight = Some(Flight::Edit(flight));
        self.effect(effect);
        self.effect(timer);
    }

    /// The client's word is no proof: only the didChange is. A refusal is answered with a new try.
    pub(super) fn edit_answered(&mut self, edit: EditId, applied: bool, reason: Option<String>) {
        let Some(path) = self.flight_of(edit) else { return };
        if applied {
            self.effect(Effect::StartTimer { edit, millis: PROOF_MILLIS });
            return;
        }
        let Some(Flight::Edit(flight)) = self.land(&path, |_| true) else { return };
        if flight.attempts < ATTEMPTS {
            self.send_edit(&path, flight);
            return;
        }
        let said = reason.map(|reason| format!(" It said: {reason}.")).unwrap_or_default();
        let why = format!("the editor refused the edit {ATTEMPTS} times.{said}");
        self.fail_rest(&path, flight, &why);
        self.run_jobs(&path);
    }

    /// What has arrived is decided all the same; the rest is as it was.
    pub(super) fn fail_rest(&mut self, path: &WorkspacePath, flight: EditFlight, why: &str) {
        let EditFlight { mut work, remaining, .. } = flight;
        let waits = |item: &PlanItem| item.pieces.iter().any(|id| remaining.contains(id));
        let arrived: Vec<PlanItem> = work.items.extract_if(.., |item| !waits(item)).collect();
        if let Some(file) = self.files.get_mut(path) {
            arrived.iter().for_each(|item| file.layers.decide(item));
        }
        self.note_items(path, &work, &arrived);
        self.fail(path, work, why);
    }

    /// Nothing that shows the edit has come. A client that skipped it because the user typed gets
    /// it again; else the editor did something of its own, and nothing is repeated.
    pub(super) fn edit_expired(&mut self, edit: EditId) {
        let Some(path) = self.flight_of(edit) else { return };
        let Some(Flight::Edit(flight)) = self.land(&path, |_| true) else { return };
        let version = self.files.get(&path).and_then(File::version);
        let untouched = flight.remaining.len() == flight.work.pieces.len();
        if version != Some(flight.version) && flight.attempts < ATTEMPTS && untouched {
            self.send_edit(&path, flight);
            return;
        }
        let why = "the editor did not show the edit; look at the buffer and decide again";
        let pieces = flight.remaining.clone();
        self.fail_rest(&path, flight, why);
        if let Some(file) = self.files.get_mut(&path) {
            // If it comes after all, it is recognised as ours.
            file.undone.push(pieces);
        }
        self.run_jobs(&path);
    }

    /// All of the work's text is in the editor.
    pub(super) fn flown(&mut self, path: &WorkspacePath, flight: EditFlight) {
        self.finish(path, flight.work, true);
        let saves = self.config.save_on_accept && self.config.client_saves && !flight.typed_before;
        if let Some(open) = self.files.get_mut(path).and_then(|file| file.open.as_mut())
            && saves
            && !open.typed
        {
            open.saving = true;
            let uri = open.uri.clone();
            self.effect(Effect::Save { uri });
        }
        self.run_jobs(path);
    }

    fn flight_of(&self, edit: EditId) -> Option<WorkspacePath> {
        let flies =
            |file: &File| matches!(&file.flight, Some(Flight::Edit(flight)) if flight.edit == edit);
        self.files.iter().find(|(_, file)| flies(file)).map(|(path, _)| path.clone())
    }

    /// Writes a file that no editor holds.
    pub(super) fn write(
        &mut self,
        path: &WorkspacePath,
        mut work: Work,
        target: &redline_layers::Layers,
    ) {
        self.audit_before(path, &mut work);
        let Some(file) = self.files.get_mut(path) else { return };
        self.last_write += 1;
        let write = WriteId(self.last_write);
        let exists = target.exists(&redline_layers::Projection::Editor);
        let request = WriteRequest {
            file: path.clone(),
            text: exists.then(|| (file.text_on_disk(target), file.format)),
            expect: file.disk.as_ref().map(|disk| disk.hash),
            mode: file.mode,
        };
        if work.to == PieceState::Accepted {
            file.layers.set_state(&work.pieces, PieceState::Accepting);
        }
        file.flight = Some(Flight::Write { work, write, seen: false });
        self.touch(path);
        self.effect(Effect::WriteFile { write, request });
    }

    pub(super) fn written(&mut self, write: WriteId, result: Result<Option<DiskText>, WriteError>) {
        let is = |flight: &Flight| matches!(flight, Flight::Write { write: w, .. } if *w == write);
        let found = self.files.iter().find(|(_, file)| file.flight.as_ref().is_some_and(is));
        let Some(path) = found.map(|(path, _)| path.clone()) else { return };
        let Some(Flight::Write { work, seen, .. }) = self.land(&path, is) else { return };
        match result {
            Ok(disk) => {
                let Some(file) = self.files.get_mut(&path) else { return };
                file.mode = disk.as_ref().map_or(file.mode, |disk| disk.mode.or(file.mode));
                file.disk = disk;
                let target = work.target(&file.layers);
                if seen {
                    self.finish(&path, work, true);
                } else if file.open.is_none() || file.layers.editor() == target.editor() {
                    file.layers = target;
                    self.finish(&path, work, true);
                } else {
                    // Opened with the old text while the new one was written: the buffer follows.
                    self.fly(&path, work);
                }
            }
            Err(error) => {
                let why = error.to_string();
                self.fail(&path, work, &why);
                if let WriteError::Changed(disk) = error {
                    self.disk_changed(&path, disk.map(|disk| *disk));
                }
            }
        }
        self.run_jobs(&path);
    }

    pub(super) fn out_of_range(&mut self, uri: &str) {
        let line = format!("{uri}: a didChange names a place that does not exist; clamped");
        self.log(LogLevel::Warning, line);
    }
}

impl EditFlight {
    /// The edits that are still to come, in the editor's text as it is.
    fn edits(&self, file: &File) -> Vec<Edit> {
        if self.work.is_whole() {
            return file.edits_to(self.work.target(&file.layers).editor());
        }
        let components = file.layers.components(&self.remaining, self.work.to);
        components.into_iter().filter_map(|component| component.edit).collect()
    }
}

fn label(work: &Work) -> String {
    let count = match work.items.len() {
        0 | 1 => "hunk".to_owned(),
        n => format!("{n} hunks"),
    };
    match work.to {
        PieceState::Applied => "Redline: apply".to_owned(),
        PieceState::Accepted => format!("Redline: accept {count}"),
        PieceState::Rejected => format!("Redline: undo {count}"),
        _ => format!("Redline: reopen {count}"),
    }
}
