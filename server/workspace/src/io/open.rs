//! Opening what somebody else named. A path can lead to anything: a FIFO that nobody writes, a device
//! without an end, a file of the kernel that waits for news.

use std::{
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

/// Bytes beyond which a file is not read as a whole.
const MOST: u64 = 1 << 30;

/// Opens a regular file so that neither this nor reading from it ever waits for somebody else.
///
/// # Errors
/// If it can't be opened, or is no regular file (`ErrorKind::InvalidInput`).
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    // Of the opened file: what the path leads to may have changed since anybody looked.
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

/// All of a regular file.
///
/// # Errors
/// As `open`; and if it has more than a gigabyte (`ErrorKind::FileTooLarge`), whatever its size is
/// said to be.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let said = file.metadata().map_or(0, |found| found.len()).min(MOST);
    let mut bytes = Vec::with_capacity(usize::try_from(said).unwrap_or(0));
    file.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let words = "it has more than a gigabyte: look at a part of it with a command";
        return Err(io::Error::new(ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read_bytes(&file).unwrap(), b"text");
        assert!(read_bytes(dir.path()).is_err());
        assert_eq!(read_bytes(&dir.path().join("b")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).unwrap();
        for path in [fifo.as_path(), Path::new("/dev/zero"), Path::new("/dev/tty")] {
            assert!(read_bytes(path).is_err(), "{path:?}");
        }
        // A regular file by its metadata, whose reader waits for the kernel's next message.
        let _ = read_bytes(Path::new("/proc/kmsg"));
    }
}
