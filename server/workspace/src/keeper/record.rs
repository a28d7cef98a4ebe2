//! What the records of a folder's log say, and what of log and store a file under review needs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Base, Note, io::journal::TextId, journal::News};

/// A record of the log.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub file: PathBuf,
    pub entry: Line,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Line {
    Begin(Box<Base<TextId>>),
    Add(Vec<Note<TextId>>),
    End,
    /// Of a file that is not named: ops up to this one have been given.
    Ops(u32),
}

/// A record in the log: offset and length in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub at: u64,
    pub len: usize,
}

/// A file under review.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// Its records, since the last that held all of its state.
    pub places: Vec<Place>,
    /// Their length together.
    pub bytes: u64,
    base: Option<TextId>,
    disk: Option<TextId>,
}

impl Live {
    /// A record of the file follows.
    pub fn push(&mut self, place: Place, line: &Line) {
        match line {
            Line::Begin(base) => {
                let disk = base.disk.as_ref().map(|known| known.text);
                *self = Live { base: Some(base.text), disk, ..Live::default() };
            }
            Line::Add(notes) => {
                let newest = notes.iter().rev().find_map(disk);
                self.disk = newest.unwrap_or(self.disk);
            }
            Line::End | Line::Ops(_) => {}
        }
        self.bytes += place.len as u64;
        self.places.push(place);
    }

    /// The texts without which the records are worth nothing. What the disk held before it was
    /// written again is not among them.
    pub fn texts(&self) -> impl Iterator<Item = TextId> {
        [self.base, self.disk].into_iter().flatten()
    }
}

/// What a note says of the disk.
fn disk(note: &Note<TextId>) -> Option<Option<TextId>> {
    match &note.0 {
        News::Disk(known) => Some(known.as_ref().map(|known| known.text)),
        _ => None,
    }
}

impl Line {
    /// The newest op in it; 0: none.
    pub fn last_op(&self) -> u32 {
        match self {
            Line::Begin(base) => base.last_op(),
            Line::Add(notes) => notes.iter().map(Note::last_op).max().unwrap_or_default(),
            Line::Ops(last) => *last,
            Line::End => 0,
        }
    }
}

/// Leaves of all that lines say of the disk only the last: nobody asks for the others, and their
/// texts need not be there any more.
pub(super) fn forget_old_disks(lines: &mut [Line]) {
    let mut newer = false;
    for line in lines.iter_mut().rev() {
        match line {
            Line::Begin(base) if newer => base.disk = None,
            Line::Add(notes) => {
                let mut kept: Vec<_> = std::mem::take(notes).into_iter().rev().collect();
                kept.retain(|note| disk(note).is_none() || !std::mem::replace(&mut newer, true));
                kept.reverse();
                *notes = kept;
            }
            Line::Begin(_) | Line::End | Line::Ops(_) => {}
        }
    }
}
