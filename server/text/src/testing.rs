//! What the property tests of this crate draw from.

use proptest::prelude::*;

/// Text with few different lines, all line ends, chars of all widths and a final line end or none.
pub fn sample() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ab(){} \t]{0,4}",
        3 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => "[é界😀]",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
