//! The ids of the rows that have come, in little memory.

use super::rows::Identity;
use ring::digest::{SHA256, digest};
use roaring::RoaringTreemap;
use std::collections::HashSet;

/// A million numbers take between 0.2 MB (when they follow each other) and 14 MB, a million texts about 40 MB.
#[derive(Default)]
pub(super) struct Seen {
    numbers: RoaringTreemap,
    /// Half of a SHA-256: two ids that collide would make a row disappear.
    texts: HashSet<[u8; 16]>,
}

impl Seen {
    pub fn contains(&self, id: Identity<'_>) -> bool {
        match id {
            Identity::Number(number) => self.numbers.contains(number.cast_unsigned()),
            Identity::Text(text) => self.texts.contains(&short(text)),
        }
    }

    /// `false` when it was there before.
    pub fn insert(&mut self, id: Identity<'_>) -> bool {
        match id {
            Identity::Number(number) => self.numbers.insert(number.cast_unsigned()),
            Identity::Text(text) => self.texts.insert(short(text)),
        }
    }
}

fn short(text: &str) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&digest(&SHA256, text.as_bytes()).as_ref()[..16]);
    half
}
