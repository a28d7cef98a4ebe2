//! Char rebase of whole events, the rule of VS Code's chat editing (chatEditingTextModelChangeService,
//! read in November 2026; this is a model of the rule, not its code).
//!
//! Agent edits go into the buffer. Beside it lies the original. An event of the user's is carried over
//! the agent's edits into the original, as a whole, unless one of its changes runs into one of
//! theirs; then none of it is. What is the agent's is then a char diff of original and buffer.
//! Rejecting puts the original back.
//!
//! Where the rule leaves a choice the model takes what loses least: the diff is by chars and finds
//! no false neighbours, text typed right at an agent's change is no conflict (it was one until 2025) and goes
//! to its own side of it.

use std::ops::Range;

use redline_text::{Edit, Text, char_edits};

use crate::{Design, rows::applied};

pub struct Chars {
    original: String,
    buffer: String,
}

impl Design for Chars {
    fn new(base: &str) -> Self {
        Self { original: base.to_owned(), buffer: base.to_owned() }
    }

    fn buffer(&self) -> String {
        self.buffer.clone()
    }

    fn agent(&mut self, edits: &[Edit]) {
        self.buffer = applied(&self.buffer, edits);
    }

    fn user(&mut self, edits: &[Edit]) {
        let agents = self.agents_changes();
        let carried: Option<Vec<Edit>> = edits.iter().map(|edit| carry(edit, &agents)).collect();
        if let Some(carried) = carried {
            self.original = applied(&self.original, &carried);
        }
        self.buffer = applied(&self.buffer, edits);
    }

    fn reject_all(&self) -> String {
        self.original.clone()
    }
}

/// What of the original became what of the buffer.
struct Changed {
    original: Range<usize>,
    buffer: Range<usize>,
}

impl Chars {
    fn agents_changes(&self) -> Vec<Changed> {
        let edits =
            char_edits(&Text::from(self.original.as_str()), &Text::from(self.buffer.as_str()));
        let mut grown = 0;
        let changed = |edit: &Edit| {
            let start = edit.range.start.saturating_add_signed(grown);
            grown += edit.delta();
            Changed { original: edit.range.clone(), buffer: start..start + edit.new.len() }
        };
        edits.iter().map(changed).collect()
    }
}

/// The edit in the original; `None` if it runs into a change of the agent's.
fn carry(edit: &Edit, agents: &[Changed]) -> Option<Edit> {
    let Edit { range, new } = edit;
    if agents.iter().any(|change| runs_into(range, &change.buffer)) {
        return None;
    }
    let before = agents.iter().filter(|change| change.buffer.end <= range.start);
    let shift: isize = before.map(|c| c.original.len() as isize - c.buffer.len() as isize).sum();
    let start = range.start.saturating_add_signed(shift);
    let end = range.end.saturating_add_signed(shift);
    Some(Edit::new(start..end, new.as_str()))
}

/// They share a char, or a place to insert at, or one inserts inside the other.
fn runs_into(one: &Range<usize>, other: &Range<usize>) -> bool {
    let within =
        |a: &Range<usize>, b: &Range<usize>| a.is_empty() && b.start < a.start && a.end < b.end;
    let both_insert = one.is_empty() && other.is_empty() && one.start == other.start;
    let share = one.start.max(other.start) < one.end.min(other.end);
    share || both_insert || within(one, other) || within(other, one)
}
