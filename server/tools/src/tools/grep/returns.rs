//! Texts whose lines end with a carriage return alone. Read counts such lines (as editors do), a
//! search that knows only `\n` does not.
//!
//! To look through each file for it would take longer than the rest of the search. A file of that
//! kind has no `\n` at all, so its first bytes tell; one with both kinds is looked through once it
//! has a match.

use std::{
    borrow::Cow,
    io::{self, BufRead, BufReader, Read},
};

/// Bytes in which there is a line end, if there are any.
const HEAD: usize = 4 * 1024;

/// Whether it is a file of that kind, as far as its first bytes tell.
pub(super) fn only(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    memchr::memchr(b'\n', head).is_none() && memchr::memchr(b'\r', head).is_some()
}

/// A text of that kind, with `\n` in place of each end; every other one as it is.
pub(super) fn ended(bytes: &[u8]) -> Cow<'_, [u8]> {
    match only(bytes).then(|| mixed(bytes)).flatten() {
        Some(ended) => Cow::Owned(ended),
        None => Cow::Borrowed(bytes),
    }
}

/// The text with `\n` for each carriage return that no `\n` follows; `None` if there is none.
pub(super) fn mixed(bytes: &[u8]) -> Option<Vec<u8>> {
    let lone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let mut places = memchr::memchr_iter(b'\r', bytes).filter(lone).peekable();
    places.peek()?;
    let mut ended = bytes.to_vec();
    for at in places {
        if let Some(byte) = ended.get_mut(at) {
            *byte = b'\n';
        }
    }
    Some(ended)
}

/// The same for what is too large to be held at once.
pub(super) struct Ended<R> {
    inner: BufReader<R>,
    /// A carriage return was read last, and what follows it is not known yet.
    held: bool,
}

impl<R: Read> Ended<R> {
    /// Reads from `inner`.
    pub fn new(inner: R) -> Self {
        Self { inner: BufReader::with_capacity(HEAD, inner), held: false }
    }
}

impl<R: Read> Read for Ended<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(first) = into.first_mut() else { return Ok(0) };
        let text = self.inner.fill_buf()?;
        if std::mem::take(&mut self.held) {
            *first = if text.first() == Some(&b'\n') { b'\r' } else { b'\n' };
            return Ok(1);
        }
        let mut count = text.len().min(into.len());
        let is_last = |at: usize| at + 1 == text.len();
        for (at, (from, to)) in text.iter().zip(into.iter_mut()).enumerate() {
            let is_lone = *from == b'\r' && !is_last(at) && text.get(at + 1) != Some(&b'\n');
            *to = if is_lone { b'\n' } else { *from };
        }
        self.held = count > 0 && is_last(count - 1) && text.ends_with(b"\r");
        self.inner.consume(count);
        count -= usize::from(self.held);
        // One that was held back is all that was read.
        if count == 0 && self.held { self.read(into) } else { Ok(count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn which_texts_are_of_that_kind() {
        let check = |text: &[u8], want: bool| assert_eq!(only(text), want);
        check(b"a\rb", true);
        check(b"a\r\nb", false);
        check(b"a\nb\r", false);
        check(b"", false);
        assert_eq!(mixed(b"a\r\nb"), None);
        assert_eq!(mixed(b"a\rb\r\nc\r"), Some(b"a\nb\r\nc\n".to_vec()));
    }

    proptest! {
        #[test]
        fn in_pieces_as_at_once(
            text in "[ab\r\n]{0,40}", sizes in proptest::collection::vec(1usize..6, 1..10),
        ) {
            let mut ended = Ended { inner: BufReader::with_capacity(3, text.as_bytes()), held: false };
            let (mut got, mut buffer) = (Vec::new(), [0; 6]);
            for size in sizes.iter().cycle() {
                match ended.read(&mut buffer[..*size]).unwrap() {
                    0 => break,
                    count => got.extend_from_slice(&buffer[..count]),
                }
            }
            let want = mixed(text.as_bytes()).unwrap_or_else(|| text.into_bytes());
            prop_assert_eq!(got, want);
        }
    }
}
