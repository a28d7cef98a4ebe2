//! Strategies for texts, changes of texts, and places in them.

use std::ops::Range;

use proptest::{collection::vec, prelude::*, sample::Index};
use redline_text::{Encoding, Position};

/// Texts of a few lines: all line ends, chars of all widths, few different lines.
pub fn short() -> impl Strategy<Value = String> {
    vec(piece(), 0..30).prop_map(|pieces| pieces.concat())
}

/// Texts of up to some tens of kilobytes, so that ropes have many chunks.
pub fn long() -> impl Strategy<Value = String> {
    let run = (piece(), 1usize..400).prop_map(|(piece, times)| piece.repeat(times));
    prop_oneof![
        2 => short(),
        1 => vec(prop_oneof![3 => piece(), 1 => run], 0..30).prop_map(|pieces| pieces.concat()),
    ]
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => "[ab(){};= \t\"'\\\\]{0,6}",
        4 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => "[é界語😀\u{301}\u{200d}“”\u{a0}]",
        1 => Just("👩‍👩‍👧".to_owned()),
        1 => "(    |\t)[a-c]{1,3}\\(\\);\n",
        1 => any::<char>().prop_map(String::from),
    ]
}

/// A change as a part of a text and what comes instead.
#[derive(Debug, Clone)]
pub struct Swap {
    from: Index,
    to: Index,
    /// What comes.
    pub new: String,
}

impl Swap {
    /// The part in this text: up to 40 bytes, on char boundaries.
    pub fn range(&self, text: &str) -> Range<usize> {
        let floor = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let start = floor(self.from.index(text.len() + 1));
        let end = floor(start + self.to.index((text.len() - start).min(40) + 1));
        start..end
    }

    /// The text after the change.
    pub fn applied(&self, text: &str) -> String {
        let mut text = text.to_owned();
        text.replace_range(self.range(&text), &self.new);
        text
    }
}

/// A change of a part.
pub fn swap() -> impl Strategy<Value = Swap> {
    let parts = (any::<Index>(), any::<Index>(), short());
    parts.prop_map(|(from, to, new)| Swap { from, to, new })
}

/// Two texts that have much in common, or little.
pub fn pair() -> impl Strategy<Value = (String, String)> {
    let near = (long(), vec(swap(), 0..6)).prop_map(|(old, swaps)| {
        let new = swaps.iter().fold(old.clone(), |text, swap| swap.applied(&text));
        (old, new)
    });
    prop_oneof![3 => near, 1 => (short(), short())]
}

/// A position that a client could send: in the text, a little outside, or far from everything.
pub fn position() -> impl Strategy<Value = Position> {
    let number =
        || prop_oneof![8 => 0u32..12, 2 => 0u32..400, 1 => Just(u32::MAX), 1 => any::<u32>()];
    (number(), number()).prop_map(|(line, character)| Position { line, character })
}

/// Each of the three.
pub fn encoding() -> impl Strategy<Value = Encoding> {
    proptest::sample::select(vec![Encoding::Utf8, Encoding::Utf16, Encoding::Utf32])
}
