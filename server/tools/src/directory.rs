//! The directory that a thread's commands start in, where its calls have set one (seed 002, bash:
//! "Working directory state persists across command invocations").

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use redline_layers::ThreadId;

/// Of all threads of a workspace.
#[derive(Debug, Default)]
pub(crate) struct Directories(Mutex<HashMap<ThreadId, PathBuf>>);

impl Directories {
    /// Where the thread's next command starts, if a call has said so.
    pub fn of(&self, thread: &ThreadId) -> Option<PathBuf> {
        self.lock().get(thread).cloned()
    }

    /// From now on the thread's commands start there.
    pub fn set(&self, thread: &ThreadId, directory: &Path) {
        self.lock().insert(thread.clone(), directory.to_owned());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
