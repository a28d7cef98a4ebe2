//! What tools that look at many files have in common: which files there are, which of them a glob
//! takes, and what this thread sees of those that are not as the disk has them.

mod content;
mod folder;
mod globs;
mod lines;
mod listing;
mod lists;
mod place;
mod plain;
mod rules;
mod seen;
mod stamp;
mod walk;

pub(super) use content::{Content, NoContent, content, is_gone, is_there};
pub(super) use folder::{Entry, Facts, Folder, folder};
pub(super) use globs::{GlobError, Globs, check_braces, names_hidden, within};
pub(super) use lines::{line, line_count};
pub(super) use place::{Place, name};
pub(super) use plain::open;
pub(super) use seen::Seen;
pub(super) use walk::{Files, Visitor};

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;
