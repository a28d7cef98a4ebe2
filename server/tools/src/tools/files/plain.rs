//! Reading regular files, and nothing else: a FIFO would wait for ever, a device may do anything.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Opens a file that was seen to be a regular one. If something else has taken its place, opening
/// neither waits nor follows a symlink.
///
/// # Errors
/// If it can't be opened.
pub(in crate::tools) fn open(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(file)
}

/// The bytes of a regular file, a symlink to one included; `None`: more than `most`.
///
/// # Errors
/// If it can't be read, or is something else.
pub(super) fn read(file: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = open(&file.canonicalize()?)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
