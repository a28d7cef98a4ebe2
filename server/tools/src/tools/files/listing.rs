//! What counts in one folder.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, FileType},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{
    rules::{IGNORE_FILES, Level, REPOSITORY, Rules, Verdict},
    stamp::Stamp,
};

/// Bytes that an entry takes besides its name.
const ENTRY: usize = size_of::<Entry>() + 16;

/// The files and folders of a folder that the rules leave, by name in order of bytes. Symlinks,
/// devices and the like are none, `.git` neither.
#[derive(Debug)]
pub(super) struct Listing {
    /// The folder at that moment, if it can be told from the folder after any change.
    seal: Option<Stamp>,
    above: Arc<Rules>,
    /// The folder's own rules, if it has any.
    level: Option<Level>,
    pub entries: Box<[Entry]>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Entry {
    pub name: Box<OsStr>,
    pub is_folder: bool,
    /// Its name starts with a dot, and no rule wants it nevertheless.
    pub is_hidden: bool,
}

/// Why a folder has no listing.
#[derive(Debug)]
pub(super) enum NoListing {
    /// There is no such folder (any more).
    Gone,
    /// Its ignore files must not be read.
    NotSafe,
    /// It can't be read.
    Unreadable(io::Error),
}

impl From<io::Error> for NoListing {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => NoListing::Gone,
            _ => NoListing::Unreadable(error),
        }
    }
}

impl Listing {
    /// Reads a folder whose parent has the rules `above`. `old` is an earlier listing of it: rules
    /// that are still the same stay the same value. `can_seal`: whether its file system stamps
    /// folders.
    ///
    /// # Errors
    /// See `NoListing`.
    pub fn read(
        folder: &Path,
        above: &Arc<Rules>,
        old: Option<&Listing>,
        settled: Duration,
        can_seal: impl Fn(Stamp) -> bool,
    ) -> Result<Self, NoListing> {
        let level = |names: &[(OsString, FileType)]| level(folder, above, old, names, settled);
        Self::with(folder, above, settled, can_seal, level)
    }

    /// Reads a folder whose own ignore files must not be read, as if there were none.
    ///
    /// # Errors
    /// See `NoListing`.
    pub fn read_without_rules(folder: &Path, above: &Arc<Rules>) -> Result<Self, NoListing> {
        Self::with(folder, above, Duration::ZERO, |_| false, |_| Ok(None))
    }

    fn with(
        folder: &Path,
        above: &Arc<Rules>,
        settled: Duration,
        can_seal: impl Fn(Stamp) -> bool,
        level: impl Fn(&[(OsString, FileType)]) -> Result<Option<Level>, NoListing>,
    ) -> Result<Self, NoListing> {
        // Before anything is read, so that what changes meanwhile is seen the next time.
        let then = SystemTime::now();
        let metadata = fs::symlink_metadata(folder)?;
        if !metadata.is_dir() {
            return Err(NoListing::Gone);
        }
        let seal = Stamp::new(&metadata)
            .filter(|stamp| stamp.is_settled(then, settled) && can_seal(*stamp));
        let entries = raw(folder)?;
        let level = level(&entries)?;
        let rules = level.as_ref().map_or(above, |level| &level.rules);
        let mut path = folder.to_owned();
        let kept = entries.into_iter().filter_map(|entry| kept(&mut path, rules, entry));
        let mut entries: Vec<Entry> = kept.collect();
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(Self { seal, above: above.clone(), level, entries: entries.into() })
    }

    /// The rules that hold in the folder.
    pub fn rules(&self) -> &Arc<Rules> {
        self.level.as_ref().map_or(&self.above, |level| &level.rules)
    }

    /// The rules that hold in the folder, if they are still the same; `above` as it is now.
    pub fn current_rules(&self, folder: &Path, above: &Arc<Rules>) -> Option<&Arc<Rules>> {
        let is_current = match &self.level {
            Some(level) => level.is_current(Some(above)),
            None => self.is_current(folder, above),
        };
        is_current.then(|| self.rules())
    }

    /// Whether reading the folder again would give the same.
    pub fn is_current(&self, folder: &Path, above: &Arc<Rules>) -> bool {
        let is_same = |seal: Stamp| {
            fs::symlink_metadata(folder).is_ok_and(|now| Stamp::new(&now) == Some(seal))
        };
        Arc::ptr_eq(&self.above, above)
            && self.seal.is_some_and(is_same)
            && self.level.as_ref().is_none_or(|level| level.is_current(Some(above)))
    }

    /// Bytes that it takes, about.
    pub fn size(&self) -> usize {
        let names: usize = self.entries.iter().map(|entry| entry.name.len() + ENTRY).sum();
        names + size_of::<Self>()
    }
}

fn raw(folder: &Path) -> io::Result<Vec<(OsString, FileType)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        // Gone since it was listed.
        Ok(entry.file_type().ok().map(|kind| (entry.file_name(), kind)))
    };
    fs::read_dir(folder)?.map(entry).filter_map(io::Result::transpose).collect()
}

fn level(
    folder: &Path,
    above: &Arc<Rules>,
    old: Option<&Listing>,
    entries: &[(OsString, FileType)],
    settled: Duration,
) -> Result<Option<Level>, NoListing> {
    let says = |name: &OsString| IGNORE_FILES.iter().chain(&REPOSITORY).any(|it| name == it);
    if !entries.iter().any(|(name, _)| says(name)) {
        return Ok(None);
    }
    let old = old.and_then(|old| old.level.as_ref());
    if let Some(old) = old.filter(|old| old.is_current(Some(above))) {
        return Ok(Some(old.clone()));
    }
    Level::of(folder, above, settled).map(Some).map_err(|_| NoListing::NotSafe)
}

/// `path` is the folder's, and is again in the end.
fn kept(path: &mut PathBuf, rules: &Rules, (name, kind): (OsString, FileType)) -> Option<Entry> {
    if name == ".git" || !(kind.is_dir() || kind.is_file()) {
        return None;
    }
    path.push(&name);
    let verdict = rules.verdict(path, kind.is_dir());
    path.pop();
    let starts = name.as_encoded_bytes().starts_with(b".");
    let is_hidden = starts && verdict != Verdict::Wanted;
    let entry = Entry { name: name.into(), is_folder: kind.is_dir(), is_hidden };
    (verdict != Verdict::Ignored).then_some(entry)
}
