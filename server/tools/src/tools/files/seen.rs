//! Files of which a thread sees something else than the disk has.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use redline_text::Text;

use crate::ToolContext;

/// The agent projections of the files that the session holds: open ones, with unsaved text, and
/// those with proposals. `None`: the file does not exist for the thread.
#[derive(Debug, Default)]
pub(in crate::tools) struct Seen(BTreeMap<PathBuf, Option<Text>>);

impl Seen {
    /// Of the files at and below `root`.
    pub fn at(context: &ToolContext, root: &Path) -> Self {
        let held = context.workspace.query(|session| {
            let files = session.held_files().filter(|file| file.as_path().starts_with(root));
            files.cloned().collect::<Vec<_>>()
        });
        let look = |file: &redline_workspace::WorkspacePath| {
            // Unreadable as text by now: whoever walks the disk finds out the same.
            let snapshot = context.read(file).ok()?;
            Some((file.as_path().to_owned(), snapshot.exists.then_some(snapshot.text)))
        };
        Self(held.iter().filter_map(look).collect())
    }

    /// `None`: as the disk has it.
    pub fn get(&self, file: &Path) -> Option<Option<&Text>> {
        self.0.get(file).map(Option::as_ref)
    }

    /// Files that no walk through the disk can find: proposed ones, and documents that were never
    /// saved.
    pub fn only_here(&self) -> impl Iterator<Item = (&Path, &Text)> {
        let there = self.0.iter().filter_map(|(file, text)| Some((file.as_path(), text.as_ref()?)));
        there.filter(|(file, _)| file.symlink_metadata().is_err())
    }

    /// Whether there is a file at or below `place`.
    pub fn has(&self, place: &Path) -> bool {
        self.0.iter().any(|(file, text)| text.is_some() && file.starts_with(place))
    }
}
