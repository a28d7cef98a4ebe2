//! New text with the chars of the file where the caller took the old text over.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::tokens::{Kind, kind, tokens};

/// Comparing longer texts token by token takes too long.
const MOST_TOKENS: usize = 8_000;

/// `old` and `new` with the tokens of `there` in place of those that fold to the same; `new` only
/// where it has them from `old`. What is new stays as it is: `“` for `"` is an edit.
///
/// `None` if there is nothing to be changed, or no saying which token is which.
pub(super) fn transcribed(
    old: &str,
    there: &str,
    new: &str,
    fold: impl Fn(&str) -> String,
) -> Option<(String, String)> {
    let olds: Vec<&str> = tokens(old).collect();
    let written = written(&olds, there, fold)?;
    if written == olds {
        return None;
    }
    let news: Vec<&str> = tokens(new).collect();
    if olds.len() + news.len() > MOST_TOKENS {
        return None;
    }
    let mut out = String::with_capacity(new.len());
    for op in capture_diff_slices(Algorithm::Myers, &olds, &news) {
        let tokens = match op.tag() {
            DiffTag::Equal => &written[op.old_range()],
            _ => &news[op.new_range()],
        };
        out.extend(tokens.iter().copied());
    }
    Some((written.concat(), out))
}

/// The tokens of `old` as they are there; white space as it is in `old`.
fn written<'a>(
    olds: &[&'a str],
    there: &'a str,
    fold: impl Fn(&str) -> String,
) -> Option<Vec<&'a str>> {
    let mut theres = tokens(there).filter(|token| is_solid(token));
    let mut out = Vec::with_capacity(olds.len());
    for old in olds {
        out.push(match is_solid(old) {
            true => theres.next().filter(|there| *there == *old || fold(there) == fold(old))?,
            false => old,
        });
    }
    theres.next().is_none().then_some(out)
}

fn is_solid(token: &str) -> bool {
    token.chars().next().is_some_and(|first| kind(first) != Kind::Space)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::fold::alike;

    fn check(old: &str, there: &str, new: &str, want: Option<(&str, &str)>) {
        let got = transcribed(old, there, new, |token| alike(token).into_owned());
        let want = want.map(|(old, new)| (old.to_owned(), new.to_owned()));
        assert_eq!(got, want);
    }

    #[test]
    fn what_is_taken_over_is_written_as_it_is_there() {
        check(
            "say \"a\" now",
            "say  “a”  now",
            "say \"a\" then",
            Some(("say “a” now", "say “a” then")),
        );
        check("it's", "it’s", "it's \"x\"", Some(("it’s", "it’s \"x\"")));
        check("a - b", "a – b", "a - c", Some(("a – b", "a – c")));
        check("a - b", "a – b", "a — b", Some(("a – b", "a — b")));
        check("wait...", "wait…", "wait... more", Some(("wait…", "wait… more")));
    }

    #[test]
    fn nothing_is_guessed() {
        check("a", "a", "b", None);
        check("a b", "a b c", "x", None);
        check("a b", "a x", "y", None);
    }
}
