//! Records in a stream of bytes, so that every damage shows.
//!
//! A log is a header (magic, version) and frames: the payload's length (`u32`, little-endian), a
//! CRC-32 over that length and the payload, the payload. The length is part of the sum so that a
//! run of zeros, which a crashed file system leaves, is no record.

use std::io::{self, Read};

/// What every log of this version starts with.
pub(super) const HEADER: [u8; 8] = *b"RDLLOG\x01\x00";
/// Bytes before a payload.
pub(super) const PREFIX: usize = 8;
/// The largest payload, in bytes.
pub(super) const LARGEST: usize = 1 << 30;

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// A log that we can read.
    Ours,
    /// Nothing, or the beginning of a header that was not written to its end.
    Torn,
    /// A log of another version.
    Version(u16),
    /// Something else.
    Foreign,
}

/// Looks at the first (up to 8) bytes of a file.
pub(super) fn start(bytes: &[u8]) -> Start {
    match bytes {
        [magic @ .., low, high] if bytes.len() == HEADER.len() && *magic == HEADER[..6] => {
            match u16::from_le_bytes([*low, *high]) {
                1 => Start::Ours,
                version => Start::Version(version),
            }
        }
        bytes if HEADER.starts_with(bytes) => Start::Torn,
        // The file system knew of the length and lost the bytes.
        bytes if bytes.iter().all(|byte| *byte == 0) => Start::Torn,
        _ => Start::Foreign,
    }
}

/// Adds a frame to a buffer. The payload must not be larger than [`LARGEST`].
pub(super) fn write(buffer: &mut Vec<u8>, payload: &[u8]) {
    let len = (payload.len() as u32).to_le_bytes();
    buffer.reserve(PREFIX + payload.len());
    buffer.extend_from_slice(&len);
    buffer.extend_from_slice(&sum(len, payload).to_le_bytes());
    buffer.extend_from_slice(payload);
}

fn sum(len: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&len);
    hasher.update(payload);
    hasher.finalize()
}

/// Reads frames from the position after the header up to the first bad one, and returns the offset
/// in the file where the good ones end. `len`: the file's length in bytes. `each` gets the offset of
/// a payload in the file and the payload.
pub(super) fn scan(
    mut file: impl Read,
    len: u64,
    mut each: impl FnMut(u64, Vec<u8>),
) -> io::Result<u64> {
    let mut at = HEADER.len() as u64;
    while let Some(payload) = next(&mut file, len.saturating_sub(at))? {
        let size = payload.len() as u64;
        each(at + PREFIX as u64, payload);
        at += PREFIX as u64 + size;
    }
    Ok(at)
}

/// The next payload, if the `left` bytes hold a whole and undamaged one.
fn next(file: &mut impl Read, left: u64) -> io::Result<Option<Vec<u8>>> {
    let mut prefix = [0; PREFIX];
    if left < PREFIX as u64 || !filled(file, &mut prefix)? {
        return Ok(None);
    }
    let [a, b, c, d, sums @ ..] = prefix;
    let size = u32::from_le_bytes([a, b, c, d]) as usize;
    // Before anything is allocated: a damaged length says anything.
    if size > LARGEST || size as u64 > left - PREFIX as u64 {
        return Ok(None);
    }
    let mut payload = vec![0; size];
    if !filled(file, &mut payload)? || sum([a, b, c, d], &payload) != u32::from_le_bytes(sums) {
        return Ok(None);
    }
    Ok(Some(payload))
}

/// Whether there were enough bytes. The file may have become shorter since its length was asked.
fn filled(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> (Vec<Vec<u8>>, u64) {
        let mut records = Vec::new();
        let rest = bytes.get(HEADER.len()..).unwrap_or_default();
        let end = scan(rest, bytes.len() as u64, |_, record| records.push(record)).unwrap();
        (records, end)
    }

    fn file_of(records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        records.iter().for_each(|record| write(&mut bytes, record));
        bytes
    }

    #[test]
    fn starts() {
        let check = |bytes: &[u8], expect| assert_eq!(start(bytes), expect, "{bytes:?}");
        check(b"", Start::Torn);
        check(b"RDL", Start::Torn);
        check(&[0; 8], Start::Torn);
        check(&HEADER, Start::Ours);
        check(b"RDLLOG\x02\x00", Start::Version(2));
        check(b"RDLLOG\x01\x01", Start::Version(257));
        check(b"#!/bin/s", Start::Foreign);
        check(b"hi", Start::Foreign);
    }

    #[test]
    fn zeros_are_no_records() {
        let mut bytes = file_of(&[vec![1], vec![]]);
        let end = bytes.len() as u64;
        bytes.extend([0; 4096]);
        assert_eq!(read(&bytes), (vec![vec![1], vec![]], end));
    }

    fn some_records() -> impl Strategy<Value = Vec<Vec<u8>>> {
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..12)
    }

    proptest! {
        #[test]
        fn a_cut_leaves_the_whole_records(records in some_records(), cut in any::<prop::sample::Index>()) {
            let bytes = file_of(&records);
            let cut = cut.index(bytes.len() + 1).max(HEADER.len());
            let (found, end) = read(&bytes[..cut]);
            prop_assert_eq!(&found, &records[..found.len()]);
            let whole = file_of(&records[..found.len()]).len();
            prop_assert_eq!(end, whole as u64);
            let next = records.get(found.len()).map_or(usize::MAX, |r| whole + PREFIX + r.len());
            prop_assert!(cut < next, "a whole record was dropped");
        }

        #[test]
        fn a_flipped_bit_leaves_the_records_before_it(
            records in some_records(), bit in any::<prop::sample::Index>()
        ) {
            let mut bytes = file_of(&records);
            let bits = (bytes.len() - HEADER.len()) * 8;
            prop_assume!(bits > 0);
            let at = bit.index(bits) + HEADER.len() * 8;
            bytes[at / 8] ^= 1 << (at % 8);
            let (found, end) = read(&bytes);
            prop_assert_eq!(&found, &records[..found.len()]);
            prop_assert!(end as usize <= at / 8);
            let lost = file_of(records.get(..=found.len()).unwrap_or(&records)).len();
            prop_assert!(at / 8 < lost, "a record before the damage was dropped");
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let (records, end) = read(&bytes);
            prop_assert!(end <= bytes.len().max(HEADER.len()) as u64);
            prop_assert!(records.len() <= bytes.len() / PREFIX);
            start(&bytes[..bytes.len().min(8)]);
        }
    }
}
