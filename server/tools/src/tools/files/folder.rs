//! What is in a folder, as a thread sees it: with the files that it proposed and those that the
//! user has not saved yet, without those that it proposed to delete.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use redline_workspace::WorkspacePath;

use super::Seen;
use crate::ToolContext;

/// Entries that are looked at: memory is bounded.
const MOST: usize = 100_000;

/// The entries of a folder.
#[derive(Debug, Default)]
pub(in crate::tools) struct Folder {
    /// By name.
    pub entries: Vec<Entry>,
    /// There are more of them on the disk than were looked at.
    pub is_cut: bool,
}

/// One entry.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Entry {
    /// Bytes that are no UTF-8 are U+FFFD.
    pub name: String,
    /// A folder, or a link to one.
    pub is_folder: bool,
    /// Where it is on the disk, if it is there.
    pub disk: Option<PathBuf>,
    /// Bytes of its text, where the thread sees another than the disk has.
    pub seen: Option<u64>,
}

/// What only the disk knows.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Facts {
    /// Bytes.
    pub size: u64,
    /// `None`: it is not on the disk.
    pub modified: Option<SystemTime>,
    /// `None`: it is not on the disk.
    pub meta: Option<fs::Metadata>,
}

impl Entry {
    /// Looks at the disk. A link that leads nowhere is looked at itself.
    pub fn facts(&self) -> Facts {
        let looked = |path: &PathBuf| fs::metadata(path).or_else(|_| fs::symlink_metadata(path));
        let meta = self.disk.as_ref().and_then(|path| looked(path).ok());
        let size = self.seen.or(meta.as_ref().map(fs::Metadata::len)).unwrap_or_default();
        let modified = meta.as_ref().and_then(|meta| meta.modified().ok());
        Facts { size, modified, meta }
    }
}

/// The entries of a folder by name; `None`: for the thread there is no such folder. Looks at the
/// disk.
///
/// # Errors
/// If the folder can't be read.
pub(in crate::tools) fn folder(
    context: &ToolContext,
    place: &WorkspacePath,
) -> io::Result<Option<Folder>> {
    let kind = fs::metadata(place.as_path()).map(|meta| meta.is_dir());
    if matches!(kind, Ok(false)) {
        return Ok(None);
    }
    let is_folder = kind.unwrap_or_default();
    let seen = Seen::at(context, place.as_path());
    let mut found = BTreeMap::new();
    let mut is_cut = false;
    if is_folder {
        is_cut = on_disk(place.as_path(), &seen, &mut found)?;
    }
    for (file, text) in seen.only_here() {
        propose(&mut found, place.as_path(), &file, text.len());
    }
    let there = is_folder || !found.is_empty();
    Ok(there.then(|| Folder { entries: found.into_values().collect(), is_cut }))
}

/// The answer is whether there are more.
fn on_disk(place: &Path, seen: &Seen, found: &mut BTreeMap<String, Entry>) -> io::Result<bool> {
    for entry in fs::read_dir(place)? {
        if found.len() >= MOST {
            return Ok(true);
        }
        let entry = entry?;
        let path = entry.path();
        let own = seen.get(&path);
        if own == Some(None) {
            continue;
        }
        let kind = entry.file_type()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = kind.is_dir() || kind.is_symlink() && path.is_dir();
        let bytes = own.flatten().map(|text| text.len() as u64);
        found.insert(name.clone(), Entry { name, is_folder, disk: Some(path), seen: bytes });
    }
    Ok(false)
}

fn propose(found: &mut BTreeMap<String, Entry>, place: &Path, file: &Path, bytes: usize) {
    let Ok(inside) = file.strip_prefix(place) else { return };
    let mut parts = inside.components();
    let Some(first) = parts.next() else { return };
    let name = first.as_os_str().to_string_lossy().into_owned();
    let is_folder = parts.next().is_some();
    let seen = (!is_folder).then_some(bytes as u64);
    found.entry(name.clone()).or_insert(Entry { name, is_folder, disk: None, seen });
}
