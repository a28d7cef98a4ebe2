//! Files of which a thread sees something else than the disk has.

use std::{
    collections::{BTreeMap, HashMap},
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use redline_text::Text;

use crate::ToolContext;

/// The agent projections of the files that the session holds: open ones, with unsaved text, and
/// those with proposals. `None`: the file does not exist for the thread.
#[derive(Debug, Default)]
pub(in crate::tools) struct Seen(BTreeMap<PathBuf, SeenFolder>);

/// Those of one folder, by name.
pub(in crate::tools) type SeenFolder = HashMap<OsString, Option<Text>>;

impl Seen {
    /// Of the files at and below `root`.
    pub fn at(context: &ToolContext, root: &Path) -> Self {
        let held = context.workspace.query(|session| {
            let files = session.held_files().filter(|file| file.as_path().starts_with(root));
            files.cloned().collect::<Vec<_>>()
        });
        let mut folders: BTreeMap<PathBuf, SeenFolder> = BTreeMap::new();
        for file in held {
            // Unreadable as text by now: whoever walks the disk finds out the same.
            let Ok(snapshot) = context.read(&file) else { continue };
            let (Some(folder), Some(name)) = (file.as_path().parent(), file.as_path().file_name())
            else {
                continue;
            };
            let text = snapshot.exists.then_some(snapshot.text);
            folders.entry(folder.to_owned()).or_default().insert(name.to_owned(), text);
        }
        Self(folders)
    }

    /// What is seen otherwise in a folder: most have nothing.
    pub fn folder(&self, folder: &Path) -> Option<&SeenFolder> {
        if self.0.is_empty() { None } else { self.0.get(folder) }
    }

    /// `None`: as the disk has it.
    pub fn get(&self, file: &Path) -> Option<Option<&Text>> {
        let (folder, name): (&Path, &OsStr) = (file.parent()?, file.file_name()?);
        self.folder(folder)?.get(name).map(Option::as_ref)
    }

    /// All files that are there.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &Text)> {
        self.0.iter().flat_map(|(folder, files)| {
            let there = files.iter().filter_map(|(name, text)| Some((name, text.as_ref()?)));
            there.map(|(name, text)| (folder.join(name), text))
        })
    }

    /// Files that no walk through the disk can find: proposed ones, and documents that were never
    /// saved.
    pub fn only_here(&self) -> impl Iterator<Item = (PathBuf, &Text)> {
        self.files().filter(|(file, _)| file.symlink_metadata().is_err())
    }

    /// Whether there is a file at or below `place`.
    pub fn has(&self, place: &Path) -> bool {
        self.files().any(|(file, _)| file.starts_with(place))
    }
}
