//! Lines of a text, for those who show them.

use redline_text::Text;

/// How many lines there are; a line end at the end starts no further one.
pub(in crate::tools) fn line_count(text: &Text) -> usize {
    let lines = text.line_count();
    if text.line_start(lines - 1) == text.len() { lines - 1 } else { lines }
}

/// A line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tools) struct Line {
    /// Without its line end.
    pub text: String,
    /// There is more of it.
    pub is_cut: bool,
}

/// A line (from 0), `most` chars of it at most.
pub(in crate::tools) fn line(text: &Text, line: usize, most: usize) -> Line {
    let (start, end) = (text.line_start(line), text.line_start(line + 1));
    // Room for a line end behind `most` chars of four bytes: whatever is beyond it is text.
    let seen = text.slice(start..end.min(start + 4 * most + 4));
    let trimmed = seen.trim_end_matches(['\r', '\n']);
    match trimmed.char_indices().nth(most) {
        Some((cut, _)) => Line { text: trimmed[..cut].to_owned(), is_cut: true },
        None => Line { text: trimmed.to_owned(), is_cut: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_by_chars() {
        let check = |text: &str, most: usize, want: &str, is_cut: bool| {
            let want = Line { text: want.to_owned(), is_cut };
            assert_eq!(line(&Text::from(text), 0, most), want, "{text:?}");
        };
        check("abc\nd", 3, "abc", false);
        check("abc\r\nd", 3, "abc", false);
        check("abcd\n", 3, "abc", true);
        check("éé😀é", 3, "éé😀", true);
        check("😀😀😀\r\n", 3, "😀😀😀", false);
        check(&"x".repeat(100_000), 3, "xxx", true);
        check("", 3, "", false);
        assert_eq!(line_count(&Text::from("a\n\n")), 2);
        assert_eq!(line_count(&Text::from("")), 0);
    }
}
