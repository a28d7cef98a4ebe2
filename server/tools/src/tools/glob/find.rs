//! The files of a place that a pattern takes.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::paths::Pattern;
use crate::tools::files::{Files, Place, Seen, Visitor};

/// What to look for, and where.
pub(in crate::tools) struct Find<'a> {
    pub pattern: &'a Pattern,
    pub place: &'a Place,
    pub seen: &'a Seen,
    /// Hidden files and folders count too.
    pub hidden: bool,
    /// Ends the search; what was found by then is returned.
    pub stop: &'a AtomicBool,
}

impl Find<'_> {
    /// All of them, each made into what is wanted of it by one of several threads, in no order. A
    /// proposed file that is written meanwhile may come twice.
    pub fn all<T: Send>(&self, wanted: impl Fn(PathBuf) -> T + Sync) -> Vec<T> {
        let mut all: Vec<T> = self.only_seen().map(&wanted).collect();
        if self.place.real.is_dir() {
            let finding = Finding { find: self, wanted: &wanted };
            let found = self.place.walk(self.hidden, self.stop).run(&finding);
            all.extend(found.into_iter().flat_map(|own| own.found));
        }
        all
    }

    fn only_seen(&self) -> impl Iterator<Item = PathBuf> {
        let files = self.seen.only_here().map(|(file, _)| file);
        files.filter(|file| self.pattern.takes(file) && self.place.reaches(file, self.hidden))
    }
}

struct Finding<'a, F> {
    find: &'a Find<'a>,
    wanted: &'a F,
}

/// Of one thread.
struct Own<T> {
    found: Vec<T>,
    /// Holds one relative path after the other.
    inside: PathBuf,
}

impl<T: Send, F: Fn(PathBuf) -> T + Sync> Visitor for Finding<'_, F> {
    type Own = Own<T>;

    fn own(&self) -> Own<T> {
        Own { found: Vec::new(), inside: PathBuf::new() }
    }

    fn enters(&self, folder: &Path) -> bool {
        self.find.pattern.enters(folder)
    }

    fn files(&self, files: &Files<'_>, own: &mut Own<T>) {
        if self.find.stop.load(Ordering::Relaxed) {
            return;
        }
        let Find { pattern, seen, .. } = self.find;
        let seen = seen.folder(files.folder);
        let is_gone = |name: &OsStr| seen.is_some_and(|seen| seen.get(name) == Some(&None));
        // Most have none of them, and the folder's path takes longer than the names.
        let mut names = files.names().filter(|name| pattern.may_take(name)).peekable();
        if names.peek().is_none() {
            return;
        }
        let folder = pattern.inside(files.folder);
        for name in names {
            own.inside.clear();
            own.inside.push(folder);
            own.inside.push(name);
            if pattern.takes_inside(&own.inside) && !is_gone(name) {
                own.found.push((self.wanted)(files.folder.join(name)));
            }
        }
    }

    /// What can't be read has no files to list.
    fn unreadable(&self, _: &Path, _: &std::io::Error) {}
}

/// In the order of paths: as by components, which is that of bytes with `/` before all others.
pub(in crate::tools) fn sort(files: &mut [PathBuf]) {
    let key = |file: &PathBuf| {
        let bytes = file.as_os_str().as_encoded_bytes().iter();
        let is_separator = |byte: u8| std::path::is_separator(char::from(byte));
        bytes.map(|byte| if is_separator(*byte) { 0 } else { *byte }).collect::<Vec<u8>>()
    };
    files.sort_by_cached_key(key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_paths(
            names in proptest::collection::vec("/[a!-]{1,2}(/[a!é-]{1,2}){0,3}", 0..20),
        ) {
            let mut files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            let mut want = files.clone();
            want.sort();
            sort(&mut files);
            prop_assert_eq!(files, want);
        }
    }
}
