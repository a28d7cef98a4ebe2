//! Where exactly a line was added or taken: `"\nX"` at the end of a line and `"X\n"` at the start of
//! the next one leave the same text.
//!
//! Editors say the first when the user presses Enter at the end of a line. Inside a piece that
//! would tear the user's text from its line: the line end that is kept belongs to the line that the
//! piece replaces. The rule looks at what is before and behind the place and at nothing that the edit
//! itself changes, so that an undo finds the same place.

use redline_text::{Edit, Text};

use crate::{
    Layers,
    span::{By, Span},
};

impl Layers {
    /// The edit, or one with the same effect that adds or takes whole lines.
    pub(crate) fn slid(&self, edit: Edit) -> Edit {
        let Some(eol) = common_eol(&self.shown, &edit) else { return edit };
        let Edit { range, new } = edit;
        let next = range.start + eol..range.end + eol;
        if !self.is_inside_a_piece(range.start) {
            return Edit::new(range, new);
        }
        let adds = range.is_empty();
        let takes = new.is_empty() && self.worth(range.end) < self.worth(range.start);
        match (adds, takes) {
            (true, _) => Edit::new(next, format!("{}{}", &new[eol..], &new[..eol])),
            (_, true) => Edit::new(next, ""),
            _ => Edit::new(range, new),
        }
    }

    /// The other insertions with a line end first or last that have the same effect.
    pub(crate) fn turned(&self, at: usize, text: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        if let Some(eol) = common_eol(&self.shown, &Edit::new(at..at, text)) {
            found.push((at + eol, format!("{}{}", &text[eol..], &text[..eol])));
        }
        let eol = if text.ends_with("\r\n") { 2 } else { usize::from(text.ends_with('\n')) };
        if let (Some(start), true) = (at.checked_sub(eol), eol > 0)
            && self.shown.slice(start..at) == text[text.len() - eol..]
        {
            let (rest, end) = text.split_at(text.len() - eol);
            found.push((start, format!("{end}{rest}")));
        }
        found
    }

    /// Whether some piece deletes what is before byte `at` of the shown text, and what is behind it.
    fn is_inside_a_piece(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.shown_span(at)) else {
            return false;
        };
        let behind = self.shown_span(at);
        behind.is_some_and(|behind| before.gone.iter().any(|id| behind.gone.contains(id)))
    }

    /// Which of two line ends is better kept: a piece's, then the file's, then one that the user typed.
    fn worth(&self, at: usize) -> u8 {
        match self.shown_span(at) {
            Some(span) if span.is_touched() => 2,
            Some(span) if span.by == By::User => 0,
            _ => 1,
        }
    }

    /// The span that holds byte `at` of the shown text.
    fn shown_span(&self, at: usize) -> Option<&Span> {
        let mut end = 0;
        self.spans.iter().filter(|span| span.shown).find(|span| {
            end += span.len;
            at < end
        })
    }
}

/// The length of the line end that comes both first in what an edit adds or takes, and right behind
/// its place.
fn common_eol(text: &Text, edit: &Edit) -> Option<usize> {
    let Edit { range, new } = edit;
    let behind = |at: usize| match (text.byte(at), text.byte(at + 1)) {
        (Some(b'\n'), _) => Some(1),
        (Some(b'\r'), Some(b'\n')) => Some(2),
        _ => None,
    };
    let eol = behind(range.end)?;
    let first = match (range.is_empty(), new.is_empty()) {
        (true, false) => starting_eol(new),
        (false, true) if range.len() >= eol => behind(range.start),
        _ => None,
    };
    // Behind a CR, a place before an LF is inside of a line end.
    let torn =
        |at: usize| at > 0 && text.byte(at - 1) == Some(b'\r') && text.byte(at) == Some(b'\n');
    let whole = !torn(range.start) && !torn(range.end);
    (first == Some(eol) && whole).then_some(eol)
}

fn starting_eol(text: &str) -> Option<usize> {
    if text.starts_with("\r\n") { Some(2) } else { text.starts_with('\n').then_some(1) }
}
