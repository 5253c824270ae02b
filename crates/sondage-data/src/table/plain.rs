//! Tables from finished columns: lists, and plans.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Field, Metadata};

use super::{Base, BaseColumn, Table};
use crate::meaning::Survey;

/// Rows per batch.
const BATCH: usize = 16_384;

impl Table {
    /// A table of columns with a name, a description, whether they hold JSON, and `rows` values each.
    pub(crate) fn plain(
        columns: impl IntoIterator<Item = (&'static str, Metadata, bool, ArrayRef)>,
        rows: usize,
    ) -> Result<Self, ArrowError> {
        let starts = || (0..rows).step_by(BATCH);
        let length = |start: usize| BATCH.min(rows - start);
        let column = |(name, metadata, json, array): (&str, Metadata, bool, ArrayRef)| BaseColumn {
            field: Arc::new(Field::new(name, array.data_type().clone(), true).with_metadata(metadata)),
            arrays: starts().map(|start| array.slice(start, length(start))).collect(),
            variable: None,
            nested: json,
            json,
            undeclared: None,
            declared: None,
        };
        let columns = columns.into_iter().map(column).collect();
        let rows = starts().map(length).collect();
        let (survey, plan, warnings) = (Survey::default(), None, Vec::new());
        Self::of(Arc::new(Base { columns, rows, survey, plan, warnings }))
    }
}
