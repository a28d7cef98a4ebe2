//! Putting new bytes under a name.

use std::{
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Write},
    path::Path,
};

use tempfile::NamedTempFile;

use super::{in_place, keep, keep::Kept, leftovers::TEMPORARY, not_a_file};
use crate::io::durable::{parent, persist};

/// Makes `bytes` the content of the file, which may not be there. `AlreadyExists`: it was not there,
/// and somebody else made it meanwhile. A new file gets these permission bits.
pub(super) fn put(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) => over(path, &meta, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => create(path, bytes, mode),
        Err(error) => Err(error),
    }
}

/// A new file gets the mode that the user's umask and the directory's defaults give, not a temporary
/// file's 0600; one that was there before gets its own.
fn create(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = filled(builder.tempfile_in(parent(path))?, bytes)?;
    mode.map_or(Ok(()), |mode| set_mode(file.as_file(), mode))?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        // Some file systems cannot do this; our locks keep other Redlines away.
        Err(error) if is_free(path) => persist(error.file, path).map(drop),
        Err(error) => Err(error.error),
    }
}

#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

fn is_free(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

fn over(path: &Path, meta: &Metadata, bytes: &[u8]) -> io::Result<()> {
    if !meta.is_file() {
        return Err(not_a_file());
    }
    may_write(path, meta)?;
    if has_other_names(meta) {
        return in_place::write(path, bytes);
    }
    // Until it has the file's own rights nobody else may look into it.
    let temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(parent(path))?;
    let file = filled(temporary, bytes)?;
    if keep::copy(&File::open(path)?, meta, file.as_file())? == Kept::NotOwner {
        drop(file);
        return in_place::write(path, bytes);
    }
    match persist(file, path) {
        Ok(_) => Ok(()),
        // The file is a mount of its own, as containers have them: nothing can take its place.
        Err(error) if error.kind() == ErrorKind::ResourceBusy => in_place::write(path, bytes),
        Err(error) => Err(error),
    }
}

fn filled(mut file: NamedTempFile, bytes: &[u8]) -> io::Result<NamedTempFile> {
    file.write_all(bytes)?;
    Ok(file)
}

/// A rename asks only for the right to write the directory; a file that is closed to its user is not
/// to be replaced behind their back.
fn may_write(path: &Path, meta: &Metadata) -> io::Result<()> {
    if meta.permissions().readonly() || !is_writable(path) {
        let text = "the file is read-only for you; make it writable first";
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    Ok(())
}

#[cfg(unix)]
fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(_: &Path) -> bool {
    true
}

#[cfg(unix)]
fn has_other_names(meta: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) > 1
}

/// Stable Rust does not tell there.
#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}
