//! The journal of one folder, while it is written.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use super::{
    KeepError, Kept, Written, aside,
    record::{Line, Live, Place, Record},
};
use crate::{
    Entry,
    io::journal::{Folder, Log, LogError, Owner, Retained, Store, StoreError, TextId},
};

/// What no file needs any more is thrown out when it is more than this (in bytes), and more than
/// half.
const WASTE: u64 = 4 << 20;
/// The files' names.
const LOG: &str = "review.log";
const TEXTS: &str = "texts";

/// The journal of one folder.
#[derive(Debug)]
pub(crate) struct Shelf {
    root: PathBuf,
    _owner: Owner,
    pub(super) dir: PathBuf,
    pub(super) log: Log,
    pub(super) store: Store,
    pub(super) files: BTreeMap<PathBuf, Live>,
    /// How long the texts in use are, in bytes.
    pub(super) sizes: HashMap<TextId, u64>,
    pub(super) last_op: u32,
    waste: u64,
    unsynced: bool,
    /// Something could not be written, and the user was told.
    failing: bool,
    /// Files of which something is missing: what follows would not fit, until all of their state is
    /// written.
    missed: BTreeSet<PathBuf>,
    /// Files that are under review no more, which the log does not know yet.
    ended: BTreeSet<PathBuf>,
    /// Throwing out has failed: not again in this process.
    full: bool,
}

impl Shelf {
    /// Opens the journal of a folder that this process owns, and reads it.
    pub fn open(root: &Path, folder: &Folder, owner: Owner) -> Result<(Shelf, Kept), KeepError> {
        Self::open_with(root, folder.dir(), owner, WASTE)
    }

    pub(super) fn open_with(
        root: &Path,
        dir: &Path,
        owner: Owner,
        waste: u64,
    ) -> Result<(Shelf, Kept), KeepError> {
        let mut troubles = Vec::new();
        let mut records = Vec::new();
        let (log, lost) = open_log(&dir.join(LOG), &mut troubles, &mut records)?;
        let store = open_store(&dir.join(TEXTS), &mut troubles)?;
        let mut shelf = Shelf {
            root: root.to_owned(),
            _owner: owner,
            dir: dir.to_owned(),
            log,
            store,
            files: BTreeMap::new(),
            sizes: HashMap::new(),
            last_op: 0,
            waste,
            unsynced: false,
            failing: false,
            missed: BTreeSet::new(),
            ended: BTreeSet::new(),
            full: false,
        };
        let mut kept = shelf.read(records);
        shelf.last_op = shelf.last_op.saturating_add(lost);
        kept.last_op = shelf.last_op;
        kept.troubles.splice(0..0, troubles);
        shelf.tidy_if_useful().unwrap_or_else(|error| kept.troubles.push(error.to_string()));
        Ok((shelf, kept))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn last_op(&self) -> u32 {
        self.last_op
    }

    pub fn is_unsynced(&self) -> bool {
        self.unsynced
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), KeepError> {
        if std::mem::take(&mut self.unsynced) {
            self.store.sync()?;
            self.log.sync()?;
        }
        Ok(())
    }

    /// Whether something still waits to be written.
    pub fn is_failing(&self) -> bool {
        self.failing
    }

    /// Writes an entry down; see `Keeper::write`.
    pub fn write(&mut self, path: &Path, entry: Entry) -> Result<Written, KeepError> {
        let unknown = !self.files.contains_key(path) && !self.missed.contains(path);
        match &entry {
            Entry::End if unknown => return Ok(Written::Yes),
            Entry::Add(_) if self.missed.contains(path) => return Ok(Written::No),
            _ => {}
        }
        let ends = matches!(entry, Entry::End);
        match self.write_owed().and_then(|()| self.write_entry(path, entry)) {
            Ok(()) => {
                self.missed.remove(path);
                self.tidy_if_useful()?;
                Ok(self.after_success())
            }
            Err(error) => {
                let owed = if ends { &mut self.ended } else { &mut self.missed };
                owed.insert(path.to_owned());
                let told = std::mem::replace(&mut self.failing, true);
                if told { Ok(Written::No) } else { Err(error) }
            }
        }
    }

    fn after_success(&mut self) -> Written {
        let whole = self.missed.is_empty() && self.ended.is_empty();
        match whole && std::mem::take(&mut self.failing) {
            true => Written::Again,
            false => Written::Yes,
        }
    }

    /// What was decided must not come back.
    fn write_owed(&mut self) -> Result<(), KeepError> {
        while let Some(path) = self.ended.first().cloned() {
            self.add(&path, Line::End)?;
            self.missed.remove(&path);
            self.ended.remove(&path);
        }
        Ok(())
    }

    fn write_entry(&mut self, path: &Path, entry: Entry) -> Result<(), KeepError> {
        let line = self.line(entry)?;
        self.add(path, line)
    }

    /// Appends a record.
    pub(super) fn add(&mut self, path: &Path, line: Line) -> Result<(), KeepError> {
        let record = Record { file: path.to_owned(), entry: line };
        let bytes = serde_json::to_vec(&record)?;
        let place = Place { at: self.log.append(&bytes)?, len: bytes.len() };
        self.unsynced = true;
        self.last_op = self.last_op.max(record.entry.last_op());
        match record.entry {
            Line::End => drop(self.files.remove(path)),
            line => self.files.entry(path.to_owned()).or_default().push(place, &line),
        }
        Ok(())
    }

    /// Texts first: a record never names one that is not there.
    fn line(&mut self, entry: Entry) -> Result<Line, KeepError> {
        let mut text = |text: redline_text::Text| {
            let id = self.store.put(&text)?;
            self.sizes.insert(id, text.len() as u64);
            Ok::<_, KeepError>(id)
        };
        Ok(match entry {
            Entry::Begin(base) => Line::Begin(Box::new(base.map(&mut text)?)),
            Entry::Add(notes) => {
                let notes = notes.into_iter().map(|note| note.map(&mut text));
                Line::Add(notes.collect::<Result<_, _>>()?)
            }
            Entry::End => Line::End,
        })
    }

    /// The texts that may not be thrown out.
    pub(super) fn texts_in_use(&self) -> BTreeSet<TextId> {
        self.files.values().flat_map(Live::texts).collect()
    }

    pub(super) fn tidy_if_useful(&mut self) -> Result<(), KeepError> {
        let live = self.files.values().map(|live| live.bytes).sum();
        let log = self.is_waste(self.log.len_bytes(), live);
        let texts = self.store_is_waste()?;
        if self.full || !(log || texts) {
            return Ok(());
        }
        let tidied = self.tidy(texts);
        self.full = tidied.is_err();
        tidied.map_err(|error| KeepError::Tidy(Box::new(error)))
    }

    fn store_is_waste(&mut self) -> Result<bool, KeepError> {
        // It is made when the first text comes.
        if self.sizes.is_empty() && !self.dir.join(TEXTS).exists() {
            return Ok(false);
        }
        let len = self.store.len_bytes()?;
        if len < self.waste {
            return Ok(false);
        }
        let size = |id| self.sizes.get(&id).copied().unwrap_or_default();
        let live = self.texts_in_use().into_iter().map(size).sum();
        Ok(self.is_waste(len, live))
    }

    fn is_waste(&self, len: u64, live: u64) -> bool {
        let waste = len.saturating_sub(live);
        waste >= self.waste && waste >= live
    }

    /// The log first: after it no record names a text that is not in use.
    fn tidy(&mut self, texts: bool) -> Result<(), KeepError> {
        self.throw_out_records()?;
        if texts {
            self.throw_out_texts()?;
        }
        Ok(())
    }

    fn throw_out_texts(&mut self) -> Result<Retained, KeepError> {
        let used = self.texts_in_use();
        self.sizes.retain(|id, _| used.contains(id));
        let ids: Vec<TextId> = used.into_iter().collect();
        Ok(self.store.retain(&ids, u64::MAX)?)
    }

    fn throw_out_records(&mut self) -> Result<(), KeepError> {
        // What the new log names is on the disk before the new log is.
        self.store.sync()?;
        let ops = Record { file: PathBuf::new(), entry: Line::Ops(self.last_op) };
        let first = serde_json::to_vec(&ops)?;
        let mut moved: Vec<Vec<Place>> = Vec::with_capacity(self.files.len());
        let mut rewrite = self.log.rewrite()?;
        rewrite.push(&first)?;
        for live in self.files.values() {
            let mut places = Vec::with_capacity(live.places.len());
            for Place { at, len } in live.places.iter().copied() {
                let bytes = rewrite.old().read_at(at, len)?;
                places.push(Place { at: rewrite.push(&bytes)?, len });
            }
            moved.push(places);
        }
        rewrite.commit()?;
        self.files.values_mut().zip(moved).for_each(|(live, places)| live.places = places);
        Ok(())
    }
}

type Records = Vec<(u64, Vec<u8>)>;

/// The log, its records, and how many ops may have been lost with what could not be read.
fn open_log(
    path: &Path,
    troubles: &mut Vec<String>,
    records: &mut Records,
) -> Result<(Log, u32), KeepError> {
    let mut open = || Log::open_with(path, |at, record| records.push((at, record)));
    let mut moved = 0;
    let (log, tail) = match open() {
        Err(LogError::NotALog(_)) => {
            moved = std::fs::metadata(path).map(|meta| meta.len()).unwrap_or_default();
            troubles.push(aside::damaged_file(path, "the journal")?);
            open()?
        }
        opened => opened?,
    };
    troubles.extend(aside::torn(&tail, "the journal"));
    Ok((log, ops_in(tail.dropped + moved)))
}

/// The most ops that so many bytes of a log can hold: their ids must not be given again.
fn ops_in(bytes: u64) -> u32 {
    const SHORTEST: u64 = 64;
    u32::try_from(bytes.div_ceil(SHORTEST)).unwrap_or(u32::MAX / 2)
}

fn open_store(path: &Path, troubles: &mut Vec<String>) -> Result<Store, KeepError> {
    let mut store = Store::at(path);
    if !path.exists() {
        return Ok(store);
    }
    let damaged = |error: &StoreError| {
        matches!(error, StoreError::Log(LogError::NotALog(_)) | StoreError::NotAStore(_))
    };
    match store.tail() {
        Err(error) if damaged(&error) => {
            troubles.push(aside::damaged_file(path, "the store of texts")?);
        }
        tail => troubles.extend(aside::torn(&tail?, "the store of texts")),
    }
    Ok(store)
}
