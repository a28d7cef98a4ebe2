//! The search of a place: the disk in parallel, and what the thread sees otherwise than the disk.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use grep_regex::RegexMatcher;
use redline_permissions::guards::is_secret_file;

use super::{
    found::{Found, Skip},
    scan::{Scan, Scanner, Wanted},
};
use crate::tools::files::{Files, Globs, Place, Seen, Visitor};

/// What to search for, and where.
pub(in crate::tools) struct Search<'a> {
    pub matcher: &'a RegexMatcher,
    pub wanted: Wanted,
    pub place: &'a Place,
    pub filter: &'a Filter,
    pub seen: &'a Seen,
    pub sieve: &'a dyn Sieve,
    /// Whether a rule forbids a file.
    pub is_forbidden: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Ends the search; what was found by then is returned.
    pub stop: &'a AtomicBool,
}

/// Which files of a folder are searched.
#[derive(Debug, Default)]
pub(in crate::tools) struct Filter {
    pub globs: Option<Globs>,
    /// Kinds of files, by their names.
    pub types: Option<ignore::types::Types>,
}

impl Filter {
    fn takes(&self, file: &Path) -> bool {
        let is_of = |types: &ignore::types::Types| types.matched(file, false).is_whitelist();
        self.globs.as_ref().is_none_or(|globs| globs.takes(file))
            && self.types.as_ref().is_none_or(is_of)
    }

    fn enters(&self, folder: &Path) -> bool {
        self.globs.as_ref().is_none_or(|globs| globs.enters(folder))
    }

    fn hidden(&self) -> bool {
        self.globs.as_ref().is_some_and(|globs| globs.hidden)
    }
}

/// The seam for an index: whether a file on the disk can have a match, asked before it is opened. A
/// false yes costs time, a false no a match; so an index must know whether its file has changed.
pub(in crate::tools) trait Sieve: Sync {
    /// See above.
    fn may_match(&self, file: &Path) -> bool;
}

/// No index: any file can.
pub(in crate::tools) struct NoIndex;

impl Sieve for NoIndex {
    fn may_match(&self, _: &Path) -> bool {
        true
    }
}

/// What came of a search, of one place or of several.
pub(in crate::tools) struct Outcome {
    found: Mutex<Found>,
    /// `found` is full; so that most files need not lock it.
    full: AtomicBool,
    looked: AtomicBool,
    binary: AtomicBool,
}

/// The same when all is done.
#[derive(Debug)]
pub(in crate::tools) struct Done {
    pub found: Found,
    /// A file was searched, or left out for what it is.
    pub looked: bool,
    /// A file was binary.
    pub binary: bool,
}

impl Outcome {
    /// Nothing yet.
    pub fn new(found: Found) -> Self {
        let flag = || AtomicBool::new(false);
        Self { found: Mutex::new(found), full: flag(), looked: flag(), binary: flag() }
    }

    /// Nothing more.
    pub fn done(self) -> Done {
        Done {
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

    fn skip(&self, path: &Path, why: Skip) {
        self.found().skip(path.to_owned(), why);
    }
}

impl Search<'_> {
    /// Searches the files of a folder.
    pub fn folder(&self, outcome: &Outcome) {
        let running = Running { search: self, outcome };
        running.only_seen();
        if self.place.real.is_dir() {
            self.place.walk(self.filter.hidden(), self.stop).run(&running);
        }
    }

    /// Searches one file, whatever it is called.
    pub fn file(&self, outcome: &Outcome) {
        let running = Running { search: self, outcome };
        running.scan(&self.place.real, &mut running.own().scanner);
    }
}

struct Running<'a> {
    search: &'a Search<'a>,
    outcome: &'a Outcome,
}

/// Of one thread.
struct Own<'a> {
    scanner: Scanner<'a>,
    /// Holds one path after the other.
    path: PathBuf,
}

impl<'a> Visitor for Running<'a> {
    type Own = Own<'a>;

    fn own(&self) -> Own<'a> {
        let Search { matcher, wanted, stop, .. } = self.search;
        Own { scanner: Scanner::new(matcher, *wanted, stop), path: PathBuf::new() }
    }

    fn enters(&self, folder: &Path) -> bool {
        self.search.filter.enters(folder) && !self.outcome.is_behind(folder)
    }

    fn files(&self, files: &Files<'_>, own: &mut Own<'a>) {
        let mut path = std::mem::take(&mut own.path);
        for name in files.names() {
            if self.search.stop.load(Ordering::Relaxed) {
                break;
            }
            path.clear();
            path.push(files.folder);
            path.push(name);
            if self.search.filter.takes(&path) && !self.outcome.is_behind(&path) {
                self.guarded(&path, &mut own.scanner);
            }
        }
        own.path = path;
    }

    fn unreadable(&self, folder: &Path, why: &std::io::Error) {
        self.outcome.skip(folder, Skip::Unreadable(why.to_string()));
    }
}

impl<'a> Running<'a> {
    fn only_seen(&self) {
        let mut own = self.own();
        for (file, _) in self.search.seen.only_here() {
            if self.search.filter.takes(&file) && self.is_reached(&file) {
                self.guarded(&file, &mut own.scanner);
            }
        }
    }

    /// Whether the walk would come to a file that is not on the disk.
    fn is_reached(&self, file: &Path) -> bool {
        let Search { place, filter, .. } = self.search;
        let inside = |folder: &&Path| folder.starts_with(&place.real);
        let mut folders = file.ancestors().skip(1).take_while(inside);
        folders.all(|folder| filter.enters(folder)) && place.reaches(file, filter.hidden())
    }

    /// DESIGN, section 5, "Guards".
    fn guarded(&self, file: &Path, scanner: &mut Scanner<'a>) {
        if is_secret_file(file) {
            self.outcome.looked.store(true, Ordering::Relaxed);
            self.outcome.skip(file, Skip::Secret);
        } else {
            self.scan(file, scanner);
        }
    }

    fn scan(&self, file: &Path, scanner: &mut Scanner<'a>) {
        if (self.search.is_forbidden)(file) {
            self.outcome.looked.store(true, Ordering::Relaxed);
            return self.outcome.skip(file, Skip::Forbidden);
        }
        let scan = match self.search.seen.get(file) {
            Some(None) => return,
            Some(Some(text)) => scanner.text(text),
            None if !self.search.sieve.may_match(file) => return,
            None => scanner.disk(file),
        };
        self.outcome.looked.store(true, Ordering::Relaxed);
        match scan {
            Ok(Scan::Text(hits)) if hits.count == 0 => {}
            Ok(Scan::Text(hits)) => {
                let mut found = self.outcome.found();
                found.add(file.to_owned(), hits);
                self.outcome.full.store(found.is_full(), Ordering::Relaxed);
            }
            Ok(Scan::Binary) => self.outcome.binary.store(true, Ordering::Relaxed),
            // Gone since the walk saw it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.outcome.skip(file, Skip::Unreadable(error.to_string())),
        }
    }
}
