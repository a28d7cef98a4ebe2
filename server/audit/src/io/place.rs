//! Which files the log consists of, and how they are opened.

use std::{
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use super::{AuditError, at};

/// The folder of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(PathBuf);

impl Place {
    /// Files of the log; the oldest goes when there would be more.
    pub const KEPT: usize = 8;

    /// The log below the user's state directory.
    pub fn in_state(state: &Path) -> Self {
        Place(state.join("audit"))
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.0
    }

    /// The file that is written to.
    pub fn current(&self) -> PathBuf {
        self.0.join("audit.jsonl")
    }

    /// An older file; 1 is the newest of them.
    pub fn older(&self, age: usize) -> PathBuf {
        self.0.join(format!("audit.{age}.jsonl"))
    }

    /// What the newest line is. It is also what processes lock.
    pub fn head(&self) -> PathBuf {
        self.0.join("head")
    }

    /// All files, the oldest first, whether they are there or not.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = PathBuf> + '_ {
        let older = (1..Self::KEPT).rev().map(|age| self.older(age));
        older.chain(std::iter::once(self.current()))
    }

    /// Whether there were so many files that the oldest ones went. Also between two steps of a rotation
    /// the oldest place is taken, however many files there are.
    pub fn is_full(&self) -> bool {
        self.older(Self::KEPT - 1).exists()
    }

    /// Makes the folder, closed to other users.
    pub(super) fn make(&self) -> Result<(), AuditError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match fs::symlink_metadata(&self.0) {
            Ok(it) if it.is_dir() => close(&self.0, &it, 0o700),
            Ok(_) => Err(AuditError::Odd { path: self.0.clone(), expected: "folder" }),
            Err(_) => builder.create(&self.0).map_err(at(&self.0)),
        }
    }
}

/// Opens an ordinary file and nothing else; a link or a pipe is not even waited for. With `create`, to
/// read and to append, made if it is not there; else to read, and `None` if it is not.
pub(super) fn open(path: &Path, create: bool) -> Result<Option<File>, AuditError> {
    let odd = || AuditError::Odd { path: path.to_owned(), expected: "file" };
    match fs::symlink_metadata(path) {
        Ok(it) if !it.is_file() => return Err(odd()),
        Err(error) if error.kind() == ErrorKind::NotFound && !create => return Ok(None),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true);
    if create {
        options.append(true).create(true);
    }
    let file = careful(&mut options).open(path).map_err(at(path))?;
    let found = file.metadata().map_err(at(path))?;
    if !found.is_file() {
        return Err(odd());
    }
    if create {
        close(path, &found, 0o600)?;
    }
    Ok(Some(file))
}

/// The head, to be written over.
pub(super) fn open_head(path: &Path) -> Result<File, AuditError> {
    if fs::symlink_metadata(path).is_ok_and(|it| !it.is_file()) {
        return Err(AuditError::Odd { path: path.to_owned(), expected: "file" });
    }
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = careful(options).open(path).map_err(at(path))?;
    close(path, &file.metadata().map_err(at(path))?, 0o600)?;
    Ok(file)
}

/// A link or a pipe that has come between the look and the opening is refused by the system.
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // The bits are the system's, which are those of an `int`.
        options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    options
}

/// Takes the rights of others away, where somebody gave them.
#[cfg(unix)]
fn close(path: &Path, found: &Metadata, mode: u32) -> Result<(), AuditError> {
    use std::os::unix::fs::PermissionsExt;
    if found.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(at(path))
}

#[cfg(not(unix))]
fn close(_: &Path, _: &Metadata, _: u32) -> Result<(), AuditError> {
    Ok(())
}

/// Which file it is, so that one that was renamed is not taken for the one that has its name now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    file: (u64, u64),
    /// Bytes.
    pub len: u64,
}

impl Identity {
    #[cfg(unix)]
    pub fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Identity { file: (found.dev(), found.ino()), len: found.len() }
    }

    /// Without a number of its own a file is known by when it was made.
    #[cfg(not(unix))]
    pub fn of(found: &Metadata) -> Self {
        let made =
            found.created().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let made = made.map_or(0, |at| u64::try_from(at.as_nanos()).unwrap_or_default());
        Identity { file: (made, 0), len: found.len() }
    }

    /// Whether it is the same file, whatever was written to it.
    pub fn is_same_file(self, other: Identity) -> bool {
        self.file == other.file
    }

    /// What is there now under that name; `None`: nothing.
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::symlink_metadata(path) {
            Ok(found) => Ok(Some(Identity::of(&found))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Reads at a place without moving anything.
pub(super) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buffer, offset);
    #[cfg(not(unix))]
    {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(offset))?;
        file.read(buffer)
    }
}

/// Writes all of it over what is there.
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = file;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }
}
