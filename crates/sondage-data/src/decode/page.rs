//! One response, decoded from bytes into columns.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::cell_limit::CellLimit;
use super::chunk::{Chunk, RowReader};
use super::envelope::EnvelopeValues;
use super::frame::{Framer, Sink};
use super::names::{ColumnName, ColumnNames, ValueLocation};
use super::replaced::Replaced;
use crate::column::row_id::RowId;
use crate::error::DecodeError;
use crate::meaning::{CodePlan, Survey};
use crate::table::time;

/// The three formats in which the service sends rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PayloadLayout {
    /// `ReadInterviewListCompact`: each interview is a flat object of answers.
    // API 6.1
    Compact,
    /// `ReadInterviewList`: each interview has `columns`, an array of `{id, value}`.
    // API 6.1
    Structured,
    /// `ReadMemberList`: each member has `fields`, an object of `{name, fieldType, value}`.
    // API 3.2
    Members,
}

impl PayloadLayout {
    /// The key of the array of rows.
    pub fn rows_key(self) -> &'static str {
        match self {
            PayloadLayout::Compact | PayloadLayout::Structured => "interviews",
            PayloadLayout::Members => "members",
        }
    }

    /// The noun for a row in messages.
    pub fn row_word(self) -> &'static str {
        match self {
            PayloadLayout::Compact | PayloadLayout::Structured => "interview",
            PayloadLayout::Members => "member",
        }
    }
}

/// Decodes one response while its bytes arrive.
///
/// ```
/// use sondage_data::{PayloadLayout, PageDecoder, RowId};
/// let mut decoder = PageDecoder::new(PayloadLayout::Compact);
/// decoder.feed(br#"{"interviews": [{"Id": 1, "Q1": "#)?;
/// decoder.feed(br#"3}, {"Id": 2}], "totalCount": 2, "isSuccess": true}"#)?;
/// let page = decoder.finish()?;
/// assert_eq!(page.rows(), 2);
/// assert_eq!(page.row_id(1), Some(RowId::Number(2)));
/// # Ok::<(), sondage_data::DecodeError>(())
/// ```
///
/// Only the unread tail of the bytes is kept. Keys may be in any order, and rows may differ from each other; if a key is
/// repeated within a row, its last value counts. After an error the decoder cannot be used any more.
#[derive(Debug)]
pub struct PageDecoder {
    form: PayloadLayout,
    page: Option<u64>,
    framer: Framer,
    rows: RowReader,
    envelope: EnvelopeValues,
}

impl PageDecoder {
    /// A decoder for one response.
    pub fn new(form: PayloadLayout) -> Self {
        PageDecoder {
            form,
            page: None,
            framer: Framer::new(form.rows_key()),
            rows: RowReader::new(form),
            envelope: EnvelopeValues::default(),
        }
    }

    /// Sets the number of the page, for errors.
    #[must_use]
    pub fn page(mut self, page: u64) -> Self {
        self.page = Some(page);
        self
    }

    /// Uses only the ordinary decoder, and reads timestamps as texts: several times slower, with the same result. Tests
    /// and benchmarks compare with it.
    #[must_use]
    pub fn without_prediction(mut self) -> Self {
        self.rows.without_prediction();
        self
    }

    /// The memory of the table, as a multiple of the response, beyond 64 MiB (the setting `table_growth`). Default: 4.
    #[must_use]
    pub fn growth(mut self, times: u32) -> Self {
        self.rows.cell_limit = CellLimit::new(times);
        self
    }

    /// Bytes taken so far.
    pub fn bytes(&self) -> u64 {
        self.framer.taken()
    }

    /// Takes the next bytes of the response, which may be split anywhere.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let PageDecoder { rows, envelope, form, framer, .. } = self;
        let fed = framer.feed(bytes, &mut PageParts { rows, envelope, form: *form });
        fed.map_err(|error| self.place(error))
    }

    /// The page, after the end of the response.
    pub fn finish(self) -> Result<Page, DecodeError> {
        if let Err(mut error) = self.framer.finish() {
            error.row = (self.rows.rows > 0).then_some(self.rows.rows);
            return Err(self.place(error));
        }
        if !self.framer.rows_seen() && self.envelope.is_success != Some(false) && !self.envelope.rows_null {
            let detail = format!("the response has no `{}`", self.form.rows_key());
            return Err(self.place(DecodeError::new(detail)));
        }
        let bytes = self.framer.taken();
        let RowReader { names, chunks, replaced, .. } = self.rows;
        let id_column = id_column(names.list());
        let mut page = Page { form: self.form, names, chunks, envelope: self.envelope, bytes, id_column };
        let mut whole = std::mem::take(&mut page.envelope.replaced);
        let id = |row| page.row_id(row).map(RowId::into_text);
        replaced.named(&page.names, id, &mut whole);
        page.envelope.replaced = whole;
        Ok(page)
    }

    fn place(&self, mut error: DecodeError) -> DecodeError {
        error.page = self.page;
        error.row_word = self.form.row_word();
        error
    }
}

/// The parts of a response.
struct PageParts<'a> {
    rows: &'a mut RowReader,
    envelope: &'a mut EnvelopeValues,
    form: PayloadLayout,
}

impl Sink for PageParts<'_> {
    fn fast_path(&mut self, text: &str) -> Option<usize> {
        self.rows.predict(text)
    }

    fn row(&mut self, bytes: &[u8], offset: u64) -> Result<(), DecodeError> {
        self.rows.read(bytes, offset).map_err(|mut error| {
            error.row = Some(self.rows.rows);
            error
        })
    }

    fn field(&mut self, key: &str, bytes: &[u8], offset: u64) -> Result<(), DecodeError> {
        self.envelope.read(self.form, key, bytes, offset)
    }
}

/// One decoded response.
#[derive(Debug)]
pub struct Page {
    pub(crate) form: PayloadLayout,
    pub(crate) names: ColumnNames,
    pub(crate) chunks: Vec<Chunk>,
    envelope: EnvelopeValues,
    bytes: u64,
    id_column: Option<usize>,
}

impl Page {
    /// The format of the response.
    pub fn form(&self) -> PayloadLayout {
        self.form
    }

    /// The number of interviews or members on this page.
    pub fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.rows).sum()
    }

    /// The size of the response, after decompression.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// `isSuccess`, if the response has it.
    pub fn is_success(&self) -> Option<bool> {
        self.envelope.is_success
    }

    /// `errorCode`; none if it is null, missing or empty.
    pub fn error_code(&self) -> Option<&str> {
        self.envelope.error_code.as_deref()
    }

    /// `errorMessage`; none if it is null, missing or empty.
    pub fn error_message(&self) -> Option<&str> {
        self.envelope.error_message.as_deref()
    }

    /// `totalCount`, which is not reliable (the vendor's own example has 0 with one member).
    pub fn total_count(&self) -> Option<i64> {
        self.envelope.total_count
    }

    /// Name and languages of the survey.
    pub fn survey(&self) -> &Survey {
        &self.envelope.survey
    }

    /// The code plan, if the response has one that is not empty.
    pub fn code_plan(&self) -> Option<&CodePlan> {
        self.envelope.code_plan.as_ref()
    }

    /// Replaces the code plan.
    pub(crate) fn set_code_plan(&mut self, plan: CodePlan) {
        self.envelope.code_plan = Some(plan);
    }

    /// Top-level values that this library does not know, unparsed.
    pub fn unknown(&self) -> &IndexMap<String, Box<RawValue>> {
        &self.envelope.unknown
    }

    /// Halves of characters that were replaced.
    pub(crate) fn replaced(&self) -> &Replaced {
        &self.envelope.replaced
    }

    /// Warnings about the code plan.
    pub(crate) fn warnings(&self) -> &[crate::error::Warning] {
        &self.envelope.warnings
    }

    /// The service's id of a row: column `Id` of interviews (or `InterviewId`, ignoring case), `id` of members. `None` for a
    /// row without one.
    pub fn row_id(&self, row: usize) -> Option<RowId<'_>> {
        let number = self.id_column?;
        let (chunk, row) = self.locate(row)?;
        chunk.columns.get(number)?.id(row)
    }

    /// A hash that is equal for equal rows in the same order, with their keys in the same order.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        self.names.list().iter().for_each(|column| column.name.hash(&mut hash));
        for chunk in &self.chunks {
            chunk.rows.hash(&mut hash);
            for column in &chunk.columns {
                (0..chunk.rows).for_each(|row| column.text_at(row).hash(&mut hash));
            }
        }
        hash.finish()
    }

    /// A hash of the cells of a row that have a value, whatever the order of the columns is.
    pub fn fingerprint_of(&self, row: usize) -> u64 {
        let Some((chunk, row)) = self.locate(row) else { return 0 };
        let cells = self.names.list().iter().zip(&chunk.columns).filter_map(|(column, cells)| {
            let mut hash = DefaultHasher::new();
            (&column.name, cells.text_at(row)?).hash(&mut hash);
            Some(hash.finish())
        });
        cells.fold(0, u64::wrapping_add)
    }

    /// Restores a page that was stored.
    pub(crate) fn of_parts(form: PayloadLayout, names: ColumnNames, chunks: Vec<Chunk>, head: Page) -> Page {
        let id_column = id_column(names.list());
        Page { form, names, chunks, id_column, ..head }
    }

    /// The parts of a response other than its rows: survey, code plan and warnings.
    pub(crate) fn of_head(
        form: PayloadLayout,
        survey: Survey,
        code_plan: Option<CodePlan>,
        warnings: Vec<crate::error::Warning>,
        replaced: Replaced,
    ) -> Page {
        let envelope = EnvelopeValues {
            is_success: Some(true),
            survey,
            code_plan,
            warnings,
            replaced,
            ..EnvelopeValues::default()
        };
        Page { form, names: ColumnNames::default(), chunks: Vec::new(), envelope, bytes: 0, id_column: None }
    }

    /// The page without its rows, with the survey's metadata.
    pub(crate) fn head(&self) -> Page {
        Page {
            form: self.form,
            names: ColumnNames::default(),
            chunks: Vec::new(),
            envelope: self.envelope.clone(),
            bytes: self.bytes,
            id_column: None,
        }
    }

    /// The number of a column of the rows themselves, ignoring case.
    pub(crate) fn own_column(&self, name: &str) -> Option<usize> {
        self.names
            .list()
            .iter()
            .position(|column| column.place == ValueLocation::Own && column.name.eq_ignore_ascii_case(name))
    }

    /// The time in a row; `None` for a null and for what is no time.
    pub(crate) fn moment_in(&self, column: usize, row: usize) -> Option<DateTime<Utc>> {
        let (chunk, row) = self.locate(row)?;
        let column = chunk.columns.get(column)?;
        if let Some(micros) = column.micros(row) {
            return DateTime::from_timestamp_micros(micros);
        }
        let time::Instant { seconds, nanos } = time::instant(&column.text_at(row)?)?;
        DateTime::from_timestamp(seconds, nanos)
    }

    fn locate(&self, mut row: usize) -> Option<(&Chunk, usize)> {
        for chunk in &self.chunks {
            if row < chunk.rows {
                return Some((chunk, row));
            }
            row -= chunk.rows;
        }
        None
    }

    /// Drops the rows for which `keep` (one entry per row) is false.
    pub fn retain_rows(&mut self, keep: &[bool]) {
        let mut rest = keep;
        for chunk in &mut self.chunks {
            let (here, after) = rest.split_at(chunk.rows.min(rest.len()));
            let kept_rows = here.iter().filter(|&&keep| keep).count();
            if kept_rows < chunk.rows {
                chunk.columns = chunk.columns.iter().map(|column| column.retain(here)).collect();
                chunk.rows = kept_rows;
            }
            rest = after;
        }
    }
}

/// The column that identifies a row. `Id` is the service's own name (facts, Filters: columns of type SQL).
fn id_column(names: &[ColumnName]) -> Option<usize> {
    let own = |wanted: &str| {
        names
            .iter()
            .position(|column| column.place == ValueLocation::Own && column.name.eq_ignore_ascii_case(wanted))
    };
    own("Id").or_else(|| own("InterviewId"))
}
