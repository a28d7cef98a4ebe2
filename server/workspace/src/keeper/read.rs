//! The journal of one folder is read again.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use super::{
    record::{Line, Live, Place, Record, forget_old_disks},
    shelf::Shelf,
};
use crate::{Entry, WorkspacePath, io::journal::TextId, session::Restored};

/// Files with decided hunks only that are taken up: they wait for nobody, and runs without an editor
/// leave one after the other.
const DONE: usize = 50;

/// What a folder's journal held.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub files: Vec<(WorkspacePath, Restored)>,
    pub last_op: u32,
    /// For the user: what was lost, and where it can be found.
    pub troubles: Vec<String>,
}

/// What there is of a file in the log.
#[derive(Default)]
struct Lines {
    lines: Vec<(Place, Line)>,
    /// Why one of them means nothing to this version.
    unread: Option<String>,
}

/// What every version's records have.
#[derive(Deserialize)]
struct Named {
    file: PathBuf,
}

impl Shelf {
    pub(super) fn read(&mut self, records: Vec<(u64, Vec<u8>)>) -> Kept {
        let mut kept = Kept::default();
        for (path, Lines { lines, unread }) in self.live(records, &mut kept) {
            let mut live = Live::default();
            lines.iter().for_each(|(place, line)| live.push(*place, line));
            let lines = lines.into_iter().map(|(_, line)| line).collect();
            match unread.map_or_else(|| self.restored(lines), Err) {
                Ok(restored) => {
                    let file = WorkspacePath::assume_canonical(&path);
                    kept.files.extend(restored.map(|restored| (file, restored)));
                    self.files.insert(path, live);
                }
                Err(why) => kept.troubles.push(self.put_aside(&path, &live.places, &why)),
            }
        }
        self.forget_done(&mut kept);
        kept
    }

    /// Only the newest of the files that wait for nobody stay.
    fn forget_done(&mut self, kept: &mut Kept) {
        let done = kept.files.iter().filter(|(_, restored)| restored.is_done());
        let mut ops: Vec<u32> = done.map(|(_, restored)| restored.last_op()).collect();
        ops.sort_unstable_by(|a, b| b.cmp(a));
        let Some(newest) = ops.get(DONE).copied() else { return };
        let old = |restored: &Restored| restored.is_done() && restored.last_op() <= newest;
        for (file, _) in kept.files.extract_if(.., |(_, restored)| old(restored)) {
            // If this fails it is done the next time.
            let _ = self.add(file.as_path(), Line::End);
        }
    }

    /// The records of the files that are under review, since the last that held all of their state.
    fn live(&mut self, records: Vec<(u64, Vec<u8>)>, kept: &mut Kept) -> BTreeMap<PathBuf, Lines> {
        let mut live: BTreeMap<PathBuf, Lines> = BTreeMap::new();
        for (at, bytes) in records {
            let place = Place { at, len: bytes.len() };
            match serde_json::from_slice::<Record>(&bytes) {
                Ok(Record { file, entry }) => {
                    self.last_op = self.last_op.max(entry.last_op());
                    note(&mut live, file, place, entry);
                }
                Err(error) => match serde_json::from_slice::<Named>(&bytes) {
                    Ok(Named { file }) => live.entry(file).or_default().skip(place, &error),
                    Err(_) => kept.troubles.push(format!("a record cannot be read: {error}")),
                },
            }
        }
        live
    }

    /// What lines amount to; `Err`: a text is missing, or they do not belong together.
    fn restored(&mut self, mut lines: Vec<Line>) -> Result<Option<Restored>, String> {
        forget_old_disks(&mut lines);
        let mut text = |id: TextId| match self.store.get(&id) {
            Ok(Some(text)) => {
                self.sizes.insert(id, text.len() as u64);
                Ok(text)
            }
            Ok(None) => Err(format!("the text {id} is not in the store")),
            Err(error) => Err(error.to_string()),
        };
        let entries = lines.into_iter().map(|line| entry(line, &mut text));
        let entries = entries.collect::<Result<_, _>>()?;
        Restored::read(entries).map_err(|misfit| misfit.to_string())
    }
}

impl Lines {
    fn skip(&mut self, place: Place, error: &serde_json::Error) {
        self.lines.push((place, Line::Add(Vec::new())));
        self.unread = Some(format!("a record cannot be read: {error}"));
    }
}

fn note(live: &mut BTreeMap<PathBuf, Lines>, file: PathBuf, place: Place, entry: Line) {
    match entry {
        Line::Ops(_) => {}
        Line::End => drop(live.remove(&file)),
        Line::Begin(_) => {
            drop(live.insert(file, Lines { lines: vec![(place, entry)], unread: None }));
        }
        Line::Add(_) => live.entry(file).or_default().lines.push((place, entry)),
    }
}

fn entry(
    line: Line,
    text: &mut impl FnMut(TextId) -> Result<redline_text::Text, String>,
) -> Result<Entry, String> {
    Ok(match line {
        Line::Begin(base) => Entry::Begin(Box::new(base.map(text)?)),
        Line::Add(notes) => {
            let notes = notes.into_iter().map(|note| note.map(&mut *text));
            Entry::Add(notes.collect::<Result<_, _>>()?)
        }
        Line::End | Line::Ops(_) => Entry::End,
    })
}
