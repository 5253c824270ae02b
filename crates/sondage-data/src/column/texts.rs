//! A buffer of concatenated texts, and the only place where Arrow trusts this crate without checking.
#![allow(unsafe_code, reason = "Arrow checks texts again at the end, several times slower; see `into_array`")]

use arrow_array::StringArray;
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;

/// Concatenated texts, in Arrow's layout.
#[derive(Debug)]
pub(crate) struct StringBuffer {
    /// Where each text ends; the first entry is 0.
    ends: Vec<i32>,
    bytes: Vec<u8>,
    /// [`StringBuffer::check`] has passed, and nothing has changed since.
    checked: bool,
}

impl StringBuffer {
    /// An empty buffer with the capacity of `room`.
    pub(crate) fn with_empty(len: usize, room: CapacityHint) -> Self {
        let mut ends = Vec::with_capacity(room.rows.max(len) + 1);
        ends.resize(len + 1, 0);
        StringBuffer { ends, bytes: Vec::with_capacity(room.bytes), checked: false }
    }

    /// The texts of an array.
    pub(crate) fn of_array(array: &StringArray) -> Self {
        StringBuffer { ends: array.offsets().to_vec(), bytes: array.values().to_vec(), checked: false }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.end();
    }

    /// Pushes the text that `read` appends to the given bytes. If `read` returns `None`, a part of the text may remain,
    /// until [`StringBuffer::truncate`].
    #[inline]
    pub(crate) fn push_with<T>(&mut self, read: impl FnOnce(&mut Vec<u8>) -> Option<T>) -> Option<T> {
        self.checked = false;
        let read = read(&mut self.bytes)?;
        self.end();
        Some(read)
    }

    /// Ends the text whose bytes have been appended (an empty one if there are none). A chunk of rows is closed long
    /// before its texts reach 2 GiB (see `chunk::CHUNK_BYTES`); otherwise the check would refuse the offsets, which stop
    /// growing.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.checked = false;
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
    }

    /// Appends empty texts until there are `len`.
    pub(crate) fn pad_nulls(&mut self, len: usize) {
        self.checked = false;
        self.ends.resize(len + 1, self.ends.last().copied().unwrap_or(0));
    }

    /// Keeps the first `len` texts and their bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.checked = false;
        self.ends.truncate(len + 1);
        let end = self.ends.last().and_then(|&end| usize::try_from(end).ok()).unwrap_or(0);
        self.bytes.truncate(end);
    }

    pub(crate) fn append(&mut self, other: &StringBuffer) {
        self.checked = false;
        let shift = *self.ends.last().unwrap_or(&0);
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().skip(1).map(|end| end.saturating_add(shift)));
    }

    pub(crate) fn get(&self, row: usize) -> &str {
        let at = |i: usize| self.ends.get(i).and_then(|&end| usize::try_from(end).ok()).unwrap_or(0);
        self.bytes.get(at(row)..at(row + 1)).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }

    /// The capacity that as many texts like these need.
    pub(crate) fn room(&self) -> CapacityHint {
        CapacityHint { rows: self.ends.len() - 1, bytes: self.bytes.len() + self.bytes.len() / 8 }
    }

    /// Finishes the buffer when no more texts follow, so that [`StringBuffer::into_array`] has nothing left to do.
    pub(crate) fn close(&mut self) -> Result<(), ArrowError> {
        super::give_back(&mut self.ends);
        super::give_back(&mut self.bytes);
        self.check()
    }

    /// Checks what `StringArray::try_new` checks: that the bytes are UTF-8, that the offsets are sorted and within the
    /// bytes, and that each is at a character boundary.
    fn check(&mut self) -> Result<(), ArrowError> {
        if self.checked {
            return Ok(());
        }
        let wrong = |what: &str| ArrowError::InvalidArgumentError(format!("a column of texts {what}"));
        let text = simdutf8::basic::from_utf8(&self.bytes).map_err(|_| wrong("is not UTF-8"))?;
        let in_order = self.ends.first() == Some(&0) && self.ends.is_sorted();
        let last = self.ends.last().and_then(|&end| usize::try_from(end).ok());
        if !in_order || last != Some(text.len()) {
            return Err(wrong("does not end where its bytes do"));
        }
        let between = |&end: &i32| usize::try_from(end).is_ok_and(|end| text.is_char_boundary(end));
        if !text.is_ascii() && !self.ends.iter().all(between) {
            return Err(wrong("has an end within a character"));
        }
        self.checked = true;
        Ok(())
    }

    /// The texts as an array, without a copy.
    pub(crate) fn into_array(mut self, nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
        self.check()?;
        if nulls.as_ref().is_some_and(|nulls| nulls.len() + 1 != self.ends.len()) {
            let detail = "a column of texts has more or fewer nulls than rows";
            return Err(ArrowError::InvalidArgumentError(detail.to_owned()));
        }
        let (ends, bytes) = (ScalarBuffer::from(self.ends), Buffer::from_vec(self.bytes));
        // SAFETY: offsets must start at 0 or above and be sorted. `check` has verified that they start at 0 and are
        // sorted: just now, or earlier, and then no method has changed them since (each that does clears `checked`, and
        // nothing outside this file can access the fields).
        let ends = unsafe { OffsetBuffer::new_unchecked(ends) };
        // SAFETY: safe wherever `try_new` would not fail. Its conditions are those of `check`, and that there are as many
        // nulls as texts, which is checked above.
        Ok(unsafe { StringArray::new_unchecked(ends, bytes, nulls) })
    }
}

/// The expected size of a column.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CapacityHint {
    pub(crate) rows: usize,
    /// Of texts.
    pub(crate) bytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ends: &[i32], bytes: &[u8]) -> StringBuffer {
        StringBuffer { ends: ends.to_vec(), bytes: bytes.to_vec(), checked: false }
    }

    #[test]
    fn an_array_is_made_of_what_arrow_would_take_and_of_nothing_else() {
        let cases: [(&[i32], &[u8]); 10] = [
            (&[0], b""),
            (&[0, 1, 1, 4], "aüx".as_bytes()),
            (&[0, 2, 4], "aüx".as_bytes()),
            (&[0, 3, 1, 4], b"abcd"),
            (&[0, 3], b"abcd"),
            (&[0, 5], b"abcd"),
            (&[1, 4], b"abcd"),
            (&[0, -1, 4], b"abcd"),
            (&[0, 2], b"\xc3\x28"),
            (&[0, 1, 2], b"\xc3\xbc"),
        ];
        for (ends, bytes) in cases {
            let in_order =
                ends.is_sorted() && ends[0] == 0 && usize::try_from(ends[ends.len() - 1]) == Ok(bytes.len());
            let arrow = in_order.then(|| {
                let ends = OffsetBuffer::new(ScalarBuffer::from(ends.to_vec()));
                StringArray::try_new(ends, Buffer::from(bytes), None).ok()
            });
            let ours = texts(ends, bytes).into_array(None).ok();
            assert_eq!(ours, arrow.flatten(), "{ends:?} {bytes:?}");
        }
        let nulls = Some(NullBuffer::new_null(3));
        assert!(texts(&[0, 1, 2], b"ab").into_array(nulls).is_err());
    }

    #[test]
    fn what_changes_is_checked_again() {
        let changes: [fn(&mut StringBuffer); 4] = [
            |texts| texts.pad_nulls(5),
            |texts| texts.truncate(1),
            |texts| texts.append(&StringBuffer::with_empty(1, CapacityHint::default())),
            |texts| texts.push("y"),
        ];
        for change in changes {
            let mut texts = texts(&[0, 1, 3], "xü".as_bytes());
            texts.close().expect("good");
            change(&mut texts);
            assert!(!texts.checked);
        }
        let mut texts = texts(&[0, 1], b"x");
        texts.close().expect("good");
        texts.push_with(|bytes| {
            bytes.push(0xFF);
            Some(())
        });
        assert!(texts.into_array(None).is_err());
    }
}
