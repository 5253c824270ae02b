//! Texts end to end.

/// Texts end to end, as Arrow wants them.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Where each text ends; the first entry is 0.
    pub(crate) ends: Vec<i32>,
    pub(crate) bytes: Vec<u8>,
}

impl Texts {
    pub(crate) fn with_empty(len: usize) -> Self {
        Texts { ends: vec![0; len + 1], bytes: Vec::new() }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.end();
    }

    /// Ends the text whose bytes have been appended. A chunk of rows is closed long before its texts reach 2 GiB (see
    /// `chunk::CHUNK_BYTES`); were it not, Arrow would refuse offsets that stand still.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
    }

    /// Appends empty texts until there are `len`.
    pub(crate) fn fill_to(&mut self, len: usize) {
        self.ends.resize(len + 1, self.ends.last().copied().unwrap_or(0));
    }

    /// Keeps the first `len` texts, and no byte beyond them.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len + 1);
        let end = self.ends.last().and_then(|&end| usize::try_from(end).ok()).unwrap_or(0);
        self.bytes.truncate(end);
    }

    pub(crate) fn append(&mut self, other: &Texts) {
        let shift = *self.ends.last().unwrap_or(&0);
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().skip(1).map(|end| end.saturating_add(shift)));
    }

    pub(crate) fn get(&self, row: usize) -> &str {
        let at = |i: usize| self.ends.get(i).and_then(|&end| usize::try_from(end).ok()).unwrap_or(0);
        self.bytes.get(at(row)..at(row + 1)).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
    }
}
