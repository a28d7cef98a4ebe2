//! What threads have read, by content: for tools that change only what was read before (seed 003,
//! "MUST read existing files first").

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
};

use redline_layers::ThreadId;
use redline_text::Text;
use redline_workspace::WorkspacePath;

/// Files of all threads that are remembered. Beyond it all are forgotten, and have to be read again.
const MOST: usize = 16 * 1024;

/// The text of each file when the thread saw it last. Gone with the process: then files have to be
/// read again.
#[derive(Debug, Default)]
pub(crate) struct Reads(Mutex<HashMap<(ThreadId, WorkspacePath), u64>>);

impl Reads {
    /// The thread has seen the file with this text.
    pub fn saw(&self, thread: &ThreadId, file: &WorkspacePath, text: &Text) {
        let hash = hash(text);
        let mut reads = self.lock();
        if reads.len() >= MOST {
            reads.clear();
        }
        reads.insert((thread.clone(), file.clone()), hash);
    }

    /// Whether what the thread saw last of the file is this text.
    pub fn knows(&self, thread: &ThreadId, file: &WorkspacePath, text: &Text) -> bool {
        let known = self.lock().get(&(thread.clone(), file.clone())).copied();
        known.is_some_and(|known| known == hash(text))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(ThreadId, WorkspacePath), u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(text: &Text) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.chunks().for_each(|chunk| hasher.write(chunk.as_bytes()));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_the_same_text_counts_and_memory_is_bounded() {
        let reads = Reads::default();
        let file = |n: usize| WorkspacePath::assume_canonical(Path::new(&format!("/{n}")));
        let (one, other): (ThreadId, ThreadId) = ("T-1".into(), "T-2".into());
        let text = |text: &str| Text::from(text);
        reads.saw(&one, &file(1), &text("a"));
        assert!(reads.knows(&one, &file(1), &text("a")));
        assert!(!reads.knows(&one, &file(1), &text("b")));
        assert!(!reads.knows(&one, &file(2), &text("a")));
        assert!(!reads.knows(&other, &file(1), &text("a")));
        for n in 0..MOST + 9 {
            reads.saw(&other, &file(n), &text(""));
        }
        assert!(reads.lock().len() <= MOST);
        assert!(reads.knows(&other, &file(MOST + 8), &text("")));
    }
}
