//! Updates members from Arrow tables; and the planned changes as a table.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatchReader, StringArray};
use sondage::model::FieldValue;
use sondage::{Error, Result};
use sondage_jobs::{Change, Rows, Update, UpdatePlan};

use crate::create::{add_lines, rows_format, source};
use crate::error::unexpected;
use crate::import::LINE;
use crate::table::{Table, metadata};

/// Plans updates from tables of any Arrow producer.
pub trait PlanFrom {
    /// Plans updates from the rows of an Arrow table, or of a CSV file by [`csv_rows`](crate::csv_rows), like
    /// [`Update::plan`].
    fn plan_from(
        self,
        rows: impl RecordBatchReader + Send,
    ) -> impl Future<Output = Result<UpdatePlan>> + Send;
}

impl PlanFrom for Update {
    fn plan_from(
        self,
        rows: impl RecordBatchReader + Send,
    ) -> impl Future<Output = Result<UpdatePlan>> + Send {
        // The rows are read completely before the first call, so that the reader is not held during calls.
        let rows = rows_of(rows, |name| self.takes(name));
        async move { self.plan(rows?).await }
    }
}

/// The rows of the relevant columns. A column of a type that members cannot have is an error.
fn rows_of(reader: impl RecordBatchReader, counts: impl Fn(&str) -> bool) -> Result<Rows> {
    let schema = reader.schema();
    let column_indices: Vec<usize> =
        (0..schema.fields().len()).filter(|place| counts(schema.field(*place).name())).collect();
    for field in column_indices.iter().map(|place| schema.field(*place)) {
        if !source::is_known(field.data_type()) {
            let (name, kind) = (field.name(), field.data_type());
            let what = format!("the column {name:?} has the type {kind}, which members cannot have");
            return Err(Error::invalid_argument(what));
        }
    }
    let mut rows = Rows::new(column_indices.iter().map(|place| schema.field(*place).name()));
    let mut format = rows_format(&schema);
    for batch in reader {
        let batch = source::checked(batch).map_err(Error::invalid_argument)?;
        add_lines(&mut format, &batch);
        let columns: Vec<&ArrayRef> = column_indices.iter().map(|place| batch.column(*place)).collect();
        for row in 0..batch.num_rows() {
            rows.push(columns.iter().map(|array| value(array, row)).collect::<Result<_>>()?);
        }
    }
    Ok(rows.in_format(format))
}

fn value(array: &ArrayRef, row: usize) -> Result<FieldValue> {
    if source::is_null(array, row) {
        return Ok(FieldValue::Null);
    }
    let mut json = Vec::new();
    let written = source::write(array, row, &mut json);
    let value = written.then(|| serde_json::from_slice(&json).ok()).flatten();
    value.ok_or_else(|| {
        Error::invalid_argument("a number that is not finite, or a time out of range, cannot be sent")
    })
}

/// The planned changes as a table: the columns `row`, `line`, `member`, `field`, `old` and `new`. All values are written as text;
/// an empty value is null.
pub fn changes(plan: &UpdatePlan) -> Result<Table> {
    let changes = &plan.changes;
    let row = |row: usize| i64::try_from(row).unwrap_or(i64::MAX);
    let rows: Int64Array = changes.iter().map(|change| Some(row(change.row))).collect();
    let line = |change: &Change| change.line.and_then(|line| i64::try_from(line).ok());
    let lines: Int64Array = changes.iter().map(line).collect();
    let members: Int64Array = changes.iter().map(|change| Some(change.member)).collect();
    let fields: StringArray = changes.iter().map(|change| Some(&change.field)).collect();
    let old: StringArray = changes.iter().map(|change| shown(&change.old)).collect();
    let new: StringArray = changes.iter().map(|change| shown(&change.new)).collect();
    let columns: [(&str, &str, ArrayRef); 6] = [
        ("row", "The row, counted from 0.", Arc::new(rows)),
        ("line", LINE, Arc::new(lines)),
        ("member", "Number of the member.", Arc::new(members)),
        ("field", "Name of the field.", Arc::new(fields)),
        ("old", "The value that the member has.", Arc::new(old)),
        ("new", "The value that it would get.", Arc::new(new)),
    ];
    let columns =
        columns.into_iter().map(|(name, what, array)| (name, metadata::of_list(what, false), false, array));
    Table::plain(columns, changes.len()).map_err(|error| unexpected(&error))
}

fn shown(value: &FieldValue) -> Option<String> {
    match value {
        FieldValue::Null => None,
        FieldValue::Text(text) => Some(text.clone()),
        other => serde_json::to_string(other).ok(),
    }
}
