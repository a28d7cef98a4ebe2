//! Where a search starts, and what its files are called in the result.

use std::{
    path::{Component, Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use redline_workspace::PathError;

use super::{lists::FileLists, walk::Walk};
use crate::ToolContext;

/// A folder or a file, by its real path and by the name that the caller knows it by.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Place {
    /// Canonical.
    pub real: PathBuf,
    /// Relative to the thread's working directory where it is inside; empty: that directory.
    shown: PathBuf,
    /// The workspace's folder that it is in; outside of the workspace the place itself.
    base: PathBuf,
    lists: Arc<FileLists>,
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
        Ok(Self::at(context, file.as_path().to_owned(), &known))
    }

    /// The places that are meant where none is written: the working directory, and if that is a
    /// folder of the workspace, the workspace's other folders too, as an editor searches them.
    ///
    /// # Errors
    /// See `PathError`.
    pub fn all(context: &ToolContext, written: Option<&str>) -> Result<Vec<Self>, PathError> {
        let first = Self::new(context, written)?;
        let mut roots = context.workspace.roots();
        if written.is_some() || !roots.contains(&first.real) {
            return Ok(vec![first]);
        }
        roots.sort();
        let mut all = vec![first];
        for root in roots {
            // One within another is searched with it.
            if !all.iter().any(|place| root.starts_with(&place.real)) {
                all.retain(|place| !place.real.starts_with(&root));
                all.push(Self::at(context, root.clone(), &root));
            }
        }
        Ok(all)
    }

    fn at(context: &ToolContext, real: PathBuf, known: &Path) -> Self {
        let shown = known.strip_prefix(&context.scope.cwd).unwrap_or(known).to_owned();
        let roots = context.workspace.roots();
        let root = roots.into_iter().filter(|root| real.starts_with(root)).min();
        // What is kept from call to call is the workspace's alone.
        let lists = match root {
            Some(_) => context.state::<FileLists>(),
            None => Arc::new(FileLists::fleeting()),
        };
        Self { base: root.unwrap_or_else(|| real.clone()), real, shown, lists }
    }

    /// One outside of any workspace.
    #[cfg(test)]
    pub fn alone(real: &Path) -> Self {
        let (real, shown) = (real.to_owned(), PathBuf::new());
        Self { base: real.clone(), real, shown, lists: Arc::new(FileLists::fleeting()) }
    }

    /// The walk through it.
    pub fn walk<'a>(&'a self, hidden: bool, stop: &'a AtomicBool) -> Walk<'a> {
        Walk { lists: &self.lists, root: &self.real, base: &self.base, hidden, stop }
    }

    /// Whether the walk would come to a file that is not on the disk yet.
    pub fn reaches(&self, file: &Path, hidden: bool) -> bool {
        self.lists.reaches(file, &self.real, &self.base, hidden)
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

/// The caller's name of a file in one of several places.
pub(in crate::tools) fn name(places: &[Place], file: &Path) -> String {
    match places.iter().find(|place| file.starts_with(&place.real)) {
        Some(place) => place.name(file),
        None => file.to_string_lossy().into_owned(),
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
