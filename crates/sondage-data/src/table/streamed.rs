//! A table that is never in memory as a whole: its pages are read from disk several times, first to determine the columns,
//! then to return the rows.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};

use super::builder::{TableBuilder, may_be_omitted};
use super::declared::Declared;
use super::labels::{self, Labels, Legend};
use super::layout::{self, Origin, Planned};
use super::metadata;
use super::missing::{MissingShown, apart, without};
use super::names::DerivedNames;
use super::not_available;
use super::notes::{self, Note};
use super::settle::TypeResolver;
use super::unavailable::{self, UnavailableRows};
use crate::column::Column;
use crate::column::seen::{SeenKinds, StorageKind};
use crate::decode::names::ColumnNames;
use crate::decode::page::{Page, PayloadLayout};
use crate::error::Warning;
use crate::meaning::{Variable, untranslated};
use crate::spool;

/// Pages that can be read repeatedly.
pub(crate) trait PageSource {
    fn pages(&self) -> impl Iterator<Item = io::Result<Page>>;
}

impl PageSource for spool::PageSpool {
    fn pages(&self) -> impl Iterator<Item = io::Result<Page>> {
        spool::PageSpool::pages(self)
    }
}

/// What is known about a table before its rows are read.
pub(crate) struct Streamed {
    names: ColumnNames,
    columns: Vec<StreamedColumn>,
    schema: SchemaRef,
    /// Columns that hold only JSON, by their index in the schema.
    pub(crate) json: Vec<bool>,
    pub(crate) warnings: Vec<Warning>,
    /// What is said about the labels.
    notes: Vec<Note>,
    pub(crate) rows: usize,
}

struct StreamedColumn {
    planned: Planned,
    settler: TypeResolver,
    field: FieldRef,
    show: Show,
    /// The code that is missing by default, if the column has it.
    missing: Option<Declared>,
}

/// The part of a column that is in the table.
enum Show {
    Codes,
    Labels(Legend),
    Both(Legend),
}

impl Streamed {
    /// Scans all pages. `builder` has no rows, but the metadata known so far.
    pub(crate) fn new(builder: TableBuilder, pages: &impl PageSource, labels: Labels) -> io::Result<Self> {
        Self::scanned(builder, pages, labels, MissingShown::Null, &HashMap::new())
    }

    /// The same with codes, also those that mean a missing answer, which the metadata declare: for files that can hold both.
    pub(crate) fn of_codes(builder: TableBuilder, pages: &impl PageSource) -> io::Result<Self> {
        Self::scanned(builder, pages, Labels::Codes, MissingShown::Code, &HashMap::new())
    }

    /// The same with codes, for rows that are added to others, whose columns have these types: a column keeps its type if the values
    /// fit.
    pub(crate) fn keeping(
        builder: TableBuilder,
        pages: &impl PageSource,
        types: &HashMap<String, DataType>,
    ) -> io::Result<Self> {
        Self::scanned(builder, pages, Labels::Codes, MissingShown::Null, types)
    }

    fn scanned(
        mut builder: TableBuilder,
        pages: &impl PageSource,
        labels: Labels,
        missing_shown: MissingShown,
        types: &HashMap<String, DataType>,
    ) -> io::Result<Self> {
        let Gathered { seen, not_available, large, rows } = gather(&mut builder, pages)?;
        builder.clean_texts();
        let planned = match builder.form {
            PayloadLayout::Compact | PayloadLayout::Structured => {
                layout::of_interviews(&builder.names, &builder.known)
            }
            PayloadLayout::Members => layout::of_members(&builder.names, &builder.known),
        };
        let planned = builder.kept(planned);
        let mut columns: Vec<(Planned, TypeResolver, bool)> = planned
            .into_iter()
            .map(|planned| {
                let kinds = planned.number.and_then(|number| seen.get(number)).copied().unwrap_or_default();
                let settler = match types.get(&planned.name) {
                    Some(kept) => TypeResolver::keeping(kinds, planned.wanted, kept),
                    None => TypeResolver::new(kinds, planned.wanted),
                };
                let droppable = may_be_omitted(builder.form, &builder.known, &planned)
                    && matches!(kinds.kind(), StorageKind::Null | StorageKind::Text);
                (planned, settler, droppable)
            })
            .collect();
        settle(&mut columns, &builder.names, pages)?;
        let mut streamed = Streamed {
            names: builder.names,
            columns: Vec::new(),
            schema: Arc::new(Schema::empty()),
            json: Vec::new(),
            warnings: builder.warnings,
            notes: Vec::new(),
            rows,
        };
        let code = builder.not_available;
        let marked = |planned: &Planned| {
            planned.number.is_some_and(|number| not_available.contains(&number))
                && planned.variable.as_deref().is_some_and(|variable| match code {
                    None => variable.is_closed(),
                    Some(code) => {
                        code == not_available::CODE
                            && variable.is_closed()
                            && !not_available::is_in(planned, code, true)
                    }
                })
        };
        let marked = columns.iter().map(|(planned, ..)| planned).filter(|planned| marked(planned));
        let marked = marked.map(|planned| planned.name.clone()).collect();
        let variables = columns.iter().filter_map(|(planned, ..)| planned.variable.as_deref());
        streamed.warnings.extend(untranslated(variables));
        streamed.warnings.extend(not_available::of_columns(marked));
        let doubtful = |planned: &&Planned| {
            planned.number.is_some_and(|number| not_available.contains(&number) && large.contains(&number))
                && planned.variable.as_deref().is_some_and(Variable::is_scale)
                && code.is_some_and(|code| not_available::is_in(planned, code, true))
        };
        let doubtful = columns.iter().map(|(planned, ..)| planned).filter(doubtful);
        streamed
            .warnings
            .extend(not_available::doubt_about(doubtful.map(|planned| planned.name.clone()).collect()));
        let without_plan = |(planned, ..): &&(Planned, TypeResolver, bool)| {
            builder.form != PayloadLayout::Members
                && planned.variable.is_none()
                && matches!(planned.origin, Origin::Question | Origin::Other)
                && planned.number.is_some_and(|number| not_available.contains(&number))
        };
        let without_plan = columns.iter().filter(without_plan).map(|(planned, ..)| planned.name.clone());
        streamed.warnings.extend(not_available::of_columns_without_plan(without_plan.collect()));
        for (planned, settler, dropped) in columns {
            if !dropped {
                let occurs = planned.number.is_some_and(|number| not_available.contains(&number));
                let has_it = |code: &i64| !settler.nested() && not_available::is_in(&planned, *code, occurs);
                let missing = code.filter(has_it).map(Declared::of);
                streamed.add((planned, settler, missing), labels, missing_shown);
            }
        }
        streamed.show(&builder.survey, pages)?;
        Ok(streamed)
    }

    fn add(
        &mut self,
        (mut planned, settler, mut missing): (Planned, TypeResolver, Option<Declared>),
        labels: Labels,
        missing_shown: MissingShown,
    ) {
        self.warnings.extend(planned.varies(&self.names));
        self.warnings.extend(settler.warning().map(|warning| Warning::new(&planned.name, warning)));
        let nested = settler.nested() || planned.is_interviews();
        let mut declared = Vec::new();
        if let (Some(codes), Some(variable)) = (&missing, &mut planned.variable) {
            let (rest, codes) = apart(Variable::clone(variable), Vec::new(), codes);
            declared = codes;
            if missing_shown == MissingShown::Code {
                missing = None;
            } else {
                *variable = Arc::new(rest);
            }
        }
        let mut metadata = metadata::of(planned.origin, planned.variable.as_deref(), nested);
        if !declared.is_empty() {
            metadata.insert(metadata::MISSING, metadata::of_missing(&declared));
        }
        let field = Field::new(&planned.name, settler.data_type(), true).with_metadata(metadata);
        let variable = planned.variable.as_deref().filter(|variable| !variable.values.is_empty());
        let stays = variable.and_then(|one| labels::stays(&field, one, settler.nested()));
        let show = match (labels, variable) {
            (Labels::Codes, _) | (_, None) => Show::Codes,
            _ if stays.is_some() => {
                self.notes.extend(stays);
                Show::Codes
            }
            (Labels::Labels, Some(variable)) => Show::Labels(Legend::new(variable)),
            (Labels::Both, Some(variable)) => Show::Both(Legend::new(variable)),
        };
        self.columns.push(StreamedColumn { planned, settler, field: Arc::new(field), show, missing });
    }

    /// Completes the legends and builds the schema.
    fn show(&mut self, survey: &crate::meaning::Survey, pages: &impl PageSource) -> io::Result<()> {
        if self.columns.iter().any(|column| !matches!(column.show, Show::Codes)) {
            for page in pages.pages() {
                for mut rows in ChunkColumns::of(page?, &self.names) {
                    for column in &mut self.columns {
                        if let Show::Labels(legend) | Show::Both(legend) = &mut column.show {
                            let codes = column.settler.array(rows.take(&column.planned)).map_err(arrow)?;
                            legend.meet(&shown(codes, column.missing.as_ref()).map_err(arrow)?);
                        }
                    }
                }
            }
        }
        let mut names = DerivedNames::of(self.columns.iter().map(|column| column.field.name().clone()));
        let mut fields = Vec::new();
        for column in &mut self.columns {
            let json = column.settler.only_nested();
            if let (Show::Labels(_) | Show::Both(_), Some(variable)) =
                (&column.show, &column.planned.variable)
            {
                self.notes.extend(labels::equal(column.field.name(), variable));
            }
            match &mut column.show {
                Show::Codes => fields.push((Arc::clone(&column.field), json)),
                Show::Labels(legend) => {
                    let (field, of_labels) = legend.close(&column.field);
                    self.notes.extend(of_labels);
                    fields.push((field, false));
                }
                Show::Both(legend) => {
                    let (field, of_labels) = legend.close(&column.field);
                    self.notes.extend(of_labels);
                    fields.push((Arc::clone(&column.field), json));
                    fields.push((labels::beside(&field, &mut names), false));
                }
            }
        }
        self.warnings.extend(notes::warnings(&self.notes));
        self.warnings.extend(names.warning());
        self.json = fields.iter().map(|(_, json)| *json).collect();
        let fields: Vec<FieldRef> = fields.into_iter().map(|(field, _)| field).collect();
        self.schema = Arc::new(Schema::new_with_metadata(fields, metadata::of_survey(survey)));
        Ok(())
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// What the columns mean, by their place in the schema.
    pub(crate) fn variables(&self) -> Vec<Option<Arc<Variable>>> {
        let of_column = |column: &StreamedColumn| {
            let variable = column.planned.variable.clone();
            let count = if matches!(column.show, Show::Both(_)) { 2 } else { 1 };
            std::iter::repeat_n(variable, count)
        };
        self.columns.iter().flat_map(of_column).collect()
    }

    /// For each column of labels: all labels, in their order.
    pub(crate) fn dictionaries(&self) -> Vec<Option<ArrayRef>> {
        let of_column = |column: &StreamedColumn| match &column.show {
            Show::Codes => vec![None],
            Show::Labels(legend) => vec![Some(Arc::clone(legend.dictionary()))],
            Show::Both(legend) => vec![None, Some(Arc::clone(legend.dictionary()))],
        };
        self.columns.iter().flat_map(of_column).collect()
    }

    /// Returns the rows, in batches of at most 16,384.
    pub(crate) fn for_each(
        &self,
        pages: &impl PageSource,
        mut take: impl FnMut(RecordBatch, &[UnavailableRows<'_>]) -> io::Result<()>,
    ) -> io::Result<()> {
        for page in pages.pages() {
            for rows in ChunkColumns::of(page?, &self.names) {
                let (batch, unavailable) = self.batch(rows).map_err(arrow)?;
                take(batch, &unavailable)?;
            }
        }
        Ok(())
    }

    fn batch(&self, mut rows: ChunkColumns) -> Result<(RecordBatch, Vec<UnavailableRows<'_>>), ArrowError> {
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        let mut unavailable = Vec::new();
        for column in &self.columns {
            let every_code = column.settler.array(rows.take(&column.planned))?;
            let codes = shown(Arc::clone(&every_code), column.missing.as_ref())?;
            if let Some(code) = column.missing.as_ref().and_then(|missing| missing.iter().next()) {
                let rows = unavailable::replaced(&every_code, &codes);
                let (column, code) = (arrays.len(), code.into());
                unavailable.push(UnavailableRows { column, code, declared: false, rows });
            }
            match &column.show {
                Show::Codes => arrays.push(codes),
                Show::Labels(legend) => arrays.push(legend.labels(&codes)?),
                Show::Both(legend) => {
                    let labels = legend.labels(&codes)?;
                    arrays.extend([codes, labels]);
                }
            }
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows.rows));
        Ok((RecordBatch::try_new_with_options(self.schema(), arrays, &options)?, unavailable))
    }
}

/// The array without the codes that mean a missing answer.
fn shown(codes: ArrayRef, missing: Option<&Declared>) -> Result<ArrayRef, ArrowError> {
    match missing {
        None => Ok(codes),
        Some(missing) => {
            without(&codes, missing).map_err(|error| ArrowError::ComputeError(error.to_string()))
        }
    }
}

fn arrow(error: ArrowError) -> io::Error {
    io::Error::other(error)
}

/// The contents of all pages, by the numbers of their columns.
#[derive(Default)]
struct Gathered {
    /// The kinds of values.
    seen: Vec<SeenKinds>,
    /// The columns that contain the code of a choice that is not available.
    not_available: HashSet<usize>,
    /// The columns with other answers that are as large.
    large: HashSet<usize>,
    rows: usize,
}

/// Reads all pages. The builder receives their metadata.
fn gather(builder: &mut TableBuilder, pages: &impl PageSource) -> io::Result<Gathered> {
    let mut gathered = Gathered::default();
    let code = builder.not_available.unwrap_or(not_available::CODE);
    for page in pages.pages() {
        let mut page = page?;
        gathered.rows += page.rows();
        let chunks = std::mem::take(&mut page.chunks);
        builder.names.start_row();
        for (local, column) in page.names.list().iter().enumerate() {
            let number = builder.names.adopt(column);
            let kinds = &mut gathered.seen;
            if kinds.len() <= number {
                kinds.resize(number + 1, SeenKinds::default());
            }
            kinds[number] = kinds[number].union(spool::seen(&chunks, local));
            let mut parts = chunks.iter().filter_map(|chunk| chunk.columns.get(local));
            if parts.any(|part| not_available::occurs(part, code)) {
                gathered.not_available.insert(number);
            }
            let mut parts = chunks.iter().filter_map(|chunk| chunk.columns.get(local));
            if !gathered.large.contains(&number) && parts.any(|part| not_available::has_large(part, code)) {
                gathered.large.insert(number);
            }
        }
        builder.append(page).map_err(io::Error::other)?;
    }
    Ok(gathered)
}

/// Determines the types, in as many passes as needed. The flag of a column says whether it can still be omitted.
fn settle(
    columns: &mut [(Planned, TypeResolver, bool)],
    names: &ColumnNames,
    pages: &impl PageSource,
) -> io::Result<()> {
    let marked = columns.iter().any(|(.., droppable)| *droppable);
    let mut again = marked || columns.iter().any(|(_, settler, _)| settler.undecided());
    while again {
        for page in pages.pages() {
            for mut rows in ChunkColumns::of(page?, names) {
                for (planned, settler, droppable) in columns.iter_mut() {
                    if !settler.undecided() && !*droppable {
                        continue;
                    }
                    let part = rows.take(planned);
                    *droppable &= (0..part.len()).all(|row| !part.is_valid(row) || part.text(row) == "[]");
                    if settler.undecided() {
                        settler.look(part);
                    }
                }
            }
        }
        again = false;
        for (_, settler, _) in columns.iter_mut() {
            again |= settler.turn();
        }
    }
    Ok(())
}

/// The columns of one chunk of rows, each to be taken once.
struct ChunkColumns {
    rows: usize,
    columns: Vec<Option<Column>>,
    /// Maps a column's number in the whole table to its number in the page.
    local: Arc<[Option<usize>]>,
}

impl ChunkColumns {
    fn of(page: Page, names: &ColumnNames) -> impl Iterator<Item = ChunkColumns> {
        let mut local = vec![None; names.list().len()];
        for (number, column) in page.names.list().iter().enumerate() {
            if let Some(place) = names.find(column.place, &column.name) {
                local[place] = Some(number);
            }
        }
        let local: Arc<[Option<usize>]> = local.into();
        page.chunks.into_iter().map(move |chunk| ChunkColumns {
            rows: chunk.rows,
            columns: chunk.columns.into_iter().map(Some).collect(),
            local: Arc::clone(&local),
        })
    }

    fn take(&mut self, planned: &Planned) -> Column {
        let number = planned.number.and_then(|number| self.local.get(number).copied().flatten());
        let own_column = number.and_then(|number| self.columns.get_mut(number)?.take());
        let mut column = own_column.unwrap_or_else(Column::new);
        column.pad_nulls(self.rows);
        column
    }
}

#[cfg(test)]
mod tests;
