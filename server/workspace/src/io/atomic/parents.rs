//! Directories that a new file needs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::io::durable::{parent, sync_dir};

/// The directories that were made, outermost first. Dropped, they are removed again (unless somebody
/// put something into them).
#[derive(Debug)]
pub(super) struct Made(Vec<PathBuf>);

impl Made {
    /// Makes what is missing of a file's parents.
    pub fn parents_of(file: &Path) -> io::Result<Self> {
        let missing = |dir: &&Path| matches!(dir.try_exists(), Ok(false));
        let mut dirs: Vec<&Path> = file.ancestors().skip(1).take_while(missing).collect();
        dirs.reverse();
        let mut made = Self(Vec::new());
        for dir in dirs {
            match fs::create_dir(dir) {
                Ok(()) => made.0.push(dir.to_owned()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }

    /// They stay; their names are on the disk when this returns, if the disk takes them.
    pub fn keep(mut self) {
        for dir in std::mem::take(&mut self.0) {
            let _ = sync_dir(&parent(&dir));
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for dir in self.0.iter().rev() {
            let _ = fs::remove_dir(dir);
        }
    }
}
