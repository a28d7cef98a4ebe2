//! The line diff that all others start from. Lines end with LF; a lone CR is part of its line.

use std::ops::Range;

use similar::{DiffOp, DiffTag};

use super::{anchors::line_ops, cut::Cut};
use crate::{Edit, Text};

/// A line diff with the lines it is about.
pub(super) struct LineDiff<'a> {
    pub old: Lines<'a>,
    pub new: Lines<'a>,
    pub ops: Vec<DiffOp>,
}

impl<'a> LineDiff<'a> {
    pub fn new(old: &'a str, new: &'a str) -> Self {
        let (old, new) = (Lines::new(old), Lines::new(new));
        let ops = line_ops(&old.lines, &new.lines);
        Self { old, new, ops }
    }

    fn edits(&self) -> Vec<Edit> {
        let changed = self.ops.iter().filter(|op| op.tag() != DiffTag::Equal);
        let edit = |op: &DiffOp| {
            let new = self.new.bytes(op.new_range());
            Edit::new(self.old.bytes(op.old_range()), &self.new.text[new])
        };
        changed.map(edit).collect()
    }
}

/// A text cut into lines that keep their ends.
pub(super) struct Lines<'a> {
    text: &'a str,
    pub lines: Vec<&'a str>,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut starts = Vec::with_capacity(lines.len() + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, lines, starts }
    }

    /// The bytes of a range of lines (from 0).
    fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }
}

/// The whole lines that differ, as edits of `old`: ascending, apart from each other, and as few
/// and small as the algorithm finds.
pub fn line_edits(old: &Text, new: &Text) -> Vec<Edit> {
    let Some(cut) = Cut::new(old, new) else { return Vec::new() };
    let mut edits = LineDiff::new(&cut.old, &cut.new).edits();
    for edit in &mut edits {
        edit.range = edit.range.start + cut.start..edit.range.end + cut.start;
    }
    edits
}

/// The first and last line of `new`, from 1, that a diff touches (seed 000: `lineRange`); the line
/// at the place where only something was removed. `None` if the texts are equal.
pub fn changed_lines(old: &Text, new: &Text) -> Option<(usize, usize)> {
    let edits = line_edits(old, new);
    let (first, last) = (edits.first()?, edits.last()?);
    let grown: isize = edits.iter().map(Edit::delta).sum();
    let end = last.range.end.saturating_add_signed(grown);
    let start = first.range.start;
    Some((line_number(new, start), line_number(new, end.saturating_sub(1).max(start))))
}

/// The number, from 1, of the line that holds byte `at`. The empty line after a final line end
/// counts as the line that it ends.
fn line_number(text: &Text, at: usize) -> usize {
    let last = text.len().saturating_sub(1);
    text.line_of(at.min(last)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use proptest::prelude::*;

    fn check(old: &str, new: &str, want: &[(Range<usize>, &str)], lines: Option<(usize, usize)>) {
        let (old, new) = (Text::from(old), Text::from(new));
        let want: Vec<Edit> = want.iter().map(|(r, s)| Edit::new(r.clone(), *s)).collect();
        assert_eq!(line_edits(&old, &new), want);
        assert_eq!(changed_lines(&old, &new), lines);
    }

    #[test]
    fn lines_that_differ() {
        check("a\nb\n", "a\nb\n", &[], None);
        check("", "a\nb", &[(0..0, "a\nb")], Some((1, 2)));
        check("a\nb\n", "", &[(0..4, "")], Some((1, 1)));
        check("a\nb\nc\n", "a\nB\nc\n", &[(2..4, "B\n")], Some((2, 2)));
        check("a\nb\nc\n", "a\nc\n", &[(2..4, "")], Some((2, 2)));
        check("a\nb\n", "a\n", &[(2..4, "")], Some((1, 1)));
        check("a\nb", "a\nb\n", &[(2..3, "b\n")], Some((2, 2)));
        check("a\r\nb\r\n", "a\nb\r\n", &[(0..3, "a\n")], Some((1, 1)));
        check("1\n2\n3\n4\n", "1\nx\n3\ny\n", &[(2..4, "x\n"), (6..8, "y\n")], Some((2, 4)));
    }

    #[test]
    fn unlike_texts_of_many_lines_take_no_noticeable_time() {
        let make = |seed: u64| -> Text {
            let mut x = seed;
            let mut next = || {
                x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                format!("{}\n", (x >> 33) % 500)
            };
            (0..20_000).map(|_| next()).collect::<String>().into()
        };
        let (old, new) = (make(1), make(2));
        let mut applied = old.clone();
        applied.apply_all(&line_edits(&old, &new));
        assert!(applied == new);
    }

    proptest! {
        #[test]
        fn applying_the_edits_gives_the_new_text(old in sample(), new in sample()) {
            let (old, new) = (Text::from(old), Text::from(new));
            let edits = line_edits(&old, &new);
            prop_assert!(edits.windows(2).all(|w| w[0].range.end < w[1].range.start));
            let mut applied = old.clone();
            applied.apply_all(&edits);
            prop_assert_eq!(applied, new);
        }
    }
}
