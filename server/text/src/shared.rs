//! What two texts have in common at their ends: the cheap part of every diff. Ropes that were
//! cloned from one another share their chunks, and a shared chunk needs no comparing.

use std::{iter, ptr};

use crate::Text;

impl Text {
    /// Bytes that both texts start with. May end inside a char.
    pub fn shared_start(&self, other: &Text) -> usize {
        shared(self.chunks(), other.chunks(), usize::MAX, End::Start)
    }

    /// Bytes, `most` at most, that both texts end with. May start inside a char.
    pub fn shared_end(&self, other: &Text, most: usize) -> usize {
        shared(self.chunks_back(), other.chunks_back(), most, End::End)
    }

    fn chunks_back(&self) -> impl Iterator<Item = &str> {
        let (mut chunks, ..) = self.rope().chunks_at_byte(self.len());
        while chunks.next().is_some() {}
        iter::from_fn(move || chunks.prev())
    }
}

#[derive(Clone, Copy)]
enum End {
    Start,
    End,
}

impl End {
    /// `n` bytes at this end, and the rest.
    fn split(self, bytes: &[u8], n: usize) -> (&[u8], &[u8]) {
        match self {
            Self::Start => bytes.split_at(n),
            Self::End => {
                let (rest, part) = bytes.split_at(bytes.len() - n);
                (part, rest)
            }
        }
    }

    /// How many bytes of two slices of one length are equal, counted from this end.
    fn equal(self, a: &[u8], b: &[u8]) -> usize {
        if ptr::eq(a, b) || a == b {
            return a.len();
        }
        let differs = |(x, y): (&u8, &u8)| x != y;
        let found = match self {
            Self::Start => a.iter().zip(b).position(differs),
            Self::End => a.iter().rev().zip(b.iter().rev()).position(differs),
        };
        found.unwrap_or(a.len())
    }
}

fn shared<'a>(
    mut a: impl Iterator<Item = &'a str>,
    mut b: impl Iterator<Item = &'a str>,
    most: usize,
    end: End,
) -> usize {
    let (mut x, mut y): (&[u8], &[u8]) = (&[], &[]);
    let mut count = 0;
    while count < most {
        if x.is_empty() {
            let Some(chunk) = a.next() else { break };
            x = chunk.as_bytes();
        }
        if y.is_empty() {
            let Some(chunk) = b.next() else { break };
            y = chunk.as_bytes();
        }
        let n = x.len().min(y.len()).min(most - count);
        let ((ours, more), (theirs, others)) = (end.split(x, n), end.split(y, n));
        let same = end.equal(ours, theirs);
        count += same;
        if same < n {
            break;
        }
        (x, y) = (more, others);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edit;
    use proptest::prelude::*;

    fn expected(a: &str, b: &str) -> (usize, usize) {
        let start = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(x, y)| x == y).count();
        (start, end)
    }

    fn check(a: &Text, b: &Text, most: usize) {
        let (start, end) = expected(&a.to_string(), &b.to_string());
        assert_eq!(a.shared_start(b), start);
        assert_eq!(a.shared_end(b, most), end.min(most));
    }

    #[test]
    fn texts_without_each_other() {
        for (a, b) in [("", ""), ("", "a"), ("a", "a"), ("ab", "b"), ("é", "è"), ("aa", "a")] {
            check(&a.into(), &b.into(), usize::MAX);
            check(&b.into(), &a.into(), 1);
        }
    }

    proptest! {
        #[test]
        fn an_edited_clone_shares_the_rest(
            len in 0usize..9000, at in 0usize..9000, gone in 0usize..3000,
            new in "[ab\u{e9}]{0,9}", most in 0usize..9000,
        ) {
            let text = Text::from("ab\u{e9}\n".repeat(len / 5));
            let mut edited = text.clone();
            let (start, end) = (text.floor(at), text.floor(at.saturating_add(gone)));
            edited.apply(&Edit::new(start..end, new));
            check(&text, &edited, most);
            check(&edited, &text, most);
        }
    }
}
