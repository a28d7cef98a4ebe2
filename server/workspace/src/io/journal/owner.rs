//! One process per folder.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use crate::io::words::explain;

/// The name of the lock file.
const NAME: &str = "owner.lock";

/// The right to write a folder's journal and store. Ends when it is dropped or the process ends, by
/// `kill -9` too: it is an advisory lock of the operating system on `owner.lock`, not the file's
/// being there.
#[derive(Debug)]
pub struct Owner {
    file: File,
    dir: PathBuf,
}

/// Who owns the folder now.
#[derive(Debug)]
pub enum Taken {
    /// We do.
    Owner(Owner),
    /// Somebody else.
    Held {
        /// Its process id, where it can be read (for a message, never for a decision).
        pid: Option<u32>,
    },
}

/// Why nobody knows who owns the folder.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// The lock file cannot be made or locked.
    #[error("cannot lock {}: {}", .path.display(), explain(.source))]
    Io {
        /// The lock file.
        path: PathBuf,
        /// The refusal.
        source: io::Error,
    },
}

impl Owner {
    /// Becomes the owner if there is none. `dir` is the folder's state directory.
    pub fn try_take(dir: &Path) -> Result<Taken, OwnerError> {
        let path = dir.join(NAME);
        let io = |source| OwnerError::Io { path: path.clone(), source };
        loop {
            let file = open(&path).map_err(io)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(Taken::Held { pid: pid_in(file) }),
                Err(TryLockError::Error(error)) => return Err(io(error)),
                Ok(()) if !is_at(&file, &path).map_err(io)? => {}
                Ok(()) => return Self::signed(file, dir).map(Taken::Owner).map_err(io),
            }
        }
    }

    /// Becomes the owner as soon as there is none, without polling. Blocks, for hours it may be, and
    /// cannot be called back: run it on a thread of its own (`std::thread`; a runtime's blocking pool
    /// would wait for it at shutdown).
    pub fn wait(dir: &Path) -> Result<Self, OwnerError> {
        let path = dir.join(NAME);
        let io = |source| OwnerError::Io { path: path.clone(), source };
        loop {
            let file = open(&path).map_err(io)?;
            match file.lock() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(io(error)),
                Ok(()) if !is_at(&file, &path).map_err(io)? => {}
                Ok(()) => return Self::signed(file, dir).map_err(io),
            }
        }
    }

    /// Whether the lock is still the one that others would meet. False after somebody removed the
    /// state directory: a second owner is possible then.
    pub fn is_valid(&self) -> bool {
        is_at(&self.file, &self.dir.join(NAME)).unwrap_or(false)
    }

    /// The folder's state directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn signed(mut file: File, dir: &Path) -> io::Result<Self> {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Self { file, dir: dir.to_owned() })
    }
}

impl Drop for Owner {
    /// The file stays (removing it would let two processes lock two files of one name); the lock
    /// goes with the handle.
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// On Windows a locked file cannot be read: no pid then.
fn pid_in(file: File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether the path still names this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((ours.dev(), ours.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// An open file cannot be removed there.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}
