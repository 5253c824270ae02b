//! Which rows of a column have a value.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// One bit per row, 1 for a value. The bitmap grows only when a null is appended: rows beyond its end are valid, so that
/// a value costs nothing here.
#[derive(Debug, Clone, Default)]
pub(crate) struct Validity {
    bits: Vec<u8>,
    nulls: usize,
}

impl Validity {
    /// Marks a row, valid until now, as null.
    #[inline]
    pub(crate) fn add_null(&mut self, row: usize) {
        match self.bits.get_mut(row >> 3) {
            Some(bits) => {
                *bits &= !(1 << (row & 7));
                self.nulls += 1;
            }
            None => self.add_nulls(row, row + 1),
        }
    }

    /// Marks the rows from `from` (inclusive) to `to` (exclusive), valid until now, as null.
    pub(crate) fn add_nulls(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let last = (to - 1) >> 3;
        if self.bits.len() <= last {
            self.bits.resize((last + 1).max(self.bits.len() * 2), 0xFF);
        }
        self.nulls += to - from;
        let mut row = from;
        while row < to {
            if row.is_multiple_of(8) && row + 8 <= to {
                self.bits[row >> 3] = 0;
                row += 8;
            } else {
                self.bits[row >> 3] &= !(1 << (row & 7));
                row += 1;
            }
        }
    }

    /// Removes the rows from `len` on; there are `rows` of them in total.
    pub(crate) fn truncate(&mut self, len: usize, rows: usize) {
        for row in len..rows {
            if !self.is_valid(row) {
                self.bits[row >> 3] |= 1 << (row & 7);
                self.nulls -= 1;
            }
        }
    }

    /// Whether all of the column's rows, `len` of them, are null.
    pub(crate) fn all_null(&self, len: usize) -> bool {
        self.nulls == len
    }

    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.bits.get(row >> 3).is_none_or(|byte| byte & (1 << (row & 7)) != 0)
    }

    /// Appends `rows` rows of `other` after the `len` rows of this one.
    pub(crate) fn append(&mut self, len: usize, other: &Validity, rows: usize) {
        if other.nulls == 0 {
            return;
        }
        let bytes = (len + rows).div_ceil(8);
        if self.bits.len() < bytes {
            self.bits.resize(bytes, 0xFF);
        }
        let (shift, from) = (len & 7, len >> 3);
        // Clears the bits that are 0 in `other`; all other bits, including those of earlier rows, stay unchanged.
        for (i, &bits) in other.bits.iter().enumerate().take(rows.div_ceil(8)) {
            let nulls = u16::from(!bits) << shift;
            let [low, high] = nulls.to_le_bytes();
            self.bits[from + i] &= !low;
            if let Some(next) = self.bits.get_mut(from + i + 1) {
                *next &= !high;
            }
        }
        self.nulls += other.nulls;
    }

    /// The null bitmap of a column of `len` rows; none if it has no nulls.
    pub(crate) fn finish(mut self, len: usize) -> Option<NullBuffer> {
        if self.nulls == 0 {
            return None;
        }
        self.bits.resize(len.div_ceil(8), 0xFF);
        Some(NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(self.bits), 0, len)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[bool]) -> Validity {
        let mut validity = Validity::default();
        for (row, _) in rows.iter().enumerate().filter(|(_, valid)| !**valid) {
            validity.add_nulls(row, row + 1);
        }
        validity
    }

    #[test]
    fn ranges_of_nulls_and_appending_equal_one_row_at_a_time() {
        let pattern = |seed: usize, len: usize| -> Vec<bool> {
            (0..len).map(|row| (row * 7 + seed * 13) % 5 > 1 && row / 9 != seed % 4).collect()
        };
        for seed in 0..40 {
            let (first, second) = (pattern(seed, seed), pattern(seed + 3, 70 - seed));
            let whole: Vec<bool> = first.iter().chain(&second).copied().collect();
            let mut joined = of(&first);
            joined.append(first.len(), &of(&second), second.len());
            let nulls = joined.finish(whole.len()).expect("nulls");
            assert_eq!(nulls.iter().collect::<Vec<_>>(), whole, "seed {seed}");
            assert_eq!(nulls.null_count(), whole.iter().filter(|valid| !**valid).count());

            let mut ranges = Validity::default();
            ranges.add_nulls(seed, 70 - seed / 2);
            assert!((0..80).all(|row| ranges.is_valid(row) != (seed..70 - seed / 2).contains(&row)));
            ranges.truncate(seed + 1, 80);
            assert!((0..80).all(|row| ranges.is_valid(row) != (row == seed)));
        }
        assert!(Validity::default().finish(9).is_none());
    }
}
