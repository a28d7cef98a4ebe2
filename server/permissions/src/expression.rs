//! Regular expressions of rules: checked when the rules are read, compiled when first needed.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind, Look};

use crate::Problem;
use crate::letters::Letters;

/// A regular expression, unanchored. Compiling costs a hundred times what checking does, and most
/// rules of a list are never held against anything.
#[derive(Debug)]
pub(crate) struct Expression {
    body: String,
    plain: Option<Plain>,
    /// What every text has that it matches.
    pub(crate) letters: Letters,
    /// `None` inside: it could not be compiled. [`Expression::new`] sees to it that this is never so.
    compiled: OnceLock<Option<Regex>>,
}

/// An expression that needs no automaton.
#[derive(Debug)]
struct Plain {
    starts: bool,
    text: String,
    ends: bool,
}

/// Bytes of an expression. One that matches exactly the longest command (128 KiB) fits, and such a
/// one is made by grants; of others only [`MAX_BYTES`].
const MAX_EXACT_BYTES: usize = 300_000;
const MAX_BYTES: usize = 10_000;
/// Bytes of a compiled expression.
const MAX_COMPILED: usize = 2 * 1024 * 1024;
/// Expressions of up to so many parts stay below [`MAX_COMPILED`] for certain: a part is at most a
/// range of characters, which takes four states of well under a kilobyte together.
const LIGHT: u64 = 1_000;

impl Expression {
    /// Checks an expression: the text between the slashes.
    pub(crate) fn new(body: &str) -> Result<Self, Problem> {
        let too_long = |most| Problem::LongRegex { bytes: body.len(), most };
        if body.len() > MAX_EXACT_BYTES {
            return Err(too_long(MAX_EXACT_BYTES));
        }
        let hir = regex_syntax::parse(body).map_err(|error| wrong(body, &error.to_string()))?;
        let plain = plain(&hir);
        if plain.is_none() && body.len() > MAX_BYTES {
            return Err(too_long(MAX_BYTES));
        }
        let compiled = OnceLock::new();
        if plain.is_none() && size(&hir) > LIGHT {
            let regex = compile(body).map_err(|error| unfit(body, &error))?;
            let _ = compiled.set(Some(regex));
        }
        let letters = Letters::of_regex(&hir);
        Ok(Expression { body: body.to_owned(), plain, letters, compiled })
    }

    /// Whether it matches `value` and nothing else. Only an escaped text between `^` and `$` is known
    /// to.
    pub(crate) fn is_exactly(&self, value: &str) -> bool {
        matches!(&self.plain, Some(Plain { starts: true, text, ends: true }) if text == value)
    }

    /// Whether it matches somewhere in `value`.
    pub(crate) fn is_match(&self, value: &str) -> bool {
        match &self.plain {
            Some(Plain { starts: true, text, ends: true }) => value == text,
            Some(Plain { starts: true, text, ends: false }) => value.starts_with(text.as_str()),
            Some(Plain { starts: false, text, ends: true }) => value.ends_with(text.as_str()),
            Some(Plain { starts: false, text, ends: false }) => value.contains(text.as_str()),
            None => {
                let regex = self.compiled.get_or_init(|| compile(&self.body).ok());
                regex.as_ref().is_some_and(|regex| regex.is_match(value))
            }
        }
    }
}

fn compile(body: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(body).size_limit(MAX_COMPILED).build()
}

fn wrong(body: &str, error: &str) -> Problem {
    let line = error.lines().last().unwrap_or_default();
    let reason = line.strip_prefix("error: ").unwrap_or(line).to_owned();
    Problem::Regex { pattern: shortened(body), reason }
}

fn unfit(body: &str, error: &regex::Error) -> Problem {
    match error {
        regex::Error::CompiledTooBig(_) => Problem::Regex {
            pattern: shortened(body),
            reason: "it is too large once it is compiled; make its repetitions shorter, or write \
                     several rules"
                .to_owned(),
        },
        other => wrong(body, &other.to_string()),
    }
}

fn shortened(body: &str) -> String {
    const MOST: usize = 80;
    match body.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", body.get(..end).unwrap_or_default()),
        None => body.to_owned(),
    }
}

/// A text with or without `^` and `$`.
fn plain(hir: &Hir) -> Option<Plain> {
    let parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let is = |part: Option<&Hir>, look| part.is_some_and(|p| *p.kind() == HirKind::Look(look));
    let starts = is(parts.first(), Look::Start);
    let parts = parts.get(usize::from(starts)..)?;
    let (text, ends) = match parts {
        [text] => (text, false),
        [text, _] if is(parts.last(), Look::End) => (text, true),
        _ => return None,
    };
    let HirKind::Literal(literal) = text.kind() else { return None };
    let text = std::str::from_utf8(&literal.0).ok()?.to_owned();
    Some(Plain { starts, text, ends })
}

/// How many parts it has when its repetitions are written out.
fn size(hir: &Hir) -> u64 {
    let sum = |all: &[Hir]| all.iter().map(size).fold(1u64, u64::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(class) => match class {
            regex_syntax::hir::Class::Unicode(class) => class.ranges().len() as u64,
            regex_syntax::hir::Class::Bytes(class) => class.ranges().len() as u64,
        },
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(repetition.min).max(1);
            size(&repetition.sub).saturating_add(1).saturating_mul(u64::from(times))
        }
        HirKind::Capture(capture) => size(&capture.sub).saturating_add(2),
        HirKind::Concat(all) | HirKind::Alternation(all) => sum(all),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_ones_match_as_texts() {
        let rows = [
            ("^a$", "a", true),
            ("^a$", "ab", false),
            ("^a", "ab", true),
            ("^a", "ba", false),
            ("b$", "ab", true),
            ("b$", "ba", false),
            ("b", "abc", true),
            (r"^a\*b$", "a*b", true),
            ("^a|b$", "xb", true),
        ];
        for (body, value, want) in rows {
            let ours = Expression::new(body).unwrap();
            assert_eq!(ours.is_match(value), want, "{body} on {value}");
            assert_eq!(Regex::new(body).unwrap().is_match(value), want, "{body} on {value}");
        }
        assert!(Expression::new("^a$").unwrap().plain.is_some());
    }

    #[test]
    fn hostile_sizes_are_errors() {
        let error = |body: &str| Expression::new(body).unwrap_err().to_string();
        for body in ["(a{1000}){1000}", r"\w{1000}", "((a{100}){100}){100}", r"(\pL{50}){50}"] {
            let error = error(body);
            assert!(error.contains("too large once it is compiled"), "{body}: {error}");
        }
        assert!(error(&"a|b".repeat(5_000)).contains("has 15000 bytes, and 10000 is the most"));
        assert!(error(&"a".repeat(400_000)).contains("and 300000 is the most"));
        assert!(error(&"(".repeat(5_000)).len() < 400);
        let exact = format!("^{}$", regex::escape(&"rm * ".repeat(26_000)));
        assert!(Expression::new(&exact).unwrap().is_match(&"rm * ".repeat(26_000)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        /// What is accepted compiles, and matches as the whole engine would.
        #[test]
        fn what_is_accepted_compiles(
            body in r"([a-c^$|().*+?\[\]]|\\w|\\d|\\pL|\{1,3\}|\{9\}|é|\(\?i\)){1,10}",
            value in "[a-cé]{0,6}",
        ) {
            let theirs = Regex::new(&body);
            match Expression::new(&body) {
                Ok(ours) => {
                    prop_assert_eq!(ours.is_match(&value), theirs.unwrap().is_match(&value));
                    prop_assert!(ours.plain.is_some() || ours.compiled.get().is_some_and(Option::is_some));
                }
                Err(error) => {
                    let is_large = error.to_string().contains("too large");
                    prop_assert!(theirs.is_err() || is_large, "{}", error);
                }
            }
        }
    }
}
