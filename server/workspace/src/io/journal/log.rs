//! An append-only file of records.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{
    frame::{self, HEADER, LARGEST, PREFIX, Start},
    rewrite::{self, Rewrite},
};
use crate::io::{
    durable::{parent, sync_dir},
    words::explain,
};

/// A file of checksummed records, in the order in which they were appended. One writer at a time:
/// the caller holds the folder's [`Owner`](super::Owner).
///
/// An append is one write call, so a killed process tears at most the last record, and the next
/// [`Log::open`] drops that one. A failed append leaves the log as it was before.
#[derive(Debug)]
pub struct Log {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// The bytes that hold whole records; the next one goes here.
    pub(super) end: u64,
    /// Why nothing may be appended: what the file holds after `end` is unknown.
    pub(super) broken: bool,
    /// Whether the file's name may not be on the disk yet.
    pub(super) unnamed: bool,
}

/// A log that was opened for writing.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready to append.
    pub log: Log,
    /// What it holds, oldest first.
    pub records: Vec<Vec<u8>>,
    /// What was dropped.
    pub tail: Tail,
}

/// What a log held after its last whole record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// In bytes; 0: the log was whole.
    pub dropped: u64,
    /// Where `open` put those bytes before it cut them off, if it could: the log's name with
    /// `.dropped` behind it, overwritten the next time.
    pub kept: Option<PathBuf>,
}

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The operating system refused; the log is as it was.
    #[error("cannot {doing} {}: {}", .path.display(), explain(.source))]
    Io {
        /// The verb.
        doing: &'static str,
        /// The log.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
    /// The file is something else, or its first bytes are damaged. It was left alone.
    #[error("{} is not a Redline log; move it away, and a new one is begun", .0.display())]
    NotALog(PathBuf),
    /// Another Redline wrote it. It was left alone.
    #[error(
        "{} was written by another version of Redline (format {found}, this one reads 1); \
         use that version, or move the file away to begin anew",
        .path.display()
    )]
    Version {
        /// The log.
        path: PathBuf,
        /// Its format.
        found: u16,
    },
    /// An earlier append or sync failed so that nobody knows what the disk holds.
    #[error(
        "{} takes nothing more because an earlier write failed; \
         free some space or check the disk, then start Redline again",
        .0.display()
    )]
    Broken(PathBuf),
    /// Somebody removed the file while it was in use.
    #[error(
        "{} was removed while Redline used it; start Redline again to begin a new one", .0.display()
    )]
    Gone(PathBuf),
    /// More than 1 GiB.
    #[error("a record of {bytes} bytes is too large for {}: at most 1 GiB", .path.display())]
    TooLarge {
        /// The log.
        path: PathBuf,
        /// The record's length.
        bytes: usize,
    },
}

impl Log {
    /// The records of a log that somebody else may be writing; nothing is changed on disk. No such
    /// file: no records.
    pub fn read(path: &Path) -> Result<(Vec<Vec<u8>>, Tail), LogError> {
        let mut records = Vec::new();
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((records, Tail::default()));
            }
            file => file.map_err(|e| io_error("open", path, e))?,
        };
        let (len, end) = scan(&file, path, |_, record| records.push(record))?;
        Ok((records, Tail { dropped: len - end, kept: None }))
    }

    /// Opens a log to append to it, or begins one. A torn tail is cut off.
    pub fn open(path: &Path) -> Result<Opened, LogError> {
        let mut records = Vec::new();
        let (log, tail) = Self::open_with(path, |_, record| records.push(record))?;
        Ok(Opened { log, records, tail })
    }

    /// Like [`Log::open`], but hands the records over one by one, each with its offset (in bytes) in
    /// the file, for [`Log::read_at`].
    pub fn open_with(
        path: &Path,
        each: impl FnMut(u64, Vec<u8>),
    ) -> Result<(Self, Tail), LogError> {
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((rewrite::begin(path)?, Tail::default()));
            }
            file => file.map_err(|e| io_error("open", path, e))?,
        };
        let (len, end) = scan(&file, path, each)?;
        let log = Self { path: path.to_owned(), file, end, broken: false, unnamed: false };
        let mut tail = Tail { dropped: len - end, kept: None };
        if tail.dropped > 0 {
            tail.kept = log.keep_tail();
        }
        if end < HEADER.len() as u64 {
            return Ok((rewrite::begin(path)?, tail));
        }
        log.cut().map_err(|e| io_error("repair", path, e))?;
        Ok((log, tail))
    }

    /// Adds a record; returns its offset (in bytes) in the file. After an error the log is as before
    /// or, if even that could not be had, refuses everything until [`Log::replace`].
    pub fn append(&mut self, record: &[u8]) -> Result<u64, LogError> {
        let too_large = || LogError::TooLarge { path: self.path.clone(), bytes: record.len() };
        let mut frame = Vec::new();
        (record.len() <= LARGEST).then_some(()).ok_or_else(too_large)?;
        self.check()?;
        frame::write(&mut frame, record);
        if let Err(error) = self.write(&frame) {
            self.broken = self.cut().is_err();
            return Err(self.error("write", error));
        }
        let at = self.end + PREFIX as u64;
        self.end += frame.len() as u64;
        Ok(at)
    }

    /// Waits until all records are on the disk. After a failure the log refuses everything until
    /// [`Log::replace`]: the system may have dropped what it could not write.
    pub fn sync(&mut self) -> Result<(), LogError> {
        self.check()?;
        if self.unnamed {
            sync_dir(&parent(&self.path)).map_err(|error| self.error("sync", error))?;
            self.unnamed = false;
        }
        self.file.sync_data().map_err(|error| {
            self.broken = true;
            self.error("sync", error)
        })
    }

    /// Puts other records in place of all of them (compaction). After an error the log is as before.
    /// Heals a broken log.
    pub fn replace<R: AsRef<[u8]>>(
        &mut self,
        records: impl IntoIterator<Item = R>,
    ) -> Result<(), LogError> {
        let mut rewrite = self.rewrite()?;
        for record in records {
            rewrite.push(record.as_ref())?;
        }
        rewrite.commit()
    }

    /// Starts a replacement whose records come one by one. Dropped without
    /// [`Rewrite::commit`] it changes nothing.
    pub fn rewrite(&mut self) -> Result<Rewrite<'_>, LogError> {
        Rewrite::new(self)
    }

    /// Bytes of the file, `len` from `offset`, which lie in a record.
    pub fn read_at(&self, offset: u64, len: usize) -> Result<Vec<u8>, LogError> {
        let inside = offset.checked_add(len as u64).is_some_and(|end| end <= self.end);
        let read = || {
            if !inside {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let mut bytes = vec![0; len];
            (&self.file).seek(SeekFrom::Start(offset))?;
            (&self.file).read_exact(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|error| self.error("read", error))
    }

    /// The file's length in bytes.
    pub fn len_bytes(&self) -> u64 {
        self.end
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn check(&self) -> Result<(), LogError> {
        if self.broken {
            return Err(LogError::Broken(self.path.clone()));
        }
        match self.file.metadata() {
            Ok(meta) if unlinked(&meta) => Err(LogError::Gone(self.path.clone())),
            Ok(_) => Ok(()),
            Err(error) => Err(self.error("write", error)),
        }
    }

    /// One write call, unless the system takes only a part.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.file).seek(SeekFrom::Start(self.end))?;
        (&self.file).write_all(bytes)
    }

    /// Takes away what lies behind the last whole record.
    fn cut(&self) -> io::Result<()> {
        if self.file.metadata()?.len() != self.end {
            self.file.set_len(self.end)?;
        }
        Ok(())
    }

    /// Best effort: a full disk must not keep the log from being opened.
    fn keep_tail(&self) -> Option<PathBuf> {
        let mut name = self.path.clone().into_os_string();
        name.push(".dropped");
        (&self.file).seek(SeekFrom::Start(self.end)).ok()?;
        let mut out = rewrite::private(Path::new(&name)).ok()?;
        io::copy(&mut &self.file, &mut out).ok()?;
        Some(name.into())
    }

    fn error(&self, doing: &'static str, source: io::Error) -> LogError {
        io_error(doing, &self.path, source)
    }
}

pub(super) fn io_error(doing: &'static str, path: &Path, source: io::Error) -> LogError {
    LogError::Io { doing, path: path.to_owned(), source }
}

/// Reads header and records; returns the file's length and where the good part of it ends (0: not
/// even the header is there).
fn scan(
    mut file: &File,
    path: &Path,
    each: impl FnMut(u64, Vec<u8>),
) -> Result<(u64, u64), LogError> {
    let io = |error| io_error("read", path, error);
    let len = file.metadata().map_err(io)?.len();
    let mut head = Vec::new();
    file.take(HEADER.len() as u64).read_to_end(&mut head).map_err(io)?;
    match frame::start(&head) {
        Start::Ours => {
            file.seek(SeekFrom::Start(HEADER.len() as u64)).map_err(io)?;
            let end = frame::scan(BufReader::with_capacity(1 << 16, file), len, each);
            Ok((len, end.map_err(io)?))
        }
        Start::Torn => Ok((len, 0)),
        Start::Version(found) => Err(LogError::Version { path: path.to_owned(), found }),
        Start::Foreign => Err(LogError::NotALog(path.to_owned())),
    }
}

/// Whether the file has no name any more, so that what is written is lost.
#[cfg(unix)]
fn unlinked(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) == 0
}

/// An open file cannot be removed there.
#[cfg(not(unix))]
fn unlinked(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
