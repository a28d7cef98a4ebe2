//! The edge of checkpoints: which texts there were before and after, in a store that keeps what is
//! equal once.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use redline_layers::ThreadId;
use redline_text::Format;
use serde::{Deserialize, Serialize};

use crate::{
    Checkpoint, Past, WorkspacePath,
    io::{
        self,
        journal::{Log, Store, TextId},
    },
    keeper::KeepError,
};

/// Bytes of texts in a folder's store: beyond it the oldest are dropped.
const LIMIT: u64 = 256 << 20;
/// Changes that are remembered of a folder.
const MOST: usize = 5_000;

/// The checkpoints of the folders that this process keeps.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints(Vec<Shelf>);

#[derive(Debug)]
struct Shelf {
    root: PathBuf,
    log: Log,
    store: Store,
    records: Vec<Record>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    thread: ThreadId,
    turn: u32,
    file: PathBuf,
    before: Option<TextId>,
    after: Option<TextId>,
    #[serde(default)]
    format: Format,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
}

impl Checkpoints {
    /// Takes up what is in a folder's state directory, which this process owns.
    pub fn open(&mut self, root: &Path, dir: &Path) -> Result<(), KeepError> {
        let mut records = Vec::new();
        let (log, _) = Log::open_with(&dir.join("checkpoints.log"), |_, record| {
            // A record of another version is one that nobody can go back to.
            records.extend(serde_json::from_slice::<Record>(&record));
        })?;
        let store = Store::at(&dir.join("checkpoints"));
        self.0.push(Shelf { root: root.to_owned(), log, store, records });
        Ok(())
    }

    /// Writes one down.
    pub fn keep(&mut self, mark: Checkpoint) -> Result<(), KeepError> {
        let path = mark.file.as_path();
        let inside = |shelf: &Shelf| path.starts_with(&shelf.root);
        let at = self.0.iter().position(inside).unwrap_or_default();
        self.0.get_mut(at).map_or(Ok(()), |shelf| shelf.keep(mark))
    }

    /// Whether anything is kept at all.
    pub fn is_kept(&self) -> bool {
        !self.0.is_empty()
    }

    /// The turns of a thread that changed files, with those files.
    pub fn turns(&self, thread: &ThreadId) -> BTreeMap<u32, BTreeSet<PathBuf>> {
        let mut turns: BTreeMap<u32, BTreeSet<PathBuf>> = BTreeMap::new();
        let records = self.0.iter().flat_map(|shelf| &shelf.records);
        for record in records.filter(|record| record.thread == *thread) {
            turns.entry(record.turn).or_default().insert(record.file.clone());
        }
        turns
    }

    /// The last turn of each thread that changed something.
    pub fn last_turns(&self) -> BTreeMap<ThreadId, u32> {
        let mut last = BTreeMap::new();
        for record in self.0.iter().flat_map(|shelf| &shelf.records) {
            let turn = last.entry(record.thread.clone()).or_default();
            *turn = record.turn.max(*turn);
        }
        last
    }

    /// What the thread changed since the start of a turn, newest first.
    pub fn since(&mut self, thread: &ThreadId, turn: u32) -> Result<Vec<Past>, KeepError> {
        let mut past = Vec::new();
        for shelf in &mut self.0 {
            let meant = |record: &&Record| record.thread == *thread && record.turn >= turn;
            for record in shelf.records.iter().filter(meant).rev() {
                let mut text = |id: &Option<TextId>| match id {
                    Some(id) => shelf.store.get(id),
                    None => Ok(None),
                };
                let (before, after) = (text(&record.before)?, text(&record.after)?);
                let file = WorkspacePath::assume_canonical(&record.file);
                let disk = io::read(&file).unwrap_or_default();
                let (format, mode) = (record.format, record.mode);
                past.push(Past { file, before, after, format, mode, disk });
            }
        }
        Ok(past)
    }
}

impl Shelf {
    fn keep(&mut self, mark: Checkpoint) -> Result<(), KeepError> {
        let mut put = |text: &Option<redline_text::Text>| {
            text.as_ref().map(|text| self.store.put(text)).transpose()
        };
        let (before, after) = (put(&mark.before)?, put(&mark.after)?);
        let file = mark.file.as_path().to_owned();
        let Checkpoint { thread, turn, format, mode, .. } = mark;
        let record = Record { thread, turn, file, before, after, format, mode };
        self.log.append(&serde_json::to_vec(&record)?)?;
        self.records.push(record);
        self.bound(LIMIT, MOST)
    }

    /// Drops the oldest where there is too much.
    fn bound(&mut self, limit: u64, most: usize) -> Result<(), KeepError> {
        if self.records.len() <= most && self.store.len_bytes()? <= limit {
            return Ok(());
        }
        // A quarter at once, or every next one would come here again.
        let surplus = self.records.len().saturating_sub(most / 4 * 3);
        self.records.drain(..surplus);
        let texts = |record: &Record| [record.before, record.after].into_iter().flatten();
        let ids: Vec<TextId> = self.records.iter().flat_map(texts).collect();
        let dropped: BTreeSet<TextId> =
            self.store.retain(&ids, limit / 4 * 3)?.dropped.into_iter().collect();
        self.records.retain(|record| !texts(record).any(|id| dropped.contains(&id)));
        let lines: Result<Vec<Vec<u8>>, _> = self.records.iter().map(serde_json::to_vec).collect();
        self.log.replace(&lines?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use redline_text::Text;

    use super::*;

    fn mark(turn: u32, before: &str, after: &str) -> Checkpoint {
        Checkpoint {
            thread: "T".into(),
            turn,
            file: WorkspacePath::assume_canonical(Path::new("/w/a.txt")),
            before: Some(Text::from(before)),
            after: Some(Text::from(after)),
            format: Format::default(),
            mode: None,
        }
    }

    fn open(dir: &Path) -> Checkpoints {
        let mut checkpoints = Checkpoints::default();
        checkpoints.open(Path::new("/w"), dir).unwrap();
        checkpoints
    }

    #[test]
    fn what_was_kept_is_there_after_a_restart_newest_first() {
        let dir = tempfile::tempdir().unwrap();
        let mut kept = open(dir.path());
        kept.keep(mark(1, "a", "b")).unwrap();
        kept.keep(mark(2, "b", "c")).unwrap();
        drop(kept);
        let mut kept = open(dir.path());
        let texts = |past: Vec<Past>| -> Vec<String> {
            past.iter().map(|past| past.before.as_ref().unwrap().to_string()).collect()
        };
        assert_eq!(texts(kept.since(&"T".into(), 1).unwrap()), ["b", "a"]);
        assert_eq!(texts(kept.since(&"T".into(), 2).unwrap()), ["b"]);
        assert_eq!(kept.turns(&"T".into()).into_keys().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(kept.last_turns(), BTreeMap::from([("T".into(), 2)]));
        assert!(kept.turns(&"other".into()).is_empty());
    }

    #[test]
    fn the_oldest_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let mut kept = open(dir.path());
        for turn in 1..=40 {
            kept.keep(mark(turn, &format!("text {turn}"), &format!("text {}", turn + 1))).unwrap();
        }
        kept.0[0].bound(u64::MAX, 20).unwrap();
        let turns: Vec<u32> = kept.turns(&"T".into()).into_keys().collect();
        assert_eq!(turns, (26..=40).collect::<Vec<_>>());
        let past = open(dir.path()).since(&"T".into(), 0).unwrap();
        assert_eq!(past.len(), 15);
        assert!(past.iter().all(|past| past.before.is_some() && past.after.is_some()));
    }

    /// Issue: "show the size after 1,000 edits of a 1 MB file".
    #[test]
    fn a_thousand_edits_of_a_large_file_take_little() {
        let edits: usize = if cfg!(debug_assertions) { 100 } else { 1000 };
        let dir = tempfile::tempdir().unwrap();
        let mut kept = open(dir.path());
        let line = |n: usize| format!("line {n:08} with some text of its own\n");
        let mut text = Text::from((0..25_000).map(line).collect::<String>());
        let whole = text.len() as u64;
        for edit in 0..edits {
            let before = text.clone();
            let at = text.line_start((edit * 7919) % 25_000);
            text.apply(&redline_text::Edit::new(at..at + 4, format!("edit {edit}")));
            let (before, after) = (Some(before), Some(text.clone()));
            kept.keep(Checkpoint { before, after, ..mark(1, "", "") }).unwrap();
        }
        let bytes = kept.0[0].store.len_bytes().unwrap();
        println!("{edits} edits of a file of {whole} bytes: {bytes} bytes of checkpoints");
        assert!(bytes < whole + edits as u64 * 15_000, "{bytes}");
    }
}
