//! All that is proposed, as a diff that any editor can open: also for files that are not there yet.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use redline_layers::{Projection, ThreadId};
use redline_text::{Text, unified};
use redline_workspace::{HunkState, Review, Workspace, WorkspacePath};
use tempfile::TempDir;

/// The diff files of one connection, in a folder that only the user can read and that goes with it.
#[derive(Default)]
pub struct Proposals {
    folder: Mutex<Option<TempDir>>,
}

impl Proposals {
    /// Writes a diff into a new file: editors do not look again at one that they show.
    pub fn write(&self, diff: &str) -> io::Result<PathBuf> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match &mut *folder {
            Some(folder) => folder,
            none => none.insert(tempfile::Builder::new().prefix("redline-").tempdir()?),
        };
        let mut file = tempfile::Builder::new()
            .prefix("proposals-")
            .suffix(".diff")
            .tempfile_in(folder.path())?;
        file.write_all(diff.as_bytes())?;
        let (_, path) = file.keep().map_err(|error| error.error)?;
        path.canonicalize()
    }

    /// Removes the files.
    pub fn close(&self) {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// A unified diff from the editor's text to the proposed one, of `only` that file or of all; empty:
/// nothing is proposed. Where several threads propose, one diff for each.
pub fn diff(workspace: &Workspace, only: Option<&WorkspacePath>) -> String {
    let mut reviews = workspace.query(|session| session.reviews());
    reviews.retain(|review| only.is_none_or(|only| *only == review.file));
    let roots = workspace.roots();
    let mut out = String::new();
    for review in &reviews {
        let name = review.file.display_in(&roots);
        for thread in threads(review) {
            out += &of_thread(workspace, &review.file, thread, &name);
        }
    }
    out
}

/// Who proposes something in that file.
fn threads(review: &Review) -> Vec<&ThreadId> {
    let mut threads = Vec::new();
    for hunk in review.hunks.iter().filter(|hunk| hunk.state == HunkState::Pending) {
        if !threads.contains(&&hunk.origin.thread) {
            threads.push(&hunk.origin.thread);
        }
    }
    threads
}

fn of_thread(workspace: &Workspace, file: &WorkspacePath, thread: &ThreadId, name: &str) -> String {
    let agent = Projection::Agent(thread.clone());
    let (old, new) = workspace.query(|session| {
        (session.content(file, &Projection::Editor), session.content(file, &agent))
    });
    let text = |side: Option<String>| side.map(Text::from);
    unified(text(old).as_ref(), text(new).as_ref(), name)
}
