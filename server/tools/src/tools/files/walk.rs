//! The walk through a folder: what ripgrep would search there by default.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder, WalkParallel};

use super::ignored::is_safe;

/// More threads than this only wait for the disk.
const MAX_THREADS: usize = 12;

/// Files and folders in `root`, in no particular order. Left out are what `.gitignore` (inside a
/// repository or not), `.ignore` and `.rgignore` name, and hidden ones unless `hidden`; `.git` in
/// any case. Symlinks are not followed, but for `root` itself.
pub(in crate::tools) fn walk(root: &Path, hidden: bool) -> WalkParallel {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let mut builder = WalkBuilder::new(root);
    if root.ancestors().all(is_safe) {
        builder.add_custom_ignore_filename(".rgignore");
    } else {
        builder.ignore(false).git_ignore(false).parents(false);
    }
    builder
        .hidden(!hidden)
        // Agents expect a `.gitignore` to work before there is a repository. Within one, those above
        // it must not count, which the walker sees to only if it looks for repositories.
        .require_git(is_in_repository(root))
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git" && can_enter(entry))
        .threads(threads)
        .build_parallel()
}

/// A folder whose ignore files are not safe is left out.
fn can_enter(entry: &DirEntry) -> bool {
    !entry.file_type().is_some_and(|kind| kind.is_dir()) || is_safe(entry.path())
}

fn is_in_repository(root: &Path) -> bool {
    root.ancestors().any(is_repository)
}

/// Whether a repository starts here.
pub(super) fn is_repository(folder: &Path) -> bool {
    [".git", ".jj"].into_iter().any(|name| folder.join(name).exists())
}

/// Whether a file below `root` is hidden, or in a hidden folder.
pub(in crate::tools) fn is_hidden(file: &Path, root: &Path) -> bool {
    let inside = file.strip_prefix(root).unwrap_or(file);
    inside.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}
