//! What a client gets that does not draw reviews itself: the same proposals, shown and decided with
//! standard LSP alone (PROTOCOL.md, "Plain LSP clients"; docs/plain-lsp.md).
//!
//! `words`, `place`, `actions`, `diagnostics`, `hover`, `lenses` are functions of a review.
//! `View` tells the client of new reviews, `MessageAsks` puts questions, `Proposals` shows diffs.

pub mod actions;
mod asks;
mod diagnostics;
pub mod hover;
pub mod lenses;
mod place;
mod proposals;
pub mod questions;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub use asks::MessageAsks;
pub use place::{Lines, touching};
pub use proposals::{Proposals, diff};
pub use view::View;
pub use words::waiting;

use redline_workspace::{HunkState, HunkView, Review};

/// A hunk and its number among those of its file that wait, from 1.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'a> {
    /// The hunk.
    pub hunk: &'a HunkView,
    /// Its number.
    pub n: usize,
    /// How many there are.
    pub of: usize,
}

/// The hunks that the user can decide: pending ones, those in conflict, applied ones.
pub fn undecided(review: &Review) -> Vec<Numbered<'_>> {
    let waits = |hunk: &&HunkView| {
        matches!(hunk.state, HunkState::Pending | HunkState::Conflict | HunkState::Applied)
    };
    let hunks: Vec<&HunkView> = review.hunks.iter().filter(waits).collect();
    let of = hunks.len();
    hunks.into_iter().zip(1..).map(|(hunk, n)| Numbered { hunk, n, of }).collect()
}
