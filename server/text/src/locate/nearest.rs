//! The lines that are most like an old text that was not found: only ever shown, never edited.

use std::collections::{HashMap, HashSet};

use super::{
    hint::{Difference, Differing, Hint},
    view::{LfLines, View},
    whitespace::same,
};

/// How many places one old line may vote for: lines like `}` say little.
const MOST_VOTES: usize = 64;

/// The nearest lines, by equal lines, then by shared words; `None` if nothing is alike.
pub(super) fn find(view: &View, old: &str) -> Option<Hint> {
    let olds: Vec<&str> = old.trim_matches('\n').lines_lf().collect();
    let there: Vec<&str> = view.lines().collect();
    let start = by_lines(&there, &olds)
        .or_else(|| by_part(&there, &olds))
        .or_else(|| by_words(&there, &olds))?;
    Some(describe(&there, &olds, start))
}

fn describe(there: &[&str], olds: &[&str], start: usize) -> Hint {
    let end = (start + olds.len()).min(there.len());
    let pairs = || olds.iter().zip(&there[start..end]);
    let equal = pairs().filter(|(a, b)| same(a, b)).count();
    let offset = pairs().position(|(a, b)| !same(a, b)).unwrap_or(0);
    let line = (start + offset).min(end.saturating_sub(1));
    let (wanted, here) = (olds.get(offset).copied().unwrap_or(""), there[line]);
    let at = Differing {
        line: line + 1,
        difference: difference(wanted, here),
        there: here.to_owned(),
        wanted: wanted.to_owned(),
    };
    Hint::Nearest { first: start + 1, last: end.max(start + 1), equal, of: olds.len(), at }
}

/// The line (from 0) at which most of the old text, by length, is where it should be.
fn by_lines(there: &[&str], olds: &[&str]) -> Option<usize> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, line) in there.iter().enumerate() {
        places.entry(folded(line)).or_default().push(i);
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (j, old) in olds.iter().enumerate() {
        let key = folded(old);
        let weight = key.chars().filter(|c| c.is_alphanumeric()).count();
        let at = places.get(&key).filter(|_| weight > 1).into_iter().flatten();
        for start in at.take(MOST_VOTES).filter_map(|i| i.checked_sub(j)) {
            *votes.entry(start).or_default() += weight;
        }
    }
    votes.into_iter().max_by_key(|&(start, n)| (n, usize::MAX - start)).map(|(start, _)| start)
}

/// The line that holds an old text of one line, but for look-alikes.
fn by_part(there: &[&str], olds: &[&str]) -> Option<usize> {
    let [old] = olds else { return None };
    let key = folded(old);
    let telling = key.chars().count() > 2;
    there.iter().position(|line| telling && folded(line).contains(&key))
}

/// The place of the line that shares most words with the longest old line: at least half of them.
fn by_words(there: &[&str], olds: &[&str]) -> Option<usize> {
    let (j, longest) = olds.iter().enumerate().max_by_key(|(_, line)| line.trim().len())?;
    let wanted: HashSet<&str> = words(longest).collect();
    let shared = |line| words(line).filter(|w| wanted.contains(w)).collect::<HashSet<_>>().len();
    let scored = there.iter().enumerate().map(|(i, &line)| (shared(line), i));
    let (score, i) = scored.max_by_key(|&(n, i)| (n, usize::MAX - i))?;
    (score > 0 && 2 * score >= wanted.len()).then(|| i.saturating_sub(j))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

/// In what two lines differ.
pub(super) fn difference(a: &str, b: &str) -> Difference {
    let alike = |fold: fn(&str) -> String| {
        let (a, b) = (fold(a), fold(b));
        !a.is_empty() && !b.is_empty() && (a == b || b.contains(&a))
    };
    if alike(squeezed) {
        Difference::Whitespace
    } else if alike(|s| squeezed(s).chars().map(quote).collect()) {
        Difference::Quotes
    } else if alike(|s| squeezed(s).chars().map(quote).map(look).collect()) {
        Difference::Punctuation
    } else if alike(folded) {
        Difference::Case
    } else {
        Difference::Text
    }
}

fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

fn folded(line: &str) -> String {
    let chars = line.chars().filter(|c| !c.is_whitespace()).map(quote).map(look);
    chars.flat_map(char::to_lowercase).collect()
}

fn quote(c: char) -> char {
    if matches!(c, '"' | '`' | '´' | '‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»') {
        '\''
    } else {
        c
    }
}

fn look(c: char) -> char {
    match c {
        '‐'..='―' | '−' => '-',
        '…' => '.',
        '：' => ':',
        '，' => ',',
        '；' => ';',
        '（' => '(',
        '）' => ')',
        c => c,
    }
}
