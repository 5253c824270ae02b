//! Interviews and members of [`sondage`] as Arrow tables, with their labels.
//!
//! Responses are decoded straight into columns: a [`PageDecoder`] reads one response while it arrives, a [`TableBuilder`]
//! combines pages, and a [`Table`] is the result. Types and labels come from the [`CodePlan`] of the survey or from the
//! definition of the panel; data that differ from it are kept without loss, with a [`Warning`].
//!
//! Missing values and `null` are null; empty text is text. No digit of a number is lost: an integer that does not fit an
//! `i64`, a decimal that does not fit an `f64`, and a column that mixes numbers and text become text.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]

// Tests inside the crate share the support module of the integration tests.
#[cfg(test)]
extern crate self as sondage_data;
#[cfg(test)]
#[path = "../tests/it/support/mod.rs"]
mod support;

#[cfg(feature = "blocking")]
pub mod blocking;
mod column;
mod create;
mod debug;
mod decode;
mod delta;
mod error;
mod export;
mod guard;
mod import;
mod list;
mod meaning;
mod methods;
mod options;
mod picture;
mod place;
mod query;
mod shortened;
mod spool;
mod sync;
mod table;
mod update;

pub use column::row_id::RowId;
pub use create::{CreateFrom, Csv, csv_rows, csv_rows_as, ipc_rows, object_rows};
#[cfg(feature = "xlsx")]
pub use create::{file_rows, workbook_rows, workbook_rows_as};
pub use decode::page::{Page, PageDecoder, PayloadLayout};
pub use delta::{Delta, DeltaLoad, Removed};
pub use error::{DecodeError, Warning};
pub use export::{Export, ExportReport, FileFormat, FileOptions, SavedFile};
pub use import::{import_table, row_stream};
pub use list::{List, Names};
pub use meaning::{CodePlan, CountedQuestion, Survey, ValueLabel, Variable, VariableTexts};
pub use options::{Query, member_list};
pub use picture::{
    Comparison, Grid, GridColumn, GridRow, NumberGroup, NumberGroups, Picture, PictureFormat, draw, table_of,
};
pub use query::{Batches, Estimate, Interviews, Members, Reading, Tables};
pub use sondage::reports::ColumnCode;
pub use sync::{
    ChangeSet, ChangesFile, Destination, ParquetFile, ParquetFolder, StoreChange, StoreSync,
    erase_from_store, erased_rows, store_at,
};
#[doc(hidden)] // for sondage-mcp
pub use table::answers::{Answers, Category, Value};
pub use table::{
    Codebook, CodebookColumn, ColumnMeanings, Crosswalk, Labels, MissingShown, NoSuchColumn, NoSuchTimeZone,
    Table, TableBuilder, ValueLabels, metadata,
};
pub use update::{PlanFrom, changes};

/// The example programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
