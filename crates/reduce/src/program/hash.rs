//! Hashes of what is reduced.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A hash of a program's content, equal for equal texts and for practical purposes only then.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(u128);

/// As hexadecimal digits.
impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        format!("{:032x}", hash.0)
    }
}

impl ContentHash {
    /// The hash of what a file holds.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// The hash of the same content in this stage of a search; the same as before in the first one.
    pub(super) fn in_stage(self, stage: u32) -> Self {
        Self(self.0.wrapping_add(u128::from(stage)))
    }
}

/// A hash that was made piece by piece.
impl From<u128> for ContentHash {
    fn from(hash: u128) -> Self {
        Self(hash)
    }
}

impl TryFrom<String> for ContentHash {
    type Error = std::num::ParseIntError;

    fn try_from(digits: String) -> Result<Self, Self::Error> {
        u128::from_str_radix(&digits, 16).map(Self)
    }
}
