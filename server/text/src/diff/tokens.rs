//! Diffs inside lines: by words, then by chars.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use super::{anchors::whole, line_edits};
use crate::{
    Edit, Text,
    edit::{common_prefix, common_suffix},
};

/// The smallest changes that turn `old` into `new`: lines first, inside them words, inside those
/// the chars that both share at the ends are left out. Ascending, apart from each other, on char
/// boundaries, never between CR and LF.
pub fn char_edits(old: &Text, new: &Text) -> Vec<Edit> {
    line_edits(old, new).iter().flat_map(|edit| refine(edit, old)).collect()
}

fn refine(edit: &Edit, old: &Text) -> Vec<Edit> {
    let base = edit.range.start;
    let text = old.slice(edit.range.clone());
    let pieces = TokenDiff::new(&text, &edit.new).changes();
    let shifted = |(old, new): (Range<usize>, Range<usize>)| {
        Edit::new(base + old.start..base + old.end, &edit.new[new])
    };
    pieces.into_iter().map(|piece| shifted(piece).trimmed(old)).collect()
}

/// The byte ranges of `old` and of `new` that a word diff shows as changed: for emphasis inside a
/// changed line. Ranges that only white space keeps apart are one.
pub fn words(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let changes = TokenDiff::new(old, new).changes();
    let (olds, news): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
    (joined(old, olds), joined(new, news))
}

fn joined(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges.into_iter().filter(|r| !r.is_empty()) {
        match out.last_mut() {
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => out.push(range),
        }
    }
    out
}

/// How many tokens of both sides are compared at most: beyond it, all is one change. Time and the
/// number of edits stay small then, and nobody reads such a line word by word.
const MOST_TOKENS: usize = 20_000;

struct TokenDiff {
    /// The byte, in both, where the tokens start: what comes before is equal.
    start: usize,
    old: Vec<usize>,
    new: Vec<usize>,
    ops: Vec<DiffOp>,
}

impl TokenDiff {
    fn new(old: &str, new: &str) -> Self {
        let start = equal_start(old, new);
        let (old, new) = (&old[start..], &new[start..]);
        let end = equal_end(old, new);
        let (a, b) = (tokens(&old[..old.len() - end]), tokens(&new[..new.len() - end]));
        let ops = match a.len() + b.len() {
            0..MOST_TOKENS => capture_diff_slices(Algorithm::Myers, &a, &b),
            _ => vec![whole(0..a.len(), 0..b.len())],
        };
        Self { start, old: ends(&a), new: ends(&b), ops }
    }

    /// Pairs of byte ranges, old and new, that differ.
    fn changes(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let bytes =
            |ends: &[usize], r: Range<usize>| ends[r.start] + self.start..ends[r.end] + self.start;
        let changed = self.ops.iter().filter(|op| op.tag() != DiffTag::Equal);
        changed
            .map(|op| (bytes(&self.old, op.old_range()), bytes(&self.new, op.new_range())))
            .collect()
    }
}

/// Bytes of the tokens that both texts start with.
fn equal_start(a: &str, b: &str) -> usize {
    let shared = common_prefix(a, b);
    let head = a[..shared].trim_end_matches(|c| goes_on(c, [&a[shared..], &b[shared..]]));
    head.len()
}

/// Whether a char is in one token with the one that one of the texts starts with.
fn goes_on(c: char, next: [&str; 2]) -> bool {
    let same = |next: &str| next.chars().next().is_some_and(|n| class(n) == class(c));
    class(c) != Class::Single && next.into_iter().any(same)
}

/// Bytes of the tokens that both texts, which start with different ones, end with.
fn equal_end(a: &str, b: &str) -> usize {
    let shared = common_suffix(a, b);
    let (heads, tail) = ([&a[..a.len() - shared], &b[..b.len() - shared]], &a[a.len() - shared..]);
    let last = |head: &str| head.chars().next_back();
    let comes_from = |c: char| {
        let same = |head: &str| last(head).is_some_and(|l| class(l) == class(c));
        class(c) != Class::Single && heads.into_iter().any(same)
    };
    tail.trim_start_matches(comes_from).len()
}

fn ends(tokens: &[&str]) -> Vec<usize> {
    let sums = tokens.iter().scan(0, |sum, token| {
        *sum += token.len();
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Word,
    Blank,
    Single,
}

fn class(c: char) -> Class {
    match c {
        '\r' | '\n' => Class::Single,
        c if c.is_alphanumeric() || c == '_' => Class::Word,
        c if c.is_whitespace() => Class::Blank,
        _ => Class::Single,
    }
}

/// Words, runs of blanks, CR LF pairs, and all other chars one by one.
fn tokens(mut s: &str) -> Vec<&str> {
    let mut out = Vec::new();
    while let Some(first) = s.chars().next() {
        let len = match class(first) {
            Class::Single if s.starts_with("\r\n") => 2,
            Class::Single => first.len_utf8(),
            run => s.find(|c| class(c) != run).unwrap_or(s.len()),
        };
        let (token, rest) = s.split_at(len);
        out.push(token);
        s = rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use proptest::prelude::*;

    fn check(old: &str, new: &str, want: &[(Range<usize>, &str)]) {
        let want: Vec<Edit> = want.iter().map(|(r, s)| Edit::new(r.clone(), *s)).collect();
        assert_eq!(char_edits(&Text::from(old), &Text::from(new)), want);
    }

    #[test]
    fn edits_inside_lines() {
        check("let count = 1;\n", "let counts = 2;\n", &[(9..9, "s"), (12..13, "2")]);
        check("a\nb\n", "a\r\nb\n", &[(1..2, "\r\n")]);
        check("é\n", "è\n", &[(0..2, "è")]);
        check("a\nb\n", "a\nx\nb\n", &[(2..2, "x\n")]);
    }

    fn check_words(old: &str, new: &str, want_old: &[&str], want_new: &[&str]) {
        let (olds, news) = words(old, new);
        assert_eq!(olds.iter().map(|r| &old[r.clone()]).collect::<Vec<_>>(), want_old);
        assert_eq!(news.iter().map(|r| &new[r.clone()]).collect::<Vec<_>>(), want_new);
    }

    #[test]
    fn emphasis_is_by_words() {
        check_words("return a + b;", "return a - b;", &["+"], &["-"]);
        check_words("one two three", "four five three", &["one two"], &["four five"]);
        check_words("f(x)", "f(x, y)", &[], &[", y"]);
        check_words("same", "same", &[], &[]);
        check_words("foo", "foofoo", &["foo"], &["foofoo"]);
        check_words("ab", "a,b", &["ab"], &["a,b"]);
        check_words("x  = 1", "x = 1", &["  "], &[" "]);
        check_words("let a1 = b;", "let a2 = b;", &["a1"], &["a2"]);
        check_words("a.b.c", "a.b", &[".c"], &[]);
    }

    #[test]
    fn a_word_of_a_line_with_a_million_is_found() {
        let line = |word: &str| format!("{0}{word}{0}", "a b;".repeat(250_000));
        let (old, new) = (line("<old>"), line("<new>"));
        check_words(&old, &new, &["old"], &["new"]);
    }

    proptest! {
        #[test]
        fn applying_the_edits_gives_the_new_text(old in sample(), new in sample()) {
            let (before, after) = (Text::from(old.as_str()), Text::from(new.as_str()));
            let edits = char_edits(&before, &after);
            prop_assert!(edits.windows(2).all(|w| w[0].range.end <= w[1].range.start));
            for at in edits.iter().flat_map(|e| [e.range.start, e.range.end]) {
                prop_assert!(!(old[..at].ends_with('\r') && old[at..].starts_with('\n')));
            }
            let mut applied = before.clone();
            applied.apply_all(&edits);
            prop_assert_eq!(applied, after);
        }

        #[test]
        fn spans_lie_inside_their_texts(old in sample(), new in sample()) {
            let (olds, news) = words(&old, &new);
            prop_assert!(olds.into_iter().all(|r| old.get(r).is_some()));
            prop_assert!(news.into_iter().all(|r| new.get(r).is_some()));
        }
    }
}
