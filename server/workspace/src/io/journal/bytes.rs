//! A rope's bytes without copying them all.

use redline_text::Text;

/// The rope's pieces.
pub(super) struct Bytes<'a> {
    /// Each with its offset.
    chunks: Vec<(usize, &'a [u8])>,
    /// Of all.
    pub len: usize,
}

impl<'a> Bytes<'a> {
    pub fn of(text: &'a Text) -> Self {
        let mut len = 0;
        let chunks = text.chunks().map(|chunk| {
            len += chunk.len();
            (len - chunk.len(), chunk.as_bytes())
        });
        Self { chunks: chunks.collect(), len }
    }

    /// A copy of `len` bytes from `from`, fewer where the text ends.
    pub fn copy(&self, from: usize, len: usize) -> Vec<u8> {
        let first = self.chunks.partition_point(|(at, _)| *at <= from).saturating_sub(1);
        let mut out = Vec::with_capacity(len);
        for (at, chunk) in self.chunks.get(first..).unwrap_or_default() {
            let start = (from + out.len()).saturating_sub(*at).min(chunk.len());
            let end = chunk.len().min(start + len - out.len());
            out.extend_from_slice(&chunk[start..end]);
            if out.len() == len {
                break;
            }
        }
        out
    }

    /// How many bytes two texts share at their starts and, not counting those, at their ends.
    pub fn shared(&self, other: &Bytes<'_>) -> (usize, usize) {
        let slices = |bytes: &Bytes<'a>| bytes.chunks.clone().into_iter().map(|(_, chunk)| chunk);
        let most = self.len.min(other.len);
        let theirs = other.chunks.iter().map(|(_, chunk)| *chunk);
        let start = equal(slices(self), theirs.clone(), most, End::Start);
        let end = equal(slices(self).rev(), theirs.rev(), most - start, End::End);
        (start, end)
    }
}

#[derive(Clone, Copy)]
enum End {
    Start,
    End,
}

/// Bytes, `most` at most, that two sequences of slices share at one end. Ropes that were cloned from
/// each other share slices, which then need no comparing.
fn equal<'a, 'b>(
    mut ours: impl Iterator<Item = &'a [u8]>,
    mut theirs: impl Iterator<Item = &'b [u8]>,
    most: usize,
    end: End,
) -> usize {
    let (mut a, mut b): (&[u8], &[u8]) = (&[], &[]);
    let mut count = 0;
    while count < most {
        if a.is_empty() {
            a = ours.next().unwrap_or_default();
        }
        if b.is_empty() {
            b = theirs.next().unwrap_or_default();
        }
        let n = a.len().min(b.len()).min(most - count);
        let ((x, more), (y, others)) = (end.split(a, n), end.split(b, n));
        let same = end.same(x, y);
        count += same;
        if same < n || n == 0 {
            break;
        }
        (a, b) = (more, others);
    }
    count
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
    fn same(self, a: &[u8], b: &[u8]) -> usize {
        if std::ptr::eq(a, b) || a == b {
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
