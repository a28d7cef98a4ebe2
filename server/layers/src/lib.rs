//! One text with provenance: who inserted each span of a file, and who deletes it.
//!
//! `Layers` holds, for one file, an ordered list of spans over two ropes: the text that the editor
//! shows and the text that it does not. An **op** is one agent action on the file; it is a list of
//! **pieces**, each one contiguous replacement with a state of its own. A span is visible in a
//! projection if its inserter is active there and nobody who deletes it is. Pending proposals are
//! therefore just spans that the editor does not see yet: typing moves them along without any
//! rebasing, and accepting or rejecting flips their visibility.
//!
//! A **hunk** is the closure of undecided pieces that share lines. Its id is that of its oldest
//! undecided piece.
//!
//! Protected are the characters that the user inserts after a piece was made, inside or beside it:
//! they are spans of the user's that no piece deletes, so no decision can remove them but `Drop`.
//!
//! Everything here is pure. All offsets are bytes on char boundaries.

mod change;
mod delete;
mod hunks;
mod ids;
mod layers;
mod lines;
mod piece;
mod propose;
mod resolve;
mod saved;
mod segments;
mod settle;
mod slide;
mod span;
mod state;
mod step;
mod window;

pub use change::{Author, Changed};
pub use hunks::Hunk;
pub use ids::{HunkId, OpId, PieceId, Revision, ThreadId, UnknownHunk};
pub use layers::{Layers, Projection};
pub use piece::{Op, Piece, PieceState};
pub use resolve::{Decision, Plan, PlanItem};
pub use saved::{Misfit, SavedLayers};
pub use state::Component;
pub use step::{Decree, Step};
pub use window::Window;
