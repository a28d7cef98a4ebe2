//! What the journal is told: after each event, what has changed in the files under review.

use std::collections::{BTreeMap, BTreeSet};

use redline_layers::{OpId, Step};

use super::{
    Session,
    file::{File, OpInfo},
    flight::Flight,
};
use crate::{
    DiskText, Effect, LogLevel, WorkspacePath,
    journal::{Base, Entry, Known, Memory, News, Note},
};

/// A file's notes are replaced by its whole state when they have become longer than this, or than
/// the text.
const LONG: usize = 1 << 20;

/// Bytes of a text that is not written down: a proposal must not wait for a hundred megabytes.
const TOO_LARGE: usize = 32 << 20;

/// What the journal holds.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// Somebody writes it down.
    active: bool,
    files: BTreeMap<WorkspacePath, Written>,
    too_large: BTreeSet<WorkspacePath>,
}

/// What was last written about a file.
#[derive(Debug, Default)]
struct Written {
    memory: Memory,
    disk: Option<u64>,
    flight: Option<FlightName>,
    last_op: Option<OpId>,
    bytes: usize,
}

/// Which flight it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FlightName {
    Edit(u64),
    Write(u64),
}

impl Session {
    /// The journal is there: everything that is under review is written into it.
    pub(super) fn start_journal(&mut self, last_op: u32) {
        self.last_op = self.last_op.max(last_op);
        // What was written of a file before is replaced by all of its state, or by its end.
        let stale = || Written { bytes: usize::MAX, ..Written::default() };
        let files = self.files.keys().map(|path| (path.clone(), stale())).collect();
        self.journal = Journal { active: true, files, ..Journal::default() };
        self.out.touched.extend(self.files.keys().cloned());
    }

    /// What there is to write about the files that the event touched.
    pub(super) fn journal_news(&mut self) -> Vec<Effect> {
        let mut news = Vec::new();
        self.out.touched.sort_unstable();
        self.out.touched.dedup();
        for path in &self.out.touched {
            if let Some(file) = self.files.get_mut(path).filter(|file| file.is_too_large()) {
                file.layers.take_steps();
                news.extend(self.journal.warn(path, file));
                if file.limbo.is_none() && self.journal.files.remove(path).is_some() {
                    news.push(Effect::Journal { file: path.clone(), entry: Entry::End });
                }
                continue;
            }
            let entry = match self.files.get_mut(path) {
                Some(file) => self.journal.entry(path, file),
                None => self.journal.files.remove(path).map(|_| Entry::End),
            };
            news.extend(entry.map(|entry| Effect::Journal { file: path.clone(), entry }));
        }
        news
    }
}

impl Journal {
    /// Said once for each file.
    fn warn(&mut self, path: &WorkspacePath, file: &File) -> Option<Effect> {
        let waits = self.active && file.layers.pieces().next().is_some();
        if !waits || !self.too_large.insert(path.clone()) {
            return None;
        }
        let text = format!("{path} is too large to be kept: its proposals end with Redline");
        Some(Effect::Log(LogLevel::Warning, text))
    }

    fn entry(&mut self, path: &WorkspacePath, file: &mut File) -> Option<Entry> {
        let steps = file.layers.take_steps();
        // What was written before a restart counts until it is clear what the editor holds.
        if !self.active || file.limbo.is_some() {
            return None;
        }
        if file.layers.pieces().next().is_none() {
            return self.files.remove(path).map(|_| Entry::End);
        }
        let long = file.layers.editor().len().max(LONG);
        match self.files.get_mut(path) {
            Some(written) if written.bytes <= long => {
                let notes = written.notes(file, steps);
                (!notes.is_empty()).then_some(Entry::Add(notes))
            }
            _ => {
                self.files.insert(path.clone(), Written::of(file));
                Some(Entry::Begin(Box::new(file.base())))
            }
        }
    }
}

impl Written {
    fn of(file: &File) -> Self {
        Self {
            memory: file.memory(),
            disk: file.disk.as_ref().map(|disk| disk.hash),
            flight: name(file),
            last_op: file.ops.keys().next_back().copied(),
            bytes: 0,
        }
    }

    fn notes(&mut self, file: &File, steps: Vec<Step>) -> Vec<Note<redline_text::Text>> {
        let mut notes = Vec::new();
        let now = Written::of(file);
        if now.last_op > self.last_op {
            let known = self.last_op;
            let new = file.ops.iter().filter(|(id, _)| Some(**id) > known);
            notes.push(Note(News::Ops(new.map(|(id, op)| (*id, op.clone())).collect())));
        }
        // The layers before the flight: what it does is tried on them when they are read again.
        if !steps.is_empty() {
            self.bytes += steps.iter().map(bytes).sum::<usize>();
            notes.push(Note(News::Steps(steps)));
        }
        if now.flight != self.flight {
            notes
                .push(Note(News::Flight(file.flight.as_ref().map(|f| Box::new(f.work().clone())))));
        }
        if now.disk != self.disk {
            notes.push(Note(News::Disk(file.known())));
        }
        if now.memory != self.memory {
            notes.push(Note(News::Memory(now.memory.clone())));
        }
        *self = Written { bytes: self.bytes, ..now };
        notes
    }
}

impl File {
    pub(super) fn is_too_large(&self) -> bool {
        self.layers.editor().len() > TOO_LARGE
    }

    fn base(&self) -> Base<redline_text::Text> {
        let (layers, text) = self.layers.save();
        let ops = self.ops.iter().map(|(id, op): (&OpId, &OpInfo)| (*id, op.clone()));
        Base {
            layers,
            text,
            disk: self.known(),
            format: self.format,
            mode: self.mode,
            ops: ops.collect(),
            memory: self.memory(),
            flight: self.flight.as_ref().map(|flight| flight.work().clone()),
        }
    }

    fn known(&self) -> Option<Known<redline_text::Text>> {
        let known = |disk: &DiskText| Known {
            text: disk.text.clone(),
            format: disk.format,
            mode: disk.mode,
        };
        self.disk.as_ref().map(known)
    }

    fn memory(&self) -> Memory {
        Memory {
            open: self.open.is_some(),
            typed: self.open.as_ref().is_some_and(|open| open.typed),
            entered: self.entered.clone(),
            undone: self.undone.clone(),
            unsaved: self.unsaved.clone(),
            rejected: self.rejected.clone(),
        }
    }
}

fn name(file: &File) -> Option<FlightName> {
    match file.flight.as_ref()? {
        Flight::Edit(flight) => Some(FlightName::Edit(flight.edit.0)),
        Flight::Write { write, .. } => Some(FlightName::Write(write.0)),
    }
}

/// About what a step takes.
fn bytes(step: &Step) -> usize {
    let text = match step {
        Step::Change(_, edit) => edit.new.len(),
        Step::Propose(op) => op.edits.iter().map(|edit| edit.new.len() + 32).sum(),
        Step::Appear(text) => text.len(),
        _ => 0,
    };
    64 + text
}
