//! Lines as they are compared: without what may differ, with a way back to where things are.

use std::{borrow::Cow, ops::Range};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// What may differ in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fold {
    /// White space at both ends, and the length and kind of each run inside.
    Space,
    /// That, chars that look alike, and how accents are composed.
    LookAlikes,
}

impl Fold {
    /// The line without what may differ.
    pub(super) fn line(self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        self.add(line, &mut out);
        out
    }

    /// The same, put at the end of `out`.
    pub(super) fn add(self, line: &str, out: &mut String) {
        let words = line.split_whitespace().enumerate();
        if self == Self::Space || line.is_ascii() {
            for (i, word) in words {
                out.extend([if i == 0 { "" } else { " " }, word]);
            }
            return;
        }
        self.units(line).for_each(|(_, unit)| out.push_str(&unit));
    }

    /// Where byte `at` of the folded line is in the line: the end of what makes up the bytes
    /// before it, or the start of what makes up those after it. `None` inside a unit.
    pub(super) fn back(self, line: &str, at: usize, side: Side) -> Option<usize> {
        let mut folded = 0;
        let mut end = 0;
        for (range, unit) in self.units(line) {
            if folded == at && side == Side::Start && !unit.is_empty() {
                return Some(range.start);
            }
            folded += unit.len();
            end = range.end;
            if folded == at && side == Side::End && !unit.is_empty() {
                return Some(end);
            }
            if folded > at {
                return None;
            }
        }
        (folded == at).then_some(end)
    }

    /// The smallest parts of a line that are folded by themselves.
    fn units(self, line: &str) -> impl Iterator<Item = (Range<usize>, Cow<'_, str>)> {
        let (mut at, to) = (line.len() - line.trim_start().len(), line.trim_end().len());
        std::iter::from_fn(move || {
            let rest = line.get(at..to)?;
            let first = rest.chars().next()?;
            let mut len = first.len_utf8();
            let unit = if first.is_whitespace() {
                len = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
                Cow::Borrowed(" ")
            } else if self == Self::Space
                || rest.as_bytes().get(..len + 1).is_some_and(<[u8]>::is_ascii)
            {
                Cow::Borrowed(&rest[..len])
            } else {
                let more = rest[len..].find(|c: char| !joins(c));
                len = more.map_or(rest.len(), |more| len + more);
                alike(&rest[..len])
            };
            let range = at..at + len;
            at = range.end;
            Some((range, unit))
        })
    }
}

/// Which end of a part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

/// Whether a char may be composed with the one before it: marks, and the parts of a syllable of
/// Hangul.
fn joins(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11ff}'))
}

/// Text without white space, composed, and with the plain char in place of each look-alike.
pub(super) fn alike(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.nfc() {
        match plain(c) {
            Some(plain) => out.push_str(plain),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The ASCII that a char is taken for. Never letters: `с` and `c` are different names.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        '‘' | '’' | '‚' | '‛' | '′' | '´' | 'ʼ' | '＇' => "'",
        '“' | '”' | '„' | '‟' | '″' | '＂' => "\"",
        '‐'..='―' | '−' | '﹘' | '﹣' | '－' => "-",
        '…' => "...",
        '，' => ",",
        '：' => ":",
        '；' => ";",
        '（' => "(",
        '）' => ")",
        '！' => "!",
        '？' => "?",
        // Nothing to be seen: soft hyphen, zero width space, word joiner, byte order mark.
        '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_folded() {
        let check = |line: &str, want: &str| assert_eq!(Fold::LookAlikes.line(line), want);
        check("  a\t b\u{a0}c ", "a b c");
        check("“It’s” – so…", "\"It's\" - so...");
        check("e\u{301}a", "éa");
        check("a\u{200b}b\u{ad}", "ab");
        check("сost", "сost");
        check("", "");
        check(" \t", "");
        assert_eq!(Fold::Space.line(" a  “b” "), "a “b”");
    }

    proptest! {
        #[test]
        fn every_boundary_leads_back(line in "[ab \t\u{a0}“…e\u{301}—]{0,12}") {
            for fold in [Fold::Space, Fold::LookAlikes] {
                let folded = fold.line(&line);
                let units: String = fold.units(&line).map(|(_, unit)| unit.into_owned()).collect();
                prop_assert_eq!(&units, &folded);
                for at in 0..=folded.len() {
                    let (start, end) = (fold.back(&line, at, Side::Start), fold.back(&line, at, Side::End));
                    if let Some(end) = end.filter(|_| at > 0) {
                        let from = fold.back(&line, 0, Side::Start).unwrap();
                        prop_assert_eq!(fold.line(&line[from..end]), folded[..at].trim_end());
                    }
                    prop_assert!(start.is_none_or(|start| line.is_char_boundary(start)));
                }
            }
        }
    }
}
