//! What a permission was given for: where the call's names led then. A link that leads elsewhere
//! when the call runs was swapped meanwhile, and the call is refused.

use std::path::{Path, PathBuf};

use redline_workspace::{PathError, Workspace, WorkspacePath};

use crate::{
    Dialect, ToolSettings,
    bundle::{self, LocateError},
};

/// The names of one call, and where they led when it was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bound(Vec<Place>);

/// One name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// As the call has it.
    pub written: String,
    /// Where a relative one starts.
    pub from: PathBuf,
    pub how: How,
    /// Where it led.
    pub real: PathBuf,
}

/// How a name is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// Links are followed.
    Path,
    /// But for the last one.
    Entry,
    /// As one of a bundle's files.
    Bundle,
}

impl Bound {
    pub fn new(places: Vec<Place>) -> Self {
        Self(places)
    }

    /// Whether the name leads where it led. One that was not judged leads where it likes.
    ///
    /// # Errors
    /// [`PathError::Moved`].
    pub fn agrees(
        &self,
        written: &str,
        from: &Path,
        how: How,
        found: &WorkspacePath,
    ) -> Result<(), PathError> {
        let is_it =
            |place: &&Place| place.written == written && place.how == how && place.from == from;
        match self.0.iter().filter(is_it).find(|place| place.real != found.as_path()) {
            None => Ok(()),
            Some(place) => Err(moved(place, found)),
        }
    }

    /// Whether all names lead where they led. Looks at the disk.
    ///
    /// # Errors
    /// [`PathError::Moved`] of the first that does not, or why it leads nowhere now.
    pub fn holds(&self, workspace: &Workspace, settings: &ToolSettings) -> Result<(), LocateError> {
        self.0.iter().try_for_each(|place| {
            let Place { written, from, how, real } = place;
            let found = match how {
                How::Path => workspace.path(written, from)?,
                How::Entry => workspace.entry(written, from)?,
                How::Bundle => {
                    let family = Some(Dialect::Amplifier);
                    bundle::locate(workspace, settings, family, written, from)?.file
                }
            };
            if found.as_path() == real { Ok(()) } else { Err(moved(place, &found).into()) }
        })
    }
}

fn moved(place: &Place, found: &WorkspacePath) -> PathError {
    PathError::Moved {
        written: place.written.clone(),
        was: place.real.display().to_string(),
        is: found.to_string(),
    }
}
