//! Constant-time comparison with secrets.

use ring::digest::{SHA256, digest};
use subtle::ConstantTimeEq as _;

/// Whether two texts are equal, in a time that does not depend on the secret one.
///
/// Both are hashed first. Then 32 bytes are compared whatever the input, so neither the length of the secret nor the
/// position of the first difference can be measured; and an attacker cannot control the bytes of a digest. The time for
/// hashing depends on the length of the input, which the attacker knows.
pub(super) fn same(arrived: &[u8], secret: &[u8]) -> bool {
    digest(&SHA256, arrived).as_ref().ct_eq(digest(&SHA256, secret).as_ref()).into()
}
