//! Advisory locks: no two Redlines write a file at once.
//!
//! A lock on the file alone would not do: it may not be there yet, and a rename puts an unlocked file
//! in its place. So the directory is locked, which both find, and then the file, for others who lock
//! files. Where a directory cannot be locked (Windows, some network file systems) a file in the
//! user's state directory stands for it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::Path,
    time::{Duration, Instant},
};

use crate::io::{
    durable::parent,
    journal::{Env, state_dir},
};

/// How long somebody else's lock is waited for: the user waits for the answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(5);

/// Held until it is dropped.
#[derive(Debug)]
pub(in crate::io) struct Locks {
    _dir: Option<File>,
    _file: Option<File>,
}

/// Locks a file that may not be there. Its directory may be missing too: nobody else can write
/// there then.
pub(in crate::io) fn take(path: &Path) -> io::Result<Locks> {
    let deadline = Instant::now() + PATIENCE;
    let dir = match lock(File::open(parent(path)), deadline, "the file's folder")? {
        Some(file) => Some(file),
        None => lock(substitute(&parent(path)), deadline, "the file's folder")?,
    };
    Ok(Locks { _dir: dir, _file: lock(open(path), deadline, "the file")? })
}

/// Opening a FIFO would block for ever.
fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// `None`: it cannot be locked at all.
fn lock(file: io::Result<File>, deadline: Instant, what: &str) -> io::Result<Option<File>> {
    let Ok(file) = file else { return Ok(None) };
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                let text =
                    format!("another program holds a lock on {what}; try again when it is done");
                return Err(io::Error::new(io::ErrorKind::WouldBlock, text));
            }
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// An empty file that stays; it is named by the directory that it stands for.
fn substitute(dir: &Path) -> io::Result<File> {
    let state = state_dir(&Env::of_process()).ok_or(io::ErrorKind::NotFound)?;
    let locks = state.join("locks");
    fs::create_dir_all(&locks)?;
    let name = blake3::hash(dir.as_os_str().as_encoded_bytes()).to_hex();
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).open(locks.join(&name.as_str()[..32]))
}
