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
}
