//! LSP positions and the encodings that they are counted in.

use serde::{Deserialize, Serialize};

/// What `Position::character` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Encoding {
    /// Bytes.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16 code units: the LSP default.
    #[default]
    #[serde(rename = "utf-16")]
    Utf16,
    /// Unicode scalar values.
    #[serde(rename = "utf-32")]
    Utf32,
}

impl Encoding {
    /// How many units one char takes.
    pub fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// How many units a string takes.
    pub fn len(self, s: &str) -> usize {
        match self {
            Encoding::Utf8 => s.len(),
            Encoding::Utf16 => s.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => s.chars().count(),
        }
    }
}

/// A place in a document: both numbers count from 0; `character` in the negotiated encoding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Position {
    /// The line; lines end with LF, CR LF or a lone CR, as in LSP.
    pub line: u32,
    /// Units from the start of the line.
    pub character: u32,
}

impl Position {
    /// The position `line:character`.
    pub fn new(line: u32, character: u32) -> Self {
        Self { line, character }
    }
}

/// Two positions; `end` is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Range {
    /// The first position inside.
    pub start: Position,
    /// The first position after.
    pub end: Position,
}
