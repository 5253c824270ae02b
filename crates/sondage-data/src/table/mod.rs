//! Finished tables: typed Arrow columns with their metadata.

pub(crate) mod answers;
mod arrow;
mod builder;
mod bytes;
mod codebook;
mod compare;
mod concat;
mod crosstab;
mod declared;
mod frequencies;
pub(crate) mod labels;
mod language;
pub(crate) mod layout;
mod lists;
pub mod metadata;
mod missing;
mod names;
mod not_available;
mod notes;
mod plain;
mod quality;
mod settle;
mod stack;
pub(crate) mod streamed;
pub(crate) mod time;
mod times;
pub(crate) mod typed;
pub(crate) mod unavailable;
mod values;
pub(crate) mod zones;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchIterator, RecordBatchOptions,
    RecordBatchReader, StringArray, new_empty_array,
};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};

pub use builder::TableBuilder;
pub use codebook::{Codebook, CodebookColumn};
pub(crate) use crosstab::Counting;
pub(crate) use declared::no_column;
pub use labels::Labels;
pub(crate) use metadata::values_of;
pub use missing::MissingShown;
pub use names::NoSuchColumn;
pub use stack::Crosswalk;
pub(crate) use values::code_text;
pub use values::{ColumnMeanings, ValueLabels};
pub use zones::NoSuchTimeZone;

use crate::error::Warning;
use crate::meaning::{CodePlan, Survey, Variable};
use labels::Labelled;
use names::DerivedNames;

/// The downloaded data, shared by all views of one table.
#[derive(Debug)]
struct Base {
    columns: Vec<BaseColumn>,
    /// Rows of each batch.
    rows: Vec<usize>,
    survey: Survey,
    plan: Option<CodePlan>,
    warnings: Vec<Warning>,
}

/// A column with its codes.
#[derive(Debug, Clone)]
struct BaseColumn {
    field: FieldRef,
    arrays: Vec<ArrayRef>,
    variable: Option<Arc<Variable>>,
    nested: bool,
    json: bool,
    /// The column before the code of what is not available was declared as missing.
    undeclared: Option<Arc<Undeclared>>,
    /// What it was before a caller declared codes as missing, which tells why an answer is missing.
    declared: Option<Arc<BeforeDeclaring>>,
}

/// Answers and meaning of a column with codes that a caller has declared as missing.
#[derive(Debug)]
struct BeforeDeclaring {
    arrays: Vec<ArrayRef>,
    variable: Option<Arc<Variable>>,
}

/// A column with a code that means a missing answer unless somebody wants to see it.
#[derive(Debug)]
struct Undeclared {
    column: BaseColumn,
    code: String,
}

/// A column of a view: codes or labels.
#[derive(Debug, Clone)]
struct ShownColumn {
    /// The index of the base column that it shows.
    base: usize,
    field: FieldRef,
    arrays: Vec<ArrayRef>,
}

/// Interviews or members as Arrow record batches.
///
/// A table keeps the downloaded codes; [`Table::with_labels`] shows labels instead of them or next to them, at any time
/// and without another download. Tables are views: cloning one, selecting columns or switching labels copies no data.
#[derive(Debug, Clone)]
pub struct Table {
    base: Arc<Base>,
    shown: Vec<ShownColumn>,
    labels: Labels,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// The warnings of the labels.
    label_warnings: Vec<Warning>,
    /// The warning about codes that share a label.
    equal_labels: Option<Warning>,
}

impl Table {
    fn of(base: Arc<Base>) -> Result<Self, ArrowError> {
        let columns = (0..base.columns.len()).map(|i| codes(&base, i)).collect();
        Self::showing(base, columns, Labels::Codes, Vec::new())
    }

    fn showing(
        base: Arc<Base>,
        shown: Vec<ShownColumn>,
        labels: Labels,
        label_warnings: Vec<Warning>,
    ) -> Result<Self, ArrowError> {
        let fields: Vec<FieldRef> = shown.iter().map(|column| Arc::clone(&column.field)).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata::of_survey(&base.survey)));
        let batch = |(i, rows): (usize, &usize)| {
            let columns = shown.iter().map(|column| Arc::clone(&column.arrays[i])).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(*rows));
            RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)
        };
        let batches = base.rows.iter().enumerate().map(batch).collect::<Result<Vec<_>, _>>()?;
        let mut once = HashSet::new();
        let equal = |column: &ShownColumn| {
            let column = &base.columns[column.base];
            labels::equal(column.field.name(), column.variable.as_deref().filter(|_| !column.nested)?)
        };
        let notes: Vec<_> =
            shown.iter().filter(|column| once.insert(column.base)).filter_map(equal).collect();
        let equal_labels = notes::warnings(&notes).pop();
        Ok(Table { base, shown, labels, schema, batches, label_warnings, equal_labels })
    }

    /// A view of this table. If Arrow refuses it, which would be a defect of this library, the table is returned unchanged
    /// with a warning: it is never shown with rows missing.
    fn view(&self, shown: Vec<ShownColumn>, labels: Labels, label_warnings: Vec<Warning>) -> Table {
        Self::showing(Arc::clone(&self.base), shown, labels, label_warnings).unwrap_or_else(|error| {
            let mut same = self.clone();
            same.label_warnings.push(Warning::general(format!("the table could not be converted: {error}")));
            same
        })
    }

    /// The number of interviews or members.
    pub fn num_rows(&self) -> usize {
        self.base.rows.iter().sum()
    }

    /// The number of columns in this view.
    pub fn num_columns(&self) -> usize {
        self.shown.len()
    }

    /// Names, types and, in the fields' [`metadata`], labels and origins of the columns.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The rows, in batches of at most 16,384.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// A reader that owns its rows, as `FFI_ArrowArrayStream::new` requires.
    pub fn reader(&self) -> impl RecordBatchReader + Send + 'static {
        // A stream without batches has no labels.
        let has_labels =
            self.shown.iter().any(|column| matches!(column.field.data_type(), DataType::Dictionary(..)));
        let empty = self.empty_batch().filter(|_| has_labels && self.batches.is_empty());
        let batches: Vec<RecordBatch> = self.batches.iter().cloned().chain(empty).collect();
        RecordBatchIterator::new(batches.into_iter().map(Ok::<_, ArrowError>), self.schema())
    }

    /// Warnings: values that differ from the code plan, and were kept without loss.
    pub fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.base.warnings.iter().chain(&self.equal_labels).chain(&self.label_warnings)
    }

    /// Name and languages of the survey; empty for members.
    pub fn survey(&self) -> &Survey {
        &self.base.survey
    }

    /// The code plan that provided types and labels.
    pub fn code_plan(&self) -> Option<&CodePlan> {
        self.base.plan.as_ref()
    }

    /// The current labels mode.
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// The same rows with only these columns, by their current names, in this order.
    pub fn select<S: AsRef<str>>(&self, names: &[S]) -> sondage::Result<Table> {
        let by_name: HashMap<&str, &ShownColumn> =
            self.shown.iter().rev().map(|column| (column.field.name().as_str(), column)).collect();
        let mut unique_names = HashSet::new();
        let find = |name: &S| {
            let name = name.as_ref();
            if !unique_names.insert(name.to_owned()) {
                return Err(sondage::Error::invalid_argument(format!("the column {name:?} is named twice")));
            }
            let column = by_name.get(name).map(|column| ShownColumn::clone(column));
            column.ok_or_else(|| {
                sondage::Error::invalid_argument(NoSuchColumn { name: name.to_owned() }.to_string())
            })
        };
        let columns = names.iter().map(find).collect::<sondage::Result<Vec<_>>>()?;
        Ok(self.view(columns, self.labels, self.label_warnings.clone()))
    }

    /// The same rows with codes, labels or both. Warnings list the answers that are not in the code plan.
    #[must_use]
    pub fn with_labels(&self, labels: Labels) -> Table {
        let mut unique_names = HashSet::new();
        let columns: Vec<usize> =
            self.shown.iter().map(|column| column.base).filter(|&i| unique_names.insert(i)).collect();
        let mut names = DerivedNames::beside(columns.iter().map(|&i| &self.base.columns[i]));
        let (mut shown, mut warnings, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for i in columns {
            let column = &self.base.columns[i];
            let labelled = if labels == Labels::Codes { None } else { labels::labelled(column) };
            if labels != Labels::Labels || !matches!(labelled, Some(Ok(Labelled::Labels { .. }))) {
                shown.push(codes(&self.base, i));
            }
            match labelled {
                None => {}
                Some(Err(error)) => warnings.push(Warning::new(column.field.name(), error.to_string())),
                Some(Ok(Labelled::Codes(note))) => notes.push(note),
                Some(Ok(Labelled::Labels { mut field, arrays, notes: of_labels })) => {
                    notes.extend(of_labels);
                    if labels == Labels::Both {
                        field = labels::beside(&field, &mut names);
                    }
                    shown.push(ShownColumn { base: i, field, arrays });
                }
            }
        }
        warnings.extend(notes::warnings(&notes));
        warnings.extend(names.warning());
        self.view(shown, labels, warnings)
    }

    /// The same rows with timestamps in this time zone, by its IANA name (`Europe/Zurich`). The instants do not change;
    /// without this call they are in UTC.
    pub fn in_time_zone(&self, name: &str) -> Result<Table, NoSuchTimeZone> {
        let zone = zones::zone(name)?;
        let columns = self.base_columns().into_iter().map(|column| zones::column(column, &zone)).collect();
        Ok(self.rebuilt(columns, self.base.rows.clone()))
    }

    /// The same rows with times as clocks in their time zone show them, without the zone: for programs that have no zones, such
    /// as spreadsheets. An hour that clocks show twice becomes ambiguous.
    #[must_use]
    pub fn without_time_zone(&self) -> Table {
        let columns = self.base_columns().into_iter().map(zones::without).collect();
        self.rebuilt(columns, self.base.rows.clone())
    }

    /// The time zone of the timestamps, unless it is UTC.
    pub fn time_zone(&self) -> Option<&str> {
        self.shown.iter().find_map(|column| match column.field.data_type() {
            DataType::Timestamp(_, Some(zone)) => Some(&**zone).filter(|zone| *zone != "UTC"),
            _ => None,
        })
    }

    /// The columns of this view, each once, as downloaded.
    fn base_columns(&self) -> Vec<&BaseColumn> {
        let mut names = HashSet::new();
        let columns = self.shown.iter().filter(|column| names.insert(column.base));
        columns.map(|column| &self.base.columns[column.base]).collect()
    }

    /// A table of these columns, with the other properties of this one.
    fn rebuilt(&self, columns: Vec<BaseColumn>, rows: Vec<usize>) -> Table {
        self.rebuilt_by(columns, rows, self.base.plan.clone())
    }

    /// The same with another code plan.
    fn rebuilt_by(&self, columns: Vec<BaseColumn>, rows: Vec<usize>, plan: Option<CodePlan>) -> Table {
        self.rebuilt_with(columns, rows, plan, self.base.warnings.clone())
    }

    /// The same with other warnings about the download.
    fn rebuilt_with(
        &self,
        columns: Vec<BaseColumn>,
        rows: Vec<usize>,
        plan: Option<CodePlan>,
        warnings: Vec<Warning>,
    ) -> Table {
        let survey = self.base.survey.clone();
        let base = Arc::new(Base { columns, rows, survey, plan, warnings });
        let codes = (0..base.columns.len()).map(|i| codes(&base, i)).collect();
        let table = Table { base, ..self.clone() };
        table.view(codes, Labels::Codes, Vec::new()).with_labels(self.labels)
    }

    /// The first rows, at most this many.
    #[must_use]
    pub fn head(&self, rows: usize) -> Table {
        let mut remaining = rows;
        let lengths: Vec<usize> = self
            .base
            .rows
            .iter()
            .map(|&here| {
                let length = here.min(remaining);
                remaining -= length;
                length
            })
            .collect();
        let cut = |column: &BaseColumn| first_rows(column, &lengths);
        let columns = self.base_columns().into_iter().map(cut).collect();
        self.rebuilt(columns, lengths.clone())
    }

    /// For each column of labels: all labels that were offered, in the questionnaire's order, and then the answers that are
    /// not in the code plan.
    pub fn categories(&self) -> Vec<(String, Vec<String>)> {
        let labels = |column: &ShownColumn| match column.field.data_type() {
            DataType::Dictionary(..) => {
                let dictionary = self.dictionary(column)?;
                let values = dictionary.as_string_opt::<i32>()?;
                Some(values.iter().map(|value| value.unwrap_or_default().to_owned()).collect())
            }
            DataType::List(_) if self.shows_labels(column) => {
                self.base.columns[column.base].variable.as_deref().map(labels::offered)
            }
            _ => None,
        };
        let named = |column: &ShownColumn| Some((column.field.name().clone(), labels(column)?));
        self.shown.iter().filter_map(named).filter(|(_, labels)| !labels.is_empty()).collect()
    }

    fn shows_labels(&self, column: &ShownColumn) -> bool {
        match self.labels {
            Labels::Codes => false,
            Labels::Labels => true,
            Labels::Both => column.field.metadata().contains_key(metadata::LABELS_OF),
        }
    }

    /// For each column of the view that is one of labels: all labels, in their order.
    pub(crate) fn dictionaries(&self) -> Vec<Option<ArrayRef>> {
        self.shown.iter().map(|column| self.dictionary(column)).collect()
    }

    /// All labels of a column of labels, in their order: without rows, as with some.
    fn dictionary(&self, column: &ShownColumn) -> Option<ArrayRef> {
        match (column.field.data_type(), column.arrays.first()) {
            (DataType::Dictionary(..), Some(array)) => {
                Some(Arc::clone(array.as_any_dictionary_opt()?.values()))
            }
            (DataType::Dictionary(..), None) => {
                let offered = labels::offered(self.base.columns[column.base].variable.as_deref()?);
                Some(Arc::new(StringArray::from(offered)))
            }
            _ => None,
        }
    }

    /// A batch without rows, whose columns of labels have all of them.
    fn empty_batch(&self) -> Option<RecordBatch> {
        let column = |column: &ShownColumn| match self.dictionary(column) {
            Some(labels) => {
                let keys = Int32Array::from(Vec::<i32>::new());
                Some(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, labels).ok()?) as ArrayRef)
            }
            None => Some(new_empty_array(column.field.data_type())),
        };
        let columns = self.shown.iter().map(column).collect::<Option<Vec<_>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(0));
        RecordBatch::try_new_with_options(self.schema(), columns, &options).ok()
    }

    /// The codebook of this table's columns.
    pub fn codebook(&self) -> Codebook {
        let mut names = HashSet::new();
        let columns = self.shown.iter().filter(|column| names.insert(column.base)).map(|column| {
            let base = &self.base.columns[column.base];
            (base.field.as_ref(), base.variable.as_deref())
        });
        Codebook::of_columns(columns)
    }

    /// The same with the frequencies of each column, also of missing answers; `weight` is a column of weights.
    pub fn codebook_with_frequencies(&self, weight: Option<&str>) -> sondage::Result<Codebook> {
        let own_columns = self.counted_columns()?;
        let columns: Vec<&BaseColumn> = own_columns.iter().map(Cow::as_ref).collect();
        let counter = self.counter(&columns, weight)?;
        let frequencies = columns.iter().map(|column| counter.column(column, true));
        Ok(self.codebook().with_frequencies(frequencies))
    }

    /// The columns of the view as downloaded, with the codes that mean a missing answer, for files that can hold both.
    pub(crate) fn of_codes(&self) -> sondage::Result<Table> {
        let columns = self.base_columns().into_iter().map(not_available::shown);
        let (columns, rows) = (columns.collect::<sondage::Result<_>>()?, self.base.rows.clone());
        let base = Base { columns, rows, survey: self.base.survey.clone(), plan: None, warnings: Vec::new() };
        Table::of(Arc::new(base)).map_err(|error| sondage::Error::internal(error.to_string()))
    }

    /// What the columns of the view mean.
    pub(crate) fn shown_variables(&self) -> Vec<Option<Arc<Variable>>> {
        self.shown.iter().map(|column| self.base.columns[column.base].variable.clone()).collect()
    }

    /// For each column of the view: whether it holds only JSON.
    pub(crate) fn json_columns(&self) -> Vec<bool> {
        self.shown.iter().map(|column| self.base.columns[column.base].json).collect()
    }

    /// The field of a column, by its current name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.shown.iter().find(|column| column.field.name() == name).map(|column| column.field.as_ref())
    }
}

/// The first rows of each array.
fn first_rows(column: &BaseColumn, lengths: &[usize]) -> BaseColumn {
    let cut = |arrays: &[ArrayRef]| -> Vec<ArrayRef> {
        arrays.iter().zip(lengths).map(|(array, &rows)| array.slice(0, rows)).collect()
    };
    let declared = column.declared.as_deref().map(|before| {
        Arc::new(BeforeDeclaring { arrays: cut(&before.arrays), variable: before.variable.clone() })
    });
    let first = BaseColumn { arrays: cut(&column.arrays), declared, ..column.clone() };
    column.with_undeclared(first, |column| first_rows(column, lengths))
}

impl BaseColumn {
    /// A changed column, whose undeclared one is changed as well.
    fn with_undeclared(
        &self,
        changed: BaseColumn,
        change: impl FnOnce(&BaseColumn) -> BaseColumn,
    ) -> BaseColumn {
        let undeclared = self.undeclared.as_deref().map(|undeclared| {
            Arc::new(Undeclared { column: change(&undeclared.column), code: undeclared.code.clone() })
        });
        BaseColumn { undeclared, ..changed }
    }

    /// The code of a missing answer that was declared as missing.
    fn missing_code(&self, batch: usize, row: usize) -> Option<String> {
        let by_default =
            self.undeclared.as_deref().and_then(|undeclared| undeclared.column.arrays.get(batch));
        let declared = || self.declared.as_deref().and_then(|before| before.arrays.get(batch));
        let code = |array: &ArrayRef| labels::code_at(array, row);
        by_default.and_then(code).or_else(|| declared().and_then(code))
    }

    /// The column with every code that was answered.
    fn with_all_codes(&self) -> &BaseColumn {
        self.undeclared.as_deref().map_or(self, |undeclared| &undeclared.column)
    }
}

fn codes(base: &Base, i: usize) -> ShownColumn {
    let column = &base.columns[i];
    ShownColumn { base: i, field: Arc::clone(&column.field), arrays: column.arrays.clone() }
}
