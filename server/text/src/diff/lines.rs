//! The line diff that all others start from. Lines end with LF; a lone CR is part of its line.

use std::ops::Range;

use similar::{DiffOp, DiffTag};

use super::{anchors::line_ops, cut::Cut};
use crate::{
    Edit, Text,
    edit::{common_prefix, common_suffix},
};

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

    /// Edits of the text that the diffed part starts in at byte `start`.
    pub fn edits(&self, start: usize) -> Vec<Edit> {
        let changed = self.ops.iter().filter(|op| op.tag() != DiffTag::Equal);
        let edit = |op: &DiffOp| {
            let new = self.new.bytes(op.new_range());
            let old = self.old.bytes(op.old_range());
            Edit::new(old.start + start..old.end + start, &self.new.text[new])
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
    LineDiff::new(&cut.old, &cut.new).edits(cut.start)
}

/// The first and last line of `new`, from 1, that a diff touches (seed 000: `lineRange`); the line
/// at the place where only something was removed. Lines are those that Read counts: a lone CR ends
/// one too. `None` if the texts are equal.
pub fn changed_lines(old: &Text, new: &Text) -> Option<(usize, usize)> {
    lines_of(&line_edits(old, new), old, new)
}

/// The same for the edits of a line diff.
pub(super) fn lines_of(edits: &[Edit], old: &Text, new: &Text) -> Option<(usize, usize)> {
    let (first, last) = (edits.first()?, edits.last()?);
    let grown: isize = edits.iter().map(Edit::delta).sum();
    let end = last.range.end.saturating_add_signed(grown) - equal_tail(old, last);
    let start = first.range.start + equal_head(old, first);
    Some((line_number(new, start), line_number(new, end.saturating_sub(1).max(start))))
}

/// Bytes of the lines, ended by lone CRs, that the new text of an edit starts with as the old does.
fn equal_head(old: &Text, edit: &Edit) -> usize {
    let text = old.slice(edit.range.clone());
    let head = common_prefix(&text, &edit.new);
    // Not the CR of a CR LF: a common prefix never ends inside one, but has them.
    edit.new[..head].rfind('\r').map_or(0, |cr| cr + 1)
}

/// Bytes of the lines after a lone CR that the new text of an edit ends with as the old does.
fn equal_tail(old: &Text, edit: &Edit) -> usize {
    let text = old.slice(edit.range.clone());
    let head = common_prefix(&text, &edit.new);
    let tail = common_suffix(&text[head..], &edit.new[head..]);
    let starts_line = |s: &str| s[..s.len() - tail].ends_with('\r');
    if starts_line(&text) && starts_line(&edit.new) {
        return tail;
    }
    let tail = &edit.new[edit.new.len() - tail..];
    tail.find('\r').map_or(0, |cr| tail.len() - cr - 1)
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
        check("a\rb\rc\rd", "a\rX\rc\rd", &[(0..7, "a\rX\rc\rd")], Some((2, 2)));
        check("a\rb\rc", "a\rX\rY\rb\rc", &[(0..5, "a\rX\rY\rb\rc")], Some((2, 3)));
        check("a\rb\r\nc\r\n", "a\rB\r\nc\r\n", &[(0..5, "a\rB\r\n")], Some((2, 2)));
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

    /// Lines as Read counts them, with their ends.
    fn read_lines(s: &str) -> Vec<&str> {
        let text = Text::from(s);
        let start = |line| text.line_start(line);
        (0..text.line_count()).map(|line| &s[start(line)..start(line + 1)]).collect()
    }

    proptest! {
        #[test]
        fn lines_beside_the_changed_ones_are_as_they_were(old in sample(), new in sample()) {
            let (olds, news) = (read_lines(&old), read_lines(&new));
            match changed_lines(&old.as_str().into(), &new.as_str().into()) {
                None => prop_assert_eq!(&old, &new),
                Some((first, last)) => {
                    prop_assert!(first <= last && last <= news.len());
                    let (above, below) = (&news[..first - 1], &news[last..]);
                    prop_assert!(olds.starts_with(above), "{:?} {:?}", first, last);
                    // The empty line after a final line end is none of its own.
                    prop_assert!(olds.ends_with(below) || below == [""], "{:?} {:?}", first, last);
                }
            }
        }

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
