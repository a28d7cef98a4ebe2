//! Patterns over text values: globs and regular expressions.

use regex::Regex;

use crate::Problem;
use crate::glob::ValueGlob;

/// A pattern over an argument's text. `/…/` is a regular expression, unanchored; everything else is
/// a glob over the whole text in which only `*` is special and crosses `/` and newlines.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Glob(ValueGlob),
    Regex(Regex),
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// [`Problem::Regex`] or [`Problem::EmptyRegex`].
    pub fn new(text: &str) -> Result<Self, Problem> {
        let kind = match regex_body(text) {
            None => Kind::Glob(ValueGlob::new(text)),
            Some("") => return Err(Problem::EmptyRegex),
            Some(body) => Kind::Regex(Regex::new(body).map_err(|error| Problem::Regex {
                pattern: body.to_owned(),
                reason: last_line(&error.to_string()),
            })?),
        };
        Ok(Pattern { text: text.to_owned(), kind })
    }

    /// The pattern that matches this text and no other: the text itself where that is so, else an
    /// escaped regular expression.
    pub fn exactly(literal: &str) -> Self {
        let plain = Kind::Glob(ValueGlob::literal(literal));
        if !literal.contains('*') && regex_body(literal).is_none() && !is_home(literal) {
            return Pattern { text: literal.to_owned(), kind: plain };
        }
        let text = exact_regex(literal);
        // A text too long for a regular expression still matches itself while the process lives.
        Pattern::new(&text).unwrap_or(Pattern { text, kind: plain })
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches `value`.
    pub fn matches(&self, value: &str) -> bool {
        match &self.kind {
            Kind::Glob(glob) => glob.matches(value),
            Kind::Regex(regex) => regex.is_match(value),
        }
    }

    /// Whether it matches `value` whatever is appended to it. Of a regular expression that is not
    /// known.
    pub(crate) fn matches_with_any_tail(&self, value: &str) -> bool {
        match &self.kind {
            Kind::Glob(glob) => glob.is_open() && glob.matches(value),
            Kind::Regex(_) => false,
        }
    }

    /// Whether it matches the path `value`: `~` and `$HOME` at the start of a glob are `home`.
    pub(crate) fn matches_path(&self, value: &str, home: Option<&str>) -> bool {
        let expanded = match (&self.kind, home) {
            (Kind::Glob(glob), Some(home)) if is_home(&self.text) => glob.with_home(home),
            _ => None,
        };
        expanded.is_some_and(|glob| glob.matches(value)) || self.matches(value)
    }

    /// Whether it matches `value` and nothing else.
    pub(crate) fn is_exactly(&self, value: &str) -> bool {
        match &self.kind {
            Kind::Glob(glob) => glob.is_literal(value),
            Kind::Regex(_) => self.text == exact_regex(value),
        }
    }

    /// Whether it could match a text of which only the pieces between unknowns are known.
    pub(crate) fn could_match(&self, pieces: &[&str]) -> bool {
        match &self.kind {
            Kind::Glob(glob) => glob.intersects(pieces),
            Kind::Regex(_) => true,
        }
    }

    /// Whether it is about names: without a `/` it is also held against a path's last component.
    pub(crate) fn is_base_name(&self) -> bool {
        !self.text.contains('/')
    }
}

fn regex_body(text: &str) -> Option<&str> {
    text.strip_prefix('/')?.strip_suffix('/')
}

fn exact_regex(literal: &str) -> String {
    format!("/^{}$/", regex::escape(literal))
}

/// Whether a glob starts with the home directory.
fn is_home(text: &str) -> bool {
    crate::glob::after_home(text).is_some()
}

fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
