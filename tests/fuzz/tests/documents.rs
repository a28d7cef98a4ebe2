//! The bytes of a file as text: the same bytes again, or a refusal.

use proptest::{collection::vec, prelude::*};
use redline_fuzz::{fuzz, text};
use redline_text::{DecodeError, FileEncoding, Format, Text, decode, encode};

/// Bytes of a file: text in any encoding, with and without a byte order mark, whole and torn.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let utf8 = text::short().prop_map(String::into_bytes);
    let mark = prop_oneof![
        Just(vec![]),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"\xFF\xFE".to_vec()),
        Just(b"\xFE\xFF".to_vec()),
    ];
    let body =
        prop_oneof![3 => utf8, 1 => text::short().prop_map(utf16), 1 => vec(any::<u8>(), 0..40)];
    (mark, body, 0usize..3).prop_map(|(mark, body, torn)| {
        let mut bytes = [mark, body].concat();
        bytes.truncate(bytes.len().saturating_sub(torn));
        bytes
    })
}

fn utf16(text: String) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn documents() {
    fuzz("documents", 600, bytes(), |bytes| {
        match decode(&bytes) {
            Ok(document) => prop_assert_eq!(encode(&document.text, document.format), bytes),
            Err(DecodeError::Binary { offset, .. }) => {
                prop_assert_eq!(bytes.get(offset), Some(&0));
            }
            Err(DecodeError::Undecodable { offset, .. }) => prop_assert!(offset <= bytes.len()),
        }
        Ok(())
    });
}

#[test]
fn formats() {
    let encoding = proptest::sample::select(vec![
        FileEncoding::Utf8,
        FileEncoding::Utf16Le,
        FileEncoding::Utf16Be,
    ]);
    fuzz("documents", 300, (text::short(), encoding, any::<bool>()), |(plain, encoding, bom)| {
        // UTF-16 is only ever read with a mark, and text never starts with one.
        prop_assume!(!plain.contains(['\0', '\u{feff}']));
        let format = Format { encoding, bom: bom || encoding != FileEncoding::Utf8 };
        let text = Text::from(plain.as_str());
        let document = decode(&encode(&text, format));
        let document = document.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!((document.text, document.format), (text, format));
        Ok(())
    });
}
