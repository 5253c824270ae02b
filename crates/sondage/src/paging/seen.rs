//! The ids of the rows that have been read, in a compact form.

use super::rows::Rows;
use super::spans::{self, IdRanges, ReadRange};
use super::texts::SeenTexts;
use crate::error::Result;
use crate::model::Identity;
use roaring::RoaringTreemap;

/// A million numeric ids take between 0.2 MB (consecutive) and 14 MB, a million text ids about 9 MB. Text ids in
/// ascending order take almost nothing if pages can be read again.
#[derive(Default)]
pub(super) struct SeenIds {
    numbers: RoaringTreemap,
    texts: SeenTexts,
    spans: Option<IdRanges>,
    /// The last text in alphabetical order: any text after it is new.
    highest: Option<Box<str>>,
}

impl SeenIds {
    /// Enables reading pages again with this function, instead of keeping their ids.
    pub fn verify_with(&mut self, read: ReadRange) {
        self.spans = Some(IdRanges::new(read));
    }

    pub fn contains(&mut self, id: Identity<'_>) -> Result<bool> {
        match id {
            Identity::Number(number) => Ok(self.numbers.contains(number.cast_unsigned())),
            Identity::Text(text) if self.is_beyond(text) => Ok(false),
            Identity::Text(text) => Ok(self.texts.contains(text)
                || self.spans.as_mut().map_or(Ok(false), |spans| spans.contains(text))?),
        }
    }

    /// Adds an id that was not present one page earlier. `false` when it is present now.
    pub fn insert(&mut self, id: Identity<'_>) -> bool {
        match id {
            Identity::Number(number) => self.numbers.insert(number.cast_unsigned()),
            Identity::Text(text) => {
                if self.is_beyond(text) {
                    self.highest = Some(text.into());
                }
                self.texts.insert(text)
            }
        }
    }

    /// Adds all ids of a page by storing only its first and last one. `false` when that is impossible: nothing is added.
    pub fn take(&mut self, page: u64, rows: &dyn Rows) -> bool {
        let Some(ends) = spans::ends(rows).filter(|[first, _]| self.is_beyond(first)) else { return false };
        let Some(spans) = &mut self.spans else { return false };
        spans.push(page, ends);
        self.highest = Some(ends[1].into());
        true
    }

    fn is_beyond(&self, text: &str) -> bool {
        self.highest.as_deref().is_none_or(|highest| highest < text)
    }
}
