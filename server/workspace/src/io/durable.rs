//! Directories: making a rename last.

use std::{
    io,
    path::{Path, PathBuf},
};

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
    match std::fs::File::open(dir)?.sync_all() {
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
