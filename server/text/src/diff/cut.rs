//! What is left to compare of two texts once their common ends are away.

use crate::Text;

/// Lines around the first and the last difference that stay: as many as a unified diff shows.
pub(super) const CONTEXT: usize = 3;

/// A stretch of whole lines, in both texts, outside of which both are equal.
pub(super) struct Cut {
    /// The byte, in both, where it starts.
    pub start: usize,
    /// The number of that line, from 0, counted by LF.
    pub line: usize,
    pub old: String,
    pub new: String,
}

impl Cut {
    /// `None` if the texts are equal.
    pub fn new(old: &Text, new: &Text) -> Option<Self> {
        let same = old.shared_start(new);
        if same == old.len() && same == new.len() {
            return None;
        }
        let start = line_start(old, same);
        let most = old.len().min(new.len()) - start;
        let tail = whole_lines(old, new, old.shared_end(new, most));
        let start = (0..CONTEXT).fold(start, |at, _| line_start(old, at.saturating_sub(1)));
        let end = (0..CONTEXT).fold(old.len() - tail, |at, _| next_line(old, at));
        let tail = old.len() - end;
        Some(Self {
            start,
            line: line_feeds(old, start),
            old: old.slice(start..end).into_owned(),
            new: new.slice(start..new.len() - tail).into_owned(),
        })
    }
}

/// The start of the line that holds byte `at`.
fn line_start(text: &Text, at: usize) -> usize {
    text.after_last_lf(0, text.floor(at)).unwrap_or(0)
}

/// The byte after the line that starts at `at`.
fn next_line(text: &Text, at: usize) -> usize {
    text.after_first_lf(at, text.len()).unwrap_or(text.len())
}

/// Of a common end, the part that consists of whole lines in both texts.
fn whole_lines(old: &Text, new: &Text, tail: usize) -> usize {
    let starts_line = |text: &Text| {
        let at = text.len() - tail;
        at == 0 || text.byte(at - 1) == Some(b'\n')
    };
    if starts_line(old) && starts_line(new) {
        return tail;
    }
    // The tail may start inside a char: a line feed is never a part of one.
    let at = old.floor(old.len() - tail);
    match old.after_first_lf(at, old.len()) {
        Some(next) => old.len() - next,
        None => 0,
    }
}

fn line_feeds(text: &Text, to: usize) -> usize {
    let mut left = to;
    let count = |chunk: &str| {
        let part = &chunk.as_bytes()[..chunk.len().min(left)];
        left -= part.len();
        memchr::memchr_iter(b'\n', part).count()
    };
    text.chunks().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, want: Option<(usize, usize, &str, &str)>) {
        let cut = Cut::new(&old.into(), &new.into());
        let parts = cut.as_ref().map(|c| (c.start, c.line, c.old.as_str(), c.new.as_str()));
        assert_eq!(parts, want);
    }

    #[test]
    fn three_lines_stay_on_both_sides() {
        check("a\n", "a\n", None);
        check("", "", None);
        check("", "a", Some((0, 0, "", "a")));
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let (a, b) = ("2\n3\n4\n5\n6\n7\n8\n", "2\n3\n4\nx\n6\n7\n8\n");
        check(old, &old.replace('5', "x"), Some((2, 1, a, b)));
        check(old, &old.replace("5\n", ""), Some((2, 1, a, "2\n3\n4\n6\n7\n8\n")));
    }

    #[test]
    fn a_common_end_that_starts_inside_a_line_or_a_char_is_shortened() {
        check("ab\nc\n", "xb\nc\n", Some((0, 0, "ab\nc\n", "xb\nc\n")));
        check("\u{e9}", "\u{129}", Some((0, 0, "\u{e9}", "\u{129}")));
        check("a\n", "a\na\n", Some((0, 0, "a\n", "a\na\n")));
    }
}
