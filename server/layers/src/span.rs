//! Spans: runs of text with one inserter and one set of deleters.

use serde::{Deserialize, Serialize};

use crate::PieceId;

/// A run of bytes. Its text lies in the `shown` or in the `hidden` rope, in list order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    /// Bytes; never 0.
    pub len: usize,
    /// Who inserted it.
    pub by: By,
    /// The pieces that delete it, in ascending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<PieceId>,
    /// The number of the user's (or a tool's) deletion that took it. Such a span is kept while a
    /// piece near it is unsettled, so that an undo can bring back this very span and not a copy
    /// that no piece knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
    /// Whether the editor shows it. Equal to what the states of the pieces say.
    pub shown: bool,
}

/// The inserter of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum By {
    /// The file as it was, tools, settled pieces, and the user's text where no piece is near.
    Base,
    /// The user, inside the extent of a piece.
    User,
    /// A piece that is not settled yet.
    Piece(PieceId),
}

impl Span {
    pub fn new(len: usize, by: By, shown: bool) -> Self {
        Self { len, by, gone: Vec::new(), deleted: None, shown }
    }

    /// The pieces that have to do with it: its inserter and its deleters.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + '_ {
        let by = match self.by {
            By::Piece(id) => Some(id),
            _ => None,
        };
        by.into_iter().chain(self.gone.iter().copied())
    }

    pub fn is_touched(&self) -> bool {
        matches!(self.by, By::Piece(_)) || !self.gone.is_empty()
    }

    /// Cuts the span after `at` bytes; `self` keeps the first part.
    pub fn split_off(&mut self, at: usize) -> Span {
        let mut rest = self.clone();
        rest.len = self.len - at;
        self.len = at;
        rest
    }

    pub fn joins(&self, next: &Span) -> bool {
        self.by == next.by
            && self.shown == next.shown
            && self.deleted == next.deleted
            && self.gone == next.gone
    }
}
