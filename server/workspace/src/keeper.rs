//! The edge of the journal: entries become records of a folder's log, their texts go into its store.

mod aside;
mod read;
mod record;
mod shelf;

use std::{
    cmp::Reverse,
    io,
    path::{Path, PathBuf},
};

use crate::{
    Entry, WorkspacePath,
    io::journal::{FolderError, LogError, OwnerError, StoreError},
};

pub(crate) use self::{read::Kept, shelf::Shelf};

/// The journals of the folders that this process owns.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    shelves: Vec<Shelf>,
    /// Folders that somebody else keeps, or nobody.
    others: Vec<PathBuf>,
}

/// Why something could not be written down or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeepError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Owner(#[from] OwnerError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write a record: {0}")]
    Record(#[from] serde_json::Error),
    #[error("the journal could not be made smaller, and grows: {0}")]
    Tidy(Box<KeepError>),
    #[error("cannot put {} aside: {source}", .path.display())]
    Aside { path: PathBuf, source: io::Error },
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is written.
    Yes,
    /// It is, and those before it were not.
    Again,
    /// The disk still refuses, or the folder is not ours. The user has been told.
    No,
}

impl Keeper {
    /// This process keeps the folder of `shelf` from now on.
    pub fn add(&mut self, shelf: Shelf) {
        self.others.retain(|other| other != shelf.root());
        self.shelves.push(shelf);
    }

    /// What is under review in this folder is not ours to write down.
    pub fn leave(&mut self, root: &Path) {
        self.others.push(root.to_owned());
    }

    /// Writes an entry down. A file outside of all folders belongs to the first one. An error is told
    /// once, until the disk takes something again.
    pub fn write(&mut self, file: &WorkspacePath, entry: Entry) -> Result<Written, KeepError> {
        let path = file.as_path();
        let depth = |root: &Path| path.starts_with(root).then_some(root.as_os_str().len());
        let others = self.others.iter().filter_map(|other| depth(other)).max();
        let ours = self.shelves.iter_mut().enumerate();
        let best = ours.min_by_key(|(_, shelf)| Reverse(depth(shelf.root())));
        let Some((best, shelf)) = best.filter(|(_, shelf)| depth(shelf.root()) >= others) else {
            return Ok(Written::No);
        };
        let begins = matches!(entry, Entry::Begin(_));
        let written = shelf.write(path, entry)?;
        if begins && written != Written::No {
            self.forget_elsewhere(path, best)?;
        }
        Ok(written)
    }

    /// A file outside of all folders was another folder's when there were fewer.
    fn forget_elsewhere(&mut self, path: &Path, best: usize) -> Result<(), KeepError> {
        let others = self.shelves.iter_mut().enumerate().filter(|(at, _)| *at != best);
        for (_, shelf) in others {
            shelf.write(path, Entry::End)?;
        }
        Ok(())
    }

    /// Whether something was written since the last sync.
    pub fn is_unsynced(&self) -> bool {
        self.shelves.iter().any(Shelf::is_unsynced)
    }

    /// Whether something could not be written and still waits.
    pub fn is_failing(&self) -> bool {
        self.shelves.iter().any(Shelf::is_failing)
    }

    /// The newest op that a folder's journal knows of.
    pub fn last_op(&self) -> u32 {
        self.shelves.iter().map(Shelf::last_op).max().unwrap_or_default()
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), KeepError> {
        self.shelves.iter_mut().try_for_each(Shelf::sync)
    }
}

impl From<KeepError> for io::Error {
    fn from(error: KeepError) -> Self {
        io::Error::other(error)
    }
}

#[cfg(test)]
mod tests;
