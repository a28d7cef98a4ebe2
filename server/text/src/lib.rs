//! Text without an editor and without a disk: ropes addressed in bytes, LSP positions, edits as
//! values, locating old text, diffs, and the bytes of a file as text.
//!
//! Everything here is pure: no IO, no clock, no environment.

mod diff;
mod document;
mod edit;
mod eol;
mod locate;
mod position;
mod rope;
mod shared;
#[cfg(test)]
mod testing;

pub use diff::{changed_lines, char_edits, line_edits, unified, unified_with_lines, words};
pub use document::{DecodeError, Document, FileEncoding, Format, as_bytes, decode, encode};
pub use edit::Edit;
pub use eol::{Eol, eol_near, eol_of};
pub use locate::{
    Batch, BatchError, Difference, Differing, Hint, Leniency, LocateError, Located,
    MOST_REPLACEMENTS, Match, Names, Options, Place, Replacement, Report, Threshold, locate,
    locate_batch, place_of,
};
pub use position::{Encoding, Position, Range as PositionRange};
pub use rope::Text;
