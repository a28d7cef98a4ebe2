//! Keeping what is under review beyond the end of the process.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use crate::{
    Event, LogLevel, Workspace,
    io::{
        self,
        journal::{Folder, Owner, Taken},
    },
    keeper::{KeepError, Shelf},
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

impl Workspace {
    /// Keeps what is under review in the workspace's folders below `state` (the user's state
    /// directory), and takes up what was left there. A folder that another process keeps is taken
    /// over when that one ends. Blocks for as long as it takes to read the journals.
    pub fn keep(self: &Arc<Self>, state: &Path) -> Vec<(PathBuf, Keeping)> {
        let keep = |root: PathBuf| {
            let keeping = self.keep_folder(state, &root);
            let keeping = keeping.unwrap_or_else(|error| Keeping::Nobody(error.to_string()));
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
        let (shelf, kept) = Shelf::open(root, folder, owner)?;
        let count = kept.files.len();
        kept.troubles.into_iter().for_each(|trouble| self.log(LogLevel::Error, trouble));
        self.keeper().add(shelf);
        for (file, restored) in kept.files {
            let disk = io::read(&file).unwrap_or_else(|_| restored.known_disk());
            self.post(Event::Restored { file, restored: Box::new(restored), disk });
        }
        self.post(Event::JournalOpened { last_op: kept.last_op });
        Ok(count)
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
