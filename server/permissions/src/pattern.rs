//! Patterns over text values: globs and regular expressions.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::Problem;
use crate::expression::Expression;
use crate::glob::{ValueGlob, after_home};
use crate::letters::Letters;
use crate::spelled::Sign;

/// A pattern over an argument's text. `/…/` is a regular expression, unanchored; everything else is
/// a glob over the whole text in which only `*` is special and crosses `/` and newlines.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    plain: Form,
    /// With composed characters, where that is another text.
    composed: Option<Box<Form>>,
    /// Without regard to case, once it was needed.
    folded: OnceLock<Box<Form>>,
    letters: Letters,
}

#[derive(Debug, Clone)]
enum Form {
    Glob { glob: ValueGlob, from: Option<(Start, ValueGlob)> },
    Regex(Arc<Expression>),
}

/// What the start of a glob over paths stands for; the rest is a glob of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// `~`, `$HOME`, `${HOME}`.
    Home,
    /// `./`: a folder of the workspace.
    Here,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Reads a pattern. A regular expression is checked and, unless it is large, not compiled yet.
    ///
    /// # Errors
    /// [`Problem::Regex`], [`Problem::LongRegex`] or [`Problem::EmptyRegex`].
    pub fn new(text: &str) -> Result<Self, Problem> {
        let plain = Form::new(text)?;
        let composed = match composed(text) {
            Cow::Owned(other) if other != text => Form::new(&other).ok().map(Box::new),
            _ => None,
        };
        Ok(Pattern::of(text.to_owned(), plain, composed))
    }

    fn of(text: String, plain: Form, composed: Option<Box<Form>>) -> Self {
        let letters = match &plain {
            // With other letters composed it may need less.
            _ if !text.is_ascii() => Letters::default(),
            Form::Glob { from: Some((_, rest)), .. } => rest.letters(),
            Form::Glob { glob, .. } => glob.letters(),
            Form::Regex(expression) => expression.letters,
        };
        Pattern { text, plain, composed, folded: OnceLock::new(), letters }
    }

    /// The pattern that matches this text and no other: the text itself where that is so, else an
    /// escaped regular expression.
    pub fn exactly(literal: &str) -> Self {
        let literally = |text: String| {
            let plain = Form::Glob { glob: ValueGlob::literal(literal), from: None };
            Pattern::of(text, plain, None)
        };
        let is_plain = after_home(literal).is_none() && regex_body(literal).is_none();
        if is_plain && !literal.contains('*') {
            return literally(literal.to_owned());
        }
        let text = exact_regex(literal);
        // A text too long for a regular expression still matches itself while the process lives.
        Pattern::new(&text).unwrap_or_else(|_| literally(text))
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches `value`.
    pub fn matches(&self, value: &str) -> bool {
        self.plain.matches(value)
    }

    /// Whether it matches `value` whatever is appended to it. Of a regular expression that is not
    /// known.
    pub(crate) fn matches_with_any_tail(&self, value: &str) -> bool {
        match &self.plain {
            Form::Glob { glob, .. } => glob.is_open() && glob.matches(value),
            Form::Regex(_) => false,
        }
    }

    /// Whether it matches the path `value`: `~` and `$HOME` at the start of a glob are `home`, `./`
    /// is where a relative path starts.
    pub(crate) fn matches_path(&self, value: &str, home: Option<&str>) -> bool {
        self.plain.matches_path(value, home)
    }

    /// Whether it matches `value` or would if its characters were composed.
    pub(crate) fn resembles(&self, value: &str) -> bool {
        self.matches(value) || self.composed.as_ref().is_some_and(|form| form.matches(value))
    }

    /// The same of a path.
    pub(crate) fn resembles_path(&self, value: &str, home: Option<&str>) -> bool {
        self.matches_path(value, home)
            || self.composed.as_ref().is_some_and(|form| form.matches_path(value, home))
    }

    /// Whether it matches `value` without regard to case; `value` and `home` are [`folded`].
    pub(crate) fn matches_folded_path(&self, value: &str, home: Option<&str>) -> bool {
        self.folded().matches_path(value, home)
    }

    /// The same of a text that is no path.
    pub(crate) fn matches_folded(&self, value: &str) -> bool {
        self.folded().matches(value)
    }

    fn folded(&self) -> &Form {
        self.folded.get_or_init(|| Box::new(self.plain.folded(&self.text)))
    }

    /// What every text has that it matches or resembles, with its case or without.
    pub(crate) fn letters(&self) -> Letters {
        self.letters
    }

    /// Whether it matches `value` and nothing else.
    pub(crate) fn is_exactly(&self, value: &str) -> bool {
        match &self.plain {
            Form::Glob { glob, .. } => glob.is_literal(value),
            Form::Regex(expression) => expression.is_exactly(value),
        }
    }

    /// Whether it could match a text of which only the pieces between unknowns are known.
    pub(crate) fn could_match(&self, pieces: &[&str]) -> bool {
        match &self.plain {
            Form::Glob { glob, .. } => glob.intersects(pieces),
            Form::Regex(_) => true,
        }
    }

    /// Whether it could match a text in which file names take the place of patterns. Of a regular
    /// expression that is not known, and patterns are too common to ask each time.
    pub(crate) fn could_match_signs(&self, signs: &[Sign]) -> bool {
        match &self.plain {
            Form::Glob { glob, .. } => glob.could_match(signs),
            Form::Regex(_) => false,
        }
    }

    /// Whether it is about names: without a `/` it is also held against a path's last component.
    pub(crate) fn is_base_name(&self) -> bool {
        !self.text.contains('/')
    }
}

impl Form {
    fn new(text: &str) -> Result<Self, Problem> {
        match regex_body(text) {
            None => Ok(Form::glob(text, str::to_owned)),
            Some("") => Err(Problem::EmptyRegex),
            Some(body) => Ok(Form::Regex(Arc::new(Expression::new(body)?))),
        }
    }

    fn glob(text: &str, change: impl Fn(&str) -> String) -> Self {
        let from = Start::of(text).map(|(start, rest)| (start, ValueGlob::new(&change(rest))));
        Form::Glob { glob: ValueGlob::new(&change(text)), from }
    }

    fn folded(&self, text: &str) -> Self {
        match regex_body(text) {
            None => Form::glob(text, folded),
            Some(body) => {
                let folded = Expression::new(&format!("(?i){}", composed(body)));
                folded.map_or_else(|_| self.clone(), |it| Form::Regex(Arc::new(it)))
            }
        }
    }

    fn matches(&self, value: &str) -> bool {
        match self {
            Form::Glob { glob, .. } => glob.matches(value),
            Form::Regex(expression) => expression.is_match(value),
        }
    }

    fn matches_path(&self, value: &str, home: Option<&str>) -> bool {
        let from = match self {
            Form::Glob { from: Some((start, rest)), .. } => {
                start.strip(value, home).zip(Some(rest))
            }
            _ => None,
        };
        from.is_some_and(|(value, rest)| rest.matches(value)) || self.matches(value)
    }
}

impl Start {
    fn of(text: &str) -> Option<(Self, &str)> {
        let home = after_home(text).map(|rest| (Start::Home, rest));
        home.or_else(|| text.strip_prefix("./").map(|rest| (Start::Here, rest)))
    }

    /// What of a path comes behind it.
    fn strip<'v>(self, value: &'v str, home: Option<&str>) -> Option<&'v str> {
        match self {
            Start::Home => value.strip_prefix(home?.trim_end_matches('/')),
            Start::Here => Path::new(value).is_relative().then_some(value),
        }
    }
}

/// A text as file systems compare it that do not regard case.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // The long s has no capital of its own.
    composed(text).to_lowercase().replace('ſ', "s")
}

/// A text with composed characters (NFC): `e` and an acute accent are `é`.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

fn regex_body(text: &str) -> Option<&str> {
    text.strip_prefix('/')?.strip_suffix('/')
}

fn exact_regex(literal: &str) -> String {
    format!("/^{}$/", regex::escape(literal))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "A", "b", "/", "*", ".", "~", "$HOME", "./", "é", "e\u{301}", "É", "\u{212a}", "k",
        ]);
        prop::collection::vec(piece, 0..6).prop_map(|all| all.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// A rule that is passed over for its letters would not have matched.
        #[test]
        fn what_matches_has_the_letters(
            pattern in prop_oneof![text(), "/[abAké^$|().*?]{1,6}/"], value in text(),
        ) {
            let Ok(pattern) = Pattern::new(&pattern) else { return Ok(()) };
            let (home, there) = ("/h", folded("/h"));
            let look = folded(&value);
            let matches = pattern.resembles(&value)
                || pattern.resembles_path(&value, Some(home))
                || pattern.resembles(&composed(&value))
                || pattern.matches_folded(&look)
                || pattern.matches_folded_path(&look, Some(&there));
            let all = [value.as_str(), &composed(&value), &look];
            let letters = all.into_iter().map(Letters::of).fold(Letters::default(), Letters::or);
            prop_assert!(!matches || pattern.letters().are_in(letters), "{pattern:?} {value:?}");
        }
    }
}
