//! What the session knows of one file.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use redline_layers::{Hunk, Layers, OpId, PieceId, Projection};
use redline_text::{Edit, Format, Text};
use serde::{Deserialize, Serialize};

use super::{
    flight::Flight, jobs::Job, notes::Turned, recorded::Recorded, restore::Limbo, reviews::Shown,
};
use crate::{ChangeReason, DiskText, Origin, Review};

/// One file: its layers, the document if it is open, and what is under way.
#[derive(Debug)]
pub(super) struct File {
    pub layers: Recorded,
    pub open: Option<Open>,
    /// The file on disk as far as the session knows; `None`: it does not exist.
    pub disk: Option<DiskText>,
    pub format: Format,
    /// The permission bits that the file had when it was last seen on disk.
    pub mode: Option<u32>,
    pub ops: BTreeMap<OpId, OpInfo>,
    /// Decisions that wait for the one in flight, oldest first.
    pub queue: VecDeque<Job>,
    pub flight: Option<Flight>,
    /// Pieces that entered the editor by one edit, newest last: what one undo takes back.
    pub entered: Vec<Vec<PieceId>>,
    /// Pieces that an undo took back, newest last: what one redo brings again.
    pub undone: Vec<Vec<PieceId>>,
    /// Pieces that entered the editor since the last save, newest last.
    pub unsaved: Vec<Vec<PieceId>>,
    /// Undos and redos of the notification at hand that the agent has to hear of.
    pub turned: Vec<Turned>,
    /// Ops that their thread has taken back.
    pub undone_ops: BTreeSet<OpId>,
    /// Hunks that the notification at hand has settled.
    pub found: Vec<Hunk>,
    /// What the user rejected, as proposed text.
    pub rejected: Vec<String>,
    pub shown: Shown,
    /// The document was open when the journal's session ended.
    pub limbo: Option<Box<Limbo>>,
}

/// An open document.
#[derive(Debug)]
pub(super) struct Open {
    pub uri: String,
    pub version: i32,
    /// The user has typed something that is not saved.
    pub typed: bool,
    /// Between our save request and its end: what changes is a formatter's.
    pub saving: bool,
    pub reason: Option<(i32, ChangeReason)>,
}

/// What is remembered of an op.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpInfo {
    pub origin: Origin,
    /// The thread's turn that it was made in; `None`: of a session that is over.
    pub turn: Option<u32>,
}

impl File {
    /// A file as it is on disk.
    pub fn from_disk(disk: Option<DiskText>) -> Self {
        let layers = match &disk {
            Some(disk) => Layers::new(disk.text.clone()),
            None => Layers::absent(),
        };
        let format = disk.as_ref().map(|disk| disk.format).unwrap_or_default();
        let mode = disk.as_ref().and_then(|disk| disk.mode);
        File {
            mode,
            layers: Recorded::new(layers),
            open: None,
            disk,
            format,
            ops: BTreeMap::new(),
            queue: VecDeque::new(),
            flight: None,
            entered: Vec::new(),
            undone: Vec::new(),
            unsaved: Vec::new(),
            turned: Vec::new(),
            undone_ops: BTreeSet::new(),
            found: Vec::new(),
            rejected: Vec::new(),
            shown: Shown::default(),
            limbo: None,
        }
    }

    /// Nothing here that the disk could not tell.
    pub fn is_idle(&self) -> bool {
        let busy = self.flight.is_some() || !self.queue.is_empty();
        self.open.is_none()
            && !busy
            && self.layers.pieces().next().is_none()
            && self.shown.is_empty()
    }

    /// Whether a projection has the file: on disk, in a buffer, or proposed. One that was moved away
    /// under its hunks has no text, and is nowhere.
    pub fn exists_in(&self, projection: &Projection) -> bool {
        let has_place = self.open.is_some() || self.disk.is_some();
        self.layers.exists(projection)
            && (has_place
                || self.layers.creator().is_some()
                || !self.layers.project(projection).is_empty())
    }

    /// Whether the editor's projection has it.
    pub fn exists(&self) -> bool {
        self.exists_in(&Projection::Editor)
    }

    pub fn seems_unsaved(&self) -> bool {
        let disk = self.disk.as_ref().map(|disk| &disk.text);
        // The buffer of a deleted file has only what was deleted.
        let disk = if self.layers.is_deleted() { self.layers.deleted_text() } else { disk };
        self.open.is_some() && disk.is_none_or(|disk| disk != self.layers.editor())
    }

    pub fn version(&self) -> Option<i32> {
        self.open.as_ref().map(|open| open.version)
    }

    /// The file is opened with the text that a write under way has just put on the disk.
    pub fn sees_write(&mut self, text: &str) {
        if let Some(Flight::Write { work, seen, .. }) = &mut self.flight {
            let target = work.target(&self.layers);
            // Whether there is a file at all no buffer tells.
            let editor = &Projection::Editor;
            let shows = target.exists(editor) == self.layers.exists(editor);
            if shows && *target.editor() == *text {
                self.layers = target;
                *seen = true;
            }
        }
    }

    pub fn review(&self) -> Option<Review> {
        self.shown.review()
    }

    /// Edits of the editor's text that make it `text`, as small as a diff finds them.
    pub fn edits_to(&self, text: &Text) -> Vec<Edit> {
        redline_text::char_edits(self.layers.editor(), text)
    }
}
