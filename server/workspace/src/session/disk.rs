//! Files that somebody else wrote.

use redline_layers::{Author, PieceId, PieceState, Projection};
use redline_text::line_edits;

use super::{Session, file::File, flight::Flight};
use crate::{DiskText, WorkspacePath};

impl Session {
    /// A file that is not open holds other text than the session knew: a tool's edit, found by a
    /// diff. Pieces whose old text survives move along, the others are in conflict. Of an open
    /// document only the knowledge of the disk changes: its buffer is the truth.
    pub(super) fn disk_changed(&mut self, path: &WorkspacePath, disk: Option<DiskText>) {
        let Some(file) = self.files.get_mut(path) else { return };
        if file.disk.as_ref().map(|disk| disk.hash) == disk.as_ref().map(|disk| disk.hash) {
            return;
        }
        // What is found while we write is the old text or ours: the end of the write says which.
        if matches!(file.flight, Some(Flight::Write { .. })) {
            return;
        }
        if disk.is_none() && file.open.is_none() {
            self.note_removed(path);
        }
        let Some(file) = self.files.get_mut(path) else { return };
        let mut found = Vec::new();
        let returned = disk.is_some() && file.layers.is_deleted();
        if returned {
            file.layers.appear(&Default::default());
        }
        if file.open.is_none() {
            let text = disk.as_ref().map(|disk| disk.text.clone()).unwrap_or_default();
            if disk.is_some() && !file.layers.exists(&Projection::Editor) {
                file.layers.appear(&text);
            }
            if file.disk.is_some() && disk.is_none() {
                file.settle_deletion();
                file.lose_all();
            }
            file.lose_deletion(&text);
            found.extend(file.settle_found(&text));
            for edit in line_edits(file.layers.editor(), &text).iter().rev() {
                file.layers.change(Author::Tool, edit);
            }
        }
        file.format = disk.as_ref().map_or(file.format, |disk| disk.format);
        file.mode = disk.as_ref().map_or(file.mode, |disk| disk.mode);
        file.disk = disk;
        self.note_found(path, &found);
        self.touch(path);
    }
}

impl File {
    /// The file is gone, and with it what the pieces were about.
    fn lose_all(&mut self) {
        let waits = |state| matches!(state, PieceState::Pending | PieceState::Accepting);
        let waiting: Vec<PieceId> =
            self.layers.pieces().filter(|piece| waits(piece.state)).map(|piece| piece.id).collect();
        self.layers.set_state(&waiting, PieceState::Conflict);
    }
}
