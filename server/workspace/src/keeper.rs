//! The edge of the journal: entries become records of a folder's log, their texts go into its store.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    Base, Entry, Note, WorkspacePath,
    io::journal::{Folder, FolderError, Log, LogError, Owner, OwnerError, Store, StoreError, TextId},
    session::Restored,
};

/// What no file needs any more is thrown out when it is more than this, and more than half.
const WASTE: u64 = 4 << 20;

/// The journals of the folders that this process owns.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    shelves: Vec<Shelf>,
}

/// The journal of one folder.
#[derive(Debug)]
pub(crate) struct Shelf {
    root: PathBuf,
    _owner: Owner,
    dir: PathBuf,
    log: Log,
    store: Store,
    /// Where the records of each file lie, since the last that held all of its state.
    files: BTreeMap<PathBuf, Vec<Place>>,
    last_op: u32,
    unsynced: bool,
}

/// A record in the log: offset and length in bytes.
type Place = (u64, usize);

/// Why something could not be written down or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeepError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Owner(#[from] OwnerError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write a record: {0}")]
    Record(#[from] serde_json::Error),
}

/// A record of the log.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    file: PathBuf,
    entry: Line,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Begin(Box<Base<TextId>>),
    Add(Vec<Note<TextId>>),
    End,
    /// Of a file that is not named: ops up to this one have been given.
    Ops(u32),
}

/// What a folder's journal held.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub files: Vec<(WorkspacePath, Restored)>,
    pub last_op: u32,
    /// For the user: what was lost, and where it can be found.
    pub troubles: Vec<String>,
}

impl Keeper {
    pub fn add(&mut self, shelf: Shelf) {
        self.shelves.push(shelf);
    }

    /// Writes an entry down. A file outside of all folders belongs to the first one.
    pub fn write(&mut self, file: &WorkspacePath, entry: Entry) -> Result<(), KeepError> {
        let path = file.as_path();
        let inside = |shelf: &&mut Shelf| path.starts_with(&shelf.root);
        let best = self.shelves.iter_mut().filter(inside).max_by_key(|s| s.root.as_os_str().len());
        match best {
            Some(shelf) => shelf.write(path, entry),
            None => self.shelves.first_mut().map_or(Ok(()), |shelf| shelf.write(path, entry)),
        }
    }

    /// Whether something was written since the last sync.
    pub fn is_unsynced(&self) -> bool {
        self.shelves.iter().any(|shelf| shelf.unsynced)
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), KeepError> {
        for shelf in self.shelves.iter_mut().filter(|shelf| shelf.unsynced) {
            shelf.unsynced = false;
            shelf.store.sync()?;
            shelf.log.sync()?;
        }
        Ok(())
    }
}

impl Shelf {
    /// Opens the journal of a folder that this process owns, and reads it.
    pub fn open(root: &Path, folder: &Folder, owner: Owner) -> Result<(Shelf, Kept), KeepError> {
        let dir = folder.dir().to_owned();
        let mut records = Vec::new();
        let (log, tail) = Log::open_with(&dir.join("review.log"), |at, record| records.push((at, record)))?;
        let store = Store::at(&dir.join("texts"));
        let files = BTreeMap::new();
        let root = root.to_owned();
        let mut shelf =
            Shelf { root, _owner: owner, dir, log, store, files, last_op: 0, unsynced: false };
        let mut kept = shelf.read(records);
        if tail.dropped > 0 {
            let text = format!("the end of the journal was torn: {} bytes dropped", tail.dropped);
            kept.troubles.push(text);
        }
        kept.last_op = shelf.last_op;
        Ok((shelf, kept))
    }

    fn read(&mut self, records: Vec<(u64, Vec<u8>)>) -> Kept {
        let mut kept = Kept::default();
        let mut live: BTreeMap<PathBuf, Vec<(Place, Line)>> = BTreeMap::new();
        for (at, bytes) in records {
            let place = (at, bytes.len());
            match serde_json::from_slice::<Record>(&bytes) {
                Ok(Record { entry: Line::Ops(last), .. }) => self.last_op = self.last_op.max(last),
                Ok(Record { file, entry: Line::End }) => drop(live.remove(&file)),
                Ok(Record { file, entry }) => {
                    self.last_op = self.last_op.max(entry.last_op());
                    let lines = live.entry(file).or_default();
                    if matches!(entry, Line::Begin(_)) {
                        lines.clear();
                    }
                    lines.push((place, entry));
                }
                Err(error) => kept.troubles.push(format!("a record cannot be read: {error}")),
            }
        }
        for (path, lines) in live {
            let places = lines.iter().map(|(place, _)| *place).collect();
            match self.entries(lines.into_iter().map(|(_, line)| line)) {
                Ok(Some(restored)) => {
                    let file = WorkspacePath::assume_canonical(&path);
                    kept.files.push((file, restored));
                    self.files.insert(path, places);
                }
                Ok(None) => {}
                Err(why) => kept.troubles.push(self.put_aside(&path, &places, &why)),
            }
        }
        kept
    }

    fn entries(&mut self, lines: impl Iterator<Item = Line>) -> Result<Option<Restored>, String> {
        let mut entries = Vec::new();
        let mut text = |id: TextId| match self.store.get(&id) {
            Ok(Some(text)) => Ok(text),
            Ok(None) => Err(format!("the text {id} is not in the store")),
            Err(error) => Err(error.to_string()),
        };
        for line in lines {
            entries.push(match line {
                Line::Begin(base) => Entry::Begin(Box::new(base.map(&mut text)?)),
                Line::Add(notes) => {
                    let notes = notes.into_iter().map(|note| note.map(&mut text));
                    Entry::Add(notes.collect::<Result<_, _>>()?)
                }
                Line::End | Line::Ops(_) => Entry::End,
            });
        }
        Restored::read(entries).map_err(|misfit| misfit.to_string())
    }

    /// The records of a file that can't be taken up again: what the agent wrote is in them.
    fn put_aside(&mut self, path: &Path, places: &[Place], why: &str) -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let aside = self.dir.join(format!("unread-{name}-{}.jsonl", self.last_op));
        let lines = places.iter().filter_map(|(at, len)| self.log.read_at(*at, *len).ok());
        let text: Vec<u8> = lines.flat_map(|line| [line, b"\n".to_vec()].concat()).collect();
        let path = path.display();
        match std::fs::write(&aside, text) {
            Ok(()) => format!(
                "what was under review in {path} cannot be shown ({why}); the agent's text is in {}",
                aside.display()
            ),
            Err(error) => format!("what was under review in {path} cannot be read: {why}; {error}"),
        }
    }

    fn write(&mut self, path: &Path, entry: Entry) -> Result<(), KeepError> {
        let begins = matches!(entry, Entry::Begin(_));
        if matches!(entry, Entry::End) && self.files.remove(path).is_none() {
            return Ok(());
        }
        let line = self.line(entry)?;
        self.last_op = self.last_op.max(line.last_op());
        let ends = matches!(line, Line::End);
        let place = self.append(&Record { file: path.to_owned(), entry: line })?;
        if !ends {
            let places = self.files.entry(path.to_owned()).or_default();
            if begins {
                places.clear();
            }
            places.push(place);
        }
        self.unsynced = true;
        self.throw_out()
    }

    /// Texts first: a record never names one that is not there.
    fn line(&mut self, entry: Entry) -> Result<Line, KeepError> {
        let mut text = |text: redline_text::Text| self.store.put(&text);
        Ok(match entry {
            Entry::Begin(base) => Line::Begin(Box::new(base.map(&mut text)?)),
            Entry::Add(notes) => {
                let notes = notes.into_iter().map(|note| note.map(&mut text));
                Line::Add(notes.collect::<Result<_, _>>()?)
            }
            Entry::End => Line::End,
        })
    }

    fn append(&mut self, record: &Record) -> Result<Place, KeepError> {
        let bytes = serde_json::to_vec(record)?;
        Ok((self.log.append(&bytes)?, bytes.len()))
    }

    fn throw_out(&mut self) -> Result<(), KeepError> {
        let places = || self.files.values().flatten();
        let live: u64 = places().map(|(_, len)| *len as u64).sum();
        let waste = self.log.len_bytes().saturating_sub(live);
        if waste < WASTE || waste < live {
            return Ok(());
        }
        let ops = Record { file: PathBuf::new(), entry: Line::Ops(self.last_op) };
        let first = serde_json::to_vec(&ops)?;
        let mut files = BTreeMap::new();
        let mut rewrite = self.log.rewrite()?;
        rewrite.push(&first)?;
        for (path, places) in &self.files {
            let mut moved = Vec::with_capacity(places.len());
            for (at, len) in places {
                let bytes = rewrite.old().read_at(*at, *len)?;
                moved.push((rewrite.push(&bytes)?, *len));
            }
            files.insert(path.clone(), moved);
        }
        rewrite.commit()?;
        self.files = files;
        Ok(())
    }
}

impl Line {
    fn last_op(&self) -> u32 {
        match self {
            Line::Begin(base) => base.last_op(),
            Line::Add(notes) => notes.iter().map(Note::last_op).max().unwrap_or_default(),
            Line::Ops(last) => *last,
            Line::End => 0,
        }
    }
}

impl From<KeepError> for io::Error {
    fn from(error: KeepError) -> Self {
        io::Error::other(error)
    }
}
