//! The walk through a folder: what ripgrep would search there, by several threads.
//!
//! The threads take their work from one stack, on which a folder's contents lie in the order of
//! paths: what comes first is looked at first, so that a search that needs only the first matches
//! is over soon, wherever the threads are.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    listing::{Entry, Listing, NoListing},
    lists::FileLists,
    rules::Rules,
};

/// More threads than this only wait for the disk.
const MAX_THREADS: usize = 12;
/// Files that a thread takes at once.
const MAX_FILES: usize = 64;

/// Where to walk.
#[derive(Clone, Copy)]
pub(in crate::tools) struct Walk<'a> {
    pub lists: &'a FileLists,
    /// A canonical path of a folder. It is entered whatever it is called, and whatever rules say.
    pub root: &'a Path,
    /// What the user's global rules are relative to.
    pub base: &'a Path,
    /// Hidden files and folders count too.
    pub hidden: bool,
    /// Ends the walk.
    pub stop: &'a AtomicBool,
}

/// What is done with what a walk comes to. Left out are what ignore files name, hidden files unless
/// `Walk::hidden`, `.git` in any case, symlinks, and what is no regular file.
pub(in crate::tools) trait Visitor: Sync {
    /// What each thread has for itself.
    type Own;

    /// Makes it.
    fn own(&self) -> Self::Own;

    /// Whether to look into a folder.
    fn enters(&self, folder: &Path) -> bool;

    /// Some files of one folder, in order.
    fn files(&self, files: &Files<'_>, own: &mut Self::Own);

    /// A folder could not be read.
    fn unreadable(&self, folder: &Path, why: &std::io::Error);
}

/// Some files of one folder.
pub(in crate::tools) struct Files<'a> {
    pub folder: &'a Path,
    entries: &'a [Entry],
    hidden: bool,
}

impl<'a> Files<'a> {
    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &'a std::ffi::OsStr> {
        let hidden = self.hidden;
        let counts = move |entry: &&Entry| !entry.is_folder && (hidden || !entry.is_hidden);
        self.entries.iter().filter(counts).map(|entry| &*entry.name)
    }
}

impl Walk<'_> {
    /// Walks; what the threads had for themselves is returned.
    pub fn run<V: Visitor<Own: Send>>(&self, visitor: &V) -> Vec<V::Own> {
        self.lists.begin();
        let queue = Queue::new(Task::Root);
        let worker = || {
            let mut own = visitor.own();
            while let Some(turn) = queue.next(self.stop) {
                let more = self.work(&turn.task, visitor, &mut own);
                turn.done(more);
            }
            own
        };
        // The first task is the root alone, which says whether there is work for several.
        let mut own = visitor.own();
        if let Some(turn) = queue.next(self.stop) {
            let more = self.work(&turn.task, visitor, &mut own);
            turn.done(more);
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let threads = threads.min(queue.len());
        let others = match threads {
            0 => Vec::new(),
            1 => vec![worker()],
            _ => std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
                let mut owns = vec![worker()];
                for other in others {
                    match other.join() {
                        Ok(own) => owns.push(own),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                owns
            }),
        };
        std::iter::once(own).chain(others).collect()
    }

    fn work<V: Visitor>(&self, task: &Task, visitor: &V, own: &mut V::Own) -> Vec<Task> {
        match task {
            Task::Root => self.root(visitor),
            Task::Folder(folder, above) => self.folder(folder, above, visitor),
            Task::Files(listed, range) => {
                let entries = listed.listing.entries.get(range.clone()).unwrap_or_default();
                let files = Files { folder: &listed.folder, entries, hidden: self.hidden };
                visitor.files(&files, own);
                Vec::new()
            }
        }
    }

    fn root<V: Visitor>(&self, visitor: &V) -> Vec<Task> {
        if !visitor.enters(self.root) {
            return Vec::new();
        }
        let above = self.lists.above(self.root, self.base);
        let listing = match self.lists.listing(self.root, &above) {
            Err(NoListing::NotSafe) => Listing::read_without_rules(self.root, &above).map(Arc::new),
            listing => listing,
        };
        self.inside(self.root, listing, visitor)
    }

    fn folder<V: Visitor>(&self, folder: &Path, above: &Arc<Rules>, visitor: &V) -> Vec<Task> {
        if !visitor.enters(folder) {
            return Vec::new();
        }
        self.inside(folder, self.lists.listing(folder, above), visitor)
    }

    fn inside<V: Visitor>(
        &self,
        folder: &Path,
        listing: Result<Arc<Listing>, NoListing>,
        visitor: &V,
    ) -> Vec<Task> {
        match listing {
            Ok(listing) => {
                let folder = folder.to_owned();
                tasks(&Arc::new(Listed { folder, listing }), self.hidden)
            }
            Err(NoListing::Unreadable(why)) => {
                visitor.unreadable(folder, &why);
                Vec::new()
            }
            Err(NoListing::Gone | NoListing::NotSafe) => Vec::new(),
        }
    }
}

/// A folder's contents as work, in order: files in runs, folders one by one.
fn tasks(listed: &Arc<Listed>, hidden: bool) -> Vec<Task> {
    let entries = &listed.listing.entries;
    let mut tasks = Vec::new();
    let mut first = 0;
    let run = |range: Range<usize>, tasks: &mut Vec<Task>| {
        if !range.is_empty() {
            tasks.push(Task::Files(listed.clone(), range));
        }
    };
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_folder {
            run(first..index, &mut tasks);
            first = index + 1;
            if hidden || !entry.is_hidden {
                let folder = listed.folder.join(&*entry.name);
                tasks.push(Task::Folder(folder, listed.listing.rules().clone()));
            }
        } else if index - first == MAX_FILES {
            run(first..index, &mut tasks);
            first = index;
        }
    }
    run(first..entries.len(), &mut tasks);
    tasks
}

struct Listed {
    folder: PathBuf,
    listing: Arc<Listing>,
}

enum Task {
    Root,
    Folder(PathBuf, Arc<Rules>),
    Files(Arc<Listed>, Range<usize>),
}

/// The work that is left, the first on top.
struct Queue {
    state: Mutex<State>,
    news: Condvar,
}

struct State {
    tasks: Vec<Task>,
    /// Threads whose work may make more.
    busy: usize,
}

impl Queue {
    fn new(first: Task) -> Self {
        let state = State { tasks: vec![first], busy: 0 };
        Self { state: Mutex::new(state), news: Condvar::new() }
    }

    fn len(&self) -> usize {
        self.state().tasks.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for work; `None`: all is done, or nobody wants it any more.
    fn next(&self, stop: &AtomicBool) -> Option<Turn<'_>> {
        let mut state = self.state();
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.busy += 1;
                return Some(Turn { queue: self, task });
            }
            if state.busy == 0 {
                return None;
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A piece of work that is under way. Dropped, it is over, so that a panic leaves nobody waiting.
struct Turn<'a> {
    queue: &'a Queue,
    task: Task,
}

impl Turn<'_> {
    fn done(self, more: Vec<Task>) {
        self.queue.state().tasks.extend(more.into_iter().rev());
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.queue.state().busy -= 1;
        self.queue.news.notify_all();
    }
}
