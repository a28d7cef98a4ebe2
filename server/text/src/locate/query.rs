//! What the stages look for, and where.

use std::cell::OnceCell;

use super::view::View;
use crate::{Edit, Eol, Text, eol_near};

/// A text, and what stages need to know of it: found out when the first one asks.
pub(super) struct Source<'a> {
    pub text: &'a Text,
    view: OnceCell<View>,
    /// The line end of a text that has no LF.
    without_lf: OnceCell<Option<Eol>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a Text) -> Self {
        Self { text, view: OnceCell::new(), without_lf: OnceCell::new() }
    }

    /// The line end of the line that holds byte `at`, or of one near it.
    pub(super) fn eol_near(&self, at: usize) -> Eol {
        let text = self.text;
        let has_lf = || text.after_first_lf(0, text.len()).is_some();
        // Without an LF, all of the text is looked at: once, not for every place.
        match *self.without_lf.get_or_init(|| (!has_lf()).then(|| eol_near(text, 0))) {
            Some(eol) => eol,
            None => eol_near(text, at),
        }
    }

    /// The text with LF line ends.
    pub(super) fn view(&self) -> &View {
        self.view.get_or_init(|| View::new(self.text))
    }
}

/// What to look for, and what comes in its place.
#[derive(Clone, Copy)]
pub(super) struct Query<'a> {
    pub source: &'a Source<'a>,
    pub old: &'a str,
    pub new: &'a str,
}

impl<'a> Query<'a> {
    /// A byte order mark is no part of a text: where the caller sends one along, it is left out.
    pub(super) fn new(source: &'a Source<'a>, old: &'a str, new: &'a str) -> Self {
        const BOM: char = '\u{feff}';
        match old.strip_prefix(BOM) {
            Some(old) if !source.text.chunks().any(|chunk| chunk.contains(BOM)) => {
                Self { source, old, new: new.strip_prefix(BOM).unwrap_or(new) }
            }
            _ => Self { source, old, new },
        }
    }

    /// The same place, other words.
    pub(super) fn with<'b>(&self, old: &'b str, new: &'b str) -> Query<'b>
    where
        'a: 'b,
    {
        Query { source: self.source, old, new }
    }

    pub(super) fn text(&self) -> &'a Text {
        self.source.text
    }

    pub(super) fn view(&self) -> &'a View {
        self.source.view()
    }
}

/// What a stage finds.
#[derive(Default)]
pub(super) struct Found {
    /// Every place where old text is, ascending and not overlapping, with what replaces it there.
    pub edits: Vec<Edit>,
    /// Where a match starts (byte of the text) that overlaps the only one. `}\n}` in `}\n}\n}` can
    /// be replaced in two ways, so that it counts as two.
    pub overlap: Option<usize>,
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// How many places match.
    pub(super) fn matches(&self) -> usize {
        self.edits.len() + self.overlap.iter().len()
    }
}
