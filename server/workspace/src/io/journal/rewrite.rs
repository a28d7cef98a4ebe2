//! Putting a new log in the place of an old one.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{
    frame::{self, HEADER, LARGEST, PREFIX},
    log::{Log, LogError, io_error},
};
use crate::io::{
    atomic::TEMPORARY,
    durable::{parent, persist, sync_dir},
};

/// A log's replacement, written beside it. The old log stays until [`Rewrite::commit`].
#[derive(Debug)]
pub struct Rewrite<'a> {
    log: &'a mut Log,
    file: BufWriter<NamedTempFile>,
    end: u64,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(log: &'a mut Log) -> Result<Self, LogError> {
        let file = temporary(&log.path).map_err(|e| io_error("compact", &log.path, e))?;
        Ok(Self { log, file: BufWriter::new(file), end: HEADER.len() as u64 })
    }

    /// Adds a record; returns its offset (in bytes) in the new file.
    pub fn push(&mut self, record: &[u8]) -> Result<u64, LogError> {
        if record.len() > LARGEST {
            let path = self.log.path.clone();
            return Err(LogError::TooLarge { path, bytes: record.len() });
        }
        let mut frame = Vec::new();
        frame::write(&mut frame, record);
        self.file.write_all(&frame).map_err(|e| io_error("compact", &self.log.path, e))?;
        let at = self.end + PREFIX as u64;
        self.end += frame.len() as u64;
        Ok(at)
    }

    /// The log as it was, to take records from.
    pub fn old(&self) -> &Log {
        self.log
    }

    /// Puts the new file in the old one's place. After an error the log is as before.
    pub fn commit(self) -> Result<(), LogError> {
        let Self { log, file, end } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.and_then(|file| persist(file, &log.path));
        log.file = file.map_err(|e| io_error("compact", &log.path, e))?;
        log.end = end;
        log.broken = false;
        // The new file has its name, so this is no error: the next sync tries again.
        log.unnamed = sync_dir(&parent(&log.path)).is_err();
        Ok(())
    }
}

/// A new, empty log.
pub(super) fn begin(path: &Path) -> Result<Log, LogError> {
    let io = |error| io_error("create", path, error);
    let file = temporary(path).and_then(|file| persist(file, path)).map_err(io)?;
    sync_dir(&parent(path)).map_err(io)?;
    Ok(Log { path: path.to_owned(), file, end: HEADER.len() as u64, broken: false, unnamed: false })
}

/// A file beside the log, readable by the user only, that holds the header.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(parent(path))?;
    file.write_all(&HEADER)?;
    Ok(file)
}

/// Opens a file for writing from its start; a new one is readable by the user only.
pub(super) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
