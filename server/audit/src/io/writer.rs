//! Writing one record, while no other process does.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    sync::Arc,
};

use super::{
    AuditError, at,
    place::{Identity, Place, open, open_head, read_at, write_at},
};
use crate::{
    FileRecord, Hash, Moment, Record, RecoveredRecord,
    chain::{Head, Link},
};

/// Of the form of lines.
const VERSION: u32 = 1;
/// Bytes that are read from the end of a file to find its last line; more, if that is longer.
const BLOCK: u64 = 8 * 1024;

/// Lines at most that are written with a log's first record.
const FIRST: u64 = 3;

/// What a process remembers of the log between two records.
#[derive(Debug)]
pub(super) struct Writer {
    place: Place,
    /// Bytes of a file that is full.
    limit: u64,
    head: Option<Arc<File>>,
    open: Option<Open>,
}

/// The file that is written to, as it was when this process last wrote or looked.
#[derive(Debug)]
struct Open {
    file: File,
    identity: Identity,
    number: u64,
    last: Head,
    /// What has to be said first.
    recovered: RecoveredRecord,
}

/// The end of a file.
#[derive(Debug, Clone, Copy)]
struct Tail {
    last: Head,
    /// Bytes of a line without an end.
    torn: Option<u64>,
}

impl Writer {
    pub fn new(place: Place, limit: u64) -> Self {
        Writer { place, limit, head: None, open: None }
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What is locked while a record is written, if it has been opened.
    pub fn lock(&self) -> Option<Arc<File>> {
        self.head.clone()
    }

    /// The same, opened if it was not, or if somebody has removed it since.
    pub fn fresh_lock(&mut self) -> Result<Arc<File>, AuditError> {
        let path = self.place.head();
        if let Some(head) = &self.head {
            let there = Identity::at(&path).map_err(at(&path))?;
            let ours = Identity::of(&head.metadata().map_err(at(&path))?);
            if there.is_some_and(|there| there.is_same_file(ours)) {
                return Ok(head.clone());
            }
            self.open = None;
        }
        self.place.make()?;
        let head = Arc::new(open_head(&path)?);
        self.head = Some(head.clone());
        Ok(head)
    }

    /// Whether a record can be written at once: the file is open, as it was left, and not full.
    pub fn is_ready(&self) -> Result<bool, AuditError> {
        let path = self.place.current();
        let now = Identity::at(&path).map_err(at(&path))?;
        Ok(self.open.as_ref().is_some_and(|open| {
            Some(open.identity) == now
                && open.identity.len < self.limit
                && open.recovered.is_empty()
        }))
    }

    /// Opens what is to be written to, or a new file if that is full. The lock is held.
    pub fn prepare(&mut self) -> Result<(), AuditError> {
        if self.is_ready()? {
            return Ok(());
        }
        let mut open = self.look()?;
        if open.identity.len >= self.limit && open.recovered.torn.is_none() {
            open = self.rotated(&open)?;
        }
        self.open = Some(open);
        Ok(())
    }

    /// Appends the record. The lock is held, and the file prepared. What could not be written whole is
    /// taken back, so that nothing torn stays behind.
    pub fn write(&mut self, record: &Record, unwritten: u64) -> Result<(), AuditError> {
        let path = self.place.current();
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let (mut text, mut last) = (Vec::with_capacity(1024), open.last);
        let time = Moment::now();
        let unwritten = (unwritten > 0).then_some(unwritten);
        let recovered = RecoveredRecord { unwritten, ..open.recovered };
        if recovered.torn.is_some() {
            text.push(b'\n');
        }
        if open.identity.len == 0 {
            let first = FileRecord { version: VERSION, number: open.number };
            last.push(&mut text, time, &Record::File(first))?;
        }
        if !recovered.is_empty() {
            last.push(&mut text, time, &Record::Recovered(recovered))?;
        }
        last.push(&mut text, time, record)?;
        if let Err(error) = open.file.write_all(&text) {
            // If this fails too, the next one to write says that the line is torn.
            let _ = open.file.set_len(open.identity.len);
            return Err(at(&path)(error));
        }
        open.identity.len += u64::try_from(text.len()).unwrap_or_default();
        (open.last, open.recovered) = (last, RecoveredRecord::default());
        self.open = Some(open);
        self.note_head(last);
        Ok(())
    }

    /// The line is written: a head that is behind is no fault, and the next one writes it again.
    fn note_head(&self, last: Head) {
        if let Some(head) = &self.head {
            let _ = write_at(head, last.text().as_bytes(), 0);
        }
    }

    /// Looks at the file anew: another process has written, or this one has not yet.
    fn look(&self) -> Result<Open, AuditError> {
        let path = self.place.current();
        let file = open(&path, true)?.ok_or_else(|| AuditError::Held { path: path.clone() })?;
        let identity = Identity::of(&file.metadata().map_err(at(&path))?);
        let (tail, number) = match identity.len {
            0 => {
                let (tail, number) = self.older()?;
                (tail, number + 1)
            }
            len => (tail(&file, len).map_err(at(&path))?, number(&file)),
        };
        let (head, last) = (self.read_head(), tail.last.seq);
        let missing = head.map_or(0, |head| head.seq.saturating_sub(last));
        let missing = (missing > 0).then_some(missing);
        // A process that was killed with its very first record has not written it yet.
        let headless = (head.is_none() && last > FIRST).then_some(last);
        let torn = tail.torn.filter(|_| identity.len > 0);
        let recovered = RecoveredRecord { torn, missing, headless, unwritten: None };
        Ok(Open { file, identity, number, last: tail.last, recovered })
    }

    /// Where the chain goes on if the file is new.
    fn older(&self) -> Result<(Tail, u64), AuditError> {
        for age in 1..Place::KEPT {
            let path = self.place.older(age);
            let Some(file) = open(&path, false)? else { continue };
            let len = file.metadata().map_err(at(&path))?.len();
            if len > 0 {
                return Ok((tail(&file, len).map_err(at(&path))?, number(&file)));
            }
        }
        Ok((Tail { last: Head::START, torn: None }, 0))
    }

    fn read_head(&self) -> Option<Head> {
        read_head(self.head.as_ref()?)
    }

    /// A full file grows older, the oldest goes, and the chain goes on in a new one.
    fn rotated(&self, full: &Open) -> Result<Open, AuditError> {
        let rename = |from: &Path, to: &Path| match fs::rename(from, to) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(from)(error)),
            _ => Ok(()),
        };
        for age in (1..Place::KEPT - 1).rev() {
            rename(&self.place.older(age), &self.place.older(age + 1))?;
        }
        let path = self.place.current();
        rename(&path, &self.place.older(1))?;
        let file = open(&path, true)?.ok_or_else(|| AuditError::Held { path: path.clone() })?;
        let identity = Identity::of(&file.metadata().map_err(at(&path))?);
        Ok(Open {
            file,
            identity,
            number: full.number + 1,
            last: full.last,
            recovered: full.recovered,
        })
    }
}

impl RecoveredRecord {
    /// Nothing was found.
    fn is_empty(&self) -> bool {
        *self == RecoveredRecord::default()
    }
}

pub(super) fn read_head(file: &File) -> Option<Head> {
    let mut text = [0; Head::SIZE];
    let size = read_at(file, &mut text, 0).ok()?;
    Head::parse(std::str::from_utf8(text.get(..size)?).ok()?)
}

/// Which file of the log it is; what it does not say is taken for the first.
fn number(file: &File) -> u64 {
    let mut start = [0; 512];
    let size = read_at(file, &mut start, 0).unwrap_or_default();
    let line = start.get(..size).unwrap_or_default().split(|byte| *byte == b'\n').next();
    line.and_then(Link::parse).and_then(|link| link.number).unwrap_or(1)
}

/// Its last line. The number is that of the last one that can be read: a line that somebody has
/// changed must not keep anyone from writing.
fn tail(file: &File, len: u64) -> std::io::Result<Tail> {
    let mut size = BLOCK;
    loop {
        let start = len.saturating_sub(size);
        let mut bytes = vec![0; usize::try_from(len - start).unwrap_or_default()];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let more = read_at(file, rest, start + u64::try_from(filled).unwrap_or_default())?;
            if more == 0 {
                break;
            }
            filled += more;
        }
        bytes.truncate(filled);
        if let Some(tail) = last_of(&bytes, start == 0) {
            return Ok(tail);
        }
        size = size.saturating_mul(4);
    }
}

/// `None`: more must be read. `is_all`: there is no more.
fn last_of(bytes: &[u8], is_all: bool) -> Option<Tail> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // Behind the last line end: nothing, or what was cut off.
    let rest = lines.pop().unwrap_or_default();
    let torn = (!rest.is_empty()).then(|| u64::try_from(rest.len()).unwrap_or(u64::MAX));
    // The first one may have begun before.
    let whole = lines.get(usize::from(!is_all)..).unwrap_or_default();
    let seq = whole.iter().rev().find_map(|line| Link::parse(line)).map(|link| link.seq);
    if seq.is_none() && !is_all {
        return None;
    }
    let last = if torn.is_some() { rest } else { whole.last().copied().unwrap_or_default() };
    Some(Tail { last: Head { seq: seq.unwrap_or_default(), hash: Hash::of(last) }, torn })
}
