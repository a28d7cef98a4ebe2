//! Pieces that span a line end begin and end with lines.
//!
//! Trimmed to the chars that change, a replacement of lines begins behind the first word that it
//! shares with them (`if `), and a line that the user types among them would come to lie there.
//! Such a piece takes the rest of its first and last line along. What only adds or takes lines is
//! slid to where lines start instead: `"\nX"` at the end of a line is `"X\n"` before the next one.
//! A piece inside one line stays as small as it is: whatever is typed beside it survives in place.

use std::ops::Range;

use redline_text::{Edit, Text};

use crate::{
    Layers, Piece, Projection,
    span::{By, Span},
};

/// The parts of a thread's text that a piece may take along: what is in the file and nobody's.
pub(crate) struct Plain(Vec<Range<usize>>);

impl Plain {
    /// Of what `projection` shows. Text that a piece inserted or deletes, and what the user typed
    /// inside one, is left alone: it would be copied, and a decision on the other piece could not
    /// take it away any more.
    pub fn of(layers: &Layers, projection: &Projection) -> Self {
        let mut plain: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        for span in &layers.spans {
            if !layers.visible(span, &|piece: &Piece| projection.has(piece)) {
                continue;
            }
            let range = at..at + span.len;
            at = range.end;
            if is_plain(span) {
                match plain.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => plain.push(range),
                }
            }
        }
        Self(plain)
    }

    fn holds(&self, range: &Range<usize>) -> bool {
        let next = self.0.partition_point(|plain| plain.end < range.end);
        range.is_empty() || self.0.get(next).is_some_and(|plain| plain.start <= range.start)
    }
}

fn is_plain(span: &Span) -> bool {
    span.by == By::Base && span.gone.is_empty()
}

/// Edits of `text` with the same effect, in whole lines where that is due.
pub(crate) fn whole_lines(edits: &mut [Edit], text: &Text, plain: &Plain) {
    let mut floor = 0;
    for index in 0..edits.len() {
        let ceiling = edits.get(index + 1).map_or(text.len(), |next| next.range.start);
        if let Some(whole) = whole(&edits[index], text)
            && floor <= whole.range.start
            && whole.range.end <= ceiling
            && around(&edits[index].range, &whole.range).iter().all(|range| plain.holds(range))
        {
            edits[index] = whole;
        }
        floor = edits[index].range.end;
    }
}

/// What the outer range has beside the inner one.
fn around(inner: &Range<usize>, outer: &Range<usize>) -> [Range<usize>; 2] {
    [outer.start..inner.start.max(outer.start), inner.end.min(outer.end)..outer.end]
}

fn whole(edit: &Edit, text: &Text) -> Option<Edit> {
    let old = text.slice(edit.range.clone());
    if !old.contains('\n') && !edit.new.contains('\n') {
        return None;
    }
    let start = line_start(text, edit.range.start);
    let end = match edit.new.is_empty() && start == edit.range.start || edit.new.ends_with('\n') {
        true => line_end(text, edit.range.end),
        // Behind it a line that starts in the old text would start no longer.
        false => next_line(text, edit.range.end),
    };
    if start == edit.range.start && end == edit.range.end {
        return None;
    }
    match (old.is_empty(), edit.new.is_empty()) {
        (true, _) => slid(&edit.new, &edit.range, text).map(|(at, new)| Edit::new(at, new)),
        (_, true) => slid(&old, &edit.range, text)
            .map(|(range, _)| Edit::new(range, ""))
            .or_else(|| Some(widened(edit, start..end, text))),
        _ => Some(widened(edit, start..end, text)),
    }
}

fn widened(edit: &Edit, range: Range<usize>, text: &Text) -> Edit {
    let before = text.slice(range.start..edit.range.start);
    let behind = text.slice(edit.range.end..range.end);
    Edit::new(range, format!("{before}{}{behind}", edit.new))
}

/// Added (or taken) text that can start at the start of a line without another effect: the next one,
/// or the one that it begins in.
fn slid(text: &str, range: &Range<usize>, whole: &Text) -> Option<(Range<usize>, String)> {
    let next = line_end(whole, range.end) - range.end;
    let back = range.start - line_start(whole, range.start);
    let right = text.get(..next).zip(text.get(next..));
    if let Some((head, tail)) = right
        && head.ends_with('\n')
        && whole.slice(range.end..range.end + next) == head
    {
        let moved = range.start + next..range.end + next;
        return Some((moved, format!("{tail}{head}")));
    }
    let split = text.len().checked_sub(back)?;
    let (head, tail) = text.get(..split).zip(text.get(split..))?;
    let fits = head.ends_with('\n') && whole.slice(range.start - back..range.start) == tail;
    fits.then(|| (range.start - back..range.end - back, format!("{tail}{head}")))
}

fn line_start(text: &Text, at: usize) -> usize {
    text.after_last_lf(0, at).unwrap_or(0)
}

/// The start of the next line; `at` itself if a line starts there.
fn line_end(text: &Text, at: usize) -> usize {
    if line_start(text, at) == at {
        return at;
    }
    next_line(text, at)
}

fn next_line(text: &Text, at: usize) -> usize {
    text.after_first_lf(at, text.len()).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, range: Range<usize>, new: &str, want: (Range<usize>, &str)) {
        let text = Text::from(text);
        let layers = Layers::new(text.clone());
        let plain = Plain::of(&layers, &Projection::Editor);
        let mut edits = [Edit::new(range, new)];
        whole_lines(&mut edits, &text, &plain);
        let (mut before, mut after) = (text.clone(), text);
        before.apply(&edits[0]);
        after.apply(&Edit::new(want.0.clone(), want.1));
        assert_eq!(before, after);
        assert_eq!(edits[0], Edit::new(want.0, want.1));
    }

    #[test]
    fn a_piece_in_one_line_stays_small() {
        check("let a = 1;\n", 8..9, "2", (8..9, "2"));
        check("ab\ncd\n", 1..1, "x", (1..1, "x"));
    }

    #[test]
    fn replaced_lines_are_whole() {
        check("if a {\n  b\n}\nc\n", 3..10, "x {\n  y", (0..11, "if x {\n  y\n"));
        check("a\nb\nc\n", 1..2, "", (0..4, "ab\n"));
        check("a b\n", 1..2, "\n", (0..4, "a\nb\n"));
        check("a\nb", 1..2, "", (0..3, "ab"));
        check("a\r\nb\r\n", 1..3, " ", (0..6, "a b\r\n"));
    }

    #[test]
    fn added_and_taken_lines_slide_to_where_lines_start() {
        check("a\nb\n", 1..1, "\nx", (2..2, "x\n"));
        check("a\r\nb\r\n", 1..1, "\r\nx", (3..3, "x\r\n"));
        check("fn a\nfn b\n", 3..3, "x\nfn ", (0..0, "fn x\n"));
        check("a\nb\nc\n", 1..3, "", (2..4, ""));
        check("a\nx a\nb\n", 0..4, "", (2..6, ""));
    }

    #[test]
    fn an_insertion_that_no_slide_makes_whole_is_left_alone() {
        check("last", 4..4, "\nnew", (4..4, "\nnew"));
        check("a b\n", 1..1, "x\ny", (1..1, "x\ny"));
    }

    #[test]
    fn text_of_another_edit_is_not_taken_along() {
        let text = Text::from("one two\nthree\n");
        let plain = Plain::of(&Layers::new(text.clone()), &Projection::Editor);
        let mut edits = [Edit::new(0..3, "1"), Edit::new(4..9, "2\nx")];
        whole_lines(&mut edits, &text, &plain);
        assert_eq!(edits[1].range, 4..9);
    }
}
