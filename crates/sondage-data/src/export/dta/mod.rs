//! Stata, version 118: a dictionary, rows, a table of long texts, and lists of labels. The number of rows and the places of all parts are
//! added at the end.

mod dictionary;
mod rows;
mod variable;

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use arrow_array::ArrayRef;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sondage::files::{Readers, create_new};

use super::labelled::limits::{Limits, Unit};
use super::labelled::{Prepared, Values, VariableWriter};
use dictionary::Dictionary;
use variable::DtaVariable;

const RESERVED: [&str; 27] = [
    "_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N", "_pi",
    "_pred", "_rc", "_skip", "strL", "using", "with", "e", "pi", "str", "_se", "_r", "_p", "_t",
];

pub(super) const LIMITS: Limits = Limits {
    program: "Stata",
    unit: Unit::Characters,
    name: 32,
    signs: "_",
    first_signs: "_",
    has_case: true,
    is_reserved,
    label: 80,
    question: 16,
    value_label: 32_000,
    labels_texts: false,
    has_label: |number| number.fract() == 0.0 && (-2_147_483_647.0..=2_147_483_620.0).contains(&number),
    // Arrow has less.
    text: 2_000_000_000,
    columns: 32_767,
};

/// How much is encoded before it is written.
const ENCODED: usize = 1 << 16;

/// Words of Stata, among them the names of its types (`str12`).
fn is_reserved(name: &str) -> bool {
    let digits = name.strip_prefix("str").filter(|rest| !rest.is_empty());
    RESERVED.contains(&name) || digits.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) struct Dta<W> {
    to: W,
    variables: Vec<DtaVariable>,
    rows: u64,
    dictionary: Dictionary,
    encoded: Vec<u8>,
    long_texts: LongTexts,
}

/// The table of long texts, which is behind the rows: in memory, or in a file until then.
struct LongTexts {
    file: Option<BufWriter<File>>,
    bytes: Vec<u8>,
}

impl LongTexts {
    fn new(path: Option<&Path>) -> io::Result<Self> {
        let file = match path {
            Some(path) => {
                // A process that was killed may have left it.
                let _ = fs::remove_file(path);
                Some(BufWriter::new(create_new(path, Readers::Owner)?))
            }
            None => None,
        };
        Ok(LongTexts { file, bytes: Vec::new() })
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }

    fn copy(mut self, to: &mut impl Write) -> io::Result<()> {
        self.flush()?;
        if let Some(file) = self.file {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(0))?;
            io::copy(&mut file, to)?;
        }
        to.write_all(&self.bytes)
    }
}

impl<W: Write + Seek> Dta<W> {
    /// A file of these variables. `survey`: what it is about. `waiting`: where long texts are until the rows are written.
    pub(super) fn new(
        mut to: W,
        prepared: &mut Prepared,
        survey: Option<&str>,
        waiting: Option<&Path>,
    ) -> io::Result<Self> {
        let variables = variable::of_file(&prepared.variables, &mut prepared.changes);
        let created = Timestamp::now().to_zoned(TimeZone::UTC).strftime("%d %b %Y %H:%M").to_string();
        let mut dictionary = Dictionary::of(&variables, survey.unwrap_or_default(), &created)?;
        to.write_all(&std::mem::take(&mut dictionary.bytes))?;
        let long_texts = LongTexts::new(waiting)?;
        Ok(Dta { to, variables, rows: 0, dictionary, encoded: Vec::new(), long_texts })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.encoded)?;
        self.encoded.clear();
        self.long_texts.flush()
    }
}

impl<W: Write + Seek + Send> VariableWriter for Dta<W> {
    fn write(&mut self, arrays: &[ArrayRef], rows: usize) -> io::Result<()> {
        let columns: Vec<Values<'_>> = arrays.iter().map(Values::of).collect();
        for row in 0..rows {
            self.rows += 1;
            for (variable, values) in self.variables.iter().enumerate().zip(&columns) {
                let place = (row, self.rows);
                rows::append(variable, values, place, &mut self.encoded, &mut self.long_texts.bytes);
            }
            if self.encoded.len() + self.long_texts.bytes.len() >= ENCODED {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Dta { mut to, variables, rows, dictionary, long_texts, .. } = self;
        let mut map = dictionary.map;
        to.write_all(b"</data>")?;
        map[10] = to.stream_position()?;
        to.write_all(b"<strls>")?;
        long_texts.copy(&mut to)?;
        to.write_all(b"</strls>")?;
        map[11] = to.stream_position()?;
        to.write_all(b"<value_labels>")?;
        to.write_all(&dictionary::labels(&variables)?)?;
        to.write_all(b"</value_labels>")?;
        map[12] = to.stream_position()?;
        to.write_all(b"</stata_dta>")?;
        map[13] = to.stream_position()?;
        to.seek(SeekFrom::Start(dictionary.rows_at))?;
        to.write_all(&rows.to_le_bytes())?;
        to.seek(SeekFrom::Start(dictionary.map_at))?;
        to.write_all(&map.map(u64::to_le_bytes).concat())?;
        to.flush()
    }
}
