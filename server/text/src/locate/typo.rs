//! The last stage, only on request: a block of lines of which a few are slightly mistyped.
//!
//! A window that is similar by the number is not enough: a negation or a digit is a small part of a
//! line and all of its meaning. See [`permitted`] for what else must hold.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{
    loose,
    query::{Found, Query},
    similar as score,
    tokens::{is_word, solid},
    view::{LfLines, View},
    wanted::Wanted,
    windows::windows,
};
use crate::eol::to_lf;

/// How far, in score, the next best lines must be behind.
const MARGIN: f64 = 0.1;

/// How alike a mistyped line must be to the one that is there.
const LEAST_OF_LINE: f64 = 0.85;

/// One mistyped line needs so many in all.
const LINES_FOR_ONE: usize = 4;

/// A line that is in more places than these says nothing.
const MOST_PLACES: usize = 256;

pub(super) fn find(query: &Query<'_>) -> Found {
    block(query).unwrap_or_default()
}

fn block(query: &Query<'_>) -> Option<Found> {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let wanted = Wanted::new(&old, &new);
    let wanted = wanted.without_outer_blank_lines().unwrap_or(wanted);
    if wanted.old.len() < LINES_FOR_ONE {
        return None;
    }
    let view = query.view();
    let first = only(&mut places(view, &wanted.old))?;
    let lines = first..first + wanted.old.len();
    let there: Vec<&str> = lines.map(|line| view.line(line)).collect();
    let score = score::score(&wanted.old.join("\n"), &there.join("\n"));
    if score::has_rival(view, &wanted.old, first, score - MARGIN) {
        return None;
    }
    let (old, new) = wanted.as_there(&there);
    let wanted = Wanted { old: old.lines_lf().collect(), new: &new, closed: wanted.closed };
    Some(Found { edits: vec![wanted.edit(query, first)], overlap: None })
}

fn only(places: &mut impl Iterator<Item = usize>) -> Option<usize> {
    places.next().filter(|_| places.next().is_none())
}

/// Where lines are that may be taken for what the caller means: found by the first or the last one,
/// whichever says more.
fn places(view: &View, olds: &[&str]) -> impl Iterator<Item = usize> {
    let ends = [0, olds.len() - 1].map(|offset| (offset, [olds[offset]]));
    let telling =
        |(_, line): &(usize, [&str; 1])| loose::anchor(line).map_or(0, |(_, word)| word.len());
    let (offset, end) = if telling(&ends[0]) >= telling(&ends[1]) { ends[0] } else { ends[1] };
    let there = windows(view, &end, loose::anchor(&end), (loose::hash, loose::same)).lines;
    let there = if there.len() > MOST_PLACES { Vec::new() } else { there };
    there.into_iter().filter_map(move |line| line.checked_sub(offset)).filter(move |&first| {
        let lines = first..first + olds.len();
        lines.end <= view.count()
            && permitted(olds, &lines.map(|line| view.line(line)).collect::<Vec<_>>())
    })
}

/// Whether lines may be taken for what the caller means:
/// - as many of them, blank ones in the same places;
/// - the first and the last line are equal, and at most one in four is mistyped;
/// - a mistyped line is nearly the same, and [`is_typo`] is all that differs in it.
fn permitted(olds: &[&str], theres: &[&str]) -> bool {
    let pairs: Vec<(&str, &str)> = olds.iter().copied().zip(theres.iter().copied()).collect();
    let blank = |line: &str| line.trim().is_empty();
    if olds.len() != theres.len() || pairs.iter().any(|(a, b)| blank(a) != blank(b)) {
        return false;
    }
    let solid: Vec<_> = pairs.into_iter().filter(|(old, _)| !blank(old)).collect();
    let equal = |pair: Option<&(&str, &str)>| pair.is_some_and(|(a, b)| loose::same(a, b));
    let mistyped: Vec<_> = solid.iter().filter(|(a, b)| !loose::same(a, b)).collect();
    equal(solid.first())
        && equal(solid.last())
        && mistyped.len() * LINES_FOR_ONE <= solid.len()
        && mistyped.iter().all(|(a, b)| is_mistyped(a, b))
}

fn is_mistyped(a: &str, b: &str) -> bool {
    score::score(a.trim(), b.trim()) >= LEAST_OF_LINE && differing(a, b).is_some_and(is_typo)
}

/// The tokens that differ, if they are all in one place.
fn differing<'a>(a: &'a str, b: &'a str) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (solid(a).collect(), solid(b).collect());
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let only = changed.next().filter(|_| changed.next().is_none())?;
    Some((a[only.old_range()].to_vec(), b[only.new_range()].to_vec()))
}

/// A comma or semicolon too many or too few, or one char of one word: never a digit, a char that is
/// not ASCII, upper against lower case, nor the first of several chars (`get` and `set`).
fn is_typo((a, b): (Vec<&str>, Vec<&str>)) -> bool {
    match (a.as_slice(), b.as_slice()) {
        ([sign], []) | ([], [sign]) => matches!(*sign, "," | ";"),
        ([a], [b]) => is_misspelt(a, b),
        _ => false,
    }
}

/// Words that are another word when one char is.
const TELLING: [&str; 14] =
    ["and", "any", "all", "off", "on", "or", "is", "in", "it", "if", "no", "not", "nor", "now"];

fn is_misspelt(a: &str, b: &str) -> bool {
    let word = |text: &str| text.is_ascii() && text.chars().all(is_word);
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let lower = |text: &str| text.to_ascii_lowercase();
    let first = a.len() == 1 && b.len() == 1 || a.as_bytes().first() == b.as_bytes().first();
    word(a)
        && word(b)
        && first
        && digits(a) == digits(b)
        && lower(a) != lower(b)
        && !TELLING.contains(&a)
        && !TELLING.contains(&b)
        && rapidfuzz::distance::osa::distance(a.chars(), b.chars()) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_no_other_words() {
        let is = |a: &str, b: &str| assert!(is_mistyped(a, b), "{a:?} {b:?}");
        let not = |a: &str, b: &str| assert!(!is_mistyped(a, b), "{a:?} {b:?}");
        is("\tconst x = 2;", "\tconst b = 2;");
        is("const result = fetchData();", "  const results = fetchData();");
        is("  enableFeature: true", "  enableFeature: true,");
        is("let length = a.lenght;", "let length = a.length;");
        not("port = 8080;", "port = 8081;");
        not("if not user.is_admin:", "if user.is_admin:");
        not("if (!user.is_admin) {", "if (user.is_admin) {");
        not("if a <= limit_of_x {", "if a < limit_of_x {");
        not("this.setName(name)", "this.getName(name)");
        not("let cost = total;", "let соst = total;");
        not("let café = total_sum;", "let cafe = total_sum;");
        not("return Value(first)", "return value(first)");
        not("if one and not other:", "if one and now other:");
        not("line_of_item1 = x", "line_of_item2 = x");
        not("const aa = 1, bb = 2;", "const ab = 1, bc = 2;");
    }
}
