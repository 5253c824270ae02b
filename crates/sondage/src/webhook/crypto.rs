//! Cryptography of webhooks. The package for JavaScript without native code replaces this file; everything else of receiving is the same.

use crate::error::{Error, Result};
use ring::digest::{SHA256, digest};
use ring::hmac;
use subtle::ConstantTimeEq as _;

/// HMAC-SHA256.
pub(super) fn sign(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut signature = [0; 32];
    signature.copy_from_slice(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref());
    signature
}

/// Whether this is the signature of a text. ring compares in constant time.
pub(super) fn is_signed(key: &[u8], text: &[u8], signature: &[u8]) -> bool {
    hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, key), text, signature).is_ok()
}

/// Whether two texts are equal, in a time that does not depend on the secret one.
///
/// Both are hashed first. Then 32 bytes are compared whatever the input, so neither the length of the secret nor the
/// position of the first difference can be measured; and an attacker cannot control the bytes of a digest. The time for
/// hashing depends on the length of the input, which the attacker knows.
pub(super) fn same(arrived: &[u8], secret: &[u8]) -> bool {
    digest(&SHA256, arrived).as_ref().ct_eq(digest(&SHA256, secret).as_ref()).into()
}

/// Random bytes for a secret.
pub(super) fn random() -> Result<[u8; 16]> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| Error::internal(format!("the operating system provides no random numbers ({e})")))?;
    Ok(bytes)
}
