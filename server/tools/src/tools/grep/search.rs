//! The search of a place: the disk in parallel, and what the thread sees otherwise than the disk.

use std::{
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use grep_regex::RegexMatcher;
use ignore::{DirEntry, WalkState};
use redline_permissions::guards::is_secret_file;

use super::{
    found::{Found, Hits, Skip},
    scan::{Scan, Scanner},
};
use crate::tools::files::{Globs, Seen, is_hidden, is_ignored, walk};

/// What to search for, and where.
pub(super) struct Search<'a> {
    pub matcher: &'a RegexMatcher,
    /// A canonical path of a file or folder.
    pub root: &'a Path,
    pub globs: Option<&'a Globs>,
    pub seen: &'a Seen,
    /// Whether a rule forbids a file.
    pub is_forbidden: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Ends the search; what was found by then is returned.
    pub stop: &'a AtomicBool,
}

/// What came of a search.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub found: Found,
    /// A file was searched, or left out for what it is.
    pub looked: bool,
    /// A file was binary.
    pub binary: bool,
}

struct State<'a> {
    search: &'a Search<'a>,
    found: Mutex<Found>,
    /// `found` is full; so that most files need not lock it.
    full: AtomicBool,
    looked: AtomicBool,
    binary: AtomicBool,
}

/// Searches the files of a folder.
pub(super) fn folder(search: &Search<'_>) -> Outcome {
    let state = State::new(search);
    let hidden = search.globs.is_some_and(|globs| globs.hidden);
    state.only_seen(hidden);
    if search.root.is_dir() {
        walk(search.root, hidden).run(|| {
            let mut scanner = Scanner::new(search.matcher, search.stop);
            let state = &state;
            Box::new(move |entry| state.visit(entry, &mut scanner))
        });
    }
    state.outcome()
}

/// Searches one file, whatever it is called.
pub(super) fn file(search: &Search<'_>) -> Outcome {
    let state = State::new(search);
    state.scan(search.root, &mut Scanner::new(search.matcher, search.stop));
    state.outcome()
}

impl<'a> State<'a> {
    fn new(search: &'a Search<'a>) -> Self {
        let flag = || AtomicBool::new(false);
        Self { search, found: Mutex::default(), full: flag(), looked: flag(), binary: flag() }
    }

    fn outcome(self) -> Outcome {
        Outcome {
            found: self.found.into_inner().unwrap_or_else(PoisonError::into_inner),
            looked: self.looked.into_inner(),
            binary: self.binary.into_inner(),
        }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_behind(&self, path: &Path) -> bool {
        self.full.load(Ordering::Relaxed) && self.found().is_behind(path)
    }

    fn only_seen(&self, hidden: bool) {
        let mut scanner = Scanner::new(self.search.matcher, self.search.stop);
        for (file, _) in self.search.seen.only_here() {
            let is_out = !hidden && is_hidden(file, self.search.root) || is_ignored(file);
            if !is_out && self.is_wanted(file) && self.is_reached(file) {
                self.guarded(file, &mut scanner);
            }
        }
    }

    fn is_wanted(&self, file: &Path) -> bool {
        self.search.globs.is_none_or(|globs| globs.takes(file))
    }

    /// Whether the walk would come to a file that is not on the disk.
    fn is_reached(&self, file: &Path) -> bool {
        let inside = |folder: &&Path| folder.starts_with(self.search.root);
        let mut folders = file.ancestors().skip(1).take_while(inside);
        self.search.globs.is_none_or(|globs| folders.all(|folder| globs.enters(folder)))
    }

    fn visit(
        &self,
        entry: Result<DirEntry, ignore::Error>,
        scanner: &mut Scanner<'_>,
    ) -> WalkState {
        if self.search.stop.load(Ordering::Relaxed) {
            return WalkState::Quit;
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.unreadable(error);
                return WalkState::Continue;
            }
        };
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.is_some_and(|kind| kind.is_dir()) {
            let enters = self.search.globs.is_none_or(|globs| globs.enters(path));
            return if enters && !self.is_behind(path) {
                WalkState::Continue
            } else {
                WalkState::Skip
            };
        }
        // A FIFO or a device would never end.
        if kind.is_some_and(|kind| kind.is_file()) && self.is_wanted(path) && !self.is_behind(path)
        {
            self.guarded(path, scanner);
        }
        WalkState::Continue
    }

    /// DESIGN, section 5, "Guards".
    fn guarded(&self, file: &Path, scanner: &mut Scanner<'_>) {
        if is_secret_file(file) {
            self.looked.store(true, Ordering::Relaxed);
            self.found().skip(file.to_owned(), Skip::Secret);
        } else {
            self.scan(file, scanner);
        }
    }

    fn scan(&self, file: &Path, scanner: &mut Scanner<'_>) {
        if (self.search.is_forbidden)(file) {
            self.looked.store(true, Ordering::Relaxed);
            return self.found().skip(file.to_owned(), Skip::Forbidden);
        }
        let scan = match self.search.seen.get(file) {
            None => scanner.disk(file),
            Some(Some(text)) => scanner.text(text),
            Some(None) => return,
        };
        self.looked.store(true, Ordering::Relaxed);
        match scan {
            Ok(Scan::Text(hits)) if hits.hits.is_empty() => {}
            Ok(Scan::Text(hits)) => self.add(file, hits),
            Ok(Scan::Binary) => self.binary.store(true, Ordering::Relaxed),
            // Gone since the walk saw it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                self.found().skip(file.to_owned(), Skip::Unreadable(error.to_string()));
            }
        }
    }

    fn add(&self, file: &Path, hits: Hits) {
        let mut found = self.found();
        found.add(file.to_owned(), hits);
        self.full.store(found.is_full(), Ordering::Relaxed);
    }

    fn unreadable(&self, error: ignore::Error) {
        // A bad line in an ignore file has no path of something to search.
        let Some(reason) = error.io_error().map(ToString::to_string) else { return };
        if let Some(path) = path_of(&error) {
            self.found().skip(path.to_owned(), Skip::Unreadable(reason));
        }
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}
