//! Options of queries and tables.

use super::FilePath;
use crate::condition::Expression;
use crate::model::Timestamp;
use sondage_macros::options;

/// Options for reading the members of a panel.
#[options]
pub struct MembersOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// Only these fields. Naming them makes broad panels much faster.
    pub fields: Option<Vec<String>>,
    /// Only members who pass this test.
    pub r#where: Option<Expression>,
    /// Each member with its interviews.
    #[wire(default = false)]
    pub interviews: bool,
    /// Rows on a page. Calls are scarce, so large pages are better. Left out: the client's `page_size`.
    pub page_size: Option<i64>,
    /// Whether the service's own count can put the list in doubt.
    #[wire(default = true)]
    pub verify_total: bool,
    /// For a table: types and labels from the definition of the panel, by one more call.
    #[wire(default = false)]
    pub definition: bool,
    /// For a table: in which language the labels are.
    pub language: Option<String>,
}

/// Options for reading the interviews of a survey.
#[options]
pub struct InterviewsOptions {
    /// The survey.
    pub survey_id: i64,
    /// The questions and columns to return. Should always be given: it saves time and volume.
    pub fields: Option<Vec<String>>,
    /// Only interviews that pass this test.
    pub r#where: Option<Expression>,
    /// Only interviews in this state, for example `Completed`.
    pub state: Option<String>,
    /// Only interviews that changed at this time or later.
    pub updated_since: Option<Timestamp>,
    /// Whether to download what the columns mean. For recurring jobs: `false`.
    #[wire(default = true)]
    pub code_plan: bool,
    /// Reads the structured form instead of the compact one. The table is the same.
    #[wire(default = false)]
    pub structured: bool,
    /// Rows on a page. Calls are scarce, so large pages are better. Left out: the client's `page_size`.
    pub page_size: Option<i64>,
    /// The number of the first page. Left out: what the client has found out, or its setting.
    pub first_page: Option<i64>,
    /// In the order of this column. Left out: in the order of the ids, in which interviews keep their places.
    pub order_by: Option<String>,
    /// Whether that order is a descending one.
    #[wire(default = false)]
    pub descending: bool,
    /// Whether the service's own count can put the list in doubt.
    #[wire(default = true)]
    pub verify_total: bool,
}

/// Options of an export.
#[options]
pub struct ExportOptions {
    /// The file.
    pub path: FilePath,
    /// `parquet`, `csv` or `jsonl`. Left out: what the end of its name says.
    pub format: Option<String>,
    /// `codes`, `labels` or `both`. Left out: codes.
    pub labels: Option<String>,
    /// Whether to resume an earlier, interrupted export of the same query.
    #[wire(default = true)]
    pub resume: bool,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner may read it.
    #[wire(default = false)]
    pub shared: bool,
    /// CSV for a spreadsheet: a text that begins like a formula gets a `'` in front. Otherwise every text is as it was typed.
    #[wire(default = false)]
    pub spreadsheet: bool,
}

/// Options for saving a table to a file.
#[options]
pub struct SaveOptions {
    /// The file.
    pub path: FilePath,
    /// `parquet`, `csv` or `jsonl`. Left out: what the end of its name says.
    pub format: Option<String>,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner may read it.
    #[wire(default = false)]
    pub shared: bool,
    /// CSV for a spreadsheet: a text that begins like a formula gets a `'` in front. Otherwise every text is as it was typed.
    #[wire(default = false)]
    pub spreadsheet: bool,
}

/// Options of an incremental load.
#[options]
pub struct DeltaOptions {
    /// The file that remembers what was loaded. It belongs to this query.
    pub state: FilePath,
    /// How long before the last change a load begins, because rows may be written late. Left out: five minutes.
    pub overlap: Option<f64>,
    /// Also finds interviews that were deleted or reset, by reading all ids, each time.
    #[wire(default = false)]
    pub removed: bool,
}

/// Which page of a list.
#[options]
pub struct PageOptions {
    /// Its number.
    pub number: i64,
    /// Its rows.
    pub size: i64,
}

/// Which rows of a table, and how.
#[options]
pub struct RowsOptions {
    /// The first of them, counted from 0.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Whether the cells of a row stand beside the names of their columns.
    pub named: bool,
}
