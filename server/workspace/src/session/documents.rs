//! didOpen, didChange, didSave, didClose.

use redline_layers::{Author, PieceId, PieceState, Projection};
use redline_text::{Edit, Text};

use super::{
    Session,
    file::{File, Open},
    flight::Flight,
    notes::Turned,
};
use crate::{ChangeReason, ContentChange, DiskText, LogLevel, WorkspacePath};

impl Session {
    pub(super) fn opened(
        &mut self,
        path: WorkspacePath,
        uri: String,
        version: i32,
        text: &str,
        disk: Option<DiskText>,
    ) {
        self.disk_changed(&path, disk.clone());
        let file = self.files.entry(path.clone()).or_insert_with(|| File::from_disk(disk));
        file.sees_write(text);
        file.leave_limbo(&Text::from(text));
        // A buffer does not bring a deleted file back; saving it does.
        if !file.layers.exists(&Projection::Editor) && !file.layers.is_deleted() {
            file.layers.appear(&Text::from(text));
        }
        // A new buffer is blank: Neovim's holds one line end.
        let blank = matches!(text, "" | "\n" | "\r\n");
        let typed = match &file.disk {
            Some(disk) => disk.text != *text,
            None => !blank && file.layers.deleted_text().is_none_or(|deleted| *deleted != *text),
        };
        for edit in file.edits_to(&Text::from(text)).iter().rev() {
            file.layers.change(Author::User, edit);
        }
        let old = file.open.replace(Open {
            uri: uri.clone(),
            version,
            typed,
            saving: false,
            reason: None,
        });
        if let Some(old) = old {
            self.uris.remove(&old.uri);
        }
        self.uris.insert(uri, path.clone());
        self.touch(&path);
    }

    /// The file of an open document that may be loaded anew with its next change: nothing was typed
    /// in it, and whose change it is matters to a proposal.
    pub(crate) fn may_reload(&self, uri: &str) -> Option<WorkspacePath> {
        let path = self.uris.get(uri)?;
        let file = self.files.get(path)?;
        let waits = file.layers.pieces().any(|piece| piece.state.is_undecided());
        let untouched = file.flight.is_none() && !file.open.as_ref()?.typed;
        (waits && untouched).then(|| path.clone())
    }

    pub(super) fn changed(&mut self, uri: &str, version: i32, changes: &[ContentChange]) {
        let Some(path) = self.uris.get(uri).cloned() else {
            self.log(LogLevel::Error, format!("{uri}: a didChange, but the document is not open"));
            return;
        };
        let encoding = self.config.encoding;
        let Some(file) = self.files.get_mut(&path) else { return };
        let mut text = file.layers.editor().clone();
        let mut clamped = false;
        let mut edits = Vec::with_capacity(changes.len());
        for change in changes {
            let range = match change.range {
                Some(range) => {
                    let holds = |at| text.holds(at, encoding);
                    clamped |= !(holds(range.start) && holds(range.end));
                    text.offset_range(range, encoding)
                }
                None => 0..text.len(),
            };
            let edit = Edit::new(range, change.text.as_str());
            text.apply(&edit);
            edits.push(edit);
        }
        let reason = file.open.as_mut().and_then(|open| {
            open.version = version;
            open.reason.take_if(|(at, _)| *at <= version).map(|(_, reason)| reason)
        });
        if clamped {
            self.out_of_range(uri);
        }
        self.absorb(&path, &edits, reason);
    }

    pub(super) fn change_reason(&mut self, uri: &str, version: i32, reason: ChangeReason) {
        let path = self.uris.get(uri);
        if let Some(open) = path.and_then(|path| self.files.get_mut(path)?.open.as_mut()) {
            open.reason = Some((version, reason));
        }
    }

    pub(super) fn saved(&mut self, uri: &str) {
        let Some(path) = self.uris.get(uri).cloned() else { return };
        let Some(file) = self.files.get_mut(&path) else { return };
        let text = file.layers.editor().clone();
        let document = redline_text::Document { text, format: file.format };
        file.disk = Some(DiskText::new(document).with_mode(file.mode));
        if file.layers.is_deleted() {
            file.layers.appear(&Default::default());
        }
        file.unsaved.clear();
        if let Some(open) = &mut file.open {
            (open.typed, open.saving) = (false, false);
        }
        self.look_at(&path);
    }

    /// The text goes back to what the disk was known to hold. Accepted hunks that were not saved
    /// are pending again.
    fn drop_unsaved(&mut self, path: &WorkspacePath) {
        let Some(file) = self.files.get_mut(path) else { return };
        let undone = file.forget_unsaved();
        undone.into_iter().for_each(|pieces| self.note_turned(path, Turned::Undone(pieces)));
    }

    pub(super) fn save_answered(&mut self, uri: &str) {
        let path = self.uris.get(uri);
        if let Some(open) = path.and_then(|path| self.files.get_mut(path)?.open.as_mut()) {
            open.saving = false;
        }
    }

    /// The disk counts again: unsaved text is dropped by the user's own decision.
    pub(super) fn closed(&mut self, uri: &str, disk: Option<DiskText>) {
        let Some(path) = self.uris.remove(uri) else {
            self.log(LogLevel::Error, format!("{uri}: a didClose, but the document is not open"));
            return;
        };
        if let Some(Flight::Edit(flight)) = self.land(&path, |f| matches!(f, Flight::Edit(_))) {
            self.fail(&path, flight.work, "the document was closed before it took the edit");
        }
        let Some(file) = self.files.get_mut(&path) else { return };
        file.open = None;
        // First the user drops what is not saved, then what others did to the file counts.
        let is_saved = disk.as_ref().is_some_and(|disk| disk.text == *file.layers.editor());
        if is_saved {
            file.disk = disk;
        } else {
            self.drop_unsaved(&path);
            self.disk_changed(&path, disk);
        }
        let Some(file) = self.files.get_mut(&path) else { return };
        file.entered.clear();
        file.undone.clear();
        let idle = file.is_idle();
        self.touch(&path);
        if idle {
            self.files.remove(&path);
        }
        self.run_jobs(&path);
    }
}

impl File {
    /// The text goes back to what the disk was known to hold. Returns the accepted pieces that are
    /// pending again.
    pub(super) fn forget_unsaved(&mut self) -> Vec<Vec<PieceId>> {
        let mut undone = Vec::new();
        for pieces in std::mem::take(&mut self.unsaved).into_iter().rev() {
            if self.are_opposite(&pieces, PieceState::Pending) {
                self.layers.retract(&pieces);
                undone.push(pieces);
            }
        }
        let deleted = self.layers.deleted_text().filter(|_| self.layers.is_deleted());
        let known = self.disk.as_ref().map(|disk| &disk.text).or(deleted).cloned();
        let known = known.unwrap_or_default();
        for edit in self.edits_to(&known).iter().rev() {
            self.layers.change(Author::User, edit);
        }
        if self.disk.is_none() && !self.layers.is_deleted() {
            self.layers.vanish();
        }
        undone
    }
}
