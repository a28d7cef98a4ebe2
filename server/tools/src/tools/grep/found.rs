//! The first matches by the order of paths, whatever the order in which they are found.
//!
//! A parallel walk meets the files in a different order each time. Kept are the matches of the
//! smallest paths, one more than are shown: once there are so many, a file or folder behind the
//! last of them can't change the result and need not be looked at. So the result is that of a
//! sorted search of everything, and memory is bounded.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Seed 000, Grep, MAX_TOTAL_RESULTS.
pub(super) const MAX_TOTAL: usize = 100;
/// Paths that could not be searched: more are only known to be more.
const MAX_SKIPPED: usize = 1_000;

/// One matching line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    /// From 1.
    pub line: u64,
    /// As it is shown.
    pub text: String,
}

/// The matches of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Hits {
    /// In the file's order; at most as many as are shown of one file.
    pub hits: Vec<Hit>,
    /// There are more.
    pub more: bool,
}

/// Why something was not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Skip {
    /// A file with secrets.
    Secret,
    /// A rule of the user's or the repository's rejects it.
    Forbidden,
    /// The operating system's words.
    Unreadable(String),
}

/// See the module's page.
#[derive(Debug, Default)]
pub(super) struct Found {
    files: BTreeMap<PathBuf, Hits>,
    total: usize,
    skipped: BTreeMap<PathBuf, Skip>,
}

impl Found {
    /// Adds the matches of a file.
    pub fn add(&mut self, file: PathBuf, hits: Hits) {
        // A proposed file that is written meanwhile is found twice.
        if hits.hits.is_empty() || self.is_behind(&file) || self.files.contains_key(&file) {
            return;
        }
        self.total += hits.hits.len();
        self.files.insert(file, hits);
        while let Some(last) = self.files.last_entry() {
            let without = self.total - last.get().hits.len();
            if without <= MAX_TOTAL {
                break;
            }
            last.remove();
            self.total = without;
        }
    }

    /// Remembers what was not searched.
    pub fn skip(&mut self, path: PathBuf, why: Skip) {
        self.skipped.insert(path, why);
        if self.skipped.len() > MAX_SKIPPED {
            self.skipped.pop_last();
        }
    }

    /// There are more matches than are shown.
    pub fn is_full(&self) -> bool {
        self.total > MAX_TOTAL
    }

    /// Nothing at or below this path can change the result.
    pub fn is_behind(&self, path: &Path) -> bool {
        self.is_full() && self.files.last_key_value().is_some_and(|(last, _)| path > last)
    }

    /// The matches to show, in order; the last file's may be cut.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[Hit])> {
        let mut left = MAX_TOTAL;
        self.files.iter().map(move |(file, hits)| {
            let shown = &hits.hits[..hits.hits.len().min(left)];
            left -= shown.len();
            (file.as_path(), shown)
        })
    }

    /// Shown files with more matches than are shown, but for the one where the list ends.
    pub fn longer(&self) -> impl Iterator<Item = &Path> {
        let last = self.files.keys().next_back().filter(|_| self.is_full());
        let longer = self.files.iter().filter(move |(file, it)| it.more && Some(*file) != last);
        longer.map(|(file, _)| file.as_path())
    }

    /// What was not searched, as far as the result goes.
    pub fn skipped(&self) -> impl Iterator<Item = (&Path, &Skip)> {
        let there = self.skipped.iter().filter(|(path, _)| !self.is_behind(path));
        there.map(|(path, why)| (path.as_path(), why))
    }

    /// Nothing matched.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hits(count: usize) -> Hits {
        let hit = |n| Hit { line: n as u64 + 1, text: String::new() };
        Hits { hits: (0..count).map(hit).collect(), more: false }
    }

    fn shown(found: &Found) -> Vec<(PathBuf, usize)> {
        found.files().map(|(file, hits)| (file.to_owned(), hits.len())).collect()
    }

    /// Searches in this order, with what the result allows left out.
    fn search(files: &[(PathBuf, usize)]) -> Found {
        let mut found = Found::default();
        for (file, count) in files {
            if !found.is_behind(file) {
                found.add(file.clone(), hits(*count));
            }
            found.skip(file.with_extension("pem"), Skip::Secret);
        }
        found
    }

    #[test]
    fn exactly_as_many_as_are_shown_are_not_too_many() {
        let files: Vec<(PathBuf, usize)> =
            (0..10).map(|n| (PathBuf::from(format!("{n}")), 10)).collect();
        let found = search(&files);
        assert!(!found.is_full());
        assert_eq!(shown(&found), files);
    }

    #[test]
    fn a_file_that_is_found_twice_counts_once() {
        let found = search(&vec![(PathBuf::from("a"), 10); 11]);
        assert!(!found.is_full());
    }

    #[test]
    fn folders_behind_the_last_match_are_left_out() {
        let files: Vec<(PathBuf, usize)> =
            (0..11).map(|n| (PathBuf::from(format!("b/{n:02}/x")), 10)).collect();
        let found = search(&files);
        let check = |path: &str, want| assert_eq!(found.is_behind(Path::new(path)), want, "{path}");
        check("b", false);
        check("b/10", false);
        check("b/10/w", false);
        check("b/10/y", true);
        check("b/11", true);
        check("b-", true);
        check("a", false);
        check("c", true);
    }

    proptest! {
        #[test]
        fn the_order_of_the_search_changes_nothing(
            files in proptest::collection::btree_map("[a-c]{1,2}(/[a-d]{1,3}){0,2}", 0usize..=10, 0..60),
            seed in any::<u64>(),
        ) {
            let files: Vec<_> =
                files.into_iter().map(|(name, count)| (PathBuf::from(name), count)).collect();
            let mut mixed = files.clone();
            let key = |it: &(PathBuf, usize)| {
                it.0.to_string_lossy().bytes().fold(seed, |sum, byte| {
                    (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3).rotate_left(29)
                })
            };
            mixed.sort_by_key(key);
            let mut sorted = files;
            sorted.sort();
            let mut left = MAX_TOTAL;
            let mut want = Vec::new();
            for (file, count) in sorted.iter().filter(|(_, count)| *count > 0) {
                if left > 0 {
                    want.push((file.clone(), left.min(*count)));
                }
                left = left.saturating_sub(*count);
            }
            let total: usize = sorted.iter().map(|(_, count)| count).sum();
            let found = search(&mixed);
            let got: Vec<_> = shown(&found).into_iter().filter(|(_, count)| *count > 0).collect();
            prop_assert_eq!(got, want);
            prop_assert_eq!(found.is_full(), total > MAX_TOTAL);
            let all = |found: &Found| {
                found.skipped().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(all(&found), all(&search(&sorted)));
        }
    }
}
