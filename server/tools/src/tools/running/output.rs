//! What a command prints, in bounded memory: the end of it, or the beginning.

use std::collections::VecDeque;

/// The last bytes of an output of any length.
#[derive(Debug)]
pub(in crate::tools) struct Tail {
    bytes: VecDeque<u8>,
    total: u64,
    most: usize,
}

impl Tail {
    /// Keeps that many bytes.
    pub fn bytes(most: usize) -> Self {
        Self { bytes: VecDeque::new(), total: 0, most }
    }

    /// Keeps enough bytes for that many chars of any kind.
    pub fn chars(most: usize) -> Self {
        Self::bytes(most * 4)
    }

    /// More of it.
    pub fn push(&mut self, chunk: &[u8]) {
        self.total += chunk.len() as u64;
        let chunk = &chunk[chunk.len().saturating_sub(self.most)..];
        let excess = (self.bytes.len() + chunk.len()).saturating_sub(self.most);
        self.bytes.drain(..excess);
        self.bytes.extend(chunk);
    }

    /// Bytes that were printed.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether bytes were lost.
    pub fn is_cut(&self) -> bool {
        self.total > self.bytes.len() as u64
    }

    /// Whether `last(chars)` is not all of it.
    pub fn exceeds(&self, chars: usize) -> bool {
        self.is_cut() || self.text().chars().nth(chars).is_some()
    }

    /// The last `chars` chars; what is not UTF-8 becomes U+FFFD.
    pub fn last(&self, chars: usize) -> String {
        let text = self.text();
        match chars.checked_sub(1).and_then(|n| text.char_indices().rev().nth(n)) {
            Some((start, _)) => text[start..].to_owned(),
            None if chars == 0 => String::new(),
            None => text,
        }
    }

    /// All that is kept; what is not UTF-8 becomes U+FFFD.
    pub fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        // A char that was cut in two at the start is not shown as rubbish.
        let skip = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
        String::from_utf8_lossy(&bytes[if self.is_cut() { skip } else { 0 }..]).into_owned()
    }
}

/// The first bytes of an output of any length.
#[derive(Debug)]
pub(crate) struct Head {
    bytes: Vec<u8>,
    most: usize,
    is_cut: bool,
}

impl Head {
    /// Keeps that many bytes.
    pub fn bytes(most: usize) -> Self {
        Self { bytes: Vec::new(), most, is_cut: false }
    }

    /// More of it.
    pub fn push(&mut self, chunk: &[u8]) {
        let room = self.most - self.bytes.len().min(self.most);
        self.bytes.extend_from_slice(&chunk[..room.min(chunk.len())]);
        self.is_cut |= chunk.len() > room;
    }

    /// Whether there was more.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// All that is kept; what is not UTF-8 becomes U+FFFD, but a char that the limit cuts is left
    /// out.
    pub fn text(&self) -> String {
        let end = match std::str::from_utf8(&self.bytes) {
            Err(error) if self.is_cut && error.error_len().is_none() => error.valid_up_to(),
            _ => self.bytes.len(),
        };
        String::from_utf8_lossy(self.bytes.get(..end).unwrap_or_default()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MAX_CHARS: usize = 50_000;

    fn check(chunks: &[&[u8]], chars: usize, want: &str) {
        let mut output = Tail::chars(50);
        chunks.iter().for_each(|chunk| output.push(chunk));
        assert_eq!(output.last(chars), want);
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
        let mut output = Tail::chars(MAX_CHARS);
        for _ in 0..50 {
            output.push(&vec![b'x'; 65_536]);
        }
        output.push("é".repeat(300_000).as_bytes());
        assert_eq!(output.bytes.len(), MAX_CHARS * 4);
        assert_eq!(output.total(), 50 * 65_536 + 600_000);
        assert!(output.exceeds(MAX_CHARS));
        assert_eq!(output.last(MAX_CHARS), "é".repeat(MAX_CHARS));
    }

    #[test]
    fn it_is_cut_by_chars_not_by_bytes() {
        let mut output = Tail::chars(MAX_CHARS);
        output.push("é".repeat(MAX_CHARS).as_bytes());
        assert!(!output.exceeds(MAX_CHARS));
        output.push(b"x");
        assert!(output.exceeds(MAX_CHARS));
    }

    #[test]
    fn the_first_bytes() {
        let head = |most: usize, chunks: &[&[u8]]| {
            let mut head = Head::bytes(most);
            chunks.iter().for_each(|chunk| head.push(chunk));
            (head.text(), head.is_cut())
        };
        assert_eq!(head(5, &[b"abc", b"de"]), ("abcde".to_owned(), false));
        assert_eq!(head(5, &[b"abc", b"def", b"g"]), ("abcde".to_owned(), true));
        assert_eq!(head(4, &["日本".as_bytes()]), ("日".to_owned(), true));
        assert_eq!(head(4, &[b"a\xFFb"]), ("a\u{FFFD}b".to_owned(), false));
        assert_eq!(head(0, &[b"a"]), (String::new(), true));
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(bytes in proptest::collection::vec(any::<u8>(), 0..60), at in 0usize..60, n in 0usize..20) {
            let at = at.min(bytes.len());
            let (mut one, mut two) = (Tail::bytes(40), Tail::bytes(40));
            one.push(&bytes);
            two.push(&bytes[..at]);
            two.push(&bytes[at..]);
            prop_assert_eq!(one.last(n), two.last(n));
        }
    }
}
