//! Keeping what is under review beyond the end of the process.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
    time::Duration,
};

use redline_text::FileEncoding;

use crate::{
    Entry, Event, LogLevel, Restored, Workspace, WorkspacePath,
    io::{
        self,
        journal::{Folder, Owner, Taken},
    },
    keeper::{KeepError, Shelf, Written},
};

/// Who keeps the review of a folder.
#[derive(Debug)]
pub enum Keeping {
    /// This process; so many files were taken up.
    Ours(usize),
    /// Another Redline, with this process id if it can be told. Its proposals are not shown here; ours
    /// are kept as soon as it ends.
    Theirs(Option<u32>),
    /// Nobody can: the reason, for the user.
    Nobody(String),
}

/// Processes that do not own a folder number their ops from a block of their own.
const BLOCK: u32 = 1 << 20;
/// After a disk has refused an entry, all is written again after this time, then after twice as long,
/// and so on up to the second.
const RETRY: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(300));

impl Workspace {
    /// Keeps what is under review in the workspace's folders below `state` (the user's state
    /// directory), and takes up what was left there. A folder that another process keeps is taken
    /// over when that one ends. Blocks for as long as it takes to read the journals.
    pub fn keep(self: &Arc<Self>, state: &Path) -> Vec<(PathBuf, Keeping)> {
        let keep = |root: PathBuf| {
            let keeping = self.keep_folder(state, &root);
            let keeping = keeping.unwrap_or_else(|error| Keeping::Nobody(error.to_string()));
            if !matches!(keeping, Keeping::Ours(_)) {
                self.keeper().leave(&root);
            }
            self.say(&root, &keeping);
            (root, keeping)
        };
        self.roots().into_iter().map(keep).collect()
    }

    fn keep_folder(self: &Arc<Self>, state: &Path, root: &Path) -> Result<Keeping, KeepError> {
        let folder = Folder::make(state, root)?;
        match Owner::try_take(folder.dir())? {
            Taken::Owner(owner) => Ok(Keeping::Ours(self.take_up(root, &folder, owner)?)),
            Taken::Held { pid } => {
                self.post(Event::OpsStartAt((std::process::id() % 4000 + 1) * BLOCK));
                self.wait_for(root.to_owned(), folder);
                Ok(Keeping::Theirs(pid))
            }
        }
    }

    fn take_up(&self, root: &Path, folder: &Folder, owner: Owner) -> Result<usize, KeepError> {
        let (mut shelf, mut kept) = Shelf::open(root, folder, owner)?;
        for (file, _) in kept.files.extract_if(.., |(file, _)| self.reviews(file)) {
            let why = "this Redline's own proposals are under review in it";
            kept.troubles.push(shelf.put_file_aside(file.as_path(), why));
        }
        // A link that has come into the way since leads to a file that nobody reviewed.
        for (file, _) in kept.files.extract_if(.., |(file, kept)| leads_elsewhere(file, kept)) {
            kept.troubles
                .push(shelf.put_file_aside(file.as_path(), "its path is another file's now"));
        }
        let count = kept.files.len();
        self.keeper().add(shelf);
        for (file, restored) in kept.files {
            let is_text = restored.format().encoding.is_text();
            let disk = if is_text { io::read(&file) } else { io::read_any(&file) };
            let disk = disk.unwrap_or_else(|_| restored.known_disk());
            self.post(Event::Restored { file, restored: Box::new(restored), disk });
        }
        self.post(Event::JournalOpened { last_op: kept.last_op });
        // Said when this process's own proposals are written down as well.
        kept.troubles.into_iter().for_each(|trouble| self.log(LogLevel::Error, trouble));
        self.take_checkpoints(root, folder);
        Ok(count)
    }

    fn reviews(&self, file: &WorkspacePath) -> bool {
        self.query(|session| session.review(file).is_some())
    }

    /// Writes an entry down; what there is to tell the user, if anything.
    pub(crate) fn write_down(
        self: &Arc<Self>,
        file: &WorkspacePath,
        entry: Entry,
    ) -> Option<(LogLevel, String)> {
        let written = self.keeper().write(file, entry);
        match written {
            Ok(Written::Yes | Written::No) => None,
            Ok(Written::Again) => {
                let text = "what is under review survives the end of Redline again";
                Some((LogLevel::Info, text.to_owned()))
            }
            Err(error @ KeepError::Tidy(_)) => Some((LogLevel::Warning, error.to_string())),
            Err(error) => {
                self.write_again_later();
                let text = "what is under review will not survive the end of Redline, until this \
                    is mended";
                Some((LogLevel::Error, format!("{text}: {error}")))
            }
        }
    }

    /// Until it works. What is missing in between makes later entries worthless, so all files' whole
    /// state is written.
    fn write_again_later(self: &Arc<Self>) {
        let workspace = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut pause = RETRY.0;
            loop {
                tokio::time::sleep(pause).await;
                pause = RETRY.1.min(pause * 2);
                let Some(workspace) = workspace.upgrade() else { return };
                let last_op = workspace.keeper().last_op();
                if !workspace.keeper().is_failing() {
                    return;
                }
                workspace.post(Event::JournalOpened { last_op });
            }
        });
    }

    /// Without them nobody can go back to before a turn; everything else works.
    fn take_checkpoints(&self, root: &Path, folder: &Folder) {
        let mut checkpoints = crate::handle::lock(&self.checkpoints);
        if let Err(error) = checkpoints.open(root, folder.dir()) {
            self.log(LogLevel::Error, format!("no checkpoints are kept: {error}"));
        }
        let last = checkpoints.last_turns();
        drop(checkpoints);
        self.post(Event::TurnsStartAt(last));
    }

    /// On a thread of its own: nobody can call off the wait for a lock.
    fn wait_for(self: &Arc<Self>, root: PathBuf, folder: Folder) {
        let workspace = Arc::downgrade(self);
        std::thread::spawn(move || {
            let Ok(owner) = Owner::wait(folder.dir()) else { return };
            let Some(workspace) = workspace.upgrade() else { return };
            let keeping = match workspace.take_up(&root, &folder, owner) {
                Ok(count) => Keeping::Ours(count),
                Err(error) => Keeping::Nobody(error.to_string()),
            };
            workspace.say(&root, &keeping);
        });
    }

    fn say(&self, root: &Path, keeping: &Keeping) {
        let root = root.display();
        match keeping {
            Keeping::Ours(0) => {}
            Keeping::Ours(files) => {
                self.log(LogLevel::Info, format!("{root}: {files} files were under review"));
            }
            Keeping::Theirs(pid) => {
                let pid = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
                let text = format!(
                    "{root}: another Redline{pid} keeps the review of this folder; its proposals are \
                     shown here when it ends"
                );
                self.log(LogLevel::Warning, text);
            }
            Keeping::Nobody(why) => {
                let text = format!("{root}: proposals will not survive the end of Redline: {why}");
                self.log(LogLevel::Error, text);
            }
        }
    }

    pub(crate) fn keeper(&self) -> std::sync::MutexGuard<'_, crate::keeper::Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn leads_elsewhere(file: &WorkspacePath, restored: &Restored) -> bool {
    // It is the link itself that is under review.
    if restored.format().encoding == FileEncoding::Link {
        return false;
    }
    let now = WorkspacePath::resolve(&file.to_string(), Path::new("/"), None);
    now.is_ok_and(|now| now != *file)
}
