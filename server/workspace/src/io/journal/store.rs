//! Texts by their content.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
};

use redline_text::Text;

use super::{
    frame::LARGEST,
    log::{LogError, Tail},
    pack::Pack,
    split::Split,
    text_id::TextId,
};

/// Texts that are kept to compare with: this many, and together at most this many bytes.
const RECENT: (usize, usize) = (8, 64 << 20);

/// A file that holds texts, each part of them once: base texts, checkpoints. One writer at a time:
/// the caller holds the folder's [`Owner`](super::Owner).
///
/// Texts are cut into chunks by content, so one that differs a little from any that is there costs
/// the chunks that differ. A put is one append: a killed process leaves a text whole or not at all.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    pack: Option<Pack>,
    /// Newest first. They make a put as quick as its difference from one of them is small.
    recent: VecDeque<Split>,
}

/// What [`Store::retain`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retained {
    /// The texts that there was no room for, oldest first.
    pub dropped: Vec<TextId>,
    /// The file's length before, in bytes.
    pub before: u64,
    /// The file's length now, in bytes.
    pub after: u64,
}

/// Why a text cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file under it.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A log, but not of texts as this version writes them. It was left alone.
    #[error(
        "{} holds no texts that this version of Redline can read; \
         use the version that wrote it, or move the file away to begin anew",
        .0.display()
    )]
    NotAStore(PathBuf),
    /// The bytes are not those of that text. Other texts may be whole.
    #[error(
        "the text {id} in {} is damaged and was not used; check the disk", .path.display()
    )]
    Damaged {
        /// Which text.
        id: TextId,
        /// The file.
        path: PathBuf,
    },
}

impl Store {
    /// The store in that file. The file is opened, or made, when it is first needed.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), pack: None, recent: VecDeque::new() }
    }

    /// The name that a text has or would have. Costs as much as a put of an unknown text.
    pub fn id_of(text: &Text) -> TextId {
        Split::of(text, []).id
    }

    /// Stores a text, if it is not there. It survives the end of the process; [`Store::sync`] makes
    /// it survive the end of the power. After an error the store is as before.
    pub fn put(&mut self, text: &Text) -> Result<TextId, StoreError> {
        if text.len() > LARGEST {
            let (path, bytes) = (self.path.clone(), text.len());
            return Err(LogError::TooLarge { path, bytes }.into());
        }
        let split = Split::of(text, &self.recent);
        let id = split.id;
        let pack = self.opened()?;
        if !pack.holds(id) {
            pack.put(&split)?;
        }
        self.remember(split);
        Ok(id)
    }

    /// A stored text; `None`: it is not there (any more).
    pub fn get(&mut self, id: &TextId) -> Result<Option<Text>, StoreError> {
        self.opened()?.get(*id)
    }

    /// Whether a text is there.
    pub fn contains(&mut self, id: &TextId) -> Result<bool, StoreError> {
        Ok(self.opened()?.holds(*id))
    }

    /// Waits until all texts are on the disk.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        Ok(self.opened()?.log.sync()?)
    }

    /// Keeps these texts only. `ids` go from the least to the most important (oldest first): if they
    /// need more than `limit` bytes together, the first ones are dropped until the rest fits. Unknown
    /// ids are ignored. Rewrites the file; after an error it is
    /// as before.
    pub fn retain(&mut self, ids: &[TextId], limit: u64) -> Result<Retained, StoreError> {
        let pack = self.opened()?;
        let before = pack.log.len_bytes();
        let dropped = pack.retain(ids, limit)?;
        Ok(Retained { dropped, before, after: pack.log.len_bytes() })
    }

    /// The file's length in bytes.
    pub fn len_bytes(&mut self) -> Result<u64, StoreError> {
        Ok(self.opened()?.log.len_bytes())
    }

    /// What was torn off when the file was opened.
    pub fn tail(&mut self) -> Result<Tail, StoreError> {
        Ok(self.opened()?.tail.clone())
    }

    fn opened(&mut self) -> Result<&mut Pack, StoreError> {
        let pack = match self.pack.take() {
            Some(pack) => pack,
            None => Pack::open(&self.path)?,
        };
        Ok(self.pack.insert(pack))
    }

    fn remember(&mut self, split: Split) {
        self.recent.retain(|known| known.id != split.id);
        self.recent.push_front(split);
        let mut bytes = 0;
        let fits = |(at, split): (usize, &Split)| {
            bytes += split.text.len();
            at < RECENT.0 && bytes <= RECENT.1
        };
        let keep = self.recent.iter().enumerate().map(fits).take_while(|fits| *fits).count();
        self.recent.truncate(keep);
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
