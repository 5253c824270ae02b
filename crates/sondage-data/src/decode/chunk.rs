//! A chunk of rows, stored by column.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize as _;
use serde::de::DeserializeSeed as _;
use sondage::internals::readable::Readable;

use super::cell_limit::CellLimit;
use super::names::{ColumnName, ColumnNames, ValueLocation};
use super::page::PayloadLayout;
use super::predict::Predictor;
use super::replaced::ReplacedCells;
use super::row::{RawRow, RowSeed};
use crate::column::Column;
use crate::column::cell::Cell;
use crate::error::DecodeError;
use crate::meaning::service;

/// The maximum number of rows in a chunk, and so in a record batch. The work of finishing a chunk is then spread over the
/// download, and the columns of the next one are allocated with their full capacity.
pub(crate) const CHUNK_ROWS: usize = 1 << 14;
/// The maximum number of response bytes in a chunk before its last row. Together with the longest row (`frame::MAX_PIECE`)
/// and the largest growth of a number that is written as text (`1e15`, three times), texts stay within the 2 GiB of Arrow's
/// offsets.
pub(crate) const CHUNK_BYTES: usize = 13 << 20;

/// Rows decoded so far, without final types.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) rows: usize,
    /// JSON bytes of the rows.
    pub(crate) bytes: usize,
    /// By column number; columns that first appear later do not exist yet, and shorter ones end in nulls.
    pub(crate) columns: Vec<Column>,
}

impl Chunk {
    /// Whether the next row belongs in a new chunk.
    pub(crate) fn full(&self) -> bool {
        self.rows >= CHUNK_ROWS || self.bytes >= CHUNK_BYTES
    }

    /// Finishes this chunk and starts the next one.
    fn next(&mut self, names: &ColumnNames) -> Result<Chunk, DecodeError> {
        let next = |(column, name): (&mut Column, &ColumnName)| {
            column.next().map_err(|error| DecodeError::new(error.to_string()).in_column(&name.name))
        };
        let columns = self.columns.iter_mut().zip(names.list()).map(next).collect::<Result<_, _>>()?;
        Ok(Chunk { columns, ..Chunk::default() })
    }

    /// The column with this number, padded up to the row being read.
    pub(crate) fn column(&mut self, number: usize) -> &mut Column {
        if self.columns.len() <= number {
            self.columns.resize_with(number + 1, Column::new);
        }
        let column = &mut self.columns[number];
        column.pad_nulls(self.rows);
        column
    }

    /// Appends `other`; `numbers` maps each of its columns to a column of this chunk.
    pub(crate) fn append(&mut self, other: Chunk, numbers: &[usize]) {
        for (column, &number) in other.columns.into_iter().zip(numbers) {
            self.column(number).append(column);
        }
        self.rows += other.rows;
        self.bytes += other.bytes;
    }
}

/// Decodes rows into chunks.
#[derive(Debug)]
pub(crate) struct RowReader {
    form: PayloadLayout,
    pub(crate) names: ColumnNames,
    pub(crate) chunks: Vec<Chunk>,
    /// By column number: the last row that set it, counted from 1 over the whole response, and its index in `cells`.
    set_by: Vec<(u64, usize)>,
    /// Rows read so far.
    pub(crate) rows: u64,
    /// The predictor; without it, the ordinary decoder reads every row.
    predictor: Option<Predictor>,
    pub(crate) cell_limit: CellLimit,
    /// Halves of characters.
    pub(crate) replaced: ReplacedCells,
    /// Bytes of the rows of all chunks but the last.
    before: u64,
    /// The number of rows that the last chunk may reach before the limits are checked again.
    until: usize,
}

impl RowReader {
    pub(crate) fn new(form: PayloadLayout) -> Self {
        RowReader {
            form,
            names: ColumnNames::default(),
            chunks: Vec::new(),
            set_by: Vec::new(),
            rows: 0,
            predictor: Some(Predictor::new(form)),
            cell_limit: CellLimit::default(),
            replaced: ReplacedCells::default(),
            before: 0,
            until: 0,
        }
    }

    /// Disables the predictor.
    pub(crate) fn without_prediction(&mut self) {
        self.predictor = None;
    }

    /// Reads the row at the start of `text`, if the predictor can, and returns where it ends; `None` changes nothing.
    pub(crate) fn predict(&mut self, text: &str) -> Option<usize> {
        let until = self.until;
        let chunk = self.chunks.last_mut().filter(|chunk| chunk.rows < until && chunk.bytes < CHUNK_BYTES)?;
        let length = self.predictor.as_mut()?.row(text, &self.names, chunk)?;
        self.rows += 1;
        Some(length)
    }

    /// Reads one row; after an error the reader cannot be used any more.
    pub(crate) fn read(&mut self, bytes: &[u8], offset: u64) -> Result<(), DecodeError> {
        self.rows += 1;
        let Readable { text, replaced } = Readable::of(bytes);
        let text = utf8(&text, offset)?;
        let (mut row, mut current) = (RawRow::default(), None);
        let bytes_read = self.bytes() + text.len() as u64;
        let most = self.cell_limit.columns(bytes_read);
        self.names.start_row();
        let mut parser = serde_json::Deserializer::from_str(text);
        let names = &mut self.names;
        let seed = RowSeed { form: self.form, names, most, row: &mut row, current: &mut current };
        let read = seed.deserialize(&mut parser).and_then(|()| parser.end());
        let columns = self.names.list().len();
        if columns > most {
            return Err(self
                .cell_limit
                .exceeded(&format!("more than {most} columns"), bytes_read)
                .at(offset));
        }
        read.map_err(|error| self.in_column(current, parse_error(&error, text, offset)))?;
        self.cell_limit.check(self.rows, columns, bytes_read).map_err(|error| error.at(offset))?;
        self.replaced.note(&replaced, &row, text, self.rows);
        self.last_wins(&mut row);
        self.store(row, text, offset)
    }

    /// Keeps the last of several cells of one column, and both of a column of the service and a question of its name.
    fn last_wins(&mut self, row: &mut RawRow<'_>) {
        self.set_by.resize(self.names.list().len(), (0, 0));
        let mut kept_rows = 0;
        for i in 0..row.cells.len() {
            let (mut number, value) = row.cells[i];
            if self.set_by[number].0 == self.rows
                && let Some(answer) = self.answer_beside(number)
            {
                number = answer;
            }
            let (set_in, place) = self.set_by[number];
            if set_in == self.rows {
                row.cells[place].1 = value;
            } else {
                self.set_by[number] = (self.rows, kept_rows);
                row.cells[kept_rows] = (number, value);
                kept_rows += 1;
            }
        }
        row.cells.truncate(kept_rows);
    }

    /// An interview has a column of the service and the answer to a question of the same name: the column of the answer.
    fn answer_beside(&mut self, number: usize) -> Option<usize> {
        let name = &self.names.list()[number];
        let twice = self.form != PayloadLayout::Members
            && name.place == ValueLocation::Own
            && service::of_interview(&name.name).is_some();
        let name = Arc::clone(&name.name);
        let answer = twice.then(|| self.names.number(ValueLocation::Field, &name))?;
        self.set_by.resize(self.names.list().len(), (0, 0));
        Some(answer)
    }

    fn store(&mut self, row: RawRow<'_>, text: &str, offset: u64) -> Result<(), DecodeError> {
        self.begin_chunk()?;
        let Some(chunk) = self.chunks.last_mut() else { return Ok(()) };
        for number in chunk.columns.len()..self.names.list().len() {
            let name = &self.names.list()[number];
            let timestamps = self.predictor.is_some() && holds_moments(self.form, name);
            chunk.columns.push(if timestamps { Column::of_moments() } else { Column::new() });
        }
        for (number, raw) in row.cells {
            let raw = raw.get();
            let cell = match Cell::read(raw) {
                Ok(cell) => cell,
                Err(error) => {
                    let position = within(text, raw);
                    let error = parse_error(&error, raw, offset + position.start as u64);
                    return Err(self.in_column(Some(number), error));
                }
            };
            chunk.column(number).push(cell);
        }
        chunk.rows += 1;
        chunk.bytes += text.len();
        let rows = chunk.rows;
        self.until = self.rows_until(rows);
        for (number, raw) in row.field_types {
            if let Ok(Some(word)) = Option::<Cow<'_, str>>::deserialize(raw) {
                self.note_field_type(number, &word);
            }
        }
        Ok(())
    }

    /// Ensures that there is a chunk with room for a row.
    fn begin_chunk(&mut self) -> Result<(), DecodeError> {
        let next = match self.chunks.last_mut() {
            None => Chunk::default(),
            Some(chunk) if chunk.full() => {
                self.before += chunk.bytes as u64;
                chunk.next(&self.names)?
            }
            Some(_) => return Ok(()),
        };
        self.chunks.push(next);
        Ok(())
    }

    /// Bytes of the rows read so far.
    fn bytes(&self) -> u64 {
        self.before + self.chunks.last().map_or(0, |chunk| chunk.bytes as u64)
    }

    /// How many rows the last chunk, which has `rows`, may have before the ordinary decoder must read a row, which checks
    /// the limits. So the predictor need not check them.
    fn rows_until(&self, rows: usize) -> usize {
        let most = self.cell_limit.rows(self.names.list().len(), self.bytes());
        let more = usize::try_from(most.saturating_sub(self.rows)).unwrap_or(CHUNK_ROWS);
        rows.saturating_add(more).min(CHUNK_ROWS)
    }

    fn note_field_type(&mut self, number: usize, word: &str) {
        let name = &mut self.names.list_mut()[number];
        match &name.field_type {
            None => name.field_type = Some(word.into()),
            Some(known) => name.field_type_varies |= **known != *word,
        }
    }

    fn in_column(&self, number: Option<usize>, error: DecodeError) -> DecodeError {
        match number.and_then(|number| self.names.list().get(number)) {
            Some(column) => error.in_column(&column.name),
            None => error,
        }
    }
}

/// Whether the name of a column suggests timestamps.
fn holds_moments(form: PayloadLayout, name: &ColumnName) -> bool {
    match form {
        PayloadLayout::Compact | PayloadLayout::Structured => service::is_moment_of_interview(&name.name),
        PayloadLayout::Members => {
            name.place == ValueLocation::Own && service::is_moment_of_member(&name.name)
        }
    }
}

/// The offset of `part`, a slice of `whole`, in it.
pub(super) fn within(whole: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    start..start + part.len()
}

/// The text of a part of a response.
pub(super) fn utf8(bytes: &[u8], offset: u64) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes)
        .map_err(|error| DecodeError::new("bytes that are not UTF-8").at(offset + error.valid_up_to() as u64))
}

/// An error of the parser, with its line and column converted to an offset in the response.
fn parse_error(error: &serde_json::Error, text: &str, offset: u64) -> DecodeError {
    let lines_before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let error_offset = lines_before.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    DecodeError::new(without_values(error)).at(offset + error_offset.min(text.len()) as u64)
}

/// The parser's message without the offending value, which may be somebody's answer.
pub(crate) fn without_values(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
    match message.rsplit_once(", expected ") {
        Some((_, expected)) => format!("not {expected}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the rows that the predictor reads.
    fn foreseen(form: PayloadLayout, rows: &[&str]) -> usize {
        let mut reader = RowReader::new(form);
        let mut foreseen = 0;
        for row in rows {
            let padded = format!("{row}{}", "\0".repeat(32));
            match reader.predict(&padded) {
                Some(length) => {
                    assert_eq!(length, row.len());
                    foreseen += 1;
                }
                None => reader.read(row.as_bytes(), 0).expect("valid"),
            }
        }
        assert_eq!(reader.rows, rows.len() as u64);
        foreseen
    }

    #[test]
    fn all_rows_but_the_first_are_foreseen() {
        let compact =
            [r#"{"Q1":1,"Q2":"a"}"#, r#"{"Q1":12,"Q2":"b"}"#, r#"{"Q2":"c"}"#, "{}", r#"{"Q1":null}"#];
        assert_eq!(foreseen(PayloadLayout::Compact, &compact), 4);
        let structured = [
            r#"{"columns":[{"id":"Q1","value":1},{"id":"Q2","value":"a"}]}"#,
            r#"{"columns":[{"id":"Q2","value":"b"}]}"#,
            r#"{ "columns": [{ "id": "Q1", "more": 3, "value": 2, "type": "x" }] }"#,
            r#"{"columns":[]}"#,
        ];
        assert_eq!(foreseen(PayloadLayout::Structured, &structured), 3);
        let member = |id: u32, kind: &str| {
            format!(
                r#"{{"id":{id},"fields":{{"A":{{"name":"A","fieldType":"{kind}","value":7}}}},"interviews":[]}}"#
            )
        };
        let members = [member(1, "Number"), member(2, "Number"), member(3, "String"), member(4, "String")];
        assert_eq!(
            foreseen(PayloadLayout::Members, &members.each_ref().map(String::as_str)),
            2,
            "a new type is noted"
        );
    }

    #[test]
    fn what_the_shortcut_leaves_to_the_ordinary_reader() {
        let first = r#"{"Q1":1,"Q2":"a","Q3":[1]}"#;
        for row in [
            r#"{"Q1":1.5}"#,
            r#"{"Q1":9007199254740993}"#,
            r#"{"Q2":true}"#,
            r#"{"Q4":1}"#,
            r#"{"Q1":1,"Q1":2}"#,
            r#"{"Q1":1,"Q1":null}"#,
            r#"{"Q1": 2}"#,
        ] {
            // White space that has not occurred before is read by the slow path once; the fast path then expects it.
            let expected = usize::from(row.contains(' '));
            assert_eq!(foreseen(PayloadLayout::Compact, &[first, row]), expected, "{row}");
        }
    }
}
