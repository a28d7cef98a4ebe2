//! Writing: temporary file beside the target, fsync, rename. A reader sees the old or the new
//! content, whatever happens.

use std::{
    fs::{self, File, TryLockError},
    io::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use redline_text::encode;

use super::{WriteRequest, read};
use crate::{DiskText, ReadError, WriteError};

/// Writes (or removes) a file that still is what the request expects. Keeps the mode; makes parent
/// directories; returns what the file holds now. An advisory lock on the file keeps two Redlines
/// from writing at once.
pub fn write(request: &WriteRequest) -> Result<Option<DiskText>, WriteError> {
    let _lock = lock(request.file.as_path())?;
    check(request)?;
    match &request.text {
        None => remove(request.file.as_path()),
        Some((text, format)) => {
            replace(request.file.as_path(), &encode(text, *format)).map_err(io)?;
            let document = redline_text::Document { text: text.clone(), format: *format };
            Ok(Some(DiskText::new(document)))
        }
    }
}

fn check(request: &WriteRequest) -> Result<(), WriteError> {
    let now = match read(&request.file) {
        Ok(now) => now,
        Err(ReadError::Io(error)) => return Err(io(error)),
        Err(_) => return Err(WriteError::Changed(None)),
    };
    if now.as_ref().map(|disk| disk.hash) == request.expect {
        Ok(())
    } else {
        Err(WriteError::Changed(now.map(Box::new)))
    }
}

fn lock(path: &Path) -> Result<Option<File>, WriteError> {
    match File::open(path) {
        Ok(file) => wait_for(file),
        Err(_) => Ok(None),
    }
}

/// Somebody else's lock is waited for, but not for ever: the user waits for the answer.
fn wait_for(file: File) -> Result<Option<File>, WriteError> {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                let text = "another program holds a lock on the file; try again when it is done";
                return Err(WriteError::Io(text.to_owned()));
            }
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

fn remove(path: &Path) -> Result<Option<DiskText>, WriteError> {
    fs::remove_file(path).map_err(io)?;
    Ok(None)
}

fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent)?;
    let mode = fs::metadata(path).map(|meta| meta.permissions());
    if let Ok(mode) = &mode
        && mode.readonly()
    {
        let text = "the file is read-only; make it writable first";
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, text));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".redline-");
    // A new file gets the mode that the user's umask gives, not a temporary file's 0600.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temporary = builder.tempfile_in(parent)?;
    temporary.write_all(bytes)?;
    if let Ok(mode) = mode {
        temporary.as_file().set_permissions(mode)?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    File::open(parent)?.sync_all()
}

fn io(error: std::io::Error) -> WriteError {
    WriteError::Io(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::WorkspacePath;

    fn request(path: &Path, text: &str, expect: Option<u64>) -> WriteRequest {
        let file = WorkspacePath::assume_canonical(path);
        WriteRequest { file, text: Some((text.into(), Default::default())), expect }
    }

    #[test]
    fn a_write_keeps_the_mode_and_makes_parents() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/script.sh");
        let made = write(&request(&path, "one\n", None)).unwrap().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        write(&request(&path, "two\n", Some(made.hash))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing left over");
    }

    #[test]
    fn a_file_that_is_not_what_was_read_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "theirs").unwrap();
        for expect in [None, Some(1)] {
            let result = write(&request(&path, "ours", expect));
            assert!(matches!(result, Err(WriteError::Changed(Some(_)))));
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }

    #[test]
    fn a_read_only_file_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let made = write(&request(&path, "one", None)).unwrap().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(write(&request(&path, "two", Some(made.hash))), Err(WriteError::Io(_))));
    }
}
