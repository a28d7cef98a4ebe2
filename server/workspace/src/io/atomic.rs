//! Writing: temporary file beside the target, fsync, rename. A reader sees the old or the new
//! content, whatever happens. Where a rename would lose something (another name of the file, its
//! owner), the file is written in place behind a safety copy: see `in_place`.

mod in_place;
mod keep;
mod leftovers;
pub(super) mod lock;
mod parents;
mod swap;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use redline_text::{FileEncoding, encode};

use self::parents::Made;
use super::{
    WriteRequest,
    durable::{parent, sync_dir},
    read::{read, read_any},
    words::explain,
};
use crate::{DiskText, ReadError, WriteError};

pub(super) use leftovers::{TEMPORARY, sweep};

/// Writes (or removes) a file that still is what the request expects; returns what it holds now.
/// Keeps mode, owner, group, extended attributes (ACLs among them), hard links, and a link that came
/// to lie in the file's place: its target is written. Makes parent directories. After an error the
/// file is as before, and neither a temporary file nor a new directory is left.
///
/// Advisory locks keep two Redlines from writing one file at once, also one that is not there yet,
/// and wait for others who lock it.
pub fn write(request: &WriteRequest) -> Result<Option<DiskText>, WriteError> {
    let path = request.file.as_path();
    let Some((text, format)) = &request.text else { return remove(request) };
    if format.encoding == FileEncoding::Link {
        return link(request, &encode(text, *format));
    }
    let path = target(path).map_err(refused)?;
    let made = Made::parents_of(&path).map_err(refused)?;
    sweep(&parent(&path));
    let _locks = lock::take(&path).map_err(refused)?;
    check(request)?;
    swap::put(&path, &encode(text, *format), request.mode).map_err(|error| match error.kind() {
        // Somebody made it after the check.
        io::ErrorKind::AlreadyExists => check(request).err().unwrap_or(WriteError::Changed(None)),
        _ => refused(error),
    })?;
    made.keep();
    settle(&path);
    let document = redline_text::Document { text: text.clone(), format: *format };
    let mode = request.expect.is_none().then_some(request.mode).flatten();
    Ok(Some(DiskText::new(document).with_mode(mode)))
}

/// Makes a link that was removed again.
fn link(request: &WriteRequest, target: &[u8]) -> Result<Option<DiskText>, WriteError> {
    let path = request.file.as_path();
    let made = Made::parents_of(path).map_err(refused)?;
    let _locks = lock::take(path).map_err(refused)?;
    check(request)?;
    make_link(target, path).map_err(refused)?;
    made.keep();
    settle(path);
    Ok(Some(DiskText::new(redline_text::as_bytes(target, FileEncoding::Link))))
}

#[cfg(unix)]
fn make_link(target: &[u8], path: &Path) -> io::Result<()> {
    let target: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(target);
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn make_link(_: &[u8], _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A link that was to be removed goes; what it points at stays.
fn remove(request: &WriteRequest) -> Result<Option<DiskText>, WriteError> {
    let path = request.file.as_path();
    let _locks = lock::take(path).map_err(refused)?;
    check(request)?;
    fs::remove_file(path).map_err(refused)?;
    settle(path);
    Ok(None)
}

/// Waits until the name is on the disk. The file is written, whatever comes of this: an error would
/// say that it is as before.
fn settle(path: &Path) {
    let _ = sync_dir(&parent(path));
}

fn check(request: &WriteRequest) -> Result<(), WriteError> {
    let expected = |now: &Option<DiskText>| now.as_ref().map(|disk| disk.hash) == request.expect;
    let text = read(&request.file);
    // What is removed, or made again, may be anything; what is written was text, and a link that came
    // into its place leads to it.
    let is_any = request.text.as_ref().is_none_or(|(_, format)| !format.encoding.is_text());
    let now = match text {
        Ok(now) if !is_any || expected(&now) => Ok(now),
        Err(error) if !is_any => Err(error),
        _ => read_any(&request.file),
    };
    match now {
        Ok(now) if expected(&now) => Ok(()),
        Ok(now) => Err(WriteError::Changed(now.map(Box::new))),
        Err(ReadError::Io(error)) => Err(refused(error)),
        Err(ReadError::NotAFile(_) | ReadError::Kernels(_)) => Err(refused(not_a_file())),
        Err(_) => Err(WriteError::Changed(None)),
    }
}

/// The file itself. Our paths are canonical, but a link may have taken the file's place since.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => path.canonicalize().map_err(|error| {
            let text = format!("it is now a link that leads nowhere ({error}); remove the link");
            io::Error::new(io::ErrorKind::InvalidInput, text)
        }),
        _ => Ok(path.to_owned()),
    }
}

fn not_a_file() -> io::Error {
    let text = "it is no longer a file but a folder or a device; move that away and try again";
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

fn refused(error: io::Error) -> WriteError {
    WriteError::Io(explain(&error))
}

#[cfg(test)]
#[path = "atomic/tests.rs"]
mod tests;
