//! What a journal remembers of a file under review. Pure: texts are values here; on the disk they are
//! names of texts in a store.

use redline_layers::{OpId, PieceId, SavedLayers, Step};
use redline_text::{Format, Text};
use serde::{Deserialize, Serialize};

use crate::session::{OpInfo, Work};

/// One thing to write about a file. Reading the entries of a file in order and taking their steps
/// again gives the same hunks, ids and decisions.
#[derive(Debug, Clone)]
pub enum Entry {
    /// All of the file's state: whatever was written about it before counts no longer.
    Begin(Box<Base<Text>>),
    /// What has happened since.
    Add(Vec<Note<Text>>),
    /// Nothing of the file is under review any more.
    End,
}

/// A file's whole state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Base<T> {
    pub(crate) layers: SavedLayers,
    /// The editor's text.
    pub(crate) text: T,
    /// The disk's, as far as the session knew.
    pub(crate) disk: Option<Known<T>>,
    pub(crate) format: Format,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<u32>,
    pub(crate) ops: Vec<(OpId, OpInfo)>,
    pub(crate) memory: Memory,
    pub(crate) flight: Option<Work>,
}

/// What has changed in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Note<T>(pub(crate) News<T>);

/// The kinds of change.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum News<T> {
    /// Ops that were proposed.
    Ops(Vec<(OpId, OpInfo)>),
    /// The layers' steps.
    Steps(Vec<Step>),
    /// What undo, save and repeated proposals are matched with.
    Memory(Memory),
    /// The file on disk.
    Disk(Option<Known<T>>),
    /// A decision is on its way to the editor or the disk; `None`: it has come to an end.
    Flight(Option<Box<Work>>),
}

/// A file's content on disk.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Known<T> {
    pub(crate) text: T,
    pub(crate) format: Format,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<u32>,
}

/// See the fields of the same names in the session's `File` and `Open`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Memory {
    pub(crate) open: bool,
    pub(crate) typed: bool,
    pub(crate) entered: Vec<Vec<PieceId>>,
    pub(crate) undone: Vec<Vec<PieceId>>,
    pub(crate) unsaved: Vec<Vec<PieceId>>,
    pub(crate) rejected: Vec<String>,
}

impl<T> Base<T> {
    /// The same with other names for its texts.
    pub fn map<U, E>(self, mut text: impl FnMut(T) -> Result<U, E>) -> Result<Base<U>, E> {
        Ok(Base {
            layers: self.layers,
            text: text(self.text)?,
            disk: self.disk.map(|known| known.map(&mut text)).transpose()?,
            format: self.format,
            mode: self.mode,
            ops: self.ops,
            memory: self.memory,
            flight: self.flight,
        })
    }

    /// The newest op in it.
    pub fn last_op(&self) -> u32 {
        last(&self.ops)
    }
}

impl<T> Note<T> {
    /// The same with other names for its texts.
    pub fn map<U, E>(self, mut text: impl FnMut(T) -> Result<U, E>) -> Result<Note<U>, E> {
        Ok(Note(match self.0 {
            News::Ops(ops) => News::Ops(ops),
            News::Steps(steps) => News::Steps(steps),
            News::Memory(memory) => News::Memory(memory),
            News::Disk(known) => News::Disk(known.map(|known| known.map(&mut text)).transpose()?),
            News::Flight(work) => News::Flight(work),
        }))
    }

    /// The newest op in it; 0: none.
    pub fn last_op(&self) -> u32 {
        match &self.0 {
            News::Ops(ops) => last(ops),
            _ => 0,
        }
    }
}

impl<T> Known<T> {
    fn map<U, E>(self, text: &mut impl FnMut(T) -> Result<U, E>) -> Result<Known<U>, E> {
        Ok(Known { text: text(self.text)?, format: self.format, mode: self.mode })
    }
}

fn last(ops: &[(OpId, OpInfo)]) -> u32 {
    ops.iter().map(|(id, _)| id.0).max().unwrap_or_default()
}
