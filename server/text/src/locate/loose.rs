//! Whole lines with the same words and signs: blanks between them, and kinds of quotes, may differ.

use std::borrow::Cow;

use super::{
    fold::alike,
    query::{Found, Query},
    tokens::{is_word, solid},
    transcribe::transcribed,
    view::LfLines,
    wanted::Wanted,
    windows::{hashed, windows},
};
use crate::{Edit, eol::to_lf};

pub(super) fn find(query: &Query<'_>) -> Found {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let view = query.view();
    let wanted = Wanted::new(&old, &new);
    let wanted = wanted.without_outer_blank_lines().unwrap_or(wanted);
    windows(view, &wanted.old, anchor(&wanted.old), (hash, same))
        .found(view, |line| edit(query, &wanted, line))
}

fn edit(query: &Query<'_>, wanted: &Wanted<'_>, first: usize) -> Edit {
    let view = query.view();
    let there = &view.text[view.span(first..first + wanted.old.len())];
    let old = wanted.old.join("\n");
    let written = transcribed(&old, there, wanted.new, |token| folded(token).into_owned());
    let (old, new) = written.unwrap_or_else(|| (old, wanted.new.to_owned()));
    let closed = wanted.closed;
    let read = Wanted { old: old.lines_lf().collect(), new: &new, closed };
    let (old, new) = read.as_there(&there.lines_lf().collect::<Vec<_>>());
    Wanted { old: old.lines_lf().collect(), new: &new, closed }.edit(query, first)
}

/// The longest word that is written in one way only, and which line it is in.
pub(super) fn anchor<'a>(olds: &[&'a str]) -> Option<(usize, &'a str)> {
    let words = |(i, line): (usize, &&'a str)| solid(line).map(move |word| (i, word));
    let plain = |(_, word): &(usize, &str)| word.is_ascii() && word.starts_with(is_word);
    olds.iter().enumerate().flat_map(words).filter(plain).max_by_key(|(_, word)| word.len())
}

pub(super) fn hash(line: &str) -> u64 {
    hashed(solid(line).map(folded))
}

/// Whether two lines are equal but for blanks between words and signs, and for look-alikes.
pub(super) fn same(a: &str, b: &str) -> bool {
    solid(a).map(folded).eq(solid(b).map(folded))
}

/// A token as it is compared.
pub(super) fn folded(token: &str) -> Cow<'_, str> {
    match alike(token) {
        quote if matches!(quote.as_ref(), "'" | "\"" | "`") => Cow::Borrowed("'"),
        other => other,
    }
}
