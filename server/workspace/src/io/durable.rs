//! Putting a file under its name, and making that last.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// Gives a temporary file the name `path`, in the place of what may be there, with its content on
/// the disk before. After an error the temporary file is gone.
pub(super) fn persist(file: NamedTempFile, path: &Path) -> io::Result<File> {
    file.as_file().sync_all()?;
    let (file, temporary) = file.into_parts();
    // `NamedTempFile::persist` does not replace an open file on Windows; this does.
    fs::rename(&temporary, path)?;
    // There is nothing left to remove.
    let _ = temporary.keep();
    Ok(file)
}

/// The folder that holds a file.
pub(super) fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => PathBuf::from("/"),
    }
}

/// Waits until the names in a directory are on the disk.
#[cfg(unix)]
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    match File::open(dir)?.sync_all() {
        // Some network and user-space file systems cannot; they order renames themselves.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput) => Ok(()),
        result => result,
    }
}

/// Directories cannot be opened there; NTFS journals its names.
#[cfg(not(unix))]
pub(super) fn sync_dir(_: &Path) -> io::Result<()> {
    Ok(())
}
