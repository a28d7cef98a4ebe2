//! Where a search starts, and what its files are called in the result.

use std::path::{Component, Path, PathBuf};

use redline_workspace::PathError;

use crate::ToolContext;

/// A folder or a file, by its real path and by the name that the caller knows it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Place {
    /// Canonical.
    pub real: PathBuf,
    /// Relative to the thread's working directory where it is inside; empty: that directory.
    shown: PathBuf,
}

impl Place {
    /// The place that the caller wrote; nothing written is the working directory.
    ///
    /// # Errors
    /// See `PathError`.
    pub fn new(context: &ToolContext, written: Option<&str>) -> Result<Self, PathError> {
        let cwd = &context.scope.cwd;
        let file = context.path(written.unwrap_or("."))?;
        let lexical = lexical(&cwd.join(written.unwrap_or_default()));
        // A symlink keeps the name that the caller uses. `~`, and `..` behind a symlink, lead
        // elsewhere than the words say.
        let is_same = lexical.canonicalize().is_ok_and(|real| real == file.as_path());
        let known = if is_same { lexical } else { file.as_path().to_owned() };
        let shown = known.strip_prefix(cwd).unwrap_or(&known).to_owned();
        Ok(Self { real: file.as_path().to_owned(), shown })
    }

    /// The caller's name of a file in it; undecodable bytes become U+FFFD.
    pub fn name(&self, file: &Path) -> String {
        let inside = file.strip_prefix(&self.real).unwrap_or(file);
        let name = match inside.components().next() {
            None => self.shown.clone(),
            Some(_) => self.shown.join(inside),
        };
        name.to_string_lossy().into_owned()
    }
}

/// Without `.` and `..`, as if there were no symlinks.
fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}
