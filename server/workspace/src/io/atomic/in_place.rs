//! Writing a file that must stay the same file: one with other names (hard links), one whose owner we
//! cannot give to another, a mount of its own. This is what Vim's `backupcopy=auto` does.
//!
//! It cannot be atomic: a reader may see a mixture, and a process that is killed in the middle leaves
//! one. Therefore a copy of the old content lies beside it as `NAME.redline-backup` meanwhile, and is
//! never swept away. What needs new space on the disk comes first, so that a full disk changes
//! nothing.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::io::durable::{parent, sync_dir};

/// Makes `bytes` the content of an existing file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut old = Vec::new();
    file.read_to_end(&mut old)?;
    let copy = Copy::make(path, &old)?;
    let Err(error) = replace(&mut file, &old, bytes) else {
        copy.remove();
        return Ok(());
    };
    match restore(&mut file, &old) {
        Ok(()) => {
            copy.remove();
            Err(error)
        }
        Err(_) => Err(copy.is_needed(&error)),
    }
}

/// First what lies behind the old end, then the rest.
fn replace(file: &mut File, old: &[u8], new: &[u8]) -> io::Result<()> {
    let (head, tail) = new.split_at(new.len().min(old.len()));
    write_at(file, old.len() as u64, tail)?;
    file.sync_data()?;
    write_at(file, 0, head)?;
    file.set_len(new.len() as u64)?;
    file.sync_all()
}

fn restore(file: &mut File, old: &[u8]) -> io::Result<()> {
    write_at(file, 0, old)?;
    file.set_len(old.len() as u64)?;
    file.sync_all()
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// The old content beside the file.
struct Copy(PathBuf);

impl Copy {
    /// On the disk when this returns. One that is there already is somebody's last resort.
    fn make(path: &Path, old: &[u8]) -> io::Result<Self> {
        let mut name = path.as_os_str().to_owned();
        name.push(".redline-backup");
        let copy = Self(name.into());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&copy.0).map_err(|error| copy.blocked(error))?;
        match file.write_all(old).and_then(|()| file.sync_all()) {
            Ok(()) => sync_dir(&parent(path)).map(|()| copy),
            Err(error) => {
                copy.remove();
                Err(error)
            }
        }
    }

    /// One that cannot be removed is met, and named, by the next write.
    fn remove(self) {
        let _ = std::fs::remove_file(&self.0);
    }

    fn blocked(&self, error: io::Error) -> io::Error {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return error;
        }
        let text = format!(
            "{} holds the file's content from a write that was interrupted; \
             compare the two, then remove it and try again",
            self.0.display()
        );
        io::Error::new(io::ErrorKind::InvalidInput, text)
    }

    fn is_needed(&self, error: &io::Error) -> io::Error {
        let text = format!(
            "the file may be damaged: writing it failed ({error}), and so did undoing that; \
             its old content is in {}",
            self.0.display()
        );
        io::Error::other(text)
    }
}
