//! Line ends: the second stage, and the line ends of every replacement.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{query::Found, query::Query, view::View};
use crate::{Edit, Eol, eol::to_lf};

/// Matches of the text with LF line ends, as a substring.
pub(super) fn find(query: &Query<'_>) -> Found {
    let old = to_lf(query.old);
    let view = query.view();
    if view.is_plain(query.text()) && old == query.old {
        return Found::default();
    }
    let edit = |(at, _)| {
        let range = view.raw(at..at + old.len());
        Edit::new(range.clone(), replacement(query, range))
    };
    let edits: Vec<Edit> = view.text.match_indices(old.as_ref()).map(edit).collect();
    let overlap = if edits.len() == 1 { overlapping(view, &old) } else { None };
    Found { edits, overlap }
}

/// Where the last match starts, if that is not the first one (they overlap then).
fn overlapping(view: &View, old: &str) -> Option<usize> {
    let (first, last) = (view.text.find(old)?, view.text.rfind(old)?);
    (first != last).then(|| view.raw(last..last).start)
}

/// The new text with the line ends of the place that it goes to. If line ends are all that old and
/// new text differ in, they are what the caller wants: the new text as it is.
pub(super) fn replacement(query: &Query<'_>, range: Range<usize>) -> String {
    if to_lf(query.old) == to_lf(query.new) {
        return query.new.to_owned();
    }
    localised(query, range, &to_lf(query.new))
}

/// `new`, which has LF line ends, with those of the range that it replaces: lines that stay keep
/// theirs, others take that of the line in their place.
pub(super) fn localised(query: &Query<'_>, range: Range<usize>, new: &str) -> String {
    if !new.contains('\n') {
        return new.to_owned();
    }
    let old = query.text().slice(range.clone());
    let ends = line_ends(&old);
    match ends.first() {
        None => {
            let local = query.source.eol_near(range.start);
            with(new, |_| local)
        }
        Some(&first) if ends.iter().all(|&end| end == first) => with(new, |_| first),
        Some(_) => mixed(&old, &ends, new),
    }
}

fn with(new: &str, end_of: impl Fn(usize) -> Eol) -> String {
    let mut out = String::with_capacity(new.len() + 16);
    for (i, line) in new.split_inclusive('\n').enumerate() {
        match line.strip_suffix('\n') {
            Some(line) => out.extend([line, end_of(i).as_str()]),
            None => out.push_str(line),
        }
    }
    out
}

/// The line ends in a part of a text that has LF and CR LF.
fn line_ends(old: &str) -> Vec<Eol> {
    let end = |line: &str| if line.ends_with("\r\n") { Eol::CrLf } else { Eol::Lf };
    old.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(end).collect()
}

fn mixed(old: &str, ends: &[Eol], new: &str) -> String {
    let old = to_lf(old);
    let olds: Vec<&str> = old.split_inclusive('\n').collect();
    let news: Vec<&str> = new.split_inclusive('\n').collect();
    let ops = capture_diff_slices(Algorithm::Myers, &olds, &news);
    let end_of = |line: usize| {
        let op = ops.iter().find(|op| op.new_range().contains(&line));
        let old = op.map_or(line, |op| counterpart(op, line)).min(ends.len().saturating_sub(1));
        ends.get(old).copied().unwrap_or_default()
    };
    with(new, end_of)
}

/// The old line in whose place a new line is.
fn counterpart(op: &DiffOp, line: usize) -> usize {
    let (old, new) = (op.old_range(), op.new_range());
    let last = old.end.saturating_sub(1).max(old.start);
    (old.start + (line - new.start)).min(last)
}
