//! The first matches by the order of paths, whatever the order in which they are found.
//!
//! Several threads meet the files in a different order each time. Kept are the matches of the
//! smallest paths, one more than are shown: once there are so many, a file or folder behind the
//! last of them can't change the result and need not be looked at. So the result is that of a
//! sorted search of everything, and memory is bounded.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Paths that could not be searched: more are only known to be more.
const MAX_SKIPPED: usize = 1_000;

/// A line of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) enum Hit {
    /// It matches.
    Match(Line),
    /// It stands before or after one that does.
    Context(Line),
    /// Lines are left out here.
    Break,
}

/// A line as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Line {
    /// From 1.
    pub number: u64,
    /// Without its end; long ones are cut.
    pub text: String,
}

/// The matches of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::tools) struct Hits {
    /// In the file's order; only as many as are wanted of one file.
    pub hits: Vec<Hit>,
    /// Lines that match, as far as they were counted.
    pub count: u64,
    /// There are more.
    pub more: bool,
}

impl Hits {
    /// Up to and with the match of that number.
    fn first(&self, matches: usize) -> &[Hit] {
        let is_match = |(_, hit): &(usize, &Hit)| matches!(hit, Hit::Match(_));
        let next = self.hits.iter().enumerate().filter(is_match).nth(matches);
        let Some((next, _)) = next else { return &self.hits };
        let shown = self.hits.get(..next).unwrap_or_default();
        let last = shown.iter().rposition(|hit| matches!(hit, Hit::Match(_)));
        shown.get(..last.map_or(0, |last| last + 1)).unwrap_or_default()
    }
}

/// Why something was not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) enum Skip {
    /// A file with secrets.
    Secret,
    /// A rule of the user's or the repository's rejects it.
    Forbidden,
    /// The operating system's words.
    Unreadable(String),
}

/// What counts towards the limit of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum Unit {
    /// Lines that match.
    Lines,
    /// Files with at least one.
    Files,
}

impl Unit {
    fn weight(self, hits: &Hits) -> usize {
        match self {
            Unit::Files => 1,
            Unit::Lines => hits.hits.iter().filter(|hit| matches!(hit, Hit::Match(_))).count(),
        }
    }
}

/// See the module's page.
#[derive(Debug)]
pub(in crate::tools) struct Found {
    limit: usize,
    unit: Unit,
    files: BTreeMap<PathBuf, Hits>,
    total: usize,
    skipped: BTreeMap<PathBuf, Skip>,
}

impl Found {
    /// Nothing; `limit` of them will be shown.
    pub fn new(limit: usize, unit: Unit) -> Self {
        Self { limit, unit, files: BTreeMap::new(), total: 0, skipped: BTreeMap::new() }
    }

    /// Adds the matches of a file.
    pub fn add(&mut self, file: PathBuf, hits: Hits) {
        // A proposed file that is written meanwhile is found twice.
        if hits.count == 0 || self.is_behind(&file) || self.files.contains_key(&file) {
            return;
        }
        self.total += self.unit.weight(&hits);
        self.files.insert(file, hits);
        while let Some(last) = self.files.last_entry() {
            let without = self.total - self.unit.weight(last.get());
            if without <= self.limit {
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
        self.total > self.limit
    }

    /// Nothing at or below this path can change the result.
    pub fn is_behind(&self, path: &Path) -> bool {
        self.is_full() && self.files.last_key_value().is_some_and(|(last, _)| path > last)
    }

    /// The files to show, in order; the last one's lines may be cut.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &Hits, &[Hit])> {
        let mut left = self.limit;
        self.files.iter().map_while(move |(file, hits)| {
            let shown = match self.unit {
                Unit::Lines => hits.first(left),
                Unit::Files => &hits.hits,
            };
            let is_shown = left > 0;
            left = left.saturating_sub(self.unit.weight(hits));
            is_shown.then_some((file.as_path(), hits, shown))
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

    const LIMIT: usize = 100;

    fn hits(count: usize) -> Hits {
        let hit = |n| Hit::Match(Line { number: n as u64 + 1, text: String::new() });
        Hits { hits: (0..count).map(hit).collect(), count: count as u64, more: false }
    }

    fn shown(found: &Found) -> Vec<(PathBuf, usize)> {
        found.files().map(|(file, _, hits)| (file.to_owned(), hits.len())).collect()
    }

    /// Searches in this order, with what the result allows left out.
    fn search(files: &[(PathBuf, usize)]) -> Found {
        let mut found = Found::new(LIMIT, Unit::Lines);
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
    fn files_can_be_what_is_counted() {
        let mut found = Found::new(2, Unit::Files);
        for name in ["c", "a", "b"] {
            found.add(name.into(), hits(50));
        }
        assert!(found.is_full());
        assert_eq!(shown(&found), [("a".into(), 50), ("b".into(), 50)]);
    }

    #[test]
    fn a_cut_ends_with_a_match() {
        let line = |number| Line { number, text: String::new() };
        let (one, two, context) = (Hit::Match(line(2)), Hit::Match(line(9)), Hit::Context(line(3)));
        let hits = vec![one.clone(), context.clone(), Hit::Break, context.clone(), two.clone()];
        let hits = Hits { hits, count: 2, more: false };
        assert_eq!(hits.first(2), hits.hits);
        assert_eq!(hits.first(1), [one]);
        assert_eq!(hits.first(0), []);
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
            let mut left = LIMIT;
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
            prop_assert_eq!(found.is_full(), total > LIMIT);
            let all = |found: &Found| {
                found.skipped().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(all(&found), all(&search(&sorted)));
        }
    }
}
