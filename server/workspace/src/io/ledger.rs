//! Small lists that Redline keeps for the user beside the settings: what was granted, what is
//! trusted. JSON that a person can read, and that two processes may change at once.
//!
//! A list that cannot be read as a whole is not used at all, and never written over: what it said is
//! for the user to mend.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    marker::PhantomData,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    atomic::lock,
    durable::{parent, persist, sync_dir},
    read::plain_bytes,
    words::explain,
};

/// Bytes that are read of a list; none that people make is near to that.
const MOST: u64 = 16 * 1024 * 1024;

/// A file with a list of `T`.
#[derive(Debug, Clone)]
pub struct Ledger<T> {
    path: PathBuf,
    of: PhantomData<fn() -> T>,
}

/// Why a list was not read or not written. Nothing of it counts then, and it is as before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// It is no list.
    #[error("{path}:{line}:{column}: {message}; nothing in it counts until you mend or remove it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// One of its entries is not understood.
    #[error("{path}: entry {number}: {message}; nothing in it counts until you mend or remove it")]
    Entry {
        /// The file.
        path: PathBuf,
        /// From 1.
        number: usize,
        /// What is wrong.
        message: String,
    },
    /// It is there and cannot be read.
    #[error("cannot read {path}: {reason}; nothing in it counts")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It could not be written.
    #[error("cannot write {path}: {reason}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
}

impl<T: Serialize + DeserializeOwned + PartialEq + Clone> Ledger<T> {
    /// The list in that file, which may not be there.
    pub fn new(path: PathBuf) -> Self {
        Self { path, of: PhantomData }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it, oldest first. A file that is not there, or is empty, has none.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn read(&self) -> Result<Vec<T>, LedgerError> {
        let text = match self.text() {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Vec::new());
            }
            Err(error) => {
                let (path, reason) = (self.path.clone(), error.to_string());
                return Err(LedgerError::Unreadable { path, reason });
            }
        };
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let entries: Vec<Value> =
            serde_json::from_str(&text).map_err(|error| LedgerError::Damaged {
                path: self.path.clone(),
                line: error.line(),
                column: error.column(),
                message: message(&error),
            })?;
        let entry = |(at, entry): (usize, Value)| {
            T::deserialize(entry).map_err(|error| LedgerError::Entry {
                path: self.path.clone(),
                number: at + 1,
                message: error.to_string(),
            })
        };
        entries.into_iter().enumerate().map(entry).collect()
    }

    fn text(&self) -> io::Result<String> {
        String::from_utf8(plain_bytes(&self.path, MOST)?).map_err(io::Error::other)
    }

    /// Changes the list, alone among all processes; the file is replaced as a whole, readable by its
    /// owner only. The answer is that of `change`.
    ///
    /// # Errors
    /// See [`LedgerError`].
    pub fn change<R>(&self, change: impl FnOnce(&mut Vec<T>) -> R) -> Result<R, LedgerError> {
        let unwritable = |error: io::Error| LedgerError::Unwritable {
            path: self.path.clone(),
            reason: explain(&error),
        };
        let path = self.target().map_err(unwritable)?;
        let _locks = lock::take(&path).map_err(unwritable)?;
        let mut list = self.read()?;
        let before = list.clone();
        let answer = change(&mut list);
        if list != before {
            put(&path, &list).map_err(unwritable)?;
        }
        Ok(answer)
    }

    /// The file itself, in a folder that is there: a link to it (of who keeps settings elsewhere) is
    /// kept.
    fn target(&self) -> io::Result<PathBuf> {
        make_dir(&parent(&self.path))?;
        match fs::symlink_metadata(&self.path) {
            Ok(meta) if meta.is_symlink() => self.path.canonicalize().map_err(|error| {
                io::Error::other(format!("it is a link that leads nowhere ({error})"))
            }),
            _ => Ok(self.path.clone()),
        }
    }
}

/// Temporary files are made for their owner only.
fn put<T: Serialize>(path: &Path, list: &[T]) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(list).map_err(io::Error::other)?;
    text.push(b'\n');
    let folder = parent(path);
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    file.write_all(&text)?;
    persist(file, path)?;
    // It is written, whatever comes of this.
    let _ = sync_dir(&folder);
    Ok(())
}

#[cfg(unix)]
fn make_dir(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

#[cfg(not(unix))]
fn make_dir(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)
}

/// Without the place, which is told apart.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A moment to the second, in UTC: `2026-11-21T04:07:09Z`. What lies before 1970 is its start.
pub fn iso8601(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Hinnant's `civil_from_days`: years begin in March, so that the leap day is the last.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Whether a text is such a moment: what a list says of time is shown to the user as it is.
pub fn is_moment(text: &str) -> bool {
    let shape = "dddd-dd-ddTdd:dd:ddZ";
    text.len() == shape.len()
        && text.chars().zip(shape.chars()).all(|(c, want)| match want {
            'd' => c.is_ascii_digit(),
            want => c == want,
        })
}

/// A hexadecimal BLAKE3 hash over parts, each with its length, so that no two lists of parts look
/// alike.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
