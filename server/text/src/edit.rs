//! An edit is a value: what is replaced, and by what.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Text;

/// One contiguous replacement. Offsets are bytes of the text before the edit, on char boundaries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub new: String,
}

impl Edit {
    /// An edit of `range` to `new`.
    pub fn new(range: Range<usize>, new: impl Into<String>) -> Self {
        Self { range, new: new.into() }
    }

    /// The edit that turns the result back into `before`.
    pub fn inverse(&self, before: &Text) -> Edit {
        let start = self.range.start;
        Edit::new(start..start + self.new.len(), before.slice(self.range.clone()))
    }

    /// Without the chars that old and new text share at their start and end. A CR LF pair is never
    /// split, so that an edit of one line's end does not become half of one.
    pub fn trimmed(&self, before: &Text) -> Edit {
        let old = before.slice(self.range.clone());
        let prefix = common_prefix(&old, &self.new);
        let suffix = common_suffix(&old[prefix..], &self.new[prefix..]);
        let range = self.range.start + prefix..self.range.end - suffix;
        Edit::new(range, &self.new[prefix..self.new.len() - suffix])
    }

    /// The same edit with ends that do not lie between a CR and its LF: no LSP position names such
    /// a place.
    pub fn widened(&self, before: &Text) -> Edit {
        let inside = |at: usize| {
            at > 0 && before.byte(at - 1) == Some(b'\r') && before.byte(at) == Some(b'\n')
        };
        let mut edit = self.clone();
        if inside(edit.range.start) {
            edit.range.start -= 1;
            edit.new.insert(0, '\r');
        }
        if inside(edit.range.end) {
            edit.range.end += 1;
            edit.new.push('\n');
        }
        edit
    }

    /// Whether applying it changes nothing.
    pub fn is_noop(&self, before: &Text) -> bool {
        self.range.len() == self.new.len() && before.slice(self.range.clone()) == self.new.as_str()
    }

    /// How many bytes longer the text becomes (negative: shorter).
    pub fn delta(&self) -> isize {
        self.new.len() as isize - self.range.len() as isize
    }
}

/// Bytes of the longest common prefix that ends on a char boundary and not inside a CR LF.
pub fn common_prefix(a: &str, b: &str) -> usize {
    let mut n = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    while !a.is_char_boundary(n) || !b.is_char_boundary(n) {
        n -= 1;
    }
    let splits = |s: &str| n > 0 && s.as_bytes()[n - 1] == b'\r' && s[n..].starts_with('\n');
    if splits(a) || splits(b) { n - 1 } else { n }
}

/// Bytes of the longest common suffix that starts on a char boundary and not inside a CR LF.
pub fn common_suffix(a: &str, b: &str) -> usize {
    let equal = a.bytes().rev().zip(b.bytes().rev()).take_while(|(x, y)| x == y).count();
    let mut n = equal;
    while !a.is_char_boundary(a.len() - n) || !b.is_char_boundary(b.len() - n) {
        n -= 1;
    }
    let splits = |s: &str| s[..s.len() - n].ends_with('\r') && s[s.len() - n..].starts_with('\n');
    if n > 0 && (splits(a) || splits(b)) { n - 1 } else { n }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, range: Range<usize>, new: &str, want: (Range<usize>, &str)) {
        let before = Text::from(before);
        assert_eq!(Edit::new(range, new).trimmed(&before), Edit::new(want.0, want.1));
    }

    #[test]
    fn trimming_keeps_chars_and_line_ends_whole() {
        check("let a = 1;", 0..10, "let a = 2;", (8..9, "2"));
        check("a\r\nb", 0..4, "a\nb", (1..3, "\n"));
        check("a\nb", 0..3, "a\r\nb", (1..2, "\r\n"));
        check("é", 0..2, "è", (0..2, "è"));
        check("aaa", 0..3, "aa", (2..3, ""));
        check("x", 0..1, "x", (1..1, ""));
    }

    #[test]
    fn widening_keeps_line_ends_whole() {
        let before = Text::from("a\r\nb");
        let check = |edit: Edit, want: Edit| assert_eq!(edit.widened(&before), want);
        check(Edit::new(0..2, "x"), Edit::new(0..3, "x\n"));
        check(Edit::new(2..3, ""), Edit::new(1..3, "\r"));
        check(Edit::new(2..2, "x"), Edit::new(1..3, "\rx\n"));
        check(Edit::new(1..3, ""), Edit::new(1..3, ""));
    }

    #[test]
    fn the_inverse_restores() {
        let before = Text::from("one two");
        let edit = Edit::new(4..7, "three");
        let mut after = before.clone();
        after.apply(&edit);
        after.apply(&edit.inverse(&before));
        assert_eq!(after, before);
    }
}
