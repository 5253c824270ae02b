//! A table as bytes, for another process: its codes as an Arrow stream, and everything else in the metadata
//! of the schema.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Metadata, Schema};
use serde::{Deserialize, Serialize};
use sondage::{Error, Result};

use super::concat::with_one_dictionary;
use super::labels::code_at;
use super::{Base, BaseColumn, BeforeDeclaring, Labels, Table, not_available};
use crate::create::ipc_rows;
use crate::error::Warning;
use crate::meaning::{CodePlan, Survey, Variable};

/// The key of the schema's metadata.
const KEY: &str = "sondage.table";

/// What the Arrow columns do not contain.
#[derive(Serialize, Deserialize)]
struct TableFacts {
    columns: Vec<ColumnFacts>,
    /// The names of the visible columns.
    shown: Vec<String>,
    labels: String,
    survey: Survey,
    plan: Option<Vec<Variable>>,
    warnings: Vec<Warning>,
}

#[derive(Serialize, Deserialize)]
struct ColumnFacts {
    variable: Option<Variable>,
    nested: bool,
    json: bool,
    /// The code that is missing by default in this column; the bytes have the column with it.
    not_available: Option<String>,
    /// The number of the column of the bytes with the codes that a caller declared as missing.
    declared: Option<usize>,
    /// What the column was before.
    declared_of: Option<Variable>,
    /// The texts of a column with a dictionary; the bytes have their positions. Readers of the stream would search all columns for each
    /// dictionary in it.
    dictionary: Option<Vec<String>>,
}

/// The positions of a column with a dictionary, and its texts.
fn apart(column: &BaseColumn) -> Result<Option<(BaseColumn, Vec<String>)>> {
    if !matches!(column.field.data_type(), DataType::Dictionary(..)) {
        return Ok(None);
    }
    let arrays = with_one_dictionary(&column.arrays)?;
    let texts = arrays.first().map(|array| array.as_dictionary::<Int32Type>().values().as_string::<i32>());
    let texts = texts.into_iter().flatten().map(|text| text.unwrap_or_default().to_owned()).collect();
    let keys = |array: &ArrayRef| Arc::new(array.as_dictionary::<Int32Type>().keys().clone()) as ArrayRef;
    let field = column.field.as_ref().clone().with_data_type(DataType::Int32);
    let arrays = arrays.iter().map(keys).collect();
    Ok(Some((BaseColumn { field: Arc::new(field), arrays, ..column.clone() }, texts)))
}

/// The codes of a column before some were declared as missing, as a column of its own.
fn declared_codes(column: &BaseColumn, arrays: &[ArrayRef]) -> BaseColumn {
    // As texts: the parts of a combined table may have different types.
    let texts = |array: &ArrayRef| -> ArrayRef {
        Arc::new((0..array.len()).map(|row| code_at(array, row)).collect::<StringArray>())
    };
    let field = Arc::new(Field::new(column.field.name(), DataType::Utf8, true));
    BaseColumn { field, arrays: arrays.iter().map(texts).collect(), ..column.clone() }
}

/// The column of these positions in these texts; `None` if the bytes are wrong.
fn together(column: BaseColumn, texts: Vec<String>) -> Option<BaseColumn> {
    let texts: ArrayRef = Arc::new(StringArray::from(texts));
    let array = |keys: &ArrayRef| {
        let keys = keys.as_primitive_opt::<Int32Type>()?.clone();
        Some(Arc::new(DictionaryArray::try_new(keys, Arc::clone(&texts)).ok()?) as ArrayRef)
    };
    let arrays = column.arrays.iter().map(array).collect::<Option<_>>()?;
    let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = column.field.as_ref().clone().with_data_type(data_type);
    Some(BaseColumn { field: Arc::new(field), arrays, ..column })
}

impl Table {
    /// The table as bytes, with codes, labels and warnings. [`Table::from_bytes`] restores it.
    ///
    /// They are an Arrow IPC stream of the columns of this view, as codes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (mut columns, mut facts, mut all_declared) = (Vec::new(), Vec::new(), Vec::new());
        let shown_columns = self.base_columns();
        for column in &shown_columns {
            let whole = column.with_all_codes();
            let (stored, dictionary) = match apart(whole)? {
                Some((keys, texts)) => (keys, Some(texts)),
                None => (whole.clone(), None),
            };
            facts.push(ColumnFacts {
                variable: whole.variable.as_deref().cloned(),
                nested: column.nested,
                json: column.json,
                not_available: column.undeclared.as_deref().map(|undeclared| undeclared.code.clone()),
                declared: column.declared.is_some().then_some(shown_columns.len() + all_declared.len()),
                declared_of: column
                    .declared
                    .as_deref()
                    .and_then(|before| before.variable.as_deref().cloned()),
                dictionary,
            });
            columns.push(stored);
            all_declared
                .extend(column.declared.as_deref().map(|before| declared_codes(column, &before.arrays)));
        }
        columns.extend(all_declared);
        let facts = TableFacts {
            columns: facts,
            shown: self.shown.iter().map(|column| column.field.name().clone()).collect(),
            labels: self.labels.name().to_owned(),
            survey: self.base.survey.clone(),
            plan: self.code_plan().map(|plan| plan.variables().cloned().collect()),
            warnings: self.base.warnings.clone(),
        };
        let facts = serde_json::to_string(&facts).map_err(|error| Error::internal(error.to_string()))?;
        let written = || {
            let fields: Vec<FieldRef> = columns.iter().map(|column| Arc::clone(&column.field)).collect();
            let metadata: Metadata = [(KEY.to_owned(), facts)].into_iter().collect();
            let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
            let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
            for (batch, rows) in self.base.rows.iter().enumerate() {
                let arrays = columns.iter().map(|column| Arc::clone(&column.arrays[batch])).collect();
                let options = RecordBatchOptions::new().with_row_count(Some(*rows));
                writer.write(&RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options)?)?;
            }
            writer.into_inner()
        };
        written().map_err(|error: ArrowError| Error::internal(error.to_string()))
    }

    /// Restores a table from bytes that [`Table::to_bytes`] of the same version wrote.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let unlike = || Error::invalid_argument("the bytes are not a table of this version of the library");
        let rows = ipc_rows(bytes)?;
        let schema = rows.schema();
        let facts = schema.metadata().get(KEY).and_then(|facts| serde_json::from_str(facts).ok());
        let TableFacts { columns, shown, labels, survey, plan, warnings } = facts.ok_or_else(unlike)?;
        let batches = rows.collect::<std::result::Result<Vec<RecordBatch>, _>>().map_err(|_| unlike())?;
        let declared = columns.iter().filter(|facts| facts.declared.is_some()).count();
        if columns.len() + declared != schema.fields().len() {
            return Err(unlike());
        }
        let arrays = |place: usize| -> Vec<ArrayRef> {
            let column = |batch: &RecordBatch| batch.columns().get(place).cloned();
            batches.iter().filter_map(column).collect()
        };
        let column = |(place, facts): (usize, ColumnFacts)| BaseColumn {
            field: Arc::clone(&schema.fields()[place]),
            arrays: arrays(place),
            variable: facts.variable.map(Arc::new),
            nested: facts.nested,
            json: facts.json,
            undeclared: None,
            declared: facts.declared.map(|place| {
                Arc::new(BeforeDeclaring { arrays: arrays(place), variable: facts.declared_of.map(Arc::new) })
            }),
        };
        let codes: Vec<Option<String>> = columns.iter().map(|facts| facts.not_available.clone()).collect();
        let whole = |(place, mut facts): (usize, ColumnFacts)| match facts.dictionary.take() {
            None => Some(column((place, facts))),
            Some(texts) => together(column((place, facts)), texts),
        };
        let columns = columns.into_iter().enumerate().map(whole).collect::<Option<Vec<_>>>();
        let mut columns: Vec<BaseColumn> = columns.ok_or_else(unlike)?;
        for (column, code) in columns.iter_mut().zip(codes) {
            if let Some(code) = code.and_then(|code| code.parse().ok()) {
                not_available::declare(column, code)?;
            }
        }
        let base = Base {
            columns,
            rows: batches.iter().map(RecordBatch::num_rows).collect(),
            survey,
            plan: plan.map(CodePlan::new),
            warnings,
        };
        let labels = Labels::of_name(&labels).ok_or_else(unlike)?;
        let table = Table::of(Arc::new(base)).map_err(|_| unlike())?.with_labels(labels);
        table.select(&shown).map_err(|_| unlike())
    }
}
