//! The core's `crypto.rs` by crates that have no C.

use crate::error::{Error, Result};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

fn mac(key: &[u8], text: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?; // A key of any length is one.
    mac.update(text);
    Some(mac)
}

pub(super) fn sign(key: &[u8], text: &[u8]) -> [u8; 32] {
    mac(key, text).map_or([0; 32], |mac| mac.finalize().into_bytes().into())
}

/// `verify_slice` compares in constant time.
pub(super) fn is_signed(key: &[u8], text: &[u8], signature: &[u8]) -> bool {
    mac(key, text).is_some_and(|mac| mac.verify_slice(signature).is_ok())
}

pub(super) fn same(arrived: &[u8], secret: &[u8]) -> bool {
    Sha256::digest(arrived).ct_eq(&Sha256::digest(secret)).into()
}

pub(super) fn random() -> Result<[u8; 16]> {
    Err(Error::invalid_argument("a receiver makes no secrets: register the webhook with the package itself"))
}
