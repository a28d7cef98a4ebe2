//! Line ends: which one a text uses, and which one it uses near a place.

use std::borrow::Cow;

use crate::Text;

/// A line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Eol {
    /// `\n`.
    #[default]
    Lf,
    /// `\r\n`.
    CrLf,
    /// `\r`, only where a text has no LF at all; elsewhere a lone CR is an ordinary char.
    Cr,
}

impl Eol {
    /// The chars of the line end.
    pub fn as_str(self) -> &'static str {
        match self {
            Eol::Lf => "\n",
            Eol::CrLf => "\r\n",
            Eol::Cr => "\r",
        }
    }
}

/// The line end that most lines have; LF where there is none, and on a tie.
pub fn eol_of(text: &Text) -> Eol {
    Counts::of(text).dominant()
}

/// The line end of the line that holds byte `at`; where that line has none, of the one before.
pub fn eol_near(text: &Text, at: usize) -> Eol {
    let at = text.floor(at);
    let after = text.after_first_lf(at, text.len()).or_else(|| text.after_last_lf(0, at));
    match after {
        Some(after) if after >= 2 && text.byte(after - 2) == Some(b'\r') => Eol::CrLf,
        Some(_) => Eol::Lf,
        None if text.chunks().any(|c| c.contains('\r')) => Eol::Cr,
        None => Eol::Lf,
    }
}

/// `s` with LF for every CR LF.
pub(crate) fn to_lf(s: &str) -> Cow<'_, str> {
    if s.contains("\r\n") { Cow::Owned(s.replace("\r\n", "\n")) } else { Cow::Borrowed(s) }
}

#[derive(Default)]
struct Counts {
    lf: usize,
    crlf: usize,
    cr: usize,
    last: u8,
}

impl Counts {
    fn of(text: &Text) -> Self {
        let mut counts = Self::default();
        text.chunks().for_each(|chunk| counts.add(chunk.as_bytes()));
        counts
    }

    fn add(&mut self, bytes: &[u8]) {
        for i in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            let before = if i == 0 { self.last } else { bytes[i - 1] };
            match (bytes[i], before) {
                (b'\r', _) => self.cr += 1,
                (_, b'\r') => {
                    self.cr -= 1;
                    self.crlf += 1;
                }
                _ => self.lf += 1,
            }
        }
        self.last = bytes.last().copied().unwrap_or(self.last);
    }

    fn dominant(&self) -> Eol {
        if self.lf + self.crlf == 0 && self.cr > 0 {
            Eol::Cr
        } else if self.crlf > self.lf {
            Eol::CrLf
        } else {
            Eol::Lf
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_dominant_line_end() {
        let check = |s: &str, want| assert_eq!(eol_of(&Text::from(s)), want, "{s:?}");
        check("", Eol::Lf);
        check("a", Eol::Lf);
        check("a\r\nb\nc\r\n", Eol::CrLf);
        check("a\r\nb\n", Eol::Lf);
        check("a\rb\r", Eol::Cr);
        check("a\rb\rc\n", Eol::Lf);
    }

    #[test]
    fn the_line_end_near_a_place() {
        let check =
            |s: &str, at, want| assert_eq!(eol_near(&Text::from(s), at), want, "{s:?} {at}");
        check("a\r\nb\nc", 0, Eol::CrLf);
        check("a\r\nb\nc", 2, Eol::CrLf);
        check("a\r\nb\nc", 3, Eol::Lf);
        check("a\nb\r\nc", 5, Eol::CrLf);
        check("abc", 9, Eol::Lf);
        check("a\rb", 0, Eol::Cr);
        check("a\rb\n", 0, Eol::Lf);
    }

    proptest! {
        #[test]
        fn counting_does_not_depend_on_chunks(s in "[a\r\n]{0,40}", at in 0usize..40) {
            let bytes = s.as_bytes();
            let (mut whole, mut split) = (Counts::default(), Counts::default());
            let at = at.min(bytes.len());
            whole.add(bytes);
            split.add(&bytes[..at]);
            split.add(&bytes[at..]);
            prop_assert_eq!(whole.dominant(), split.dominant());
            prop_assert_eq!((whole.lf, whole.crlf, whole.cr), (split.lf, split.crlf, split.cr));
        }
    }
}
