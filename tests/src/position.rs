//! LSP positions: a line, and a character offset in the negotiated encoding.

use serde_json::{Value, json};
use std::ops::Range;

/// The unit in which a position's `character` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Sixteen-bit code units, the default of LSP.
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    /// The encoding with this name; `None`, what a server that says nothing means, is UTF-16.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            Some("utf-8") => Self::Utf8,
            Some("utf-32") => Self::Utf32,
            _ => Self::Utf16,
        }
    }

    /// Length of `text` in this encoding's units.
    pub fn length(self, text: &str) -> usize {
        text.chars().map(|c| self.width(c)).sum()
    }

    fn width(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// Byte offset at which each line starts. Lines end at `\n`, `\r\n` or `\r`, as LSP says.
pub fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = (0..bytes.len()).filter(|&i| match bytes[i] {
        b'\n' => true,
        b'\r' => bytes.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|i| i + 1)).collect()
}

/// The byte offset of a position, clamped to the line and to the text.
pub fn offset_at(text: &str, position: &Value, encoding: Encoding) -> usize {
    let number = |key: &str| position[key].as_u64().expect("a position") as usize;
    let (line, character) = (number("line"), number("character"));
    let starts = line_starts(text);
    let Some(&start) = starts.get(line) else { return text.len() };
    let end = starts.get(line + 1).copied().unwrap_or(text.len());
    let mut left = character;
    for (offset, c) in text[start..end].char_indices() {
        if left < encoding.width(c) || c == '\n' || c == '\r' {
            return start + offset;
        }
        left -= encoding.width(c);
    }
    end
}

/// The position of a byte offset.
pub fn position_at(text: &str, offset: usize, encoding: Encoding) -> Value {
    let starts = line_starts(text);
    let line = starts.partition_point(|&start| start <= offset) - 1;
    json!({ "line": line, "character": encoding.length(&text[starts[line]..offset]) })
}

/// The byte range of an LSP range.
pub fn byte_range(text: &str, range: &Value, encoding: Encoding) -> Range<usize> {
    offset_at(text, &range["start"], encoding)..offset_at(text, &range["end"], encoding)
}

/// The LSP range of a byte range.
pub fn lsp_range(text: &str, range: &Range<usize>, encoding: Encoding) -> Value {
    json!({
        "start": position_at(text, range.start, encoding),
        "end": position_at(text, range.end, encoding),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_in_the_encodings_units() {
        let text = "a😀b\r\nzwei\rdrei";
        for (encoding, character) in
            [(Encoding::Utf8, 5), (Encoding::Utf16, 3), (Encoding::Utf32, 2)]
        {
            let position = json!({ "line": 0, "character": character });
            assert_eq!(offset_at(text, &position, encoding), 5);
            assert_eq!(position_at(text, 5, encoding), position);
        }
    }

    #[test]
    fn every_offset_survives_the_round_trip() {
        let text = "a😀b\r\nzwei\n\ndrei";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, c) in text.char_indices().filter(|(_, c)| *c != '\n') {
                let position = position_at(text, offset, encoding);
                assert_eq!(offset_at(text, &position, encoding), offset, "{c:?} {encoding:?}");
            }
        }
    }

    #[test]
    fn beyond_the_end_is_clamped() {
        for (line, character, expected) in [(0, 99, 2), (9, 0, 5)] {
            let position = json!({ "line": line, "character": character });
            assert_eq!(offset_at("ab\ncd", &position, Encoding::Utf16), expected);
        }
    }
}
