//! Globs over values, in which only `*` is special.

use crate::letters::Letters;
use crate::spelled::{self, Sign};

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

    pub(crate) fn is_literal(&self, value: &str) -> bool {
        matches!(self.pieces.as_slice(), [only] if only == value)
    }

    /// Whether it ends with a star.
    pub(crate) fn is_open(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.last().is_some_and(String::is_empty)
    }

    /// What every text has that it matches.
    pub(crate) fn letters(&self) -> Letters {
        self.pieces.iter().map(|piece| Letters::of(piece)).fold(Letters::default(), Letters::or)
    }

    /// Leftmost matching of each piece suffices, since a star takes whatever is left.
    pub(crate) fn matches(&self, value: &str) -> bool {
        let (first, middle, last) = match self.pieces.as_slice() {
            [] => return false,
            [only] => return only == value,
            [first, middle @ .., last] => (first, middle, last),
        };
        let Some(rest) = value.strip_prefix(first.as_str()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
        for piece in middle {
            let Some(at) = rest.find(piece.as_str()) else { return false };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        true
    }

    /// Whether it matches what a command may become.
    pub(crate) fn could_match(&self, signs: &[Sign]) -> bool {
        spelled::could_match(&self.pieces, signs)
    }

    /// Whether some text matches both this and the glob made of `others`. Only the fixed ends can
    /// tell two globs with a star each apart; without a star in ours it is an ordinary match.
    pub(crate) fn intersects(&self, others: &[&str]) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return false;
        };
        match (self.pieces.len(), others) {
            (_, []) => true,
            (_, [only]) => self.matches(only),
            (1, _) => {
                let pieces = others.iter().map(|&piece| piece.to_owned()).collect();
                ValueGlob { pieces }.matches(first)
            }
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
