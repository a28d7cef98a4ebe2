//! Whether a file is still the one that was read, without reading it.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Clocks of file systems move in steps: what was written that shortly before the look may be written
/// again without a trace.
const STEP: Duration = Duration::from_millis(100);

/// What a file looked like from outside.
#[derive(Debug, Clone)]
pub struct Stamp {
    path: PathBuf,
    /// `None`: it was not there, or nobody may look.
    look: Option<Look>,
    /// It has to be read again in any case.
    unsure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    modified: Option<SystemTime>,
    len: u64,
    identity: (u64, u64, i64, i64),
}

impl Stamp {
    /// The file as it is now.
    pub fn now(path: PathBuf) -> Self {
        let look = Look::at(&path);
        let fresh = |at: SystemTime| at.elapsed().map_or(true, |age| age < STEP);
        let unsure = look.as_ref().and_then(|look| look.modified).is_some_and(fresh);
        Self { path, look, unsure }
    }

    /// A file of which nothing is known.
    pub fn unsure(path: PathBuf) -> Self {
        Self { path, look: None, unsure: true }
    }

    /// The same file as it is now.
    pub fn anew(&self) -> Self {
        Self::now(self.path.clone())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether what was read then is what is there now.
    pub fn still_holds(&self) -> bool {
        !self.unsure && Look::at(&self.path) == self.look
    }
}

impl Look {
    fn at(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        let identity = identity(&meta);
        Some(Self { modified: meta.modified().ok(), len: meta.len(), identity })
    }
}

/// Device, number, and the time of the last change of anything about it, which no program can set.
#[cfg(unix)]
fn identity(meta: &Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino(), meta.ctime(), meta.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64, i64, i64) {
    (0, 0, 0, 0)
}
