//! A text with LF line ends that knows where everything is in the original.

use std::ops::Range;

use crate::{Eol, Text, eol::to_lf, eol_of};

/// The text with LF for CR LF (and for CR in a text that has no other line end).
pub(super) struct View {
    pub text: String,
    /// Where in the view the LFs are whose CR was left out.
    shortened: Vec<usize>,
    /// Where in the view each line starts.
    starts: Vec<usize>,
}

impl View {
    pub(super) fn new(text: &Text) -> Self {
        let raw = text.to_string();
        let shortened: Vec<usize> = memchr::memmem::find_iter(raw.as_bytes(), "\r\n")
            .enumerate()
            .map(|(left_out, at)| at - left_out)
            .collect();
        let text = match eol_of(text) {
            Eol::Cr => raw.replace('\r', "\n"),
            _ if shortened.is_empty() => raw,
            _ => to_lf(&raw).into_owned(),
        };
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1);
        let starts = std::iter::once(0).chain(starts).collect();
        Self { text, shortened, starts }
    }

    /// Whether it says nothing that the text itself does not say.
    pub(super) fn is_plain(&self, text: &Text) -> bool {
        self.shortened.is_empty() && text == self.text.as_str()
    }

    /// The range of the original. CR LF pairs are inside or outside as a whole.
    pub(super) fn raw(&self, range: Range<usize>) -> Range<usize> {
        let at = |at: usize| at + self.shortened.partition_point(|&lf| lf < at);
        at(range.start)..at(range.end)
    }

    /// The lines, from 0, without their ends. After a final line end comes no further line.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines_lf()
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        let last_is_empty = self.starts.last() == Some(&self.text.len());
        self.starts.len() - usize::from(last_is_empty)
    }

    /// The line (from 0) that holds byte `at` of the view.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The bytes of lines `range.start..range.end` (from 0, at least one) without the last one's
    /// line end.
    pub(super) fn span(&self, lines: Range<usize>) -> Range<usize> {
        let start = self.starts.get(lines.start).copied().unwrap_or(self.text.len());
        let end = match self.starts.get(lines.end) {
            Some(next) => next - 1,
            None => self.text.len(),
        };
        start..end.max(start)
    }

    /// A line (from 0) without its end.
    pub(super) fn line(&self, line: usize) -> &str {
        &self.text[self.span(line..line + 1)]
    }
}

/// Lines that end with LF only.
pub(super) trait LfLines {
    /// The lines without their LF; after a final LF comes no further line.
    fn lines_lf(&self) -> impl Iterator<Item = &str>;
}

impl LfLines for str {
    fn lines_lf(&self) -> impl Iterator<Item = &str> {
        self.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line))
    }
}
