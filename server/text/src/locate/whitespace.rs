//! The third stage: whole lines that are equal but for white space at their ends and for the
//! length and kind of the white space inside.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
};

use super::{
    Found, Query, endings,
    indent::reindented,
    view::{LfLines, View},
};
use crate::{Edit, eol::to_lf};

pub(super) fn find(query: &Query<'_>) -> Found {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let wanted = Wanted::new(&old, &new);
    let view = query.view();
    let hashes: Vec<u64> = view.lines().map(hash).collect();
    let found = wanted.find(query, &hashes);
    if !found.edits.is_empty() {
        return found;
    }
    let inner = wanted.without_outer_blank_lines();
    inner.map(|wanted| wanted.find(query, &hashes)).unwrap_or_default()
}

fn edit(query: &Query<'_>, wanted: &Wanted<'_>, first: usize) -> Edit {
    let view = query.view();
    let lines = first..first + wanted.old.len();
    let span = view.span(lines.clone());
    let there: Vec<&str> = lines.map(|line| view.line(line)).collect();
    // Not moved where it is already there, so that this is seen as nothing to do.
    let done = there.iter().copied().eq(wanted.new.lines_lf());
    let new = match done {
        true => wanted.new.to_owned(),
        false => reindented(&there, &wanted.old, wanted.new),
    };
    let (span, new) = wanted.ended(view, span, new);
    let range = view.raw(span);
    Edit::new(range.clone(), endings::localised(query, range, &new))
}

/// Old text cut into lines, and what to put there; line ends are LF.
struct Wanted<'a> {
    old: Vec<&'a str>,
    new: &'a str,
    /// Whether the old text ends with a line end: then the last line's goes with it.
    closed: bool,
}

impl<'a> Wanted<'a> {
    fn new(old: &'a str, new: &'a str) -> Self {
        Self { old: old.lines_lf().collect(), new, closed: old.ends_with('\n') }
    }

    /// Everywhere in the query's view, of whose lines these are the hashes.
    fn find(&self, query: &Query<'_>, hashes: &[u64]) -> Found {
        let view = query.view();
        let wanted: Vec<u64> = self.old.iter().map(|line| hash(line)).collect();
        let mut found = Found::default();
        let mut free = 0;
        for (line, window) in hashes.windows(wanted.len().max(1)).enumerate() {
            // One overlapping match is enough to know, so that no line is compared again and again.
            let of_use = line >= free || found.overlap.is_none();
            if !of_use || window != wanted.as_slice() || !self.is_at(view, line) {
                continue;
            }
            if line >= free {
                found.edits.push(edit(query, self, line));
                free = line + wanted.len();
            } else {
                found.overlap = Some(view.raw(view.span(line..line + 1)).start);
            }
        }
        found
    }

    fn is_at(&self, view: &View, first: usize) -> bool {
        self.old.iter().enumerate().all(|(i, line)| same(line, view.line(first + i)))
    }

    /// Without blank lines at start and end, if there are any. The new text loses as many.
    fn without_outer_blank_lines(&self) -> Option<Self> {
        let blank = |line: &&&str| line.trim().is_empty();
        let head = self.old.iter().take_while(blank).count();
        let tail = self.old.iter().rev().take_while(blank).count();
        let old = self.old.get(head..self.old.len().checked_sub(tail)?)?;
        if head + tail == 0 || old.is_empty() {
            return None;
        }
        let closed = self.closed || tail > 0;
        let new = without_tail(without_head(self.new, head), tail);
        // What follows the last line stays: it is not part of the match any more.
        let new = if closed { new.strip_suffix('\n').unwrap_or(new) } else { new };
        Some(Self { old: old.to_vec(), new, closed: false })
    }

    /// The span and the new text with regard to the last line's end.
    fn ended(&self, view: &View, span: Range<usize>, mut new: String) -> (Range<usize>, String) {
        if !self.closed {
            return (span, new);
        }
        let at_end = span.end == view.text.len();
        if at_end {
            // The last line has no line end: it does not get one.
            new.truncate(new.strip_suffix('\n').unwrap_or(&new).len());
            return (span, new);
        }
        if !new.is_empty() && !new.ends_with('\n') {
            // Whole lines were matched: the next one is not to be joined to them.
            new.push('\n');
        }
        (span.start..span.end + 1, new)
    }
}

fn without_head(mut text: &str, lines: usize) -> &str {
    for _ in 0..lines {
        match text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => text = rest,
            _ => break,
        }
    }
    text
}

fn without_tail(mut text: &str, lines: usize) -> &str {
    for _ in 0..lines {
        let body = text.strip_suffix('\n').unwrap_or(text);
        match body.rfind('\n') {
            Some(at) if body[at + 1..].trim().is_empty() => text = &body[..=at],
            _ => break,
        }
    }
    text
}

fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.split_whitespace().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

/// Whether two lines are equal but for white space (as far as it is there in both).
pub(super) fn same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
