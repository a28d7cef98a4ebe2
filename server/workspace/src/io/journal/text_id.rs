//! The name of a text.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The name of a text in a [`Store`](super::Store): equal texts have equal names. 128 bits of a
/// BLAKE3 hash over the text's chunks; it holds for one version of the store's format. Shown, read
/// and serialised as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId(pub(super) [u8; 16]);

/// Why something is no [`TextId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a text: it needs 32 hexadecimal digits")]
pub struct NotATextId;

impl fmt::Display for TextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for TextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextId({self})")
    }
}

impl FromStr for TextId {
    type Err = NotATextId;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        // `from_str_radix` would also take a sign.
        if s.len() != 32 || !s.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotATextId);
        }
        let number = u128::from_str_radix(s, 16).map_err(|_| NotATextId)?;
        Ok(Self(number.to_be_bytes()))
    }
}

impl Serialize for TextId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TextId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_being_written() {
        let id = TextId(std::array::from_fn(|i| i as u8));
        assert_eq!(id.to_string(), "000102030405060708090a0b0c0d0e0f");
        assert_eq!(id.to_string().parse(), Ok(id));
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<TextId>(&json).unwrap(), id);
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for bad in ["", "00", "+00102030405060708090a0b0c0d0e0f", &"é".repeat(16), &"0".repeat(33)]
        {
            assert_eq!(bad.parse::<TextId>(), Err(NotATextId), "{bad}");
        }
    }
}
