//! Row-range rebase, the rule of Zed's action log (crates/action_log, read in November 2026; this is a
//! model of the rule, not its code).
//!
//! Agent edits go into the buffer. Beside it lies a base text. What the user does is taken over
//! into the base, row by row, unless its rows touch the rows of an unreviewed hunk; the hunks are then a
//! line diff of base and buffer. Rejecting puts the base's rows back.

use std::ops::Range;

use redline_text::{Edit, Text, line_edits};

use crate::Design;

pub struct Rows {
    base: String,
    buffer: String,
    hunks: Vec<RowEdit>,
}

/// Rows that became other rows.
#[derive(Debug, Clone)]
struct RowEdit {
    old: Range<usize>,
    new: Range<usize>,
}

impl RowEdit {
    fn growth(&self) -> isize {
        self.new.len() as isize - self.old.len() as isize
    }

    /// Whether an edit of these rows leaves those of a hunk alone. Beside a hunk with rows is
    /// fine, at a place where rows were only taken away it is not.
    fn misses(&self, hunk: &Range<usize>) -> bool {
        let before = self.old.end < hunk.start || !hunk.is_empty() && self.old.end == hunk.start;
        let behind = self.old.start > hunk.end || !hunk.is_empty() && self.old.start == hunk.end;
        before || behind
    }
}

impl Design for Rows {
    fn new(base: &str) -> Self {
        Self { base: base.to_owned(), buffer: base.to_owned(), hunks: Vec::new() }
    }

    fn buffer(&self) -> String {
        self.buffer.clone()
    }

    fn agent(&mut self, edits: &[Edit]) {
        self.buffer = applied(&self.buffer, edits);
        self.diff();
    }

    fn user(&mut self, edits: &[Edit]) {
        let after = applied(&self.buffer, edits);
        let mut moved = 0;
        for edit in row_edits(edits, &self.buffer, &after) {
            if self.hunks.iter().all(|hunk| edit.misses(&hunk.new)) {
                self.take_over(&edit, moved, &after);
                moved += edit.growth();
            }
        }
        self.buffer = after;
        self.diff();
    }

    fn reject_all(&self) -> String {
        self.base.clone()
    }
}

impl Rows {
    /// `moved`: rows that this event has added to the base further up.
    fn take_over(&mut self, edit: &RowEdit, moved: isize, after: &str) {
        let above = self.hunks.iter().filter(|hunk| hunk.new.end <= edit.old.start);
        let hunks: isize = above.map(RowEdit::growth).sum();
        let row = |row: usize| row_start(&self.base, row.saturating_add_signed(moved - hunks));
        let rows = row(edit.old.start)..row(edit.old.end);
        let new = &after[row_start(after, edit.new.start)..row_start(after, edit.new.end)];
        self.base.replace_range(rows, new);
    }

    fn diff(&mut self) {
        let (base, buffer) = (Text::from(self.base.as_str()), Text::from(self.buffer.as_str()));
        self.hunks = row_edits(&line_edits(&base, &buffer), &self.base, &self.buffer);
    }
}

/// The rows that edits touch, joined where they meet. An edit behind the last char of a row that
/// begins with a line end is about the rows below.
fn row_edits(edits: &[Edit], old: &str, new: &str) -> Vec<RowEdit> {
    let mut rows: Vec<RowEdit> = Vec::new();
    let mut grown = 0;
    for edit in edits {
        let start = edit.range.start.saturating_add_signed(grown);
        let next = row_edit(&edit.range, &(start..start + edit.new.len()), old, new);
        grown += edit.delta();
        match rows.last_mut() {
            Some(last) if last.old.end >= next.old.start => {
                (last.old.end, last.new.end) = (next.old.end, next.new.end);
            }
            _ => rows.push(next),
        }
    }
    rows
}

fn row_edit(from: &Range<usize>, to: &Range<usize>, old: &str, new: &str) -> RowEdit {
    let span = |text: &str, range: &Range<usize>, first: usize, last: usize| {
        row_of(text, range.start) + first..row_of(text, range.end) + last
    };
    let starts_row = |text: &str, at: usize| text[..at].is_empty() || text[..at].ends_with('\n');
    let ends_row = old[from.start..].starts_with('\n') && new[to.start..].starts_with('\n');
    let whole = starts_row(old, from.start) && starts_row(old, from.end) && starts_row(new, to.end);
    let (first, last) = match (ends_row, whole) {
        (true, _) => (1, 1),
        (_, true) => (0, 0),
        _ => (0, 1),
    };
    RowEdit { old: span(old, from, first, last), new: span(new, to, first, last) }
}

fn row_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count()
}

fn row_start(text: &str, row: usize) -> usize {
    match row {
        0 => 0,
        row => text.match_indices('\n').nth(row - 1).map_or(text.len(), |(at, _)| at + 1),
    }
}

pub fn applied(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.clone(), &edit.new);
    }
    text
}
