//! Globs over values, in which only `*` is special, and globs over tool names.

use globset::{GlobBuilder, GlobMatcher};

use crate::Problem;

/// The literal pieces of a glob; a `*` stands between each two. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueGlob {
    pieces: Vec<String>,
}

impl ValueGlob {
    pub(crate) fn new(text: &str) -> Self {
        ValueGlob { pieces: text.split('*').map(str::to_owned).collect() }
    }

    /// The glob that matches this text only, stars included.
    pub(crate) fn literal(text: &str) -> Self {
        ValueGlob { pieces: vec![text.to_owned()] }
    }

    /// The same with the home directory in its place, taken literally.
    pub(crate) fn with_home(&self, home: &str) -> Option<Self> {
        let mut pieces = self.pieces.clone();
        let first = pieces.first_mut()?;
        *first = format!("{}{}", home.trim_end_matches('/'), after_home(first)?);
        Some(ValueGlob { pieces })
    }

    pub(crate) fn is_literal(&self, value: &str) -> bool {
        matches!(self.pieces.as_slice(), [only] if only == value)
    }

    /// Whether it ends with a star.
    pub(crate) fn is_open(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.last().is_some_and(String::is_empty)
    }

    /// Leftmost matching of each piece suffices, since a star takes whatever is left.
    pub(crate) fn matches(&self, value: &str) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return false;
        };
        if self.pieces.len() == 1 {
            return first == value;
        }
        let Some(rest) = value.strip_prefix(first.as_str()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
        for piece in self.pieces.get(1..self.pieces.len() - 1).unwrap_or_default() {
            let Some(at) = rest.find(piece.as_str()) else { return false };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        true
    }

    /// Whether some text matches both this and the glob made of `others`. Only the fixed ends can
    /// tell two globs with a star each apart; without a star in ours it is an ordinary match.
    pub(crate) fn intersects(&self, others: &[&str]) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return false;
        };
        let other = ValueGlob { pieces: others.iter().map(|&piece| piece.to_owned()).collect() };
        match (self.pieces.len(), others) {
            (_, []) => true,
            (_, [only]) => self.matches(only),
            (1, _) => other.matches(first),
            (_, [start, .., end]) => {
                (first.starts_with(start) || start.starts_with(first.as_str()))
                    && (last.ends_with(end) || end.ends_with(last.as_str()))
            }
        }
    }
}

/// What follows `~`, `$HOME` or `${HOME}` at the start of a path.
pub(crate) fn after_home(text: &str) -> Option<&str> {
    let rest = ["~", "$HOME", "${HOME}"].into_iter().find_map(|home| text.strip_prefix(home))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// A glob over tool names.
#[derive(Debug, Clone)]
pub(crate) struct ToolGlob(GlobMatcher);

/// Bytes of a glob over tool names, and braces in it: more than any needs. Braces within braces are
/// compiled by recursion, and a glob that is too large to compile panics; either would let the
/// settings of a repository end the process.
const MAX_BYTES: usize = 1_000;
const MAX_BRACES: usize = 50;
const TOO_LONG: &str = "it is too long; write several rules";

fn shortened(glob: &str) -> String {
    glob.chars().take(40).chain(['…']).collect()
}

impl ToolGlob {
    pub(crate) fn new(glob: &str) -> Result<Self, Problem> {
        let fail = |reason: String| Problem::Tool { glob: glob.to_owned(), reason };
        if glob.is_empty() {
            return Err(fail("it is empty; write '*' for every tool".to_owned()));
        }
        if glob.starts_with('-') {
            return Err(fail("no tool's name starts with a dash".to_owned()));
        }
        if glob.len() > MAX_BYTES || glob.matches('{').count() > MAX_BRACES {
            return Err(Problem::Tool { glob: shortened(glob), reason: TOO_LONG.to_owned() });
        }
        let mut builder = GlobBuilder::new(glob);
        let built = builder.case_insensitive(true).literal_separator(true).build();
        built.map(|glob| ToolGlob(glob.compile_matcher())).map_err(|e| fail(e.kind().to_string()))
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}
