//! Whether a log is as it was written.
//!
//! The chain has no key: who may write the log can write it anew as a whole. It shows what was changed,
//! taken out or put in afterwards, and a hash of its end that was noted elsewhere holds all that comes
//! before it.

use std::collections::HashMap;

use crate::{
    Hash, Moment,
    chain::{Head, Link},
};

/// A file of the log.
#[derive(Debug, Clone)]
pub struct Source {
    /// What it is called in reports.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What there is to say of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Lines in all files.
    pub lines: u64,
    /// Of the first and of the last line that can be read.
    pub span: Option<(Moment, Moment)>,
    /// The newest line.
    pub end: Option<Head>,
    /// What is not as it should be, and yet said by the log itself.
    pub notes: Vec<Finding>,
    /// The first line that is not as it was written.
    pub broken: Option<Finding>,
}

/// Something about one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What it is.
    pub fault: Fault,
}

/// What can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its text is another one.
    #[error("changed: this is not the line that was written")]
    Changed,
    /// Lines before it are gone.
    #[error("missing: {0} lines before this one are gone")]
    Missing(u64),
    /// Whole files before it are gone.
    #[error("missing: files of the log before this one are gone")]
    MissingFiles,
    /// Lines after it are gone.
    #[error("missing: {0} lines after this one are gone")]
    MissingAfter(u64),
    /// What the newest line is, nobody knows.
    #[error(
        "missing: the log's `head` is gone or cannot be read, so lines after this one may be gone"
    )]
    NoHead,
    /// It was put in.
    #[error("inserted: the chain goes on without this line")]
    Inserted,
    /// It stands elsewhere.
    #[error("moved: this line was not written here")]
    Moved,
    /// It has no end.
    #[error("torn: the line was cut off while it was written, by a kill or a full disk")]
    Torn,
    /// Some could not be written.
    #[error("{0} records before this one could not be written")]
    Unwritten(u64),
}

impl Fault {
    /// One word, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Changed => "changed",
            Fault::Missing(_) | Fault::MissingFiles | Fault::MissingAfter(_) | Fault::NoHead => {
                "missing"
            }
            Fault::Inserted => "inserted",
            Fault::Moved => "moved",
            Fault::Torn => "torn",
            Fault::Unwritten(_) => "unwritten",
        }
    }
}

struct Row {
    file: usize,
    line: u64,
    hash: Hash,
    link: Option<Link>,
    /// It has an end.
    whole: bool,
}

/// Looks at a log: all of its files, the oldest first; `head`: what its newest line should be; `None`:
/// that cannot be read; `is_full`: there were so many files that the oldest ones went.
pub fn verify(files: &[Source], head: Option<Head>, is_full: bool) -> Report {
    let rows: Vec<Row> =
        files.iter().enumerate().flat_map(|(at, file)| rows(at, &file.bytes)).collect();
    let mut walk = Walk { rows: &rows, head, is_full, notes: Vec::new() };
    let broken = walk.broken();
    let finding = |(at, fault): (usize, Fault)| {
        let (file, line) = rows.get(at).map_or((0, 1), |row| (row.file, row.line));
        let file = files.get(file).map(|file| file.name.clone()).unwrap_or_default();
        Finding { file, line, fault }
    };
    let times = || rows.iter().filter_map(|row| Some(row.link.as_ref()?.time));
    let last = rows.iter().rev().find_map(|row| Some((row.link.as_ref()?.seq, row.hash)));
    Report {
        lines: u64::try_from(rows.len()).unwrap_or(u64::MAX),
        span: times().next().zip(times().next_back()),
        end: last.map(|(seq, hash)| Head { seq, hash }),
        notes: walk.notes.into_iter().map(finding).collect(),
        broken: broken.map(finding),
    }
}

fn rows(file: usize, bytes: &[u8]) -> Vec<Row> {
    let pieces = bytes.split_inclusive(|byte| *byte == b'\n');
    let row = |(line, piece): (u64, &[u8])| {
        let text = piece.strip_suffix(b"\n");
        let whole = text.is_some();
        let text = text.unwrap_or(piece);
        Row { file, line, hash: Hash::of(text), link: Link::parse(text), whole }
    };
    (1..).zip(pieces).map(row).collect()
}

struct Walk<'a> {
    rows: &'a [Row],
    head: Option<Head>,
    is_full: bool,
    notes: Vec<(usize, Fault)>,
}

impl Walk<'_> {
    /// The first line that is not as it was written, by its index.
    fn broken(&mut self) -> Option<(usize, Fault)> {
        let mut seq: Option<u64> = None;
        let mut number = None;
        for (at, row) in self.rows.iter().enumerate() {
            if self.is_recovered(at) {
                self.notes.push((at, Fault::Torn));
                continue;
            }
            let Some(link) = row.link.as_ref().filter(|_| row.whole) else {
                let is_end = at + 1 == self.rows.len() && !row.whole;
                return Some((at, if is_end { Fault::Torn } else { Fault::Changed }));
            };
            let found = self.begins(at, link, &mut number).or_else(|| self.follows(at, link, seq));
            if found.is_some() {
                return found;
            }
            if let Some(count) = link.missing {
                return Some((at, Fault::Missing(count)));
            }
            if link.headless.is_some() {
                return Some((at.saturating_sub(1), Fault::NoHead));
            }
            self.notes.extend(link.unwritten.map(|count| (at, Fault::Unwritten(count))));
            seq = Some(link.seq);
        }
        self.ended(seq)
    }

    fn row(&self, at: usize) -> Option<&Row> {
        self.rows.get(at)
    }

    /// A torn line that the next one speaks of is explained, and held by the chain.
    fn is_recovered(&self, at: usize) -> bool {
        let next = self.row(at + 1).and_then(|row| row.link.as_ref());
        let hash = self.row(at).map(|row| row.hash);
        next.is_some_and(|next| {
            next.kind == "recovered" && next.torn.is_some() && Some(next.prev) == hash
        })
    }

    /// Each file says which one it is.
    fn begins(&self, at: usize, link: &Link, last: &mut Option<u64>) -> Option<(usize, Fault)> {
        let before = at.checked_sub(1).and_then(|before| self.row(before));
        let is_first =
            before.is_none_or(|before| Some(before.file) != self.row(at).map(|row| row.file));
        if !is_first {
            return None;
        }
        let Some(number) = link.number.filter(|_| link.kind == "file") else {
            // The lines before it are gone, this one's seq says how many there were at least.
            let count = if before.is_none() { link.seq.saturating_sub(1) } else { 1 };
            return Some((at, Fault::Missing(count.max(1))));
        };
        let fits = match *last {
            Some(last) => number == last + 1,
            None => number == 1 || self.is_full,
        };
        *last = Some(number);
        (!fits).then_some((at, Fault::MissingFiles))
    }

    fn follows(&self, at: usize, link: &Link, seq: Option<u64>) -> Option<(usize, Fault)> {
        let Some(before) = at.checked_sub(1) else {
            // What the oldest file followed is gone if it is not the first.
            let is_start = link.prev == Hash::START && link.seq == 1;
            return (link.number == Some(1) && !is_start).then_some((at, Fault::Changed));
        };
        let wanted = seq.unwrap_or_default() + 1;
        if self.row(before).map(|row| row.hash) == Some(link.prev) {
            return (link.seq != wanted).then_some((at, Fault::Changed));
        }
        let positions: HashMap<Hash, usize> =
            self.rows.iter().enumerate().map(|(at, row)| (row.hash, at)).collect();
        Some(match positions.get(&link.prev) {
            Some(&earlier) if earlier < before => (earlier + 1, Fault::Inserted),
            Some(_) => (at, Fault::Moved),
            None if link.seq > wanted => (at, Fault::Missing(link.seq - wanted)),
            // One of the two was changed: the one that the line after them does not vouch for.
            None if self.is_vouched_for(at) => (before, Fault::Changed),
            None => (at, Fault::Changed),
        })
    }

    /// Whether what comes next, or the head, is about exactly this text.
    fn is_vouched_for(&self, at: usize) -> bool {
        let hash = self.row(at).map(|row| row.hash);
        match self.row(at + 1) {
            Some(next) => next.link.as_ref().map(|link| link.prev) == hash,
            None => self.head.map(|head| head.hash) == hash,
        }
    }

    /// The head is written after the line: it may be behind after a kill, and never before.
    fn ended(&self, seq: Option<u64>) -> Option<(usize, Fault)> {
        let last = self.rows.len().saturating_sub(1);
        let Some(head) = self.head else {
            return (!self.rows.is_empty()).then_some((last, Fault::NoHead));
        };
        let seq = seq.unwrap_or_default();
        if head.seq > seq {
            return Some((last, Fault::MissingAfter(head.seq - seq)));
        }
        let is_it = |row: &Row| row.link.as_ref().is_some_and(|link| link.seq == head.seq);
        let at = self.rows.iter().rposition(is_it)?;
        (self.row(at).map(|row| row.hash) != Some(head.hash)).then_some((at, Fault::Changed))
    }
}

#[cfg(test)]
mod tests;
