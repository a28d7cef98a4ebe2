//! What tools that look at many files have in common: which files there are, which of them a glob
//! takes, and what this thread sees of those that are not as the disk has them.

mod content;
mod folder;
mod globs;
mod ignored;
mod lines;
mod place;
mod seen;
mod walk;

pub(super) use content::{Content, NoContent, content, is_gone, is_there};
pub(super) use folder::{Entry, Facts, Folder, folder};
pub(super) use globs::{GlobError, Globs, check_braces, names_hidden, within};
pub(super) use ignored::is_ignored;
pub(super) use lines::{line, line_count};
pub(super) use place::Place;
pub(super) use seen::Seen;
pub(super) use walk::{is_hidden, walk};

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod conformance;
