//! Reading a file as text.

use std::{
    fs::{self, Metadata},
    io::ErrorKind,
    path::Path,
};

use redline_text::{FileEncoding, as_bytes};

use crate::{DiskText, ReadError, WorkspacePath};

/// Bytes of a file that is no text beyond which it is not read: it would have to be kept.
const MOST_BYTES: u64 = 16 << 20;

/// The file's text; `None`: there is no such file.
pub fn read(file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
    let Some((bytes, mode)) = bytes(file, fs::metadata(file.as_path()))? else { return Ok(None) };
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
    let len = meta.as_ref().map_or(0, Metadata::len);
    let Some((bytes, mode)) = bytes(file, meta)? else { return Ok(None) };
    let document = match redline_text::decode(&bytes) {
        Ok(document) => document,
        Err(_) if len > MOST_BYTES => return Err(ReadError::TooLarge(file.clone())),
        Err(_) => as_bytes(&bytes, FileEncoding::Bytes),
    };
    Ok(Some(DiskText::new(document).with_mode(mode)))
}

type Found = Option<(Vec<u8>, Option<u32>)>;

fn bytes(file: &WorkspacePath, meta: std::io::Result<Metadata>) -> Result<Found, ReadError> {
    match meta {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
        // Opening a FIFO would block for ever.
        Ok(meta) if !meta.is_file() => Err(ReadError::NotAFile(file.clone())),
        Ok(meta) => Ok(Some((fs::read(file.as_path())?, mode(&meta)))),
    }
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
        assert!(matches!(read(&at("binary")), Err(ReadError::Decode(_))));
        assert!(matches!(read(&at("latin1")), Err(ReadError::Decode(_))));
        assert!(matches!(read(&at(".")), Err(ReadError::NotAFile(_))));
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
