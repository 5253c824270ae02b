//! Keyed digests of rows: they distinguish rows without containing values.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD as BASE64};
use ring::digest::{Context, SHA256};
use ring::hmac::{self, HMAC_SHA256};

/// The size of a [`Print`] in bytes.
const SIZE: usize = 16;

/// A row's key and its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Print {
    /// Of the exact key.
    pub key: u64,
    /// Of all values.
    pub values: u64,
}

/// Makes digests that are equal for equal values only, and other ones in every journal.
pub(crate) struct Prints(hmac::Key);

impl Prints {
    pub fn new(salt: &str) -> Self {
        Self(hmac::Key::new(HMAC_SHA256, salt.as_bytes()))
    }

    pub fn of(&self, bytes: &[u8]) -> u64 {
        let tag = hmac::sign(&self.0, bytes);
        tag.as_ref().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }
}

/// Makes the digests of an import's rows. There are two for each row, so they are SHA-256 over one block with the salt and then
/// the text, of which a short one takes a single round more; an HMAC would take four. As most of the hash is cut off, nobody can
/// continue it to another text's.
pub(crate) struct RowPrints {
    keys: Context,
    values: Context,
}

impl RowPrints {
    /// `columns`: what the values of a row belong to, which is part of their digests.
    pub fn new<'a>(salt: &str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let mut keys = Context::new(&SHA256);
        keys.update(&block(salt.as_bytes()));
        let (mut values, mut all) = (keys.clone(), Context::new(&SHA256));
        for column in columns {
            all.update(&column.len().to_le_bytes());
            all.update(column.as_bytes());
        }
        values.update(&block(all.finish().as_ref()));
        Self { keys, values }
    }

    pub fn key(&self, key: &str) -> u64 {
        short_of(&self.keys, key.as_bytes())
    }

    pub fn values(&self, row: &[u8]) -> u64 {
        short_of(&self.values, row)
    }
}

/// A whole block of the hash, so that what follows starts with a round of its own.
fn block(bytes: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    for (place, byte) in block.iter_mut().zip(bytes) {
        *place = *byte;
    }
    block
}

fn short_of(begun: &Context, bytes: &[u8]) -> u64 {
    let mut context = begun.clone();
    context.update(bytes);
    context.finish().as_ref().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

/// Encodes digests for a journal.
pub(super) fn packed(prints: &[Print]) -> String {
    let bytes: Vec<u8> = prints
        .iter()
        .flat_map(|print| [print.key.to_le_bytes(), print.values.to_le_bytes()])
        .flatten()
        .collect();
    BASE64.encode(bytes)
}

/// Decodes them; nothing if the text is invalid.
pub(super) fn unpacked(text: &str) -> Vec<Print> {
    let bytes = BASE64.decode(text).unwrap_or_default();
    let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    bytes.chunks_exact(SIZE).map(|print| Print { key: number(print), values: number(&print[8..]) }).collect()
}

/// A file name for a job, derived from its parameters.
pub(super) fn short(parts: &[&str]) -> String {
    let tag = Prints::new("sondage").of(parts.join("\n").as_bytes());
    format!("{tag:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_differ_by_salt_columns_kind_and_text() {
        let salt = "00112233445566778899aabbccddeeff";
        let prints = RowPrints::new(salt, ["Email", "City"]);
        assert_eq!(
            prints.key("a"),
            RowPrints::new(salt, ["Email"]).key("a"),
            "keys are found without the columns"
        );
        let others = [
            prints.key("b"),
            prints.values(b"a"),
            RowPrints::new(salt, ["Email"]).values(b"a"),
            RowPrints::new(salt, ["EmailCity"]).values(b"a"),
            RowPrints::new(salt, ["City", "Email"]).values(b"a"),
            RowPrints::new("0", ["Email", "City"]).key("a"),
            RowPrints::new("0", ["Email", "City"]).values(b"a"),
            Prints::new(salt).of(b"a"),
        ];
        let distinct: std::collections::HashSet<u64> = others.into_iter().chain([prints.key("a")]).collect();
        assert_eq!(distinct.len(), others.len() + 1);
        assert_eq!(unpacked(&packed(&[Print { key: 1, values: 2 }])), [Print { key: 1, values: 2 }]);
    }
}
