//! Comparing what arrived with what is secret.

use ring::digest::{SHA256, digest};
use subtle::ConstantTimeEq as _;

/// Whether two texts are the same, in a time that tells nothing about the secret one.
///
/// Both are hashed first. What is compared has 32 bytes then, whatever came, so neither the length of the secret nor the
/// place of the first difference can be measured; a caller who guesses cannot steer the bytes of a digest either. The
/// time of the hashing depends on the length of what arrived, which the caller knows.
pub(super) fn same(arrived: &[u8], secret: &[u8]) -> bool {
    digest(&SHA256, arrived).as_ref().ct_eq(digest(&SHA256, secret).as_ref()).into()
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // Writing into a String cannot fail.
        text
    })
}
