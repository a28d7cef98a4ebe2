//! The form of a line, and what holds it to the one before.
//!
//! A line is one JSON object, ended by `\n`. Its first member `prev` is the SHA-256 of the line before,
//! over that line's bytes without its `\n`, in lower case hexadecimal; in the very first line it is
//! sixty-four zeros. So the chain can be followed with `sha256sum` alone.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest, Sha256};

use crate::{Moment, Record};

/// SHA-256 of something.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// What the first line has for a line before it.
    pub const START: Hash = Hash([0; 32]);

    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Hash(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let digit = |bits: u8| DIGITS.get(usize::from(bits & 15)).copied().unwrap_or_default();
        let text: String =
            self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
        f.write_str(&text)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 digits of a SHA-256 in hexadecimal")]
pub struct NoHash;

impl FromStr for Hash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Self, NoHash> {
        let digits = text.as_bytes();
        if digits.len() != 64 || digits.iter().any(u8::is_ascii_uppercase) {
            return Err(NoHash);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| NoHash)?;
            // `from_str_radix` takes a sign.
            if !pair.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(NoHash);
            }
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NoHash)?;
        }
        Ok(Hash(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The hash of the line before.
    pub prev: Hash,
    /// Its number, from 1, over all files that there ever were.
    pub seq: u64,
    /// When it was written.
    pub time: Moment,
    /// By which process.
    pub pid: u32,
    /// What it says.
    #[serde(flatten)]
    pub record: Record,
}

impl Entry {
    /// Reads a line, without its `\n`.
    pub fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// What all lines have, whatever they say.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Link {
    pub prev: Hash,
    pub seq: u64,
    pub time: Moment,
    pub kind: String,
    /// Of a `file`.
    #[serde(default)]
    pub number: Option<u64>,
    /// Of a `recovered`.
    #[serde(default)]
    pub torn: Option<u64>,
    #[serde(default)]
    pub missing: Option<u64>,
    #[serde(default)]
    pub headless: Option<u64>,
    #[serde(default)]
    pub unwritten: Option<u64>,
}

impl Link {
    pub fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// The newest line of a log: what it is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}

impl Head {
    /// Bytes of its text.
    pub(crate) const SIZE: usize = 20 + 1 + 64 + 1;
    /// Before the first line.
    pub(crate) const START: Head = Head { seq: 0, hash: Hash::START };

    /// Twenty digits, a space, the hash, and a line end: always of the same size, so that it can be
    /// written over.
    pub(crate) fn text(&self) -> String {
        format!("{:020} {}\n", self.seq, self.hash)
    }

    /// Reads the text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (seq, hash) = text.strip_suffix('\n')?.split_once(' ')?;
        Some(Head { seq: seq.parse().ok()?, hash: hash.parse().ok()? })
    }

    /// Appends the next line with its end; `self` is that one then.
    ///
    /// # Errors
    /// If the record is no JSON, which none of ours is.
    pub fn push(
        &mut self,
        out: &mut Vec<u8>,
        time: Moment,
        record: &Record,
    ) -> Result<(), serde_json::Error> {
        let from = out.len();
        let (prev, seq) = (self.hash, self.seq + 1);
        let start = format!(
            r#"{{"prev":"{prev}","seq":{seq},"time":"{time}","pid":{},"#,
            std::process::id()
        );
        out.extend_from_slice(start.as_bytes());
        // The record is an object that has its kind at least: its members follow ours.
        let at = out.len();
        serde_json::to_writer(&mut *out, record)?;
        out.remove(at);
        *self = Head { seq, hash: Hash::of(out.get(from..).unwrap_or_default()) };
        out.push(b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileRecord, RecoveredRecord};

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Hash::of(b"").to_string(), empty);
        assert_eq!(empty.parse(), Ok(Hash::of(b"")));
        for wrong in ["", "00", &empty.to_uppercase(), &empty.replace('e', "+"), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Hash>(), Err(NoHash), "{wrong}");
        }
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut head = Head::START;
        let mut out = Vec::new();
        let first = Record::File(FileRecord { version: 1, number: 1 });
        let second = Record::Recovered(RecoveredRecord { torn: Some(5), ..Default::default() });
        let time = Moment::from_millis(1_795_234_029_007);
        head.push(&mut out, time, &first).unwrap();
        head.push(&mut out, time, &second).unwrap();
        let lines: Vec<&[u8]> = out.split(|byte| *byte == b'\n').collect();
        let (one, two) = (Entry::parse(lines[0]).unwrap(), Entry::parse(lines[1]).unwrap());
        assert_eq!((one.prev, one.seq, one.record), (Hash::START, 1, first));
        assert_eq!((two.prev, two.seq, two.record), (Hash::of(lines[0]), 2, second));
        assert_eq!((two.time, two.pid), (time, std::process::id()));
        assert_eq!(head, Head { seq: 2, hash: Hash::of(lines[1]) });
        assert_eq!(Head::parse(&head.text()), Some(head));
        assert_eq!(head.text().len(), Head::SIZE);
        let newer = br#"{"prev":"0000000000000000000000000000000000000000000000000000000000000000","seq":1,"time":"2026-11-21T04:07:09.007Z","pid":1,"kind":"novel","x":1}"#;
        assert_eq!(Entry::parse(newer).unwrap().record, Record::Unknown);
        assert_eq!(Entry::parse(b"{}"), None);
    }
}
