//! The folders of a workspace as they were seen last, kept from call to call.
//!
//! Every search looks at each folder again, but only at its stamps: a folder is read again when it,
//! one of its ignore files or the rules above it changed, or when it was too young to tell (see
//! `stamp`). A watcher would save the look; it has limits of its own, and may lose events.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::{
    listing::{Listing, NoListing},
    rules::{Level, NotSafe, Rules, Verdict},
    stamp::{SETTLED, Stamp, stamps_folders},
};

/// Bytes of listings that are kept: those of about a million files. What is beyond is read anew.
const MAX_SIZE: usize = 64 * 1024 * 1024;
/// Folders outside of listings whose rules are kept.
const MAX_LEVELS: usize = 10_000;

/// See the module's page.
#[derive(Debug)]
pub(in crate::tools) struct FileLists {
    settled: Duration,
    max_size: usize,
    /// By path: a path itself would be compared part by part.
    folders: RwLock<HashMap<OsString, Kept>>,
    size: AtomicUsize,
    /// Of the folders above a search, and of the walks' own folders: by base and folder.
    levels: Mutex<HashMap<(PathBuf, PathBuf), Level>>,
    /// Whether a file system stamps its folders, by device.
    devices: Mutex<HashMap<u64, bool>>,
    walks: AtomicU64,
    reads: AtomicUsize,
}

#[derive(Debug)]
struct Kept {
    listing: Arc<Listing>,
    /// The walk that last came by.
    walk: AtomicU64,
}

impl Default for FileLists {
    fn default() -> Self {
        Self::new(SETTLED, MAX_SIZE)
    }
}

impl FileLists {
    /// `settled`: how old a stamp must be to be believed; `max_size`: bytes of listings to keep.
    pub fn new(settled: Duration, max_size: usize) -> Self {
        Self {
            settled,
            max_size,
            folders: RwLock::default(),
            size: AtomicUsize::default(),
            levels: Mutex::default(),
            devices: Mutex::default(),
            walks: AtomicU64::default(),
            reads: AtomicUsize::default(),
        }
    }

    /// For one search of a place outside the workspace: nothing is kept.
    pub fn fleeting() -> Self {
        Self::new(SETTLED, 0)
    }

    /// Folders that were read, and not found unchanged, so far.
    #[cfg(test)]
    pub fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// Bytes of what is kept, about.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        self.size.load(Ordering::Relaxed)
    }

    /// A walk begins.
    pub(super) fn begin(&self) {
        let walk = self.walks.fetch_add(1, Ordering::Relaxed);
        if self.size.load(Ordering::Relaxed) >= self.max_size {
            self.forget(walk);
        }
    }

    /// Makes room: drops what the last walks did not come by.
    fn forget(&self, walk: u64) {
        const WALKS: u64 = 8;
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|_, kept| kept.walk.load(Ordering::Relaxed) + WALKS >= walk);
        let size = folders.values().map(|kept| kept.listing.size()).sum();
        self.size.store(size, Ordering::Relaxed);
    }

    /// What counts in a folder, as it is now. `above`: the rules of the folder above it.
    ///
    /// # Errors
    /// See `NoListing`.
    pub(super) fn listing(
        &self,
        folder: &Path,
        above: &Arc<Rules>,
    ) -> Result<Arc<Listing>, NoListing> {
        let old = self.kept(folder);
        if let Some(old) = old.as_ref().filter(|old| old.is_current(folder, above)) {
            return Ok(old.clone());
        }
        self.reads.fetch_add(1, Ordering::Relaxed);
        let can_seal = |stamp: Stamp| self.stamps(stamp, folder);
        let new = Listing::read(folder, above, old.as_deref(), self.settled, can_seal);
        let new = new.map(Arc::new);
        self.keep(folder, new.as_ref().ok());
        new
    }

    fn kept(&self, folder: &Path) -> Option<Arc<Listing>> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let kept = folders.get(folder.as_os_str())?;
        kept.walk.store(self.walks.load(Ordering::Relaxed), Ordering::Relaxed);
        Some(kept.listing.clone())
    }

    /// In place of what was there before.
    fn keep(&self, folder: &Path, listing: Option<&Arc<Listing>>) {
        if self.max_size == 0 {
            return;
        }
        let walk = AtomicU64::new(self.walks.load(Ordering::Relaxed));
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = folders.remove(folder.as_os_str()) {
            self.size.fetch_sub(old.listing.size(), Ordering::Relaxed);
        }
        let Some(listing) = listing else { return };
        let size = listing.size();
        if self.size.load(Ordering::Relaxed) + size <= self.max_size {
            self.size.fetch_add(size, Ordering::Relaxed);
            folders.insert(folder.as_os_str().to_owned(), Kept { listing: listing.clone(), walk });
        }
    }

    fn stamps(&self, stamp: Stamp, folder: &Path) -> bool {
        let mut devices = self.devices.lock().unwrap_or_else(PoisonError::into_inner);
        *devices.entry(stamp.device()).or_insert_with(|| stamps_folders(folder))
    }

    /// The rules of the folder that `root` is in. Folders whose ignore files must not be read have
    /// none. `base`: what the user's global rules are relative to.
    pub(super) fn above(&self, root: &Path, base: &Path) -> Arc<Rules> {
        let mut rules = self.first(base);
        let folders: Vec<&Path> = root.ancestors().skip(1).collect();
        for folder in folders.into_iter().rev() {
            rules = self.rules(folder, base, &rules).unwrap_or(rules);
        }
        rules
    }

    fn first(&self, base: &Path) -> Arc<Rules> {
        let key = (base.to_owned(), PathBuf::new());
        let old = self.levels().remove(&key).filter(|old| old.is_current(None));
        let level = old.unwrap_or_else(|| Level::base(base, self.settled));
        let rules = level.rules.clone();
        self.levels().insert(key, level);
        rules
    }

    /// The rules that hold in a folder; as the listing has them, where there is one, so that what
    /// goes by them stays current.
    fn rules(&self, folder: &Path, base: &Path, above: &Arc<Rules>) -> Result<Arc<Rules>, NotSafe> {
        let kept = self.kept(folder);
        let kept = kept.as_ref().and_then(|kept| kept.current_rules(folder, above));
        if let Some(rules) = kept {
            return Ok(rules.clone());
        }
        let key = (base.to_owned(), folder.to_owned());
        let old = self.levels().remove(&key).filter(|old| old.is_current(Some(above)));
        let level = old.map_or_else(|| Level::of(folder, above, self.settled), Ok)?;
        let rules = level.rules.clone();
        let mut levels = self.levels();
        if levels.len() < MAX_LEVELS {
            levels.insert(key, level);
        } else {
            levels.clear();
        }
        Ok(rules)
    }

    fn levels(&self) -> MutexGuard<'_, HashMap<(PathBuf, PathBuf), Level>> {
        self.levels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a walk of `root` would come to a file that is not on the disk yet: it goes by the
    /// ignore files that are.
    pub fn reaches(&self, file: &Path, root: &Path, base: &Path, hidden: bool) -> bool {
        let Ok(inside) = file.strip_prefix(root) else { return false };
        let above = self.above(root, base);
        let mut rules = self.rules(root, base, &above).unwrap_or(above);
        let mut path = root.to_owned();
        let mut parts = inside.components().peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            let is_folder = parts.peek().is_some();
            let verdict = rules.verdict(&path, is_folder);
            let is_hidden = verdict == Verdict::Silent && starts_with_dot(part.as_os_str());
            if verdict == Verdict::Ignored || is_hidden && !hidden || part.as_os_str() == ".git" {
                return false;
            }
            if is_folder {
                let Ok(inner) = self.rules(&path, base, &rules) else { return false };
                rules = inner;
            }
        }
        true
    }
}

fn starts_with_dot(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
