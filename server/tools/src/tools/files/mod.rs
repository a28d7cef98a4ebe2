//! What tools that look at many files have in common: which files there are, which of them a glob
//! takes, and what this thread sees of those that are not as the disk has them.

mod globs;
mod ignored;
mod place;
mod seen;
mod walk;

pub(super) use globs::{GlobError, Globs, check_braces, names_hidden, within};
pub(super) use ignored::is_ignored;
pub(super) use place::Place;
pub(super) use seen::Seen;
pub(super) use walk::{is_hidden, walk};

#[cfg(test)]
mod conformance;
