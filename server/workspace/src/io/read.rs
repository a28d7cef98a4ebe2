//! Reading a file as text.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use crate::{DiskText, ReadError, WorkspacePath};

/// Bytes of a file that is read as text. A larger one is no source; and some that call themselves
/// files never end.
pub const MOST: u64 = 256 * 1024 * 1024;

/// The file's text; `None`: there is no such file.
///
/// # Errors
/// See `ReadError`; a missing file is none.
pub fn read(file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
    match bytes(file, MOST) {
        Ok(bytes) => Ok(Some(DiskText::new(redline_text::decode(&bytes)?))),
        Err(ReadError::Io(error)) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// All bytes of a regular file, `most` at most: memory is bounded whatever the file says of its
/// size, and while it grows.
///
/// # Errors
/// See `ReadError`; a missing file is an `Io` error.
pub fn bytes(file: &WorkspacePath, most: u64) -> Result<Vec<u8>, ReadError> {
    let opened = open(file)?;
    let size = opened.metadata()?.len();
    let too_large = || ReadError::TooLarge { file: file.clone(), most };
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    opened.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Opens a regular file, and nothing else: a FIFO would wait for its writer, a device may do
/// anything, and files of the kernel's (`/proc`, `/sys`) may block or have no end. What it is, is
/// looked at before it is opened, and again then: another may have taken its place.
///
/// # Errors
/// See `ReadError`; a missing file is an `Io` error.
pub fn open(file: &WorkspacePath) -> Result<File, ReadError> {
    let path = file.as_path();
    let regular = |meta: Metadata| match meta.is_file() {
        true => Ok(()),
        false => Err(ReadError::NotAFile(file.clone())),
    };
    regular(fs::metadata(path)?)?;
    if is_kernels(path) {
        return Err(ReadError::Kernels(file.clone()));
    }
    let opened = open_now(path)?;
    regular(opened.metadata()?)?;
    Ok(opened)
}

/// Without waiting for anybody.
fn open_now(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    options.open(path)
}

/// Whether the file is none of a disk's but an interface of the kernel.
#[cfg(target_os = "linux")]
fn is_kernels(path: &Path) -> bool {
    /// proc, sysfs, debugfs, tracefs, securityfs, configfs, cgroup and cgroup2, as statfs(2) has
    /// them.
    const KERNELS: [u64; 8] = [
        0x9fa0,
        0x6265_6572,
        0x6462_6720,
        0x7472_6163,
        0x7363_6673,
        0x6265_6570,
        0x0027_e0eb,
        0x6367_7270,
    ];
    let kind = rustix::fs::statfs(path).ok().and_then(|found| u64::try_from(found.f_type).ok());
    kind.is_some_and(|kind| KERNELS.contains(&kind))
}

#[cfg(not(target_os = "linux"))]
fn is_kernels(_: &Path) -> bool {
    false
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_file_is_an_error_and_a_missing_one_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| WorkspacePath::assume_canonical(&dir.path().join(name));
        fs::write(dir.path().join("binary"), [0, 159, 146, 150]).unwrap();
        fs::write(dir.path().join("latin1"), [b'a', 0xE9, b'b']).unwrap();
        assert!(read(&at("missing")).unwrap().is_none());
        assert!(read(&at("latin1/x")).unwrap().is_none());
        assert!(matches!(read(&at("binary")), Err(ReadError::Decode(_))));
        assert!(matches!(read(&at("latin1")), Err(ReadError::Decode(_))));
        assert!(matches!(read(&at(".")), Err(ReadError::NotAFile(_))));
    }

    #[test]
    fn bytes_are_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| WorkspacePath::assume_canonical(&dir.path().join(name));
        fs::write(dir.path().join("a"), "12345").unwrap();
        assert_eq!(bytes(&at("a"), 5).unwrap(), b"12345");
        assert!(matches!(bytes(&at("a"), 4), Err(ReadError::TooLarge { most: 4, .. })));
        // Sparse: as large as it says, and nothing of it is read.
        File::create(dir.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(read(&at("sparse")), Err(ReadError::TooLarge { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_could_wait_for_ever_is_never_opened() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &fifo,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let check = |path: &Path| read(&WorkspacePath::assume_canonical(path));
        for special in [fifo.as_path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert!(matches!(check(special), Err(ReadError::NotAFile(_))), "{special:?}");
        }
        for kernels in ["/proc/self/maps", "/proc/version", "/sys/kernel/vmcoreinfo"] {
            let path = Path::new(kernels);
            if path.is_file() {
                assert!(matches!(check(path), Err(ReadError::Kernels(_))), "{kernels}");
            }
        }
    }
}
