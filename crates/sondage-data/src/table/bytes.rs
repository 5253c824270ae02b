//! A table as bytes, for another process: its codes as an Arrow stream, and everything else in the metadata
//! of the schema.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, FieldRef, Metadata, Schema};
use serde::{Deserialize, Serialize};
use sondage::{Error, Result};

use super::{Base, BaseColumn, Labels, Table};
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
}

impl Table {
    /// The table as bytes, with codes, labels and warnings. [`Table::from_bytes`] restores it.
    ///
    /// They are an Arrow IPC stream of the columns of this view, as codes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let columns = self.base_columns();
        let column = |column: &&BaseColumn| ColumnFacts {
            variable: column.variable.as_deref().cloned(),
            nested: column.nested,
            json: column.json,
        };
        let facts = TableFacts {
            columns: columns.iter().map(column).collect(),
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
        if columns.len() != schema.fields().len() {
            return Err(unlike());
        }
        let column = |(place, facts): (usize, ColumnFacts)| BaseColumn {
            field: Arc::clone(&schema.fields()[place]),
            arrays: batches.iter().map(|batch| Arc::clone(batch.column(place))).collect(),
            variable: facts.variable.map(Arc::new),
            nested: facts.nested,
            json: facts.json,
        };
        let base = Base {
            columns: columns.into_iter().enumerate().map(column).collect(),
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
