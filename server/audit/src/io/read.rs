//! Reading the log.

use std::{
    fs::TryLockError,
    io::Read,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use super::{
    AuditError, Place, at,
    place::{open, open_head},
    writer::read_head,
};
use crate::{Entry, Head, verify::Source};

/// How long a writer may hold the log before it is read all the same.
const PATIENCE: Duration = Duration::from_secs(2);

/// All files as they are at one moment, the oldest first, and what the newest line should be. No files:
/// nothing was ever written.
///
/// # Errors
/// See [`AuditError`].
pub fn sources(place: &Place) -> Result<(Vec<Source>, Option<Head>), AuditError> {
    let path = place.head();
    if !path.exists() {
        // Nobody writes without it. Without it the lines can be looked at all the same.
        return Ok((read(place)?, None));
    }
    let lock = open_head(&path)?;
    let deadline = Instant::now() + PATIENCE;
    // One that holds it for longer was stopped, and is not writing.
    while let Err(TryLockError::WouldBlock) = lock.try_lock_shared() {
        if Instant::now() >= deadline {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let head = read_head(&lock);
    let files = read(place);
    // It is given back with the file in any case.
    let _ = lock.unlock();
    Ok((files?, head))
}

fn read(place: &Place) -> Result<Vec<Source>, AuditError> {
    let bytes = |path: PathBuf| match open(&path, false) {
        Ok(Some(mut file)) => {
            let mut bytes = Vec::new();
            let read = file.read_to_end(&mut bytes).map_err(at(&path));
            Some(read.map(|_| Source { name: path.display().to_string(), bytes }))
        }
        Ok(None) => None,
        Err(error) => Some(Err(error)),
    };
    let files: Result<Vec<Source>, AuditError> = place.files().filter_map(bytes).collect();
    // One that was made and not written to says nothing.
    Ok(files?.into_iter().filter(|file| !file.bytes.is_empty()).collect())
}

/// The records of all files, the oldest first. What cannot be read is left out: `verify` names it.
///
/// # Errors
/// See [`AuditError`].
pub fn entries(place: &Place) -> Result<Vec<Entry>, AuditError> {
    let (files, _) = sources(place)?;
    let lines = files.iter().flat_map(|file| file.bytes.split(|byte| *byte == b'\n'));
    Ok(lines.filter_map(Entry::parse).collect())
}
