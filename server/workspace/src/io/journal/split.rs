//! Texts cut where their content says, so that an edit changes only the chunks around it.

use fastcdc::v2020::FastCDC;
use redline_text::Text;

use super::{bytes::Bytes, text_id::TextId};

/// The first 128 bits of a chunk's BLAKE3 hash.
pub(super) type Hash = [u8; 16];

/// One chunk of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// In bytes.
    pub len: u32,
    /// Of its bytes.
    pub hash: Hash,
}

/// The shortest, usual and longest chunk, in bytes; measured in `tests/io_sizes.rs`. They are part
/// of the store's format: other sizes give other names.
const SIZES: (usize, usize, usize) = (256, 1024, 4096);
/// Bytes that are copied out of the rope at a time.
const BLOCK: usize = 32 * 1024;
/// A cut looks at its chunk and a few bytes more, and at whether the text ends there.
const LOOKAHEAD: usize = SIZES.2;

/// A text and its chunks.
#[derive(Debug)]
pub(super) struct Split {
    pub text: Text,
    pub cuts: Vec<Cut>,
    pub id: TextId,
}

impl Split {
    /// Cuts a text. What it shares at both ends with one of `known` (the most similar, or one that
    /// is similar enough) is taken over from there, with the same result.
    pub fn of<'a>(text: &Text, known: impl IntoIterator<Item = &'a Split>) -> Self {
        let bytes = Bytes::of(text);
        let mut best = None;
        let mut most = 0;
        for known in known {
            let start = text.shared_start(&known.text);
            let rest = bytes.len.min(known.text.len()) - start;
            let shared = (start, text.shared_end(&known.text, rest));
            if shared.0 + shared.1 > most {
                most = shared.0 + shared.1;
                best = Some((known, shared));
            }
            if most + BLOCK > bytes.len {
                break;
            }
        }
        let cuts = match best {
            Some((known, shared)) => Recut { bytes: &bytes, known, shared }.cuts(),
            None => fresh(&bytes, 0).collect(),
        };
        Self { text: text.clone(), id: name(&cuts), cuts }
    }

    /// The text's bytes.
    pub fn bytes(&self) -> Bytes<'_> {
        Bytes::of(&self.text)
    }
}

/// The name of the text that consists of these chunks.
pub(super) fn name(cuts: &[Cut]) -> TextId {
    let mut hasher = blake3::Hasher::new();
    let hashes: Vec<u8> = cuts.iter().flat_map(|cut| cut.hash).collect();
    hasher.update(&hashes);
    TextId(short(hasher.finalize()))
}

/// A chunk's name.
pub(super) fn hash(chunk: &[u8]) -> Hash {
    short(blake3::hash(chunk))
}

fn short(hash: blake3::Hash) -> Hash {
    let [head @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = *hash.as_bytes();
    head
}

/// The chunks from byte `from`, which must be a cut, to the end.
fn fresh<'a>(bytes: &'a Bytes<'_>, from: usize) -> impl Iterator<Item = Cut> + 'a {
    let (mut at, mut block, mut used) = (from, Vec::new(), 0);
    std::iter::from_fn(move || {
        let left = bytes.len - at;
        if block.len() - used < LOOKAHEAD.min(left) {
            block = bytes.copy(at, BLOCK.min(left));
            used = 0;
        }
        let rest = block.get(used..).filter(|rest| !rest.is_empty())?;
        let len = first(rest);
        let cut = Cut { len: len as u32, hash: hash(&rest[..len]) };
        used += len;
        at += len;
        Some(cut)
    })
}

/// The length of the first chunk; only the first `SIZES.2` bytes matter.
fn first(bytes: &[u8]) -> usize {
    let len = bytes.len().min(SIZES.2 + 1);
    let (_, end) = FastCDC::new(&bytes[..len], SIZES.0, SIZES.1, SIZES.2).cut(0, len);
    end.clamp(1, bytes.len())
}

/// Cutting a text that shares its start and end with one that is cut.
struct Recut<'a, 'b> {
    bytes: &'a Bytes<'b>,
    known: &'a Split,
    shared: (usize, usize),
}

impl Recut<'_, '_> {
    fn cuts(&self) -> Vec<Cut> {
        let (mut cuts, mut at) = self.start();
        let (new, old) = (self.bytes.len, self.known.text.len());
        let mut known = self.known.cuts.iter();
        let mut known_at = 0;
        let mut fresh = fresh(self.bytes, at);
        // Where both texts have a cut and are equal from there on, all later cuts are the same.
        while at < new {
            if at + self.shared.1 >= new {
                while known_at + new < at + old {
                    known_at += known.next().map_or(usize::MAX / 4, |cut| cut.len as usize);
                }
                if known_at + new == at + old {
                    cuts.extend(known);
                    return cuts;
                }
            }
            let Some(cut) = fresh.next() else { break };
            at += cut.len as usize;
            cuts.push(cut);
        }
        cuts
    }

    /// The chunks that were decided by bytes of the shared start only.
    fn start(&self) -> (Vec<Cut>, usize) {
        let (mut cuts, mut at) = (Vec::with_capacity(self.known.cuts.len() + 4), 0);
        for cut in &self.known.cuts {
            if at + cut.len as usize + LOOKAHEAD > self.shared.0 {
                break;
            }
            at += cut.len as usize;
            cuts.push(*cut);
        }
        (cuts, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use redline_text::Edit;

    fn lines(count: usize, seed: usize) -> String {
        (0..count).map(|i| format!("line {} é of {i}\n", (i + seed) * 7919 % 1013)).collect()
    }

    fn whole(text: &str) -> Vec<Cut> {
        FastCDC::new(text.as_bytes(), SIZES.0, SIZES.1, SIZES.2)
            .map(|chunk| &text.as_bytes()[chunk.offset..chunk.offset + chunk.length])
            .map(|chunk| Cut { len: chunk.len() as u32, hash: hash(chunk) })
            .collect()
    }

    #[test]
    fn cutting_by_blocks_is_cutting_at_once() {
        for count in [0, 1, 12, 40, 1000, 7000] {
            let text = lines(count, 0);
            assert_eq!(Split::of(&text.as_str().into(), []).cuts, whole(&text), "{count}");
        }
        let same = "a".repeat(20_000);
        assert_eq!(Split::of(&same.as_str().into(), []).cuts, whole(&same));
    }

    #[test]
    fn names_are_of_the_content() {
        let id = |text: &str| Split::of(&text.into(), []).id;
        assert_eq!(id("a"), id("a"));
        assert_ne!(id("a"), id("b"));
        assert_ne!(id(""), id("a"));
    }

    proptest! {
        #[test]
        fn what_is_known_changes_nothing(
            count in 0usize..2500, at in 0usize..60_000, gone in 0usize..9000,
            new in prop_oneof!["[ab\u{e9}]{0,9}", Just(lines(300, 5)), Just("a".repeat(5000))],
            clone in any::<bool>(),
        ) {
            let old = Text::from(lines(count, 0));
            let known = Split::of(&old, []);
            let mut text = old.clone();
            let (start, end) = (text.floor(at), text.floor(at + gone));
            text.apply(&Edit::new(start..end, new));
            let string = text.to_string();
            // A text that was read again shares no memory with the known one.
            let text = if clone { text } else { string.as_str().into() };
            let others = Split::of(&lines(20, 1).into(), []);
            prop_assert_eq!(Split::of(&text, [&others, &known]).cuts, whole(&string));
        }
    }
}
