//! The bytes of a file as text, and back: byte for byte the same, or refused.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Text;

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";
const UTF16LE_BOM: &[u8] = b"\xFF\xFE";
const UTF16BE_BOM: &[u8] = b"\xFE\xFF";

/// How the text of a file is written as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileEncoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-16, low byte first. Only read where a byte order mark says so.
    Utf16Le,
    /// UTF-16, high byte first. Only read where a byte order mark says so.
    Utf16Be,
    /// No text at all: char n stands for byte n. Only for a file that is kept to be brought back
    /// (`as_bytes`), never to be edited.
    Bytes,
    /// The same of a symbolic link: the bytes of where it leads.
    Link,
}

impl FileEncoding {
    /// Whether it is a file of text, that can be edited.
    pub fn is_text(self) -> bool {
        !matches!(self, FileEncoding::Bytes | FileEncoding::Link)
    }
}

/// What a file keeps beside its text: encoding and byte order mark. Line ends are in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Format {
    /// The encoding of the bytes.
    pub encoding: FileEncoding,
    /// Whether the file starts with a byte order mark. It is never part of the text.
    pub bom: bool,
}

/// A file's text, with raw line ends, and how to write it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The text without a byte order mark; line ends are as in the file.
    pub text: Text,
    /// How the text is written.
    pub format: Format,
}

/// Why bytes are no text. Nothing is ever replaced to make them fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// There is a NUL, and no UTF-16 byte order mark that would explain it.
    #[error("the file is binary (NUL at byte {offset}); it can't be edited as text{}", advice(*wide))]
    Binary {
        /// The byte, from 0, of the first NUL.
        offset: usize,
        /// It looks like UTF-16 whose byte order mark is missing.
        wide: bool,
    },
    /// The bytes are not valid in their encoding.
    #[error(
        "the file is not valid {} at byte {offset}; only UTF-8, and UTF-16 with a byte order mark, \
         can be edited: convert it first",
        name(*encoding)
    )]
    Undecodable {
        /// The encoding that was tried.
        encoding: FileEncoding,
        /// The first byte, from 0, that does not fit.
        offset: usize,
    },
}

fn advice(wide: bool) -> &'static str {
    let advice = ". It looks like UTF-16 without a byte order mark: add the mark, or convert it to \
                  UTF-8 first";
    if wide { advice } else { "" }
}

fn name(encoding: FileEncoding) -> &'static str {
    match encoding {
        FileEncoding::Utf8 => "UTF-8",
        FileEncoding::Utf16Le | FileEncoding::Utf16Be => "UTF-16",
        FileEncoding::Bytes | FileEncoding::Link => "text",
    }
}

/// Takes any bytes, one char each, so that `encode` gives them back.
pub fn as_bytes(bytes: &[u8], encoding: FileEncoding) -> Document {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    Document { text: Text::from(text), format: Format { encoding, bom: false } }
}

/// Reads bytes as text. `encode` of the result gives the same bytes.
///
/// # Errors
/// Binary content and invalid text are refused, never repaired.
pub fn decode(bytes: &[u8]) -> Result<Document, DecodeError> {
    let utf16 = |encoding, body: &[u8]| {
        let text = decode_utf16(body, encoding)?;
        Ok(Document { text, format: Format { encoding, bom: true } })
    };
    if let Some(body) = bytes.strip_prefix(UTF16LE_BOM) {
        return utf16(FileEncoding::Utf16Le, body);
    }
    if let Some(body) = bytes.strip_prefix(UTF16BE_BOM) {
        return utf16(FileEncoding::Utf16Be, body);
    }
    let body = bytes.strip_prefix(UTF8_BOM).unwrap_or(bytes);
    let text = decode_utf8(body, bytes.len() - body.len())?;
    let format = Format { encoding: FileEncoding::Utf8, bom: body.len() < bytes.len() };
    Ok(Document { text, format })
}

/// Writes a text as bytes: byte order mark first if the format has one, then the text with the
/// line ends that it has.
pub fn encode(text: &Text, format: Format) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + UTF8_BOM.len());
    if format.bom {
        bytes.extend_from_slice(bom(format.encoding));
    }
    for chunk in text.chunks() {
        match format.encoding {
            FileEncoding::Utf8 => bytes.extend_from_slice(chunk.as_bytes()),
            FileEncoding::Utf16Le => bytes.extend(chunk.encode_utf16().flat_map(u16::to_le_bytes)),
            FileEncoding::Utf16Be => bytes.extend(chunk.encode_utf16().flat_map(u16::to_be_bytes)),
            // A char that is no byte can't come from `as_bytes`.
            FileEncoding::Bytes | FileEncoding::Link => {
                bytes.extend(chunk.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
            }
        }
    }
    bytes
}

fn bom(encoding: FileEncoding) -> &'static [u8] {
    match encoding {
        FileEncoding::Utf8 => UTF8_BOM,
        FileEncoding::Utf16Le => UTF16LE_BOM,
        FileEncoding::Utf16Be => UTF16BE_BOM,
        FileEncoding::Bytes | FileEncoding::Link => b"",
    }
}

fn decode_utf8(body: &[u8], skipped: usize) -> Result<Text, DecodeError> {
    if let Some(nul) = memchr::memchr(0, body) {
        return Err(DecodeError::Binary { offset: skipped + nul, wide: is_wide(body) });
    }
    let encoding = FileEncoding::Utf8;
    let refuse = |e: std::str::Utf8Error| e.valid_up_to() + skipped;
    std::str::from_utf8(body)
        .map(Text::from)
        .map_err(|e| DecodeError::Undecodable { encoding, offset: refuse(e) })
}

/// Latin text in UTF-16 has a NUL in nearly every pair of bytes, always on the same side.
fn is_wide(bytes: &[u8]) -> bool {
    const ENOUGH: usize = 4096;
    let pairs = bytes.chunks_exact(2).take(ENOUGH);
    let count = pairs.len();
    let (mut high, mut low, mut both) = (0, 0, 0);
    for pair in pairs {
        match (pair[0] == 0, pair[1] == 0) {
            (true, true) => both += 1,
            (true, false) => high += 1,
            (false, true) => low += 1,
            (false, false) => {}
        }
    }
    let most = count - count / 4;
    both == 0
        && bytes.len().is_multiple_of(2)
        && (high >= most && low == 0 || low >= most && high == 0)
}

fn decode_utf16(body: &[u8], encoding: FileEncoding) -> Result<Text, DecodeError> {
    let unit = |pair: &[u8]| match encoding {
        FileEncoding::Utf16Be => u16::from_be_bytes([pair[0], pair[1]]),
        _ => u16::from_le_bytes([pair[0], pair[1]]),
    };
    let mut offset = UTF16LE_BOM.len();
    let mut text = String::with_capacity(body.len());
    for decoded in char::decode_utf16(body.chunks_exact(2).map(unit)) {
        match decoded {
            Ok('\0') => return Err(DecodeError::Binary { offset, wide: false }),
            Ok(c) => {
                text.push(c);
                offset += 2 * c.len_utf16();
            }
            Err(_) => return Err(DecodeError::Undecodable { encoding, offset }),
        }
    }
    if body.len() % 2 == 1 {
        return Err(DecodeError::Undecodable { encoding, offset });
    }
    Ok(Text::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8], want: &str, encoding: FileEncoding, bom: bool) {
        let document = decode(bytes).unwrap();
        assert_eq!(document.text.to_string(), want);
        assert_eq!(document.format, Format { encoding, bom });
        assert_eq!(encode(&document.text, document.format), bytes);
    }

    #[test]
    fn any_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).rev().chain(*b"\r\n\0").collect();
        for encoding in [FileEncoding::Bytes, FileEncoding::Link] {
            let document = as_bytes(&bytes, encoding);
            assert_eq!(encode(&document.text, document.format), bytes);
            assert!(!encoding.is_text() && FileEncoding::Utf16Le.is_text());
        }
    }

    #[test]
    fn files_come_back_byte_for_byte() {
        check(b"", "", FileEncoding::Utf8, false);
        check(b"a\r\nb\nc\rd", "a\r\nb\nc\rd", FileEncoding::Utf8, false);
        check(b"\xEF\xBB\xBFa\n", "a\n", FileEncoding::Utf8, true);
        check(b"\xEF\xBB\xBF\xEF\xBB\xBFa", "\u{feff}a", FileEncoding::Utf8, true);
        check(b"\xFF\xFEa\0\r\0\n\0", "a\r\n", FileEncoding::Utf16Le, true);
        check(b"\xFE\xFF\xD8\x3D\xDE\x00", "😀", FileEncoding::Utf16Be, true);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let check = |bytes: &[u8], want| assert_eq!(decode(bytes).unwrap_err(), want);
        let bad = |encoding, offset| DecodeError::Undecodable { encoding, offset };
        let binary = |offset, wide| DecodeError::Binary { offset, wide };
        check(b"ab\0c", binary(2, false));
        check(b"\xEF\xBB\xBFab\0c", binary(5, false));
        check(b"\xFF\xFE\0\0a\0\0\0", binary(2, false));
        check(b"\0", binary(0, false));
        check(b"a\0b\0\n\0", binary(1, true));
        check(b"\0a\0b\0\n", binary(0, true));
        check(b"\0a\0b\0", binary(0, false));
        check(b"\0\0\0a\0\0\0b", binary(0, false));
        check(b"caf\xE9 au lait", bad(FileEncoding::Utf8, 3));
        check(b"\xEF\xBB\xBF\xE9", bad(FileEncoding::Utf8, 3));
        check(b"\xFF\xFEa\0b", bad(FileEncoding::Utf16Le, 4));
        check(b"\xFE\xFF\xD8\x3D\0a", bad(FileEncoding::Utf16Be, 2));
    }

    proptest! {
        #[test]
        fn decoding_then_encoding_is_identity(
            head in prop_oneof![Just(&b""[..]), Just(UTF8_BOM), Just(UTF16LE_BOM), Just(UTF16BE_BOM)],
            tail in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..64),
                "[a-c\r\n\u{feff}😀é]{0,40}".prop_map(String::into_bytes),
            ],
        ) {
            let bytes = [head, &tail].concat();
            if let Ok(document) = decode(&bytes) {
                prop_assert_eq!(encode(&document.text, document.format), bytes);
            }
        }

        #[test]
        fn every_text_survives_in_every_format(s in "[^\0\u{feff}]{0,60}") {
            for encoding in [FileEncoding::Utf8, FileEncoding::Utf16Le, FileEncoding::Utf16Be] {
                let format = Format { encoding, bom: true };
                let text = Text::from(s.as_str());
                let document = decode(&encode(&text, format)).unwrap();
                prop_assert_eq!(document, Document { text, format });
            }
        }
    }
}
