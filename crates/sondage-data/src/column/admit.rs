//! Tentative values: they are added to a column before it is known whether their row will be accepted.
//!
//! A value is admitted only if it does not change the storage of the column, and only as the first value of its row, so
//! that [`Column::retract`] can undo it completely. If a value is not admitted, the ordinary decoder reads the row.
#![allow(clippy::inline_always, reason = "inlined into the loop over cells: measured")]

use super::cell::{Cell, EXACT_IN_F64};
use super::seen::SeenKinds;
use super::timestamps::Moment;
use super::{Column, Values};

impl Column {
    /// Whether the column can take a value for this row. It must be filled up to this row, without a value for it yet.
    #[inline(always)]
    fn ready(&mut self, row: usize) -> bool {
        if self.len != row {
            if self.len > row {
                return false;
            }
            self.pad_nulls(row);
        }
        true
    }

    /// A null takes its place like any value: one that follows in the same row may belong to another column.
    #[inline(always)]
    pub(crate) fn admit_null(&mut self, row: usize) -> bool {
        if !self.ready(row) {
            return false;
        }
        self.pad_nulls(row + 1);
        true
    }

    #[inline(always)]
    pub(crate) fn admit_int(&mut self, row: usize, value: i64) -> bool {
        if !self.ready(row) {
            return false;
        }
        match &mut self.values {
            Values::Int(values) if value.unsigned_abs() <= EXACT_IN_F64 => {
                values.push(value);
                self.len += 1;
                true
            }
            _ => self.admit(row, Cell::Int(value)),
        }
    }

    #[inline(always)]
    pub(crate) fn admit_float(&mut self, row: usize, value: f64) -> bool {
        if !self.ready(row) {
            return false;
        }
        match &mut self.values {
            Values::Float(values) if self.seen.has(SeenKinds::FLOAT) => {
                values.push(value);
                self.len += 1;
                true
            }
            _ => self.admit(row, Cell::Float(value)),
        }
    }

    #[inline(always)]
    pub(crate) fn admit_bool(&mut self, row: usize, value: bool) -> bool {
        if !self.ready(row) {
            return false;
        }
        match &mut self.values {
            Values::Bool(values) => {
                values.push(value);
                self.len += 1;
                true
            }
            _ => self.admit(row, Cell::Bool(value)),
        }
    }

    /// Admits a text that `read` appends to the given bytes. `None` when it is not admitted, or when `read` returns none.
    #[inline(always)]
    pub(crate) fn admit_text<T>(
        &mut self,
        row: usize,
        read: impl FnOnce(&mut Vec<u8>) -> Option<T>,
    ) -> Option<T> {
        if !self.ready(row) {
            return None;
        }
        if !self.seen.has(SeenKinds::TEXT) || !matches!(self.values, Values::Text(_)) {
            self.take_texts()?;
        }
        let Values::Text(texts) = &mut self.values else { return None };
        let read = texts.push_with(read)?;
        self.len += 1;
        Some(read)
    }

    /// Makes it a text column, if it has no value yet or only timestamps.
    #[cold]
    fn take_texts(&mut self) -> Option<()> {
        if self.seen == SeenKinds::default() {
            self.widen(SeenKinds::text());
        }
        self.spell_out();
        self.seen.has(SeenKinds::TEXT).then_some(())
    }

    /// Admits `[]` or `{}`.
    #[inline(always)]
    pub(crate) fn admit_brackets(&mut self, row: usize, brackets: &'static str) -> bool {
        if !self.ready(row) {
            return false;
        }
        match &mut self.values {
            Values::Text(texts) if self.seen.has(SeenKinds::NESTED) => {
                texts.push(brackets);
                self.len += 1;
                true
            }
            _ => self.admit(row, Cell::Nested(brackets.into())),
        }
    }

    /// Whether a text is probably a timestamp.
    #[inline(always)]
    pub(crate) fn expects_moments(&self) -> bool {
        self.timestamps
    }

    /// Admits a timestamp, if the column expects timestamps.
    #[inline(always)]
    pub(crate) fn admit_moment(&mut self, row: usize, moment: Moment) -> bool {
        if !self.ready(row) {
            return false;
        }
        if self.seen == SeenKinds::default() {
            self.widen(SeenKinds::text());
        }
        let Values::Timestamps(timestamps) = &mut self.values else { return false };
        timestamps.push(moment);
        self.len += 1;
        true
    }

    /// Admits any value.
    #[inline(never)]
    pub(crate) fn admit(&mut self, row: usize, cell: Cell<'_>) -> bool {
        if !self.ready(row) {
            return false;
        }
        let kinds = self.seen.with(&cell);
        if kinds != self.seen && self.seen != SeenKinds::default() {
            return false;
        }
        self.push(cell);
        true
    }

    /// Removes what was admitted for this row, completely or in part.
    pub(crate) fn retract(&mut self, row: usize) {
        if self.seen != SeenKinds::default() && self.first == row {
            self.values = Values::Null;
            self.seen = SeenKinds::default();
        }
        match &mut self.values {
            Values::Null => {}
            Values::Bool(values) => values.truncate(row),
            Values::Int(values) => values.truncate(row),
            Values::Float(values) => values.truncate(row),
            Values::Text(texts) => texts.truncate(self.len.min(row)),
            Values::Timestamps(timestamps) => timestamps.truncate(row),
        }
        if self.len > row {
            self.valid.truncate(row, self.len);
            self.len = row;
        }
    }
}
