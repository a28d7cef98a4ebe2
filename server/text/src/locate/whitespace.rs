//! The third stage: whole lines that are equal but for white space at their ends and for the
//! length and kind of the white space inside; where there are none, the same inside of lines.

use super::{
    fold::Fold,
    part,
    query::{Found, Query},
    wanted::Wanted,
    windows::{hashed, windows},
};
use crate::eol::to_lf;

pub(super) fn find(query: &Query<'_>) -> Found {
    if query.text().is_empty() && query.old.trim().is_empty() {
        return part::all(query);
    }
    let found = lines(query);
    if found.is_empty() { part::find(query, Fold::Space) } else { found }
}

/// Whole lines.
pub(super) fn lines(query: &Query<'_>) -> Found {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let wanted = Wanted::new(&old, &new);
    let view = query.view();
    let look = |wanted: &Wanted<'_>| {
        windows(view, &wanted.old, anchor(&wanted.old), (hash, same))
            .found(view, |line| wanted.edit(query, line))
    };
    let found = look(&wanted);
    match wanted.without_outer_blank_lines() {
        Some(inner) if found.is_empty() => look(&inner),
        _ => found,
    }
}

/// The longest piece without white space, and which line it is in.
pub(super) fn anchor<'a>(olds: &[&'a str]) -> Option<(usize, &'a str)> {
    let pieces = |(i, line): (usize, &&'a str)| line.split_whitespace().map(move |word| (i, word));
    olds.iter().enumerate().flat_map(pieces).max_by_key(|(_, word)| word.len())
}

pub(super) fn hash(line: &str) -> u64 {
    hashed(line.split_whitespace())
}

/// Whether two lines are equal but for white space (as far as it is there in both).
pub(super) fn same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
