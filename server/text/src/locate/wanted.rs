//! Old text as lines, and the edit that puts new text in the place of lines.

use std::ops::Range;

use super::{
    Query, endings,
    indent::{kept, reindented},
    view::{LfLines, View},
    whitespace::same,
};
use crate::Edit;

/// Old text cut into lines, and what to put there; line ends are LF.
#[derive(Debug, Clone)]
pub(super) struct Wanted<'a> {
    pub old: Vec<&'a str>,
    pub new: &'a str,
    /// Whether the old text ends with a line end: then the last line's goes with it.
    pub closed: bool,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(old: &'a str, new: &'a str) -> Self {
        Self { old: old.lines_lf().collect(), new, closed: old.ends_with('\n') }
    }

    /// Without blank lines at start and end, if there are any. The new text loses as many.
    pub(super) fn without_outer_blank_lines(&self) -> Option<Self> {
        let blank = |line: &&&str| line.trim().is_empty();
        let head = self.old.iter().take_while(blank).count();
        let tail = self.old.iter().rev().take_while(blank).count();
        let old = self.old.get(head..self.old.len().checked_sub(tail)?)?;
        if head + tail == 0 || old.is_empty() {
            return None;
        }
        let closed = self.closed || tail > 0;
        let new = without_tail(without_head(self.new, head), tail);
        // What follows the last line stays: it is not part of the match any more.
        let new = if closed { new.strip_suffix('\n').unwrap_or(new) } else { new };
        Some(Self { old: old.to_vec(), new, closed: false })
    }

    /// Old and new text with lines as they are there, where they differ by more than white space
    /// and the new text has them too: what the caller leaves alone is left alone.
    pub(super) fn as_there(&self, there: &[&str]) -> (String, String) {
        let shown = |(&old, &there): (&&str, &&str)| match same(old, there) {
            true => old.to_owned(),
            false => indented_as(old, there),
        };
        let olds: Vec<String> = self.old.iter().zip(there).map(shown).collect();
        let bare: Vec<&str> = self.new.lines_lf().collect();
        let mut news: Vec<String> = bare.iter().map(|&line| line.to_owned()).collect();
        for (new, old) in kept(&self.old, &bare) {
            news[new].clone_from(&olds[old]);
        }
        let end = if self.new.ends_with('\n') { "\n" } else { "" };
        (olds.join("\n"), news.join("\n") + end)
    }

    /// Puts the new text in the place of as many whole lines of the view, from `first` (from 0) on.
    pub(super) fn edit(&self, query: &Query<'_>, first: usize) -> Edit {
        let view = query.view();
        let lines = first..first + self.old.len();
        let span = view.span(lines.clone());
        let there: Vec<&str> = lines.map(|line| view.line(line)).collect();
        // Not moved where it is already there, so that this is seen as nothing to do.
        let done = there.iter().copied().eq(self.new.lines_lf());
        let new = match done {
            true => self.new.to_owned(),
            false => reindented(&there, &self.old, self.new),
        };
        let (span, new) = self.ended(view, span, new);
        let range = view.raw(span);
        Edit::new(range.clone(), endings::localised(query, range, &new))
    }

    /// The span and the new text with regard to the last line's end.
    pub(super) fn ended(
        &self,
        view: &View,
        span: Range<usize>,
        mut new: String,
    ) -> (Range<usize>, String) {
        if !self.closed {
            return (span, new);
        }
        let at_end = span.end == view.text.len();
        if at_end {
            // The last line has no line end: it does not get one.
            new.truncate(new.strip_suffix('\n').unwrap_or(&new).len());
            return (span, new);
        }
        if !new.is_empty() && !new.ends_with('\n') {
            // Whole lines were matched: the next one is not to be joined to them.
            new.push('\n');
        }
        (span.start..span.end + 1, new)
    }
}

/// A line with the indentation of another.
fn indented_as(like: &str, line: &str) -> String {
    let indent = &like[..like.len() - like.trim_start().len()];
    format!("{indent}{}", line.trim_start())
}

fn without_head(mut text: &str, lines: usize) -> &str {
    for _ in 0..lines {
        match text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => text = rest,
            _ => break,
        }
    }
    text
}

fn without_tail(mut text: &str, lines: usize) -> &str {
    for _ in 0..lines {
        let body = text.strip_suffix('\n').unwrap_or(text);
        match body.rfind('\n') {
            Some(at) if body[at + 1..].trim().is_empty() => text = &body[..=at],
            _ => break,
        }
    }
    text
}
