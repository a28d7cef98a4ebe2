//! Diffs as edits, as unified text, and as spans for emphasis. What both sides start and end with is
//! cut off on the ropes first, so that a small change of a huge text costs little.
//!
//! There is no clock in here, so a diff is a function of its inputs: a replay gives the same one.
//! For huge and unlike inputs it is longer than it could be, but as right as any: the algorithm
//! has a search limit (Git's), lines beyond 200,000 are first cut at lines that are unique on both
//! sides, and what can't be cut is one change.

mod anchors;
mod cut;
mod lines;
mod tokens;
mod unified;

pub use lines::{changed_lines, line_edits};
pub use tokens::{char_edits, words};
pub use unified::{unified, unified_with_lines};
