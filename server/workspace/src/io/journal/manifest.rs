//! A text as a record: which known chunks it consists of, and the chunks that it adds.

use super::{
    split::{Cut, Hash},
    text_id::TextId,
};

/// The first record of a store, so that another format is recognised.
pub(super) const VERSION: &[u8] = b"redline texts 1";

/// Neighbouring chunks, by their numbers in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub first: u32,
    pub count: u32,
}

/// The part of a record before the new chunks' bytes. Chunks are numbered in the order in which the
/// store's records bring them; a text's runs may name its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub id: TextId,
    /// The new chunks.
    pub fresh: Vec<Cut>,
    /// The whole text.
    pub runs: Vec<Run>,
}

impl Manifest {
    /// The bytes; the new chunks' own follow them in the record.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.id.0.to_vec();
        put(&mut out, self.fresh.len() as u64);
        for cut in &self.fresh {
            out.extend_from_slice(&cut.hash);
            put(&mut out, cut.len.into());
        }
        put(&mut out, self.runs.len() as u64);
        let mut expected = 0;
        for run in &self.runs {
            put(&mut out, zigzag(i64::from(run.first) - i64::from(expected)));
            put(&mut out, run.count.into());
            expected = run.first.wrapping_add(run.count);
        }
        out
    }

    /// Reads a manifest from the start of a record and returns its length in bytes. `None`: it is
    /// none.
    pub fn from_bytes(record: &[u8]) -> Option<(Self, usize)> {
        let mut rest = record;
        let id = TextId(take_hash(&mut rest)?);
        let mut fresh = Vec::new();
        for _ in 0..take(&mut rest)? {
            let hash = take_hash(&mut rest)?;
            fresh.push(Cut { hash, len: u32::try_from(take(&mut rest)?).ok()? });
        }
        let mut runs = Vec::new();
        let mut expected = 0i64;
        for _ in 0..take(&mut rest)? {
            let first = u32::try_from(expected.checked_add(unzigzag(take(&mut rest)?))?).ok()?;
            let count = u32::try_from(take(&mut rest)?).ok()?;
            expected = first.checked_add(count)?.into();
            runs.push(Run { first, count });
        }
        Some((Self { id, fresh, runs }, record.len() - rest.len()))
    }
}

/// Gathers chunk numbers into runs.
pub(super) fn runs(numbers: impl IntoIterator<Item = u32>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.first + run.count == number => run.count += 1,
            _ => runs.push(Run { first: number, count: 1 }),
        }
    }
    runs
}

/// Seven bits a byte, lowest first; the eighth says that more follow.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, more) = rest.split_first()?;
        *rest = more;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn take_hash(rest: &mut &[u8]) -> Option<Hash> {
    let (hash, more) = rest.split_first_chunk()?;
    *rest = more;
    Some(*hash)
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_become_runs() {
        let check = |numbers: &[u32], expect: &[(u32, u32)]| {
            let found: Vec<_> =
                runs(numbers.iter().copied()).iter().map(|r| (r.first, r.count)).collect();
            assert_eq!(found, expect);
        };
        check(&[], &[]);
        check(&[0, 1, 2], &[(0, 3)]);
        check(&[0, 7, 2, 3, 3], &[(0, 1), (7, 1), (2, 2), (3, 1)]);
    }

    proptest! {
        #[test]
        fn a_manifest_survives_being_written(
            id: [u8; 16],
            fresh in prop::collection::vec((any::<u32>(), any::<[u8; 16]>()), 0..20),
            pairs in prop::collection::vec((0..u32::MAX / 2, 0..u32::MAX / 2), 0..20),
            data in prop::collection::vec(any::<u8>(), 0..9),
        ) {
            let manifest = Manifest {
                id: TextId(id),
                fresh: fresh.into_iter().map(|(len, hash)| Cut { len, hash }).collect(),
                runs: pairs.into_iter().map(|(first, count)| Run { first, count }).collect(),
            };
            let mut bytes = manifest.to_bytes();
            let len = bytes.len();
            bytes.extend(data);
            prop_assert_eq!(Manifest::from_bytes(&bytes), Some((manifest, len)));
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            Manifest::from_bytes(&bytes);
        }
    }
}
