//! Names of things: threads, ops, pieces, hunks, revisions.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

/// A thread of an agent. Cheap to clone; any string is a thread's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(Arc<str>);

impl ThreadId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ThreadId {
    fn from(s: &str) -> Self {
        Self(s.into())
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One agent action on one file (one tool call). Given out in ascending order by the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpId(pub u32);

/// The `index`th contiguous replacement of an op. Ordered by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PieceId {
    /// The op that it belongs to.
    pub op: OpId,
    /// Its place among the op's pieces, by position in the file.
    pub index: u32,
}

/// A hunk is named after its oldest undecided piece, so its name depends on the pieces alone and
/// not on the history of merges. On the wire: `h7` for the first piece of op 7, `h7.2` for its third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HunkId(pub PieceId);

impl fmt::Display for HunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.index {
            0 => write!(f, "h{}", self.0.op.0),
            index => write!(f, "h{}.{index}", self.0.op.0),
        }
    }
}

impl FromStr for HunkId {
    type Err = UnknownHunk;

    fn from_str(s: &str) -> Result<Self, UnknownHunk> {
        let unknown = || UnknownHunk(s.to_owned());
        let (op, index) = match s.strip_prefix('h').ok_or_else(unknown)?.split_once('.') {
            Some((op, index)) => (op.parse(), index.parse()),
            None => (s[1..].parse(), Ok(0)),
        };
        let id =
            PieceId { op: OpId(op.map_err(|_| unknown())?), index: index.map_err(|_| unknown())? };
        Ok(HunkId(id))
    }
}

/// A text that names no hunk. Whoever receives it treats the hunk as stale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no hunk is called {0:?}; take the ids of the newest review")]
pub struct UnknownHunk(String);

/// Counts the changes of something; equal revisions of one thing mean equal content.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Revision(pub u64);

impl Revision {
    /// Counts one change.
    pub fn bump(&mut self) {
        self.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunk_names_round_trip() {
        for (op, index, name) in [(7, 0, "h7"), (7, 2, "h7.2")] {
            let id = HunkId(PieceId { op: OpId(op), index });
            assert_eq!(id.to_string(), name);
            assert_eq!(name.parse(), Ok(id));
        }
        for bad in ["", "h", "x1", "h1.x", "h1.2.3", "h-1", "日"] {
            assert!(bad.parse::<HunkId>().is_err(), "{bad}");
        }
    }
}
