//! Every place where some lines are, whatever it is that makes two lines equal.

use std::iter;

use memchr::memmem;

use super::{query::Found, view::View};
use crate::Edit;

/// How lines are compared: equal ones have equal hashes.
pub(super) type Equality = (fn(&str) -> u64, fn(&str, &str) -> bool);

/// Where some lines are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Windows {
    /// The first line (from 0) of each place, ascending; none overlaps another.
    pub lines: Vec<usize>,
    /// The first line of one that overlaps.
    pub overlap: Option<usize>,
}

impl Windows {
    /// What to replace there; `edit` makes one of the first line of a place.
    pub(super) fn found(self, view: &View, edit: impl Fn(usize) -> Edit) -> Found {
        let start = |line: usize| view.raw(view.span(line..line + 1)).start;
        Found {
            edits: self.lines.into_iter().map(edit).collect(),
            overlap: self.overlap.map(start),
        }
    }
}

/// So many lines are compared where the anchor is; if that is not enough, all lines are read once.
const MOST_COMPARED: usize = 1 << 20;

/// Every place where lines equal to `olds` are. `anchor` is a piece of one of them (by its number)
/// that is in every line equal to it: only where it is need lines be compared. Takes time linear in
/// both texts.
pub(super) fn windows(
    view: &View,
    olds: &[&str],
    anchor: Option<(usize, &str)>,
    equality: Equality,
) -> Windows {
    search(view, olds, anchor, equality, MOST_COMPARED)
}

fn search(
    view: &View,
    olds: &[&str],
    anchor: Option<(usize, &str)>,
    equality: Equality,
    most: usize,
) -> Windows {
    let Some(last) = view.count().checked_sub(olds.len()).filter(|_| !olds.is_empty()) else {
        return Windows::default();
    };
    let mut lines = Lines::new(view, olds, equality, most);
    let near_anchors = candidates(view, anchor).take_while(|&line| line <= last);
    if let Some(found) = collected(near_anchors, olds.len(), |line| lines.are_at(line)) {
        return found;
    }
    let everywhere = lines.everywhere().into_iter();
    collected(everywhere, olds.len(), |line| Some(lines.are_same(line))).unwrap_or_default()
}

/// Those of some lines at which a place of `len` lines is; `None` as soon as there is no saying.
fn collected(
    lines: impl Iterator<Item = usize>,
    len: usize,
    mut is_place: impl FnMut(usize) -> Option<bool>,
) -> Option<Windows> {
    let mut found = Windows::default();
    let mut free = 0;
    for line in lines {
        // One overlapping match is enough to know, so that no line is compared again and again.
        if (line < free && found.overlap.is_some()) || !is_place(line)? {
            continue;
        }
        if line >= free {
            found.lines.push(line);
            free = line + len;
        } else {
            found.overlap = Some(line);
        }
    }
    Some(found)
}

/// Where such lines may start, ascending, each once.
fn candidates<'a>(
    view: &'a View,
    anchor: Option<(usize, &'a str)>,
) -> Box<dyn Iterator<Item = usize> + 'a> {
    let Some((offset, piece)) = anchor else { return Box::new(0..view.count()) };
    let mut places = memmem::find_iter(view.text.as_bytes(), piece);
    let mut before = None;
    Box::new(iter::from_fn(move || {
        loop {
            let line = view.line_of(places.next()?);
            let again = before.replace(line) == Some(line);
            if let Some(first) = line.checked_sub(offset).filter(|_| !again) {
                return Some(first);
            }
        }
    }))
}

/// The lines of a view, hashed as far as they were looked at.
struct Lines<'a> {
    view: &'a View,
    olds: &'a [&'a str],
    key: Vec<u64>,
    /// 0: not looked at yet.
    hashes: Vec<u64>,
    equality: Equality,
    /// How many lines may still be compared.
    left: usize,
}

impl<'a> Lines<'a> {
    fn new(view: &'a View, olds: &'a [&'a str], equality: Equality, left: usize) -> Self {
        let key = olds.iter().map(|line| equality.0(line).max(1)).collect();
        Self { view, olds, key, hashes: vec![0; view.count()], equality, left }
    }

    fn hash(&mut self, line: usize) -> u64 {
        if self.hashes[line] == 0 {
            self.hashes[line] = self.equality.0(self.view.line(line)).max(1);
        }
        self.hashes[line]
    }

    /// `None` if too much was compared.
    fn are_at(&mut self, first: usize) -> Option<bool> {
        for i in 0..self.key.len() {
            self.left = self.left.checked_sub(1)?;
            if self.hash(first + i) != self.key[i] {
                return Some(false);
            }
        }
        Some(self.are_same(first))
    }

    fn are_same(&self, first: usize) -> bool {
        let there = |i: usize| self.view.line(first + i);
        self.olds.iter().enumerate().all(|(i, old)| self.equality.1(old, there(i)))
    }

    /// Every line at which the hashes are those of the old lines (Knuth, Morris and Pratt).
    fn everywhere(&mut self) -> Vec<usize> {
        let borders = borders(&self.key);
        let mut found = Vec::new();
        let mut matched = 0;
        for line in 0..self.hashes.len() {
            let hash = self.hash(line);
            while matched > 0 && self.key.get(matched) != Some(&hash) {
                matched = borders[matched - 1];
            }
            matched += usize::from(self.key[matched] == hash);
            if matched == self.key.len() {
                found.push(line + 1 - matched);
                matched = borders[matched - 1];
            }
        }
        found
    }
}

/// For each start of the key, how much of it is its end too.
fn borders(key: &[u64]) -> Vec<usize> {
    let mut borders = vec![0; key.len()];
    let mut matched = 0;
    for i in 1..key.len() {
        while matched > 0 && key[matched] != key[i] {
            matched = borders[matched - 1];
        }
        matched += usize::from(key[matched] == key[i]);
        borders[i] = matched;
    }
    borders
}

/// FNV-1a of some words. Only to look at fewer lines: what has one hash is compared.
pub(super) fn hashed(words: impl Iterator<Item = impl AsRef<str>>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for word in words {
        word.as_ref().bytes().for_each(&mut add);
        add(b' ');
    }
    hash
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        Text,
        locate::{view::LfLines, whitespace},
    };

    fn equal(line: &str) -> u64 {
        hashed(std::iter::once(line))
    }

    proptest! {
        #[test]
        fn an_anchor_changes_nothing(file in "([ab]{0,2}\n){0,12}", old in "([ab]{0,2}\n){1,4}") {
            let text = Text::from(file);
            let view = View::new(&text);
            let olds: Vec<&str> = old.lines_lf().collect();
            let equality: Equality = (equal, |a, b| a == b);
            let anchor = whitespace::anchor(&olds);
            if anchor.is_none() {
                return Ok(());
            }
            let want = windows(&view, &olds, None, equality);
            prop_assert_eq!(windows(&view, &olds, anchor, equality), want);
        }

        #[test]
        fn neither_does_giving_up(file in "(a\n|b\n){0,16}", old in "(a\n|b\n){1,5}", most in 0usize..20) {
            let text = Text::from(file);
            let view = View::new(&text);
            let olds: Vec<&str> = old.lines_lf().collect();
            let equality: Equality = (equal, |a, b| a == b);
            let want = windows(&view, &olds, None, equality);
            prop_assert_eq!(search(&view, &olds, None, equality, most), want);
        }
    }
}
