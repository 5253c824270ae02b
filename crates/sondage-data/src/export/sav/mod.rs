//! SPSS: a dictionary, and rows that are compressed by bytecode. The number of rows is added at the end.

mod dictionary;
mod missing;
mod names;
mod rows;
mod variable;

use std::io::{self, Seek, SeekFrom, Write};

use arrow_array::ArrayRef;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sondage::Error;

use super::labelled::limits::{Limits, Unit};
use super::labelled::{Change, FileVariable, Kind, Prepared, Values, VariableWriter};
use dictionary::{Dictionary, ROWS_AT};
use rows::Packer;

const RESERVED: [&str; 13] =
    ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"];

pub(super) const LIMITS: Limits = Limits {
    program: "SPSS",
    unit: Unit::Bytes,
    name: 64,
    signs: "._$#@",
    first_signs: "@",
    has_case: false,
    is_reserved: |name| RESERVED.contains(&name),
    label: 256,
    question: 32,
    value_label: 120,
    labels_texts: true,
    has_label: |_| true,
    // SPSS has one byte more, of which R's haven loses the last.
    text: 32_766,
    columns: i32::MAX as usize,
};

/// How much is packed before it is written.
const PACKED: usize = 1 << 16;

/// Rows that are encoded together.
const BLOCK: usize = 128;

pub(super) struct Sav<W> {
    to: W,
    packer: Packer,
    /// The widths of the segments of each variable.
    segments: Vec<Vec<usize>>,
    rows: i64,
    rows_at: u64,
}

/// The place of the column that weights the rows, among the variables of the file.
fn place_of_weight(column: &str, variables: &[FileVariable]) -> io::Result<usize> {
    let place = variables.iter().position(|variable| variable.column == column);
    let place = place.ok_or_else(|| io::Error::other(no_weight(column)))?;
    match variables[place].kind {
        Kind::Number { .. } => Ok(place),
        _ => Err(io::Error::other(wrong_weight(
            "SPSS weights by numbers only, and there are none in",
            column,
            "Name a column of numbers.",
        ))),
    }
}

/// The column that weights the rows does not exist.
pub(super) fn no_weight(column: &str) -> Error {
    wrong_weight("there is no column", column, "Name a column of the table.")
}

fn wrong_weight(problem: &str, column: &str, hint: &str) -> Error {
    let message = format!("weight: {problem} `{}`", column.escape_debug());
    Error::invalid_argument(message).with_hint(hint.to_owned())
}

impl<W: Write + Seek> Sav<W> {
    /// A file of these variables. `survey`: what it is about. `weight`: the column that weights the rows.
    pub(super) fn new(
        mut to: W,
        prepared: &mut Prepared,
        survey: Option<&str>,
        weight: Option<&str>,
    ) -> io::Result<Self> {
        let weight = weight.map(|column| place_of_weight(column, &prepared.variables)).transpose()?;
        if let Some(FileVariable { column, seen, .. }) = weight.map(|place| &prepared.variables[place]) {
            let weightless = usize::try_from(seen.rows - seen.positive).unwrap_or(usize::MAX);
            prepared.changes.note(Change::Weight, column, weightless);
        }
        let variables = variable::of_file(&prepared.variables, &mut prepared.changes);
        let weight = weight.map_or(0, |place| variables[place].slot);
        let now = Timestamp::now().to_zoned(TimeZone::UTC);
        let created = [now.strftime("%d %b %y").to_string(), now.strftime("%H:%M:%S").to_string()];
        let created = [created[0].as_str(), &created[1]];
        let dictionary = Dictionary::of(&variables, weight, survey.unwrap_or_default(), created)?;
        to.write_all(&dictionary.bytes)?;
        let segments = variables.into_iter().map(|variable| variable.segments).collect();
        Ok(Sav { to, packer: Packer::default(), segments, rows: 0, rows_at: dictionary.rows_at })
    }
}

impl<W: Write + Seek + Send> VariableWriter for Sav<W> {
    fn write(&mut self, arrays: &[ArrayRef], rows: usize) -> io::Result<()> {
        let columns: Vec<Values<'_>> = arrays.iter().map(Values::of).collect();
        for first in (0..rows).step_by(BLOCK) {
            self.packer.rows(&columns, &self.segments, first..rows.min(first + BLOCK));
            if self.packer.complete() >= PACKED {
                self.packer.write_to(&mut self.to)?;
            }
        }
        self.rows += i64::try_from(rows).map_err(io::Error::other)?;
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.packer.end();
        self.packer.write_to(&mut self.to)?;
        self.to.seek(SeekFrom::Start(ROWS_AT))?;
        self.to.write_all(&i32::try_from(self.rows).unwrap_or(-1).to_le_bytes())?;
        self.to.seek(SeekFrom::Start(self.rows_at))?;
        self.to.write_all(&self.rows.to_le_bytes())?;
        self.to.flush()
    }
}
