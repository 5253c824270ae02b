//! A table that is built page by page.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::new_null_array;
use arrow_schema::{ArrowError, DataType, Field};
use sondage::arguments::NotAvailable;

use super::layout::{self, Knowledge, Planned};
use super::metadata;
use super::not_available;
use super::typed::{self, TypedColumn, typed};
use super::{Base, BaseColumn, Table};
use crate::column::Column;
use crate::column::seen::StorageKind;
use crate::decode::cell_limit::CellLimit;
use crate::decode::chunk::{CHUNK_BYTES, CHUNK_ROWS, Chunk};
use crate::decode::names::ColumnNames;
use crate::decode::page::{Page, PayloadLayout};
use crate::decode::replaced::Replaced;
use crate::error::{DecodeError, Warning};
use crate::meaning::{CodePlan, Survey, untranslated};

/// Combines pages into a table.
///
/// ```
/// use sondage_data::{PayloadLayout, PageDecoder, TableBuilder};
/// let mut builder = TableBuilder::new(PayloadLayout::Compact);
/// for answer in [r#"{"interviews":[{"Id":1,"Q1":3}]}"#, r#"{"interviews":[{"Id":2,"Q1":2.5}]}"#] {
///     let mut decoder = PageDecoder::new(PayloadLayout::Compact);
///     decoder.feed(answer.as_bytes())?;
///     builder.append(decoder.finish()?)?;
/// }
/// let table = builder.finish()?;
/// assert_eq!(table.num_rows(), 2);
/// # Ok::<(), sondage_data::DecodeError>(())
/// ```
///
/// The table does not depend on the page boundaries.
#[derive(Debug)]
pub struct TableBuilder {
    pub(crate) form: PayloadLayout,
    pub(crate) names: ColumnNames,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) survey: Survey,
    pub(crate) known: Knowledge,
    /// Set by the caller, and so preferred to a plan that comes with a page.
    pub(crate) plan_given: bool,
    pub(crate) left_out: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
    /// The code that means a missing answer in closed questions.
    pub(crate) not_available: Option<i64>,
    /// Whether texts keep the markup of the questionnaire.
    pub(crate) has_markup: bool,
    pub(crate) cell_limit: CellLimit,
    /// Halves of characters.
    replaced: Replaced,
    /// The size of the responses, after decompression.
    bytes: u64,
}

impl TableBuilder {
    /// A table without rows.
    pub fn new(form: PayloadLayout) -> Self {
        TableBuilder {
            form,
            names: ColumnNames::default(),
            chunks: Vec::new(),
            survey: Survey::default(),
            known: Knowledge::default(),
            plan_given: false,
            left_out: Vec::new(),
            warnings: Vec::new(),
            not_available: NotAvailable::DEFAULT.0,
            has_markup: false,
            cell_limit: CellLimit::default(),
            replaced: Replaced::default(),
            bytes: 0,
        }
    }

    /// The memory of the table, as a multiple of its responses, beyond 64 MiB (the setting `table_growth`). Default: 4.
    #[must_use]
    pub fn growth(mut self, times: u32) -> Self {
        self.cell_limit = CellLimit::new(times);
        self
    }

    /// The code by which closed questions and sliders say that a choice is not available: a missing answer. `None`: it stays an answer.
    /// Default: 9999999.
    #[must_use]
    pub fn not_available(mut self, code: Option<i64>) -> Self {
        self.not_available = code;
        self
    }

    /// Whether texts keep the markup of the questionnaire. Default: they are plain.
    #[must_use]
    pub fn markup(mut self, has_markup: bool) -> Self {
        self.has_markup = has_markup;
        self
    }

    /// Takes types and labels only from this plan (of the survey, or of the panel's fields).
    #[must_use]
    pub fn code_plan(mut self, plan: CodePlan) -> Self {
        self.known.plan = Some(plan);
        self.plan_given = true;
        self
    }

    /// Sets which fields were requested: their columns come in this order. A column that is in the plan but not in the data is
    /// included (all null) if it was requested; without this call, always.
    #[must_use]
    pub fn fields<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.known.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Includes the service's columns even if no row has them, as in an empty list.
    #[must_use]
    pub(crate) fn complete(mut self) -> Self {
        self.known.complete = true;
        self
    }

    /// Whether members come with their interviews: a column of its own, even if nobody has any.
    #[must_use]
    pub(crate) fn interviews(mut self, requested: bool) -> Self {
        self.known.interviews = requested;
        self
    }

    /// Omits a column, ignoring case: one that was downloaded for internal use.
    #[must_use]
    pub fn without(mut self, column: &str) -> Self {
        self.left_out.push(column.to_owned());
        self
    }

    /// A table without rows, with the same metadata.
    pub(crate) fn like(&self) -> Self {
        TableBuilder {
            known: self.known.clone(),
            plan_given: self.plan_given,
            left_out: self.left_out.clone(),
            not_available: self.not_available,
            has_markup: self.has_markup,
            cell_limit: self.cell_limit,
            ..Self::new(self.form)
        }
    }

    /// Adds to the warnings of the table.
    pub fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.rows).sum()
    }

    /// Appends the rows of a page.
    pub fn append(&mut self, page: Page) -> Result<(), DecodeError> {
        if page.form().rows_key() != self.form.rows_key() {
            let detail =
                format!("{} were read where {} were expected", page.form().rows_key(), self.form.rows_key());
            return Err(DecodeError::new(detail));
        }
        self.bytes += page.bytes();
        let planned = page.code_plan().map_or(0, |plan| plan.variables().len());
        self.cell_limit.check(0, planned, self.bytes)?;
        self.survey.complete_from(page.survey());
        if self.known.plan.is_none() {
            self.known.plan = page.code_plan().cloned();
        }
        if !self.plan_given {
            self.warnings.extend_from_slice(page.warnings());
        }
        self.replaced.merge(page.replaced().clone());
        self.names.start_row();
        let numbers: Vec<usize> = page.names.list().iter().map(|column| self.names.adopt(column)).collect();
        let rows = self.rows() + page.rows();
        self.cell_limit.check(rows as u64, self.names.list().len(), self.bytes)?;
        for chunk in page.chunks.into_iter().filter(|chunk| chunk.rows > 0) {
            let last = self.chunks.last().filter(|last| {
                last.rows + chunk.rows <= CHUNK_ROWS && last.bytes + chunk.bytes <= CHUNK_BYTES
            });
            if last.is_none() {
                self.chunks.push(Chunk::default());
            }
            if let Some(last) = self.chunks.last_mut() {
                last.append(chunk, &numbers);
            }
        }
        Ok(())
    }

    /// Finishes the table: columns typed, named and in order.
    pub fn finish(mut self) -> Result<Table, DecodeError> {
        self.clean_texts();
        let planned = match self.form {
            PayloadLayout::Compact | PayloadLayout::Structured => {
                layout::of_interviews(&self.names, &self.known)
            }
            PayloadLayout::Members => layout::of_members(&self.names, &self.known),
        };
        let planned = self.kept(planned);
        let mut columns = Vec::with_capacity(planned.len());
        // Columns without data share one array of nulls.
        let mut nothing = HashMap::new();
        for planned in planned {
            if planned.number.is_none() {
                let data_type = planned.wanted.map_or(DataType::Null, typed::data_type);
                let of = |chunk: &Chunk| {
                    let key = (data_type.clone(), chunk.rows);
                    Arc::clone(nothing.entry(key).or_insert_with(|| new_null_array(&data_type, chunk.rows)))
                };
                let arrays = self.chunks.iter().map(of).collect();
                columns.push(base_column(planned, TypedColumn::nulls(arrays, data_type)));
                continue;
            }
            let parts = self.parts(planned.number);
            if self.only_empty_lists(&planned, &parts) {
                continue;
            }
            let arrow = |error: ArrowError| DecodeError::new(error.to_string()).in_column(&planned.name);
            let typed = typed(parts, planned.wanted).map_err(arrow)?;
            self.varying_types(&planned);
            self.warnings.extend(typed.warning.as_ref().map(|warning| Warning::new(&planned.name, warning)));
            columns.push(base_column(planned, typed));
        }
        if let Some(code) = self.not_available {
            for column in &mut columns {
                not_available::declare(column, code).map_err(|error| DecodeError::new(error.to_string()))?;
            }
        }
        let rows = self.chunks.iter().map(|chunk| chunk.rows).collect();
        let variables = columns.iter().filter_map(|column| column.variable.as_deref());
        self.warnings.extend(untranslated(variables));
        self.warnings.extend(not_available::warning(&columns));
        self.warnings.extend(not_available::doubt(&columns));
        if self.form != PayloadLayout::Members {
            self.warnings.extend(not_available::warning_without_plan(&columns));
        }
        let base =
            Base { columns, rows, survey: self.survey, plan: self.known.plan, warnings: self.warnings };
        Table::of(Arc::new(base)).map_err(|error| DecodeError::new(error.to_string()))
    }

    /// Takes the markup from the texts of the plan, once it is known.
    pub(crate) fn clean_texts(&mut self) {
        if let Some(plan) = self.known.plan.take() {
            self.known.plan = Some(if self.has_markup { plan } else { plan.plain() });
        }
    }

    /// The columns that nobody left out, with a warning about those whose name means two things.
    pub(crate) fn kept(&mut self, mut planned: Vec<Planned>) -> Vec<Planned> {
        planned.retain(|one| !self.left_out.iter().any(|name| one.wire_name().eq_ignore_ascii_case(name)));
        self.warnings.extend(self.replaced.warnings(self.form.row_word()));
        self.warnings.extend(layout::ambiguous(&planned));
        self.warnings.extend(layout::alike(&planned));
        planned
    }

    /// The column's part of each chunk, padded to the chunk's length.
    fn parts(&mut self, number: Option<usize>) -> Vec<Column> {
        let part = |chunk: &mut Chunk| {
            let own_column = number.and_then(|number| chunk.columns.get_mut(number));
            let mut column =
                own_column.map_or_else(Column::new, |column| std::mem::replace(column, Column::new()));
            column.pad_nulls(chunk.rows);
            column
        };
        self.chunks.iter_mut().map(part).collect()
    }

    /// Members have `interviews` only if they were requested; otherwise it is empty and would be a column of `[]`.
    fn only_empty_lists(&self, planned: &Planned, parts: &[Column]) -> bool {
        let empty = |part: &Column| (0..part.len()).all(|row| !part.is_valid(row) || part.text(row) == "[]");
        may_be_omitted(self.form, &self.known, planned)
            && parts.iter().all(|part| {
                matches!(part.seen().kind(), StorageKind::Null | StorageKind::Text) && empty(part)
            })
    }

    fn varying_types(&mut self, planned: &Planned) {
        self.warnings.extend(planned.varies(&self.names));
    }
}

/// The interviews of members that were not requested.
pub(super) fn may_be_omitted(form: PayloadLayout, known: &Knowledge, planned: &Planned) -> bool {
    form == PayloadLayout::Members && !known.interviews && planned.is_interviews()
}

fn base_column(planned: Planned, typed: TypedColumn) -> BaseColumn {
    let nested = typed.nested || planned.is_interviews();
    let metadata = metadata::of(planned.origin, planned.variable.as_deref(), nested);
    let field = Field::new(planned.name, typed.data_type, true).with_metadata(metadata);
    BaseColumn {
        field: Arc::new(field),
        arrays: typed.arrays,
        variable: planned.variable,
        nested: typed.nested,
        json: typed.json,
        undeclared: None,
        declared: None,
    }
}
