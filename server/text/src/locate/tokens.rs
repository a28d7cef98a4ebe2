//! Words, white space and single chars: what two lines are compared by where chars are too fine.

use unicode_normalization::char::is_combining_mark;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Space,
    Other,
}

pub(super) fn kind(c: char) -> Kind {
    if c.is_whitespace() {
        Kind::Space
    } else if is_word(c) {
        Kind::Word
    } else {
        Kind::Other
    }
}

/// Letters, digits, `_`, and what belongs to the letter before it.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && is_combining_mark(c))
}

/// All of them, in order; together they are the text. `...` is one.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match kind(first) {
            Kind::Other if rest.starts_with("...") => 3,
            Kind::Other => first.len_utf8(),
            of => rest.find(|c| kind(c) != of).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

/// Those that are not white space.
pub(super) fn solid(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).filter(|token| !token.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_whole_text() {
        let check = |text: &str, want: &[&str]| {
            assert_eq!(tokens(text).collect::<Vec<_>>(), want);
            assert_eq!(tokens(text).collect::<String>(), text);
        };
        check("", &[]);
        check("a_1 +=\t\nb", &["a_1", " ", "+", "=", "\t\n", "b"]);
        check("// ...x....", &["/", "/", " ", "...", "x", "...", "."]);
        check("caf\u{65}\u{301}s", &["cafe\u{301}s"]);
        assert_eq!(solid(" a  (b) ").collect::<Vec<_>>(), ["a", "(", "b", ")"]);
    }
}
