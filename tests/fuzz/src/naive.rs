//! A document as a plain string: slow, short, and written from the LSP specification alone.

use std::ops::Range;

use redline_text::{Encoding, Position, PositionRange};
use redline_workspace::ContentChange;

/// Where lines start; they end with LF, CR LF or a lone CR.
pub fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |at: usize| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let behind = (0..bytes.len()).filter(|&at| ends(at)).map(|at| at + 1);
    std::iter::once(0).chain(behind).collect()
}

/// Units of one char.
pub fn units(c: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => c.len_utf8(),
        Encoding::Utf16 => c.len_utf16(),
        Encoding::Utf32 => 1,
    }
}

/// The byte at a position. Behind its line: the line's end; behind all lines: the text's end;
/// inside a char: its start.
pub fn offset(text: &str, at: Position, encoding: Encoding) -> usize {
    let starts = line_starts(text);
    let Some(&start) = starts.get(at.line as usize) else { return text.len() };
    let end = starts.get(at.line as usize + 1).copied().unwrap_or(text.len());
    let line = text[start..end].trim_end_matches('\n');
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut left = at.character as usize;
    let mut offset = start;
    for c in line.chars() {
        if units(c, encoding) > left {
            break;
        }
        left -= units(c, encoding);
        offset += c.len_utf8();
    }
    offset
}

/// The position of a byte; one inside a char counts as the char's start.
pub fn position(text: &str, at: usize, encoding: Encoding) -> Position {
    let at = floor(text, at);
    let starts = line_starts(text);
    let line = starts.partition_point(|&start| start <= at) - 1;
    let character: usize = text[starts[line]..at].chars().map(|c| units(c, encoding)).sum();
    Position::new(line as u32, character as u32)
}

/// The nearest char boundary at or before `at`.
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The bytes of a range; a reversed one is empty at its start.
pub fn range(text: &str, range: PositionRange, encoding: Encoding) -> Range<usize> {
    let start = offset(text, range.start, encoding);
    start..offset(text, range.end, encoding).max(start)
}

/// Carries out one content change of a didChange.
pub fn change(text: &mut String, change: &ContentChange, encoding: Encoding) {
    let all = 0..text.len();
    let range = change.range.map_or(all, |r| range(text, r, encoding));
    text.replace_range(range, &change.text);
}
