//! The files of a folder that trust in it is about, and their hash.

use std::{
    io,
    path::{Path, PathBuf},
};

use redline_workspace::io::{ledger, plain_bytes};

use crate::settings::{SettingsError, named_files};

/// Where a folder's own settings stand.
pub const SETTINGS: &str = ".redline/settings.json";
/// Files that could grant, start or redirect something. What other parts of Redline read of a folder
/// (`.mcp.json`, toolboxes) belongs here from the day on which they read it.
const FILES: [&str; 1] = [SETTINGS];
/// Bytes of one file. What is larger can't be trusted: nobody has read it.
const MOST: u64 = 16 * 1024 * 1024;

/// A folder's files as they were at one moment; what is used of them is what was hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The folder.
    pub folder: PathBuf,
    /// The files that are there: names relative to the folder with `/`, and bytes; the settings
    /// first, then what they name.
    pub files: Vec<(String, Vec<u8>)>,
    /// All files that were looked for.
    pub watched: Vec<PathBuf>,
    /// `blake3:` and the hexadecimal hash over the names and bytes, with their lengths.
    pub hash: String,
}

impl Seen {
    /// The names of the files.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The text of the settings, if there are any.
    ///
    /// # Errors
    /// They are no UTF-8.
    pub fn settings(&self) -> Result<Option<&str>, SettingsError> {
        let found = self.files.iter().find(|(name, _)| name == SETTINGS);
        let text = found.map(|(_, bytes)| std::str::from_utf8(bytes)).transpose();
        text.map_err(|error| unreadable(&self.folder.join(SETTINGS), &error))
    }
}

/// Looks at a folder.
///
/// # Errors
/// A file is there and cannot be read as a whole: nothing of the folder can be trusted then.
pub fn look(folder: &Path) -> Result<Seen, SettingsError> {
    let mut seen = Seen {
        folder: folder.to_owned(),
        files: Vec::new(),
        watched: Vec::new(),
        hash: String::new(),
    };
    for name in FILES {
        seen.add(name)?;
    }
    // A program that decides and a recorded conversation are as good as the line that names them.
    let text = seen.settings()?.unwrap_or_default().to_owned();
    for path in named_files(&text, &folder.join(SETTINGS)) {
        for name in [inside(folder, &path), really_inside(folder, &path)].into_iter().flatten() {
            if !seen.files.iter().any(|(known, _)| *known == name) {
                seen.add(&name)?;
            }
        }
        // A link on the way may be exchanged.
        seen.watched.push(folder.join(&path));
    }
    seen.hash = hash(&seen.files);
    Ok(seen)
}

impl Seen {
    fn add(&mut self, name: &str) -> Result<(), SettingsError> {
        let path = self.folder.join(name);
        if let Some(bytes) = bytes(&path).map_err(|error| unreadable(&path, &error))? {
            self.files.push((name.to_owned(), bytes));
        }
        self.watched.push(path);
        Ok(())
    }
}

/// The name of a file inside the folder. Others are not the repository's.
fn inside(folder: &Path, path: &Path) -> Option<String> {
    let path = folder.join(path);
    let parts = path.strip_prefix(folder).ok()?.components();
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            std::path::Component::Normal(name) => names.push(name.to_str()?),
            std::path::Component::ParentDir => {
                names.pop()?;
            }
            _ => {}
        }
    }
    (!names.is_empty()).then(|| names.join("/"))
}

/// The same of the file that the path leads to, wherever it seems to.
fn really_inside(folder: &Path, path: &Path) -> Option<String> {
    let real = folder.join(path).canonicalize().ok()?;
    inside(folder, &folder.join(real.strip_prefix(folder.canonicalize().ok()?).ok()?))
}

/// `None`: it is not there.
pub fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match plain_bytes(path, MOST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn unreadable(path: &Path, reason: &impl ToString) -> SettingsError {
    SettingsError::Unreadable { path: path.to_owned(), reason: reason.to_string() }
}

fn hash(files: &[(String, Vec<u8>)]) -> String {
    let parts = files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    format!("blake3:{}", ledger::hash(parts))
}
