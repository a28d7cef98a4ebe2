//! Reading a file as text.

use std::{fs, io::ErrorKind};

use crate::{DiskText, ReadError, WorkspacePath};

/// The file's text; `None`: there is no such file.
pub fn read(file: &WorkspacePath) -> Result<Option<DiskText>, ReadError> {
    let path = file.as_path();
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
        // Opening a FIFO would block for ever.
        Ok(meta) if !meta.is_file() => return Err(ReadError::NotAFile(file.clone())),
        Ok(_) => {}
    }
    let bytes = fs::read(path)?;
    Ok(Some(DiskText::new(redline_text::decode(&bytes)?)))
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
}
