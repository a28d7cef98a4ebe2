//! Where a hunk is, for an editor that only knows lines and a cursor.

use redline_text::{Encoding, Position, PositionRange};
use redline_workspace::{HunkState, HunkView};

/// Lines from 0, both inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// The first.
    pub first: u32,
    /// The last; not before the first.
    pub last: u32,
}

impl Lines {
    /// The lines that a range covers: one that ends at a line's start does not cover that line.
    pub fn of(range: PositionRange) -> Self {
        let PositionRange { start, end } = range;
        let inside = end.character == 0 && end.line > start.line;
        Self { first: start.line, last: end.line.saturating_sub(u32::from(inside)).max(start.line) }
    }

    fn meets(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Whether the user who stands on these lines means that hunk. A hunk without lines of its own (an
/// insertion, a deletion that was applied) is meant from the line above it and from the one below.
pub fn touching(hunk: &HunkView, lines: Lines) -> bool {
    let range = hunk.range;
    let own = match range.start == range.end {
        true => Lines { first: range.start.line.saturating_sub(1), last: range.start.line },
        false => Lines::of(range),
    };
    own.meets(lines)
}

/// The range that is marked for a hunk, in `encoding`: its lines without the last line end; for a
/// hunk without lines the start of the line above, which every editor can show.
pub fn marked(hunk: &HunkView, encoding: Encoding) -> PositionRange {
    let PositionRange { start, end } = hunk.range;
    if start == end {
        let above = Position::new(start.line.saturating_sub(1), 0);
        return PositionRange { start: above, end: above };
    }
    if end.character > 0 {
        return hunk.range;
    }
    let text = shown_text(hunk);
    let last = text.trim_end_matches(['\n', '\r']).rsplit(['\n', '\r']).next().unwrap_or_default();
    let length = u32::try_from(encoding.len(last)).unwrap_or(u32::MAX);
    // Text that ends with empty lines: the range ends at their start.
    let trailing = text.trim_end_matches(['\n', '\r']).len();
    let empty = line_ends(&text[trailing..]).saturating_sub(1);
    let line = end.line.saturating_sub(1);
    let character = if empty > 0 { 0 } else { length };
    PositionRange { start, end: Position::new(line, character).max(start) }
}

/// The text that the editor has in the hunk's range.
fn shown_text(hunk: &HunkView) -> &str {
    match hunk.state {
        HunkState::Applied | HunkState::Accepted => &hunk.new_text,
        _ => &hunk.old_text,
    }
}

/// CR LF, LF and a lone CR each end one line.
fn line_ends(text: &str) -> usize {
    text.matches('\n').count() + text.matches('\r').count() - text.matches("\r\n").count()
}
