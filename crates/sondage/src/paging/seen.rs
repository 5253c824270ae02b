//! The ids of the rows that have come, in little memory.

use super::rows::Identity;
use super::texts::Texts;
use roaring::RoaringTreemap;

/// A million numbers take between 0.2 MB (when they follow each other) and 14 MB, a million texts about 9 MB.
#[derive(Default)]
pub(super) struct Seen {
    numbers: RoaringTreemap,
    texts: Texts,
}

impl Seen {
    pub fn contains(&self, id: Identity<'_>) -> bool {
        match id {
            Identity::Number(number) => self.numbers.contains(number.cast_unsigned()),
            Identity::Text(text) => self.texts.contains(text),
        }
    }

    /// `false` when it was there before.
    pub fn insert(&mut self, id: Identity<'_>) -> bool {
        match id {
            Identity::Number(number) => self.numbers.insert(number.cast_unsigned()),
            Identity::Text(text) => self.texts.insert(text),
        }
    }
}
