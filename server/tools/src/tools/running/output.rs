//! The end of what a command prints, in bounded memory.

use std::collections::VecDeque;

/// Chars of the output that a model is shown: the last ones (seed 000, MAX_OUTPUT_CHARS).
pub(super) const MAX_CHARS: usize = 50_000;
/// Chars of the output that are told while the command runs.
pub(super) const PROGRESS_CHARS: usize = 2_000;
/// Bytes that are kept: enough for `MAX_CHARS` chars of any kind.
const KEPT: usize = MAX_CHARS * 4;

/// The last bytes of an output of any length.
#[derive(Debug, Default)]
pub(super) struct Output {
    bytes: VecDeque<u8>,
    total: u64,
}

impl Output {
    /// More of it.
    pub fn push(&mut self, chunk: &[u8]) {
        self.total += chunk.len() as u64;
        let chunk = &chunk[chunk.len().saturating_sub(KEPT)..];
        let excess = (self.bytes.len() + chunk.len()).saturating_sub(KEPT);
        self.bytes.drain(..excess);
        self.bytes.extend(chunk);
    }

    /// Bytes that were printed.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether `tail(MAX_CHARS)` is not all of it.
    pub fn is_cut(&self) -> bool {
        self.total > self.bytes.len() as u64 || self.text().chars().nth(MAX_CHARS).is_some()
    }

    /// The last `chars` chars; what is not UTF-8 becomes U+FFFD.
    pub fn tail(&self, chars: usize) -> String {
        let text = self.text();
        match chars.checked_sub(1).and_then(|n| text.char_indices().rev().nth(n)) {
            Some((start, _)) => text[start..].to_owned(),
            None if chars == 0 => String::new(),
            None => text,
        }
    }

    fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let cut = self.total > bytes.len() as u64;
        // A char that was cut in two at the start is not shown as rubbish.
        let skip = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
        String::from_utf8_lossy(&bytes[if cut { skip } else { 0 }..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(chunks: &[&[u8]], chars: usize, want: &str) {
        let mut output = Output::default();
        chunks.iter().for_each(|chunk| output.push(chunk));
        assert_eq!(output.tail(chars), want);
    }

    #[test]
    fn the_last_chars() {
        check(&[], 5, "");
        check(&[b"abc"], 5, "abc");
        check(&[b"abc", b"def"], 4, "cdef");
        check(&["日本語".as_bytes()], 2, "本語");
        check(&[b"abc"], 0, "");
        check(&[b"a\xFFb\xE6\x97"], 9, "a\u{FFFD}b\u{FFFD}");
    }

    #[test]
    fn a_char_over_two_chunks_is_whole() {
        check(&[b"a\xE6", b"\x97\xA5"], 9, "a日");
    }

    #[test]
    fn memory_is_bounded() {
        let mut output = Output::default();
        for _ in 0..50 {
            output.push(&vec![b'x'; 65_536]);
        }
        output.push("é".repeat(300_000).as_bytes());
        assert_eq!(output.bytes.len(), KEPT);
        assert_eq!(output.total(), 50 * 65_536 + 600_000);
        assert!(output.is_cut());
        assert_eq!(output.tail(MAX_CHARS), "é".repeat(MAX_CHARS));
    }

    #[test]
    fn it_is_cut_by_chars_not_by_bytes() {
        let mut output = Output::default();
        output.push("é".repeat(MAX_CHARS).as_bytes());
        assert!(!output.is_cut());
        output.push(b"x");
        assert!(output.is_cut());
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(bytes in proptest::collection::vec(any::<u8>(), 0..60), at in 0usize..60, n in 0usize..20) {
            let at = at.min(bytes.len());
            let (mut one, mut two) = (Output::default(), Output::default());
            one.push(&bytes);
            two.push(&bytes[..at]);
            two.push(&bytes[at..]);
            prop_assert_eq!(one.tail(n), two.tail(n));
        }
    }
}
