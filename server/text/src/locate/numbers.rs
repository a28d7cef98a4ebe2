//! Line numbers that were copied from what Read shows.

use super::{endings, exact, query::Found, query::Query, whitespace};
use crate::eol::to_lf;

/// Where old text is without the numbers before its lines. Numbered lines are whole lines.
pub(super) fn find(query: &Query<'_>) -> Found {
    let (old, new) = (to_lf(query.old), to_lf(query.new));
    let Some(bare) = without(&old) else { return Found::default() };
    if bare.trim().is_empty() {
        return Found::default();
    }
    let new = without(&new).unwrap_or_else(|| new.into_owned());
    if new.is_empty() {
        // Lines that are replaced by nothing are not to leave an empty one.
        let closed = bare.trim_end_matches('\n').to_owned() + "\n";
        return whitespace::lines(&query.with(&closed, &new));
    }
    let read = query.with(&bare, &new);
    let stages = [exact::find, endings::find, whitespace::find];
    stages.iter().map(|stage| stage(&read)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The text without the numbers that all its lines start with, blank ones aside, if they count up
/// one by one.
pub(super) fn without(text: &str) -> Option<String> {
    let mut expected = None;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (number, rest) = match numbered(line) {
            Some(found) => found,
            None if line.trim().is_empty() => (expected.unwrap_or(0), line),
            None => return None,
        };
        if expected.is_some_and(|expected| expected != number) {
            return None;
        }
        expected =
            if expected.is_none() && line.trim().is_empty() { None } else { Some(number + 1) };
        out.push_str(rest);
    }
    expected.map(|_| out)
}

/// A line's number and the rest of it: `12: x`, `12→x`, `12|x`, `12 | x`, `12<tab>x`.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches([' ', '\t']);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    let number = number.parse().ok().filter(|&number: &usize| number < usize::MAX)?;
    if let Some(rest) = rest.strip_prefix(['→', '\t']) {
        return Some((number, rest));
    }
    let rest = rest.strip_prefix(" |").or_else(|| rest.strip_prefix([':', '|']))?;
    Some((number, rest.strip_prefix(' ').unwrap_or(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_count_up_are_left_out() {
        let check = |text: &str, want: Option<&str>| {
            assert_eq!(without(text).as_deref(), want, "{text:?}");
        };
        check("1: a\n2:   b\n", Some("a\n  b\n"));
        check(" 9→a\n10→b", Some("a\nb"));
        check("1 | a\n2 | \n3 | b", Some("a\n\nb"));
        check("4|a\n\n6|b", Some("a\n\nb"));
        check("7\ta", Some("a"));
        check("1: a\n3: b", None);
        check("1: a\nb", None);
        check("a", None);
        check("", None);
        check("99999999999999999999999: a", None);
    }
}
