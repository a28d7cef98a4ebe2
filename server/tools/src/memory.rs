//! What threads did lately, for errors that say where a text is instead. Bounded in every
//! direction, and gone with the process: nothing depends on it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use redline_layers::ThreadId;
use redline_workspace::WorkspacePath;

/// Files and edits that are remembered for each thread.
const MOST: usize = 32;
/// Threads that are remembered.
const MOST_THREADS: usize = 64;
/// Bytes of an edit's texts beyond which it is not remembered.
const MOST_TEXT: usize = 32 * 1024;

/// Of all threads of a workspace.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<Threads>);

#[derive(Debug, Default)]
struct Threads {
    of: BTreeMap<ThreadId, Lately>,
    clock: u64,
}

/// Newest first.
#[derive(Debug, Default)]
struct Lately {
    used: u64,
    files: VecDeque<WorkspacePath>,
    edits: VecDeque<Made>,
}

/// A replacement that was proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Made {
    pub file: WorkspacePath,
    /// The call's id.
    pub call: String,
    /// As the caller wrote it.
    pub old: String,
    /// See `old`.
    pub new: String,
}

impl Memory {
    /// The thread has seen this file.
    pub fn saw(&self, thread: &ThreadId, file: &WorkspacePath) {
        let mut threads = self.lock();
        let files = &mut threads.lately(thread).files;
        files.retain(|other| other != file);
        files.push_front(file.clone());
        files.truncate(MOST);
    }

    /// The thread has replaced something.
    pub fn made(&self, thread: &ThreadId, edit: Made) {
        if edit.old.len() + edit.new.len() > MOST_TEXT {
            return;
        }
        let mut threads = self.lock();
        let edits = &mut threads.lately(thread).edits;
        edits.push_front(edit);
        edits.truncate(MOST);
    }

    /// The files that the thread saw last, newest first.
    pub fn files(&self, thread: &ThreadId) -> Vec<WorkspacePath> {
        self.lock().of.get(thread).map(|it| it.files.iter().cloned().collect()).unwrap_or_default()
    }

    /// What the thread replaced last in a file, newest first.
    pub fn edits(&self, thread: &ThreadId, file: &WorkspacePath) -> Vec<Made> {
        let threads = self.lock();
        let edits = threads.of.get(thread).into_iter().flat_map(|it| &it.edits);
        edits.filter(|edit| edit.file == *file).cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Threads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Threads {
    /// The one that was not used for the longest time is forgotten where there are too many.
    fn lately(&mut self, thread: &ThreadId) -> &mut Lately {
        self.clock += 1;
        if !self.of.contains_key(thread) && self.of.len() >= MOST_THREADS {
            let oldest = self.of.iter().min_by_key(|(_, it)| it.used).map(|(id, _)| id.clone());
            oldest.and_then(|id| self.of.remove(&id));
        }
        let lately = self.of.entry(thread.clone()).or_default();
        lately.used = self.clock;
        lately
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn file(name: usize) -> WorkspacePath {
        WorkspacePath::assume_canonical(Path::new(&format!("/{name}")))
    }

    #[test]
    fn what_was_last_is_remembered() {
        let memory = Memory::default();
        let (one, other): (ThreadId, ThreadId) = ("T-1".into(), "T-2".into());
        for n in (0..MOST + 3).chain([5]) {
            memory.saw(&one, &file(n));
        }
        let files = memory.files(&one);
        assert_eq!((files.len(), &files[0], &files[1]), (MOST, &file(5), &file(MOST + 2)));
        assert!(memory.files(&other).is_empty());
        let made = |n: usize, old: &str| {
            let (old, new) = (old.to_owned(), String::new());
            Made { file: file(n), call: "c".into(), old, new }
        };
        memory.made(&one, made(1, "a"));
        memory.made(&one, made(2, "b"));
        memory.made(&one, made(1, &"x".repeat(MOST_TEXT + 1)));
        assert_eq!(memory.edits(&one, &file(1)), [made(1, "a")]);
        for n in 0..MOST_THREADS {
            memory.saw(&format!("S-{n}").as_str().into(), &file(n));
        }
        assert!(memory.files(&one).is_empty(), "the oldest is forgotten");
        assert_eq!(memory.0.lock().unwrap().of.len(), MOST_THREADS);
    }
}
