//! `Text`: a rope addressed in bytes. The rope crate stays behind this type.

use std::{borrow::Cow, fmt, ops::Range};

use ropey::Rope;

use crate::{Edit, Encoding, Position, PositionRange};

/// UTF-8 text in a rope. Offsets are bytes; one that is past the end or inside a char is moved
/// back to the nearest boundary, so that no input can panic. Cloning costs nanoseconds.
#[derive(Clone, Default)]
pub struct Text(Rope);

impl Text {
    /// The empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.0.len_bytes()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of lines as LSP counts them: one more than the line ends.
    pub fn line_count(&self) -> usize {
        self.0.len_lines()
    }

    /// The byte where line `line` (from 0) starts; past the last line, the text's length.
    pub fn line_start(&self, line: usize) -> usize {
        if line >= self.line_count() { self.len() } else { self.0.line_to_byte(line) }
    }

    /// The line (from 0) that holds byte `at`.
    pub fn line_of(&self, at: usize) -> usize {
        self.0.byte_to_line(self.floor(at))
    }

    /// The nearest char boundary at or before `at`.
    pub fn floor(&self, at: usize) -> usize {
        let at = at.min(self.len());
        let (chunk, start, ..) = self.0.chunk_at_byte(at);
        // ropey never splits a char between two chunks.
        let within = (0..=at - start).rev().find(|&i| chunk.is_char_boundary(i));
        start + within.unwrap_or(0)
    }

    /// The text of a byte range; borrowed where it lies in one chunk.
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let (start, end) = self.clamp(range);
        match self.0.get_byte_slice(start..end) {
            Some(slice) => slice.into(),
            None => Cow::Borrowed(""),
        }
    }

    /// The byte at `at`.
    pub fn byte(&self, at: usize) -> Option<u8> {
        self.0.get_byte(at)
    }

    /// The pieces of the rope, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.0.chunks()
    }

    pub(crate) fn rope(&self) -> &Rope {
        &self.0
    }

    /// Puts `new` at byte `at`.
    pub fn insert(&mut self, at: usize, new: &str) {
        if new.is_empty() {
            return;
        }
        let at = self.0.byte_to_char(at.min(self.len()));
        self.0.insert(at, new);
    }

    /// Takes a byte range out.
    pub fn remove(&mut self, range: Range<usize>) {
        let (start, end) = self.clamp(range);
        if start == end {
            return;
        }
        let chars = self.0.byte_to_char(start)..self.0.byte_to_char(end);
        self.0.remove(chars);
    }

    /// Applies one edit.
    pub fn apply(&mut self, edit: &Edit) {
        self.remove(edit.range.clone());
        self.insert(edit.range.start, &edit.new);
    }

    /// Applies edits that all refer to this text, in ascending order and not overlapping.
    pub fn apply_all(&mut self, edits: &[Edit]) {
        for edit in edits.iter().rev() {
            self.apply(edit);
        }
    }

    /// The byte offset of an LSP position. Beyond the line's end: the line's end (before its line
    /// break); beyond the last line: the end; inside a char: its start.
    pub fn offset(&self, at: Position, encoding: Encoding) -> usize {
        let line = at.line as usize;
        if line >= self.line_count() {
            return self.len();
        }
        let start = self.0.line_to_byte(line);
        let mut left = at.character as usize;
        if self.is_plain(start, left) {
            return start + left;
        }
        let end = self.line_end(line);
        let mut offset = start;
        for c in self.0.byte_slice(start..end).chars() {
            let units = encoding.units(c);
            if units > left {
                break;
            }
            left -= units;
            offset += c.len_utf8();
        }
        offset
    }

    /// Whether the `len` bytes from `start` are ASCII without a line end, hence as many units in
    /// every encoding. Says no where it would have to look into the next chunk.
    fn is_plain(&self, start: usize, len: usize) -> bool {
        let (chunk, at, ..) = self.0.chunk_at_byte(start);
        let text = chunk.as_bytes().get(start - at..).and_then(|rest| rest.get(..len));
        text.is_some_and(|text| text.is_ascii() && memchr::memchr2(b'\n', b'\r', text).is_none())
    }

    /// Whether `at` names a place that exists (no clamping was needed).
    pub fn holds(&self, at: Position, encoding: Encoding) -> bool {
        self.position(self.offset(at, encoding), encoding) == at
    }

    /// The LSP position of a byte offset.
    pub fn position(&self, at: usize, encoding: Encoding) -> Position {
        let at = self.floor(at);
        let line = self.0.byte_to_line(at);
        let start = self.0.line_to_byte(line);
        let units = match encoding {
            Encoding::Utf8 => at - start,
            Encoding::Utf16 => {
                let utf16 = |byte| self.0.char_to_utf16_cu(self.0.byte_to_char(byte));
                utf16(at) - utf16(start)
            }
            Encoding::Utf32 => self.0.byte_to_char(at) - self.0.byte_to_char(start),
        };
        Position::new(line as u32, units as u32)
    }

    /// The LSP range of a byte range.
    pub fn position_range(&self, range: Range<usize>, encoding: Encoding) -> PositionRange {
        let start = self.position(range.start, encoding);
        PositionRange { start, end: self.position(range.end, encoding) }
    }

    /// The byte range of an LSP range; a reversed range is empty at its start.
    pub fn offset_range(&self, range: PositionRange, encoding: Encoding) -> Range<usize> {
        let start = self.offset(range.start, encoding);
        if range.end == range.start {
            return start..start;
        }
        start..self.offset(range.end, encoding).max(start)
    }

    /// The byte after the first LF at or after `from`, if one lies before `to`.
    pub fn after_first_lf(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        for chunk in self.0.get_byte_slice(from..to)?.chunks() {
            if let Some(i) = memchr::memchr(b'\n', chunk.as_bytes()) {
                return Some(at + i + 1);
            }
            at += chunk.len();
        }
        None
    }

    /// The byte after the last LF in `from..to`.
    pub fn after_last_lf(&self, from: usize, to: usize) -> Option<usize> {
        let slice = self.0.get_byte_slice(from..to)?;
        let (mut chunks, _, _, _) = slice.chunks_at_byte(slice.len_bytes());
        let mut end = to;
        if let Some(i) = chunks.clone().next().and_then(|c| memchr::memrchr(b'\n', c.as_bytes())) {
            let last = chunks.next().map_or(0, str::len);
            return Some(end - last + i + 1);
        }
        while let Some(chunk) = chunks.prev() {
            let start = end - chunk.len();
            if let Some(i) = memchr::memrchr(b'\n', chunk.as_bytes()) {
                return Some(start + i + 1);
            }
            end = start;
        }
        None
    }

    fn line_end(&self, line: usize) -> usize {
        let start = self.0.line_to_byte(line);
        let end = self.line_start(line + 1);
        let tail = self.slice(end.saturating_sub(2).max(start)..end);
        let eol = match tail.as_bytes() {
            [b'\r', b'\n'] => 2,
            [.., b'\n' | b'\r'] => 1,
            _ => 0,
        };
        end - eol
    }

    fn clamp(&self, range: Range<usize>) -> (usize, usize) {
        let start = self.floor(range.start);
        (start, self.floor(range.end).max(start))
    }
}

impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Self(Rope::from_str(s))
    }
}

impl From<String> for Text {
    fn from(s: String) -> Self {
        Self::from(s.as_str())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_instance(&other.0) || self.0 == other.0
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn positions_clamp_instead_of_panicking() {
        let t = Text::from("a😀b\r\nc\rd\n");
        let at = |l, c, e| t.offset(Position::new(l, c), e);
        assert_eq!(at(0, 1, Encoding::Utf16), 1);
        assert_eq!(at(0, 2, Encoding::Utf16), 1, "inside a surrogate pair: its start");
        assert_eq!(at(0, 3, Encoding::Utf16), 5);
        assert_eq!(at(0, 99, Encoding::Utf16), 6, "before the CR LF");
        assert_eq!(at(1, 5, Encoding::Utf8), 9, "before the lone CR");
        assert_eq!(at(9, 9, Encoding::Utf32), t.len());
        assert!(!t.holds(Position::new(0, 99), Encoding::Utf16));
        assert_eq!(t.slice(2..400), "😀b\r\nc\rd\n");
    }

    fn sample() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                "[a-c]",
                Just("\n".into()),
                Just("\r\n".into()),
                Just("界".into()),
                Just("👩‍👩‍👧".into())
            ],
            0..300,
        )
        .prop_map(|v: Vec<String>| v.concat())
    }

    proptest! {
        #[test]
        fn offset_and_position_are_inverse(s in sample(), at in 0usize..600) {
            let t = Text::from(s.as_str());
            let at = t.floor(at);
            for e in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let back = t.offset(t.position(at, e), e);
                // The place between CR and LF has no position of its own line.
                prop_assert!(back == at || s[..at].ends_with('\r') && s[at..].starts_with('\n'));
            }
        }

        #[test]
        fn line_feeds_are_found(s in sample(), a in 0usize..600, b in 0usize..600) {
            let t = Text::from(s.as_str());
            let (a, b) = (t.floor(a.min(b)), t.floor(a.max(b)));
            prop_assert_eq!(t.after_first_lf(a, b), s[a..b].find('\n').map(|i| a + i + 1));
            prop_assert_eq!(t.after_last_lf(a, b), s[a..b].rfind('\n').map(|i| a + i + 1));
        }
    }
}
