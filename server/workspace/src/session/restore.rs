//! A journal is read again after a restart.

use redline_layers::{Layers, Misfit, PieceId, PieceState, PlanItem, Projection};
use redline_text::{Document, Format, Text};

use super::{
    Session,
    file::File,
    jobs::{Step, Work},
    recorded::Recorded,
};
use crate::{
    DiskText, LogLevel, WorkspacePath,
    journal::{Base, Entry, Known, Memory, News, Note},
};

/// A document that was open when the session ended, as it was: until the editor says what it holds,
/// the disk counts, and nothing that belongs to the buffer may be lost for that.
#[derive(Debug)]
pub(super) struct Limbo {
    layers: Recorded,
    flight: Option<Work>,
    memory: Memory,
}

impl Session {
    /// Takes up what a journal says of a file. `disk` is what the file holds now.
    pub(super) fn restored(
        &mut self,
        path: &WorkspacePath,
        restored: Restored,
        disk: Option<DiskText>,
    ) {
        if self.files.get(path).is_some_and(|file| file.layers.pieces().next().is_some()) {
            let why = "it is under review here already; what was written before is dropped";
            return self.log(LogLevel::Warning, format!("{path}: {why}"));
        }
        let open = self.files.get_mut(path).and_then(|file| file.open.take());
        let mut file = restored.file();
        self.last_op = file.ops.keys().map(|id| id.0).max().unwrap_or(0).max(self.last_op);
        let text = self.files.get(path).map(|file| file.layers.editor().clone());
        file.settle_on_disk(disk.as_ref());
        self.files.insert(path.clone(), file);
        self.disk_changed(path, disk.clone());
        self.touch(path);
        // A takeover: the document is open already.
        if let (Some(open), Some(text)) = (open, text) {
            self.opened(path.clone(), open.uri, open.version, &text.to_string(), disk);
        }
    }
}

/// What the journal's entries about one file amount to.
#[derive(Debug, Clone)]
pub struct Restored {
    base: Base<Text>,
    layers: Recorded,
}

impl Restored {
    /// Takes the steps of a file's entries again. `None`: nothing of it is under review any more.
    ///
    /// # Errors
    /// If texts and records do not belong together.
    pub fn read(entries: Vec<Entry>) -> Result<Option<Self>, Misfit> {
        let mut written: Option<Restored> = None;
        for entry in entries {
            match (entry, &mut written) {
                (Entry::Begin(base), _) => {
                    let layers = Layers::restore(base.layers.clone(), base.text.clone())?;
                    written = Some(Restored { base: *base, layers: Recorded::new(layers) });
                }
                (Entry::Add(notes), Some(written)) => {
                    notes.into_iter().for_each(|note| written.add(note));
                }
                (Entry::End, written) => *written = None,
                (Entry::Add(_), None) => {}
            }
        }
        Ok(written)
    }

    /// The file on disk, as the session knew it.
    pub(crate) fn known_disk(&self) -> Option<DiskText> {
        self.base.disk.clone().map(read_again)
    }

    /// What the file is, beside its text.
    pub(crate) fn format(&self) -> Format {
        self.base.format
    }

    /// Whether it waits for nobody: all is decided, and in no buffer that may come back.
    pub(crate) fn is_done(&self) -> bool {
        let undecided = self.layers.pieces().any(|piece| piece.state.is_undecided());
        !undecided && !self.base.memory.open && self.base.flight.is_none()
    }

    /// The newest op.
    pub(crate) fn last_op(&self) -> u32 {
        self.base.last_op()
    }

    fn add(&mut self, note: Note<Text>) {
        match note.0 {
            News::Ops(ops) => self.base.ops.extend(ops),
            News::Steps(steps) => steps.iter().for_each(|step| self.layers.replay(step)),
            News::Memory(memory) => self.base.memory = memory,
            News::Disk(disk) => self.base.disk = disk,
            News::Flight(work) => self.base.flight = work.map(|work| *work),
        }
    }

    /// The file, as if its document had never been open; with all that the editor may still know of it
    /// in `limbo`.
    fn file(self) -> File {
        let Base { disk, format, mode, ops, memory, flight, .. } = self.base;
        let mut file = File::from_disk(disk.map(read_again));
        file.format = format;
        file.mode = mode.or(file.mode);
        file.ops = ops.into_iter().collect();
        file.ops.values_mut().for_each(|op| op.turn = None);
        file.rejected.clone_from(&memory.rejected);
        file.unsaved.clone_from(&memory.unsaved);
        file.layers = self.layers.clone();
        file.limbo = Some(Box::new(Limbo { layers: self.layers, flight, memory }));
        file
    }
}

fn read_again(known: Known<Text>) -> DiskText {
    DiskText::new(Document { text: known.text, format: known.format }).with_mode(known.mode)
}

impl File {
    /// No editor has the file: what was on its way is done if the disk shows it, and what was not
    /// saved is not there.
    fn settle_on_disk(&mut self, disk: Option<&DiskText>) {
        let Some(limbo) = self.limbo.take() else { return };
        let flight = limbo.flight.clone();
        let text = disk.map(|disk| disk.text.clone()).unwrap_or_default();
        let landed = self.end_flight(flight.as_ref(), disk, &text);
        let deleted = self.layers.is_deleted();
        // It may have been saved at the very end. A buffer that outlived its file was not.
        let known = if deleted { self.layers.deleted_text() } else { Some(&text) };
        let typed = known.is_some_and(|known| known != self.layers.editor());
        if (deleted || !landed) && limbo.memory.open && typed {
            self.forget_unsaved();
        }
        if deleted && disk.is_none() || !deleted && self.layers.editor() == &text {
            self.disk = disk.cloned();
            self.unsaved.clear();
        }
        self.limbo = limbo.memory.open.then_some(limbo);
    }

    /// Of a flight that was to delete the file, or to bring it back: whether the disk shows it done.
    fn whether_it_is(&self, flight: Option<&Work>, disk: Option<&DiskText>) -> Option<bool> {
        let editor = &Projection::Editor;
        let target = flight?.target(&self.layers);
        let exists = target.exists(editor);
        (exists != self.layers.exists(editor)).then_some(exists == disk.is_some())
    }

    /// Such a flight is done.
    fn has_landed(&mut self, flight: Option<&Work>) -> bool {
        if let Some(work) = flight {
            self.layers = work.target(&self.layers);
        }
        self.layers.set_state(&self.accepting(), PieceState::Pending);
        true
    }

    /// Such a flight is not done.
    fn land_on_nothing(&mut self, flight: Option<&Work>) -> bool {
        self.layers.set_state(&self.accepting(), PieceState::Pending);
        if let Some(Step::Apply(pieces)) = flight.map(|work| &work.job.step) {
            self.layers.withdraw(pieces);
        }
        false
    }

    /// The editor holds `text`. If that is not what the disk made of the file, it is what was in the
    /// buffer, and what the user typed meanwhile.
    pub(super) fn leave_limbo(&mut self, text: &Text) {
        let Some(limbo) = self.limbo.take() else { return };
        let Limbo { layers, flight, memory } = *limbo;
        // An editor that has outlived the session can still undo.
        self.entered = memory.entered;
        self.undone = memory.undone;
        if self.layers.editor() == text {
            return;
        }
        self.layers = layers;
        self.unsaved = memory.unsaved;
        let disk = self.disk.clone();
        self.end_flight(flight.as_ref(), disk.as_ref(), text);
    }

    /// Ends what was on its way, as the disk says if it is about the file itself, else as the text
    /// says. Whether it is done.
    fn end_flight(&mut self, flight: Option<&Work>, disk: Option<&DiskText>, text: &Text) -> bool {
        match self.whether_it_is(flight, disk) {
            Some(true) => self.has_landed(flight),
            Some(false) => self.land_on_nothing(flight),
            None => self.land_on(flight, text),
        }
    }

    /// Ends what was on its way: done if `text` is what it leads to, else as if it had never begun.
    fn land_on(&mut self, flight: Option<&Work>, text: &Text) -> bool {
        let target = flight.map(|work| work.target(&self.layers));
        if let Some((work, target)) = flight.zip(target)
            && target.editor() == text
        {
            self.layers = target;
            if work.to == PieceState::Rejected {
                self.rejected.extend(work.items.iter().map(|item| item.hunk.new.clone()));
            }
            // A decision that had lost its object has left its pieces as they were.
            self.layers.set_state(&self.accepting(), PieceState::Pending);
            return true;
        }
        let waiting = self.accepting();
        if let Some(work) = flight.filter(|work| !work.is_whole()) {
            let arrived = |item: &&PlanItem| !item.pieces.iter().any(|id| waiting.contains(id));
            let items: Vec<PlanItem> = work.items.iter().filter(arrived).cloned().collect();
            if work.to == PieceState::Accepted {
                items.iter().for_each(|item| self.layers.decide(item));
            }
        }
        self.layers.set_state(&waiting, PieceState::Pending);
        if let Some(Step::Apply(pieces)) = flight.map(|work| &work.job.step) {
            self.layers.withdraw(pieces);
        }
        false
    }

    fn accepting(&self) -> Vec<PieceId> {
        let waits = |state| state == PieceState::Accepting;
        self.layers.pieces().filter(|piece| waits(piece.state)).map(|piece| piece.id).collect()
    }
}
