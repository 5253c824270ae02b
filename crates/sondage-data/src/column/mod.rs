//! A growing column: it starts empty and widens from null through bool, integer and float to text as values require it,
//! without losing what it has read.

mod admit;
mod arrow;
pub(crate) mod cell;
mod days;
pub(crate) mod row_id;
pub(crate) mod seen;
mod texts;
pub(crate) mod timestamps;
mod validity;

use arrow_buffer::NullBuffer;
use arrow_schema::ArrowError;

use cell::{Cell, float_text};
use row_id::RowId;
use seen::{SeenKinds, StorageKind};
use texts::{CapacityHint, StringBuffer};
use timestamps::{Moment, TimestampBuffer};
use validity::Validity;

/// The values of one question over a range of rows.
#[derive(Debug)]
pub(crate) struct Column {
    len: usize,
    values: Values,
    valid: Validity,
    seen: SeenKinds,
    /// The row of the first value that was pushed.
    first: usize,
    /// Timestamps are expected: texts are stored as [`Values::Timestamps`] as long as all of them are timestamps.
    timestamps: bool,
    /// The expected size of the column.
    room: CapacityHint,
}

/// Storage of a column; nulls are stored as zero or empty.
#[derive(Debug)]
pub(crate) enum Values {
    Null,
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f64>),
    Text(StringBuffer),
    /// Texts, too.
    Timestamps(TimestampBuffer),
}

impl Column {
    pub(crate) fn new() -> Self {
        Column {
            len: 0,
            values: Values::Null,
            valid: Validity::default(),
            seen: SeenKinds::default(),
            first: 0,
            timestamps: false,
            room: CapacityHint::default(),
        }
    }

    /// A column in which timestamps are expected.
    pub(crate) fn of_moments() -> Self {
        Column { timestamps: true, ..Column::new() }
    }

    /// Finishes this column and starts one for the following rows, with the same capacity.
    pub(crate) fn next(&mut self) -> Result<Column, ArrowError> {
        let room = match &self.values {
            Values::Text(texts) => texts.room(),
            _ => CapacityHint { rows: self.len, bytes: 0 },
        };
        self.close()?;
        Ok(Column { timestamps: self.timestamps, room, ..Column::new() })
    }

    /// Finishes what can be done when no more values follow.
    fn close(&mut self) -> Result<(), ArrowError> {
        match &mut self.values {
            Values::Null => {}
            Values::Bool(values) => give_back(values),
            Values::Int(values) => give_back(values),
            Values::Float(values) => give_back(values),
            Values::Text(texts) => texts.close()?,
            Values::Timestamps(timestamps) => timestamps.close(),
        }
        Ok(())
    }

    pub(crate) fn seen(&self) -> SeenKinds {
        self.seen
    }

    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        let kinds = self.seen.with(&cell);
        if kinds != self.seen {
            self.widen(kinds);
        }
        match (&mut self.values, cell) {
            (_, Cell::Null) => return self.pad_nulls(self.len + 1),
            (Values::Bool(values), Cell::Bool(value)) => values.push(value),
            (Values::Int(values), Cell::Int(value)) => values.push(value),
            (Values::Float(values), Cell::Float(value)) => values.push(value),
            // Only integers that an f64 holds exactly can be in a column with floats (`SeenKinds::kind`).
            #[allow(clippy::cast_precision_loss)]
            (Values::Float(values), Cell::Int(value)) => values.push(value as f64),
            (Values::Text(values), cell) => values.push(&cell.into_text()),
            (Values::Timestamps(values), Cell::Text(text)) => {
                let Some(moment) = Moment::whole(&text) else {
                    self.spell_out();
                    return self.push(Cell::Text(text));
                };
                values.push(moment);
            }
            // `widen` has made the storage fit; other pairs cannot occur.
            _ => return self.pad_nulls(self.len + 1),
        }
        self.len += 1;
    }

    /// Appends nulls until the column holds `rows` rows.
    pub(crate) fn pad_nulls(&mut self, rows: usize) {
        match rows.saturating_sub(self.len) {
            0 => {}
            1 => self.push_null(),
            _ => self.push_nulls(rows),
        }
    }

    #[inline]
    fn push_null(&mut self) {
        match &mut self.values {
            Values::Null => {}
            Values::Bool(values) => values.push(false),
            Values::Int(values) => values.push(0),
            Values::Float(values) => values.push(0.0),
            Values::Text(values) => values.end(),
            Values::Timestamps(values) => values.pad_nulls(self.len + 1),
        }
        self.valid.add_null(self.len);
        self.len += 1;
    }

    #[inline(never)]
    fn push_nulls(&mut self, rows: usize) {
        match &mut self.values {
            Values::Null => {}
            Values::Bool(values) => values.resize(rows, false),
            Values::Int(values) => values.resize(rows, 0),
            Values::Float(values) => values.resize(rows, 0.0),
            Values::Text(values) => values.pad_nulls(rows),
            Values::Timestamps(values) => values.pad_nulls(rows),
        }
        self.valid.add_nulls(self.len, rows);
        self.len = rows;
    }

    /// Changes the storage to the one that `seen` asks for.
    pub(crate) fn widen(&mut self, seen: SeenKinds) {
        if self.seen == SeenKinds::default() {
            self.first = self.len;
        }
        self.seen = self.seen.union(seen);
        if !self.seen.only_text() {
            self.spell_out();
        }
        let (len, room) = (self.len, self.room);
        let values = std::mem::replace(&mut self.values, Values::Null);
        self.values = match (values, self.seen.kind()) {
            (Values::Null, StorageKind::Bool) => Values::Bool(zeros(len, room)),
            (Values::Null, StorageKind::Int) => Values::Int(zeros(len, room)),
            (Values::Null, StorageKind::Float) => Values::Float(zeros(len, room)),
            (Values::Null, StorageKind::Text) if self.timestamps => {
                Values::Timestamps(TimestampBuffer::with_empty(len, room.rows))
            }
            (Values::Null, StorageKind::Text) => Values::Text(StringBuffer::with_empty(len, room)),
            #[allow(clippy::cast_precision_loss)]
            (Values::Int(ints), StorageKind::Float) => {
                Values::Float(ints.into_iter().map(|value| value as f64).collect())
            }
            (Values::Bool(values), StorageKind::Text) => self.texts(&values, bool::to_string),
            (Values::Int(values), StorageKind::Text) => self.texts(&values, i64::to_string),
            (Values::Float(values), StorageKind::Text) => self.texts(&values, |value| float_text(*value)),
            (same, _) => same,
        };
    }

    /// Converts timestamps to texts, each as it was written, including all that follow.
    pub(crate) fn spell_out(&mut self) {
        self.timestamps = false;
        let Values::Timestamps(timestamps) = &self.values else { return };
        let mut texts = StringBuffer::with_empty(0, self.room);
        for row in 0..self.len {
            if self.valid.is_valid(row) {
                texts.push_with(|out| {
                    timestamps.write(row, out);
                    Some(())
                });
            } else {
                texts.end();
            }
        }
        self.values = Values::Text(texts);
    }

    fn texts<T>(&self, values: &[T], write: impl Fn(&T) -> String) -> Values {
        let mut texts = StringBuffer::with_empty(0, self.room);
        for (row, value) in values.iter().enumerate() {
            if self.valid.is_valid(row) {
                texts.push(&write(value));
            } else {
                texts.end();
            }
        }
        Values::Text(texts)
    }

    /// Puts the rows of `other` below this column's own.
    pub(crate) fn append(&mut self, mut other: Column) {
        if self.len == 0 && self.seen == SeenKinds::default() {
            *self = other;
            return;
        }
        let kinds = self.seen.union(other.seen);
        self.widen(kinds);
        other.widen(kinds);
        if matches!((&self.values, &other.values), (Values::Text(_), _) | (_, Values::Text(_))) {
            self.spell_out();
            other.spell_out();
        }
        match (&mut self.values, &mut other.values) {
            (Values::Bool(own), Values::Bool(more)) => own.append(more),
            (Values::Int(own), Values::Int(more)) => own.append(more),
            (Values::Float(own), Values::Float(more)) => own.append(more),
            (Values::Text(own), Values::Text(more)) => own.append(more),
            (Values::Timestamps(own), Values::Timestamps(more)) => own.append(std::mem::take(more)),
            // Both were widened to the same kinds, so they have the same storage: what is left is two columns of nulls.
            _ => {}
        }
        self.valid.append(self.len, &other.valid, other.len);
        self.len += other.len;
    }

    /// The column with only the rows for which `keep` is true.
    pub(crate) fn retain(&self, keep: &[bool]) -> Column {
        let mut retained = Column { timestamps: self.timestamps, ..Column::new() };
        for row in (0..self.len).filter(|&row| keep.get(row).copied().unwrap_or(false)) {
            retained.push_stored(self, row);
        }
        retained.widen(self.seen);
        retained
    }

    fn push_stored(&mut self, from: &Column, row: usize) {
        self.widen(from.seen);
        if !from.valid.is_valid(row) {
            return self.pad_nulls(self.len + 1);
        }
        match (&mut self.values, &from.values) {
            (Values::Bool(own), Values::Bool(values)) => own.push(values[row]),
            (Values::Int(own), Values::Int(values)) => own.push(values[row]),
            (Values::Float(own), Values::Float(values)) => own.push(values[row]),
            (Values::Text(own), Values::Text(values)) => own.push(values.get(row)),
            (Values::Timestamps(own), Values::Timestamps(values)) => own.push(values.get(row)),
            _ => return self.pad_nulls(self.len + 1),
        }
        self.len += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn values(&self) -> &Values {
        &self.values
    }

    pub(crate) fn is_valid(&self, row: usize) -> bool {
        row < self.len && self.valid.is_valid(row)
    }

    /// The null bitmap of the column, if it has nulls.
    pub(crate) fn nulls(&self) -> Option<NullBuffer> {
        self.valid.clone().finish(self.len)
    }

    /// Whether all values are timestamps stored as numbers.
    pub(crate) fn only_moments(&self) -> bool {
        matches!(self.values, Values::Timestamps(_)) || self.valid.all_null(self.len)
    }

    /// The text of a row of a fully expanded text column ([`Column::spell_out`]); none for a null.
    pub(crate) fn text(&self, row: usize) -> &str {
        match &self.values {
            Values::Text(texts) => texts.get(row),
            _ => "",
        }
    }

    /// The time in a row of a column of timestamps, in microseconds since 1970; none for a null.
    pub(crate) fn micros(&self, row: usize) -> Option<i64> {
        match &self.values {
            Values::Timestamps(values) if self.is_valid(row) => Some(values.get(row).micros()),
            _ => None,
        }
    }

    /// The number in a row of an integer column.
    pub(crate) fn int(&self, row: usize) -> Option<i64> {
        match &self.values {
            Values::Int(values) if self.is_valid(row) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The number in a row of a float column.
    pub(crate) fn float(&self, row: usize) -> Option<f64> {
        match &self.values {
            Values::Float(values) if self.is_valid(row) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The value of a row as an id; `None` for a null and for values that cannot be ids.
    pub(crate) fn id(&self, row: usize) -> Option<RowId<'_>> {
        if let Some(number) = self.int(row) {
            return Some(RowId::Number(number));
        }
        let text =
            matches!(self.values, Values::Text(_)).then(|| self.text(row)).filter(|text| !text.is_empty())?;
        Some(match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => RowId::Number(number),
            _ => RowId::Text(text),
        })
    }

    /// The value of a row as text; `None` for a null.
    pub(crate) fn text_at(&self, row: usize) -> Option<String> {
        if !self.is_valid(row) {
            return None;
        }
        Some(match &self.values {
            Values::Null => return None,
            Values::Bool(values) => values[row].to_string(),
            Values::Int(values) => values[row].to_string(),
            Values::Float(values) => float_text(values[row]),
            Values::Text(values) => values.get(row).to_owned(),
            Values::Timestamps(values) => values.text(row),
        })
    }

    /// Values and validity, for the arrays of a finished table.
    pub(crate) fn into_parts(self) -> (Values, Option<NullBuffer>, usize) {
        (self.values, self.valid.finish(self.len), self.len)
    }
}

fn zeros<T: Clone + Default>(len: usize, room: CapacityHint) -> Vec<T> {
    let mut zeros = Vec::with_capacity(room.rows.max(len));
    zeros.resize(len, T::default());
    zeros
}

/// Shrinks the buffers if much of their capacity is unused.
fn give_back<T>(values: &mut Vec<T>) {
    if values.capacity() - values.len() > values.len() / 8 {
        values.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(raw: &[&str]) -> Column {
        let mut column = Column::new();
        for raw in raw {
            column.push(Cell::read(raw).expect("valid"));
        }
        column
    }

    fn texts(column: &Column) -> Vec<Option<String>> {
        (0..column.len).map(|row| column.text_at(row)).collect()
    }

    #[test]
    fn widening_forgets_nothing() {
        let column =
            column(&["null", "true", "1", "2.5", "null", "9007199254740993", "\"x\"", "[1, 2]", "\"\""]);
        let expected = [
            None,
            Some("true"),
            Some("1"),
            Some("2.5"),
            None,
            Some("9007199254740993"),
            Some("x"),
            Some("[1,2]"),
            Some(""),
        ];
        assert_eq!(texts(&column), expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn a_big_integer_and_a_fraction_become_text_in_either_order() {
        for raw in [["9007199254740993", "0.5"], ["0.5", "9007199254740993"]] {
            let column = column(&raw);
            assert_eq!(column.seen().kind(), StorageKind::Text);
            assert_eq!(texts(&column), raw.map(|text| Some(text.to_owned())));
        }
    }

    #[test]
    fn one_and_one_point_nought_are_written_alike() {
        for raw in [["1", "1.0", "\"x\""], ["\"x\"", "1.0", "1"], ["1.0", "\"x\"", "1"]] {
            let mut texts: Vec<_> = texts(&column(&raw)).into_iter().flatten().collect();
            texts.sort();
            assert_eq!(texts, ["1", "1", "x"]);
        }
    }

    #[test]
    fn appending_equals_reading_on() {
        let raw = ["null", "1", "null", "2.5", "true", "\"x\"", "null"];
        for cut in 0..=raw.len() {
            let mut first = column(&raw[..cut]);
            first.append(column(&raw[cut..]));
            assert_eq!(texts(&first), texts(&column(&raw)), "cut at {cut}");
            assert_eq!(first.len, raw.len());
        }
    }

    #[test]
    fn a_retained_column_keeps_its_kind() {
        let retained = column(&["1", "\"x\"", "null", "2"]).retain(&[true, false, true, true]);
        assert_eq!(texts(&retained), [Some("1".to_owned()), None, Some("2".to_owned())]);
        assert_eq!(retained.seen().kind(), StorageKind::Text);
    }
}
