//! Texts of a given size, in which every line is found by its number.

use std::fmt::Write as _;

/// Bytes of one line, its end included.
const LINE: usize = 40;

/// About `bytes` bytes in lines of 40 bytes.
pub fn text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes);
    for line in 0..lines(bytes) {
        let _infallible = writeln!(text, "the quick brown fox jumps over {}", word(line));
    }
    text
}

/// How many lines such a text has.
pub fn lines(bytes: usize) -> usize {
    bytes / LINE
}

/// What only that line holds: 8 characters.
pub fn word(line: usize) -> String {
    format!("n{line:07}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_size() {
        assert_eq!(text(100_000).len(), 100_000);
        assert_eq!(text(100_000).lines().count(), lines(100_000));
        assert_eq!(text(4_000).matches(&word(7)).count(), 1);
    }
}
