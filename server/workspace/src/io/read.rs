//! Reading a file as text.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use redline_text::{FileEncoding, as_bytes};

use crate::{DiskText, ReadError, WorkspacePath};

/// Bytes of a file that is read as text. A larger one is no source; and some that call themselves
/// files never end.
pub const MOST: u64 = 256 * 1024 * 1024;
/// Bytes of a file that is no text beyond which it is not read: it would have to be kept.
const MOST_BYTES: usize = 16 << 20;

/// The file's text; `None`: there is no such file.
///
/// # Errors
/// See `ReadError`; a missing file is none.
pub fn read(file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
    let Some((bytes, mode)) = found(file)? else { return Ok(None) };
    Ok(Some(DiskText::new(redline_text::decode(&bytes)?).with_mode(mode)))
}

/// What lies there, whatever it is, so that it can be made again: text, other bytes, or a link (and
/// then not what it leads to). `None`: nothing.
pub fn read_any(file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
    let path = file.as_path();
    let meta = fs::symlink_metadata(path);
    if meta.as_ref().is_ok_and(Metadata::is_symlink) {
        let target = link_bytes(&fs::read_link(path)?)?;
        return Ok(Some(DiskText::new(as_bytes(&target, FileEncoding::Link))));
    }
    let Some((bytes, mode)) = found(file)? else { return Ok(None) };
    let document = match redline_text::decode(&bytes) {
        Ok(document) => document,
        Err(_) if bytes.len() > MOST_BYTES => return Err(ReadError::Unkept(file.clone())),
        Err(_) => as_bytes(&bytes, FileEncoding::Bytes),
    };
    Ok(Some(DiskText::new(document).with_mode(mode)))
}

/// All of a file and its mode; `None`: there is none.
#[expect(clippy::type_complexity, reason = "it is said nowhere else")]
fn found(file: &WorkspacePath) -> Result<Option<(Vec<u8>, Option<u32>)>, ReadError> {
    match whole(file, MOST) {
        Ok((bytes, meta)) => Ok(Some((bytes, mode(&meta)))),
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
    whole(file, most).map(|(bytes, _)| bytes)
}

/// The bytes of a file of which only the path is known, as [`bytes`] reads them: of one that lies in
/// somebody else's hands and may be a FIFO, a device or a link to a file without end.
///
/// # Errors
/// Why it was not read, without its name; [`ErrorKind::NotFound`] if it is not there.
pub fn plain_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let read = bytes(&WorkspacePath::assume_canonical(path), most);
    read.map_err(|error| match error {
        ReadError::Io(error) => error,
        ReadError::NotAFile(_) => io::Error::other("it is not a file"),
        ReadError::TooLarge { .. } => io::Error::other(format!("it is larger than {most} bytes")),
        ReadError::Kernels(_) => io::Error::other("it is a file of the kernel's, not of a disk"),
        other => io::Error::other(other.to_string()),
    })
}

fn whole(file: &WorkspacePath, most: u64) -> Result<(Vec<u8>, Metadata), ReadError> {
    let opened = open(file)?;
    let meta = opened.metadata()?;
    let size = meta.len();
    let too_large = || ReadError::TooLarge { file: file.clone(), most };
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    opened.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok((bytes, meta)) }
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

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "not everywhere")]
fn mode(meta: &Metadata) -> Option<u32> {
    Some(std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> Option<u32> {
    None
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "not everywhere")]
fn link_bytes(target: &Path) -> Result<Vec<u8>, ReadError> {
    Ok(std::os::unix::ffi::OsStrExt::as_bytes(target.as_os_str()).to_vec())
}

#[cfg(not(unix))]
fn link_bytes(_: &Path) -> Result<Vec<u8>, ReadError> {
    Err(std::io::Error::other("links can't be made again on this system").into())
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

    #[cfg(unix)]
    #[test]
    fn anything_can_be_read_to_be_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| WorkspacePath::assume_canonical(&dir.path().join(name));
        fs::write(dir.path().join("binary"), [0, 159, 146, 150]).unwrap();
        fs::write(dir.path().join("text"), "a\u{e9}").unwrap();
        std::os::unix::fs::symlink("text", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        let check = |name: &str, encoding: FileEncoding, bytes: &[u8]| {
            let found = read_any(&at(name)).unwrap().unwrap();
            assert_eq!(found.format.encoding, encoding, "{name}");
            assert_eq!(redline_text::encode(&found.text, found.format), bytes, "{name}");
        };
        check("binary", FileEncoding::Bytes, &[0, 159, 146, 150]);
        check("text", FileEncoding::Utf8, "a\u{e9}".as_bytes());
        check("link", FileEncoding::Link, b"text");
        check("dangling", FileEncoding::Link, b"nowhere");
        assert!(read_any(&at("missing")).unwrap().is_none());
        assert!(matches!(read_any(&at(".")), Err(ReadError::NotAFile(_))));
        let text = (read(&at("text")).unwrap(), read_any(&at("text")).unwrap());
        assert_eq!(text.0.map(|it| it.hash), text.1.map(|it| it.hash));
    }
}
