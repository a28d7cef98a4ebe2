//! Directories.

use std::{collections::BTreeMap, path::Path};

use redline_workspace::{FileChange, HunkState, Review, WorkspacePath};

use super::MAX_BYTES;
use crate::{ToolContext, ToolResult};

/// Names, and whether they are directories; sorted.
type Entries = BTreeMap<String, bool>;

/// Seed 000, Read 2: "Return entry list with / suffix for subdirs". Files that this thread proposed
/// to create or delete are listed as if that had been done.
pub(super) fn listed(context: &ToolContext, folder: &WorkspacePath) -> ToolResult {
    match entries(folder.as_path()) {
        Ok(mut found) => {
            let reviews = context.workspace.query(|session| session.reviews());
            for review in reviews.iter().filter(|review| ours(context, review)) {
                propose(&mut found, folder.as_path(), review);
            }
            ToolResult::done(text(&found))
        }
        Err(error) => ToolResult::file_error(error.to_string(), folder),
    }
}

fn entries(folder: &Path) -> std::io::Result<Entries> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Ok((name, entry.path().is_dir()))
    };
    std::fs::read_dir(folder)?.map(entry).collect()
}

fn ours(context: &ToolContext, review: &Review) -> bool {
    let waits = |state| matches!(state, HunkState::Pending | HunkState::Accepting);
    review.hunks.iter().any(|hunk| waits(hunk.state) && hunk.origin.thread == context.scope.thread)
}

fn propose(found: &mut Entries, folder: &Path, review: &Review) {
    let Ok(inside) = review.file.as_path().strip_prefix(folder) else { return };
    let mut parts = inside.components();
    let Some(name) = parts.next() else { return };
    let name = name.as_os_str().to_string_lossy().into_owned();
    let is_folder = parts.next().is_some();
    match review.change {
        FileChange::Created => drop(found.entry(name).or_insert(is_folder)),
        FileChange::Deleted if !is_folder => drop(found.remove(&name)),
        FileChange::Deleted | FileChange::Modified => {}
    }
}

/// Bounded like a file's text.
fn text(entries: &Entries) -> String {
    let mut out = String::new();
    for (shown, (name, is_folder)) in entries.iter().enumerate() {
        if out.len() + name.len() > MAX_BYTES {
            out.push_str(&format!("\n[{} more entries.]", entries.len() - shown));
            break;
        }
        if shown > 0 {
            out.push('\n');
        }
        out.push_str(name);
        if *is_folder {
            out.push('/');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_bounded() {
        let many: Entries = (0..10_000).map(|n| (format!("file{n:05}"), n == 1)).collect();
        let out = text(&many);
        assert!(out.starts_with("file00000\nfile00001/\nfile00002\n"));
        assert!(out.len() < MAX_BYTES + 100);
        assert!(out.ends_with("more entries.]"));
        assert_eq!(text(&Entries::new()), "");
    }
}
