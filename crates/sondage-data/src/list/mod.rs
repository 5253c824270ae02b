//! Any paged list of the API as a table: bounces, opt-outs, surveys, distributors.
//!
//! A column for each field of the row's model, in its order and of its type. Nested values (lists, maps, models) become a
//! text column that holds JSON, marked `sondage.format = json`. The columns do not depend on the data, with one exception:
//! fields that this version does not know are a JSON object in the column `extra`, which exists only if there are any. A
//! link that gives access to something is a secret, and has no column: read it from the row as an object.

mod column;

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use sondage::internals::schema::{FieldSchema, ModelSchema, Type};
use sondage::operation::{Operation, Paged};
use sondage::paging::Pages;
use sondage::{Error, Result};

use crate::error::unexpected;
use crate::table::{Table, metadata};
use column::{ListColumn, ListColumnKind};

/// The column of fields that this version does not know.
const EXTRA: &str = "extra";

/// The spelling of column names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Names {
    /// Names as in the models of Rust and Python: `bounce_type`.
    #[default]
    Snake,
    /// Names as in the service's JSON: `bounceType`.
    Wire,
}

impl Names {
    fn of(self, field: &FieldSchema) -> &'static str {
        match self {
            Names::Snake => field.name,
            Names::Wire => field.wire,
        }
    }
}

/// Makes a table of a list: complete, or an error.
#[derive(Clone)]
pub struct List<O: Paged> {
    pages: Pages<O>,
    names: Names,
}

impl<O: Paged> List<O> {
    pub(crate) fn new(pages: Pages<O>) -> Self {
        List { pages, names: Names::default() }
    }

    /// Sets the spelling of column names. Default: that of the models in Rust.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// All rows as a table.
    pub async fn table(self) -> Result<Table> {
        let mut columns = ListColumns::of(row_of::<O>()?, self.names);
        let mut pages = self.pages.pager()?;
        pages.fetch_ahead();
        while let Some(page) = pages.next().await? {
            for row in &page {
                columns.push(row)?;
            }
        }
        columns.table()
    }
}

/// The model of a row.
fn row_of<O: Operation>() -> Result<&'static ModelSchema> {
    let pages = O::INFO.pages.unwrap_or_default();
    let list = O::INFO.response.fields.iter().find(|field| field.name == pages).map(|field| field.ty);
    match list {
        Some(Type::List(Type::Model(schema))) => Ok(schema()),
        // Compact interviews: their columns depend on the survey.
        _ => Err(Error::invalid_argument("the rows of this list have no fields of their own")
            .in_operation(O::INFO.name)
            .with_hint("Make a table of interviews with `interviews`: it knows the questions.")),
    }
}

struct ListColumns {
    known: Vec<(&'static FieldSchema, ListColumn)>,
    /// Fields without a column, by their names on the wire.
    hidden: Vec<&'static str>,
    extra: ListColumn,
    any_extra: bool,
    rows: usize,
    names: Names,
}

impl ListColumns {
    fn of(row: &'static ModelSchema, names: Names) -> Self {
        let column = |field: &'static FieldSchema| {
            ListColumnKind::of(field.ty).map(|kind| (field, ListColumn::new(kind)))
        };
        let known_columns = row.fields.iter().filter_map(column).collect();
        let hidden =
            row.fields.iter().filter(|field| ListColumnKind::of(field.ty).is_none()).map(|field| field.wire);
        ListColumns {
            known: known_columns,
            hidden: hidden.collect(),
            extra: ListColumn::new(ListColumnKind::Json),
            any_extra: false,
            rows: 0,
            names,
        }
    }

    fn push(&mut self, row: &impl serde::Serialize) -> Result<()> {
        // Converted through JSON, so that no digit of a nested number is lost.
        let json = serde_json::to_string(row).map_err(|error| unexpected(&error))?;
        // A name with an escape cannot be borrowed.
        let mut values: IndexMap<Cow<'_, str>, &RawValue> =
            serde_json::from_str(&json).map_err(|error| unexpected(&error))?;
        for (field, column) in &mut self.known {
            column.push(values.shift_remove(field.wire)).map_err(|error| unexpected(&error))?;
        }
        values.retain(|name, _| !self.hidden.contains(&&**name));
        self.any_extra |= !values.is_empty();
        let extra = (!values.is_empty()).then(|| serde_json::value::to_raw_value(&values)).transpose();
        self.extra
            .push(extra.map_err(|error| unexpected(&error))?.as_deref())
            .map_err(|error| unexpected(&error))?;
        self.rows += 1;
        Ok(())
    }

    fn table(self) -> Result<Table> {
        let names = self.names;
        let mut columns: Vec<_> = self
            .known
            .into_iter()
            .map(|(field, column)| {
                let metadata = metadata::of_list(field.docs.trim(), column.is_json());
                (names.of(field), metadata, column)
            })
            .collect();
        if self.any_extra {
            let what = "Fields that this version does not know, as they came.";
            columns.push((EXTRA, metadata::of_list(what, true), self.extra));
        }
        let columns = columns.into_iter().map(|(name, metadata, column)| {
            let json = column.is_json();
            (name, metadata, json, column.finish())
        });
        Table::plain(columns, self.rows).map_err(|error| unexpected(&error))
    }
}
