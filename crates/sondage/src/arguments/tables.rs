//! Options of queries and tables.

use super::{AnswerCodes, FilePath, InterviewState, LabelText, NotAvailable, Spreadsheet};
use crate::condition::Expression;
use crate::model::Timestamp;
use sondage_macros::options;
use std::time::Duration;

/// Options for reading the members of a panel.
#[options]
pub struct MembersOptions {
    /// The panel or sample.
    pub panel_id: i64,
    /// Only these fields. Naming them makes broad panels much faster.
    pub fields: Option<Vec<String>>,
    /// Only members who match this filter.
    #[wire(name = "where")]
    pub filter: Option<Expression>,
    /// Whether each member comes with its interviews.
    #[wire(default = false)]
    pub interviews: bool,
    /// Rows per page. The number of calls is limited, so large pages are better. Default: the client's
    /// `page_size`.
    pub page_size: Option<i64>,
    /// Whether a mismatch with the service's own count makes the list `Incomplete`.
    #[wire(default = true)]
    pub verify_total: bool,
    /// Whether the list is proven whole by a call of its own, whatever is known about the service: for lists that decide about people.
    #[wire(default = false)]
    pub thorough: bool,
    /// For a table: take types and labels from the panel's definition, which costs one more call.
    #[wire(default = false)]
    pub definition: bool,
    /// For a table: the language of the labels.
    pub language: Option<String>,
}

/// Options for reading the interviews of a survey.
#[options]
pub struct InterviewsOptions {
    /// The survey.
    pub survey_id: i64,
    /// The questions and columns to return, in this order. Always name them: it saves time and traffic. In a table, the code
    /// of a multiple choice or a matrix stands for its columns.
    pub fields: Option<Vec<String>>,
    /// Only interviews that match this filter.
    #[wire(name = "where")]
    pub filter: Option<Expression>,
    /// Only interviews in this state. For a state that this version does not know, filter by the column `State`.
    pub state: Option<InterviewState>,
    /// Only interviews that changed at or after this time.
    pub updated_since: Option<Timestamp>,
    /// The language of questions and labels, for example `"fr"`; it costs one more call, which reads the questionnaire. The table
    /// then knows all languages of the survey. Default: the survey's default language.
    pub language: Option<String>,
    /// Whether to download the metadata of the columns (labels, types). Set it to `false` for recurring jobs.
    #[wire(default = true)]
    pub code_plan: bool,
    /// The code by which closed questions and sliders say that a choice is not available, and open ones whose code plan has a label
    /// for it. In a table it is a missing answer; `with_missing` shows it. `None` leaves it an answer.
    #[wire(default = NotAvailable::DEFAULT)]
    pub not_available: NotAvailable,
    /// `"plain"`: questions and labels without markup, entities and superfluous blanks. `"raw"`: as in the questionnaire.
    #[wire(default = LabelText::Plain)]
    pub text: LabelText,
    /// Whether to read the structured form of the interviews instead of the compact one. The table is the
    /// same.
    #[wire(default = false)]
    pub structured: bool,
    /// Rows per page. The number of calls is limited, so large pages are better. Default: the client's
    /// `page_size`.
    pub page_size: Option<i64>,
    /// The number of the first page. Default: the number that the client has detected, or its setting.
    pub first_page: Option<i64>,
    /// The column to sort by. Default: by id, so that interviews keep their positions while pages are read.
    pub order_by: Option<String>,
    /// Whether to sort in descending order.
    #[wire(default = false)]
    pub descending: bool,
    /// Whether a mismatch with the service's own count makes the list `Incomplete`.
    #[wire(default = true)]
    pub verify_total: bool,
    /// Whether the list is proven whole by a call of its own, whatever is known about the service: for lists that decide about people.
    #[wire(default = false)]
    pub thorough: bool,
}

/// Options of an export.
#[options]
pub struct ExportOptions {
    /// The file.
    pub path: FilePath,
    /// `"parquet"`, `"csv"`, `"jsonl"`, `"xlsx"`, `"sav"` or `"dta"`. Default: derived from the file name's extension.
    pub format: Option<String>,
    /// `codes`, `labels` or `both`. Default: `codes`.
    pub labels: Option<String>,
    /// Whether to resume an earlier, interrupted export of the same query.
    #[wire(default = true)]
    pub resume: bool,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner can read
    /// it.
    #[wire(default = false)]
    pub shared: bool,
    /// CSV that a spreadsheet opens as it is: with a byte order mark, times of the table's time zone without
    /// `T` and `Z`, and a leading `'` before text that begins like a formula. The tag of a language, such as `"de"`, also sets
    /// what separates cells and decimals there, whatever the languages of the survey are. Default: all text is written unchanged.
    pub spreadsheet: Option<Spreadsheet>,
    /// What separates the cells of a CSV file: `","`, `";"`, `"|"` or a tab. Default: `","`.
    pub separator: Option<String>,
    /// The decimal sign of a CSV file: `"."` or `","`. Default: `"."`.
    pub decimal: Option<String>,
    /// Whether a CSV file begins with a byte order mark. Default: if it is for spreadsheets.
    pub bom: Option<bool>,
    /// The column that weights the rows of an SPSS file. Default: the file has no weight.
    pub weight: Option<String>,
    /// Codes that mean a missing answer, for SPSS and Stata: for all columns, or by column or question. To find them, the whole table is in
    /// memory.
    pub missing: Option<AnswerCodes>,
}

/// Options for counting answers.
#[options]
pub struct FrequenciesOptions {
    /// The column, or the code of a question of several choices, or the name of its row in a matrix.
    pub variable: String,
    /// The column of the weights. Rows in which it is missing or 0 are left out.
    pub weight: Option<String>,
    /// Whether the reasons for which answers are missing are listed behind the answers.
    #[wire(default = false)]
    pub missing: bool,
}

/// Options for counting pairs of answers.
#[options]
pub struct CrosstabOptions {
    /// The column whose answers are the rows, or the code of a question of several choices, or the name of its row in a matrix.
    pub variable: String,
    /// The column whose answers are the columns, or the code of a question of several choices, or the name of its row in a matrix.
    pub by: String,
    /// The column of the weights. Rows in which it is missing or 0 are left out.
    pub weight: Option<String>,
    /// The numbers that a text, a page or a picture shows, of `"n"`, `"weighted"`, `"row%"`, `"col%"`, `"total%"` and `"expected"`. Default: `"n"`, or with
    /// a weight `"weighted"`, and `"col%"`.
    pub show: Option<Vec<String>>,
    /// Whether the reasons for which answers are missing are categories, too.
    #[wire(default = false)]
    pub missing: bool,
}

/// Options for finding interviews that may not be worth counting.
#[options]
pub struct QualityOptions {
    /// The column of how long an interview took, in seconds. Default: the time from `StartDate` to `EndDate`.
    pub duration: Option<String>,
    /// Who was faster than this share of the median duration is marked.
    #[wire(default = 40)]
    pub speeder_percent: usize,
    /// How many rows of a matrix must have an answer for it to be examined.
    #[wire(default = 5)]
    pub matrix_rows: usize,
    /// How many characters an open answer must have to be compared with those of other interviews.
    #[wire(default = 20)]
    pub text_length: usize,
    /// Who has this share of closed questions that are not available is marked.
    #[wire(default = 50)]
    pub not_available_percent: usize,
}

/// Options for drawing a result.
#[options]
pub struct PictureOptions {
    /// The name of its struct.
    pub class: String,
    /// The result as JSON.
    pub result: String,
    /// `"text"`, `"html"` or `"svg"`; for a table, `"table"`.
    pub format: String,
}

/// Options of a codebook.
#[options]
pub struct CodebookOptions {
    /// Whether to count how often each code was answered.
    #[wire(default = false)]
    pub frequencies: bool,
    /// The column of the weights of these frequencies.
    pub weight: Option<String>,
}

/// Options for saving a table to a file.
#[options]
pub struct SaveOptions {
    /// The file.
    pub path: FilePath,
    /// `"parquet"`, `"csv"`, `"jsonl"`, `"xlsx"`, `"sav"` or `"dta"`. Default: derived from the file name's extension.
    pub format: Option<String>,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner can read
    /// it.
    #[wire(default = false)]
    pub shared: bool,
    /// CSV that a spreadsheet opens as it is: with a byte order mark, times of the table's time zone without
    /// `T` and `Z`, and a leading `'` before text that begins like a formula. The tag of a language, such as `"de"`, also sets
    /// what separates cells and decimals there, whatever the languages of the survey are. Default: all text is written unchanged.
    pub spreadsheet: Option<Spreadsheet>,
    /// What separates the cells of a CSV file: `","`, `";"`, `"|"` or a tab. Default: `","`.
    pub separator: Option<String>,
    /// The decimal sign of a CSV file: `"."` or `","`. Default: `"."`.
    pub decimal: Option<String>,
    /// Whether a CSV file begins with a byte order mark. Default: if it is for spreadsheets.
    pub bom: Option<bool>,
    /// The column that weights the rows of an SPSS file. Default: the file has no weight.
    pub weight: Option<String>,
}

/// Options of an incremental load.
#[options]
pub struct DeltaOptions {
    /// The state file, which records what was loaded. It belongs to this query alone.
    pub state: FilePath,
    /// How far before the last recorded change each load starts, because rows may be written late. Default:
    /// five minutes.
    pub overlap: Option<Duration>,
    /// Whether to find interviews that were deleted or reset as well, by reading all ids on every load.
    #[wire(default = false)]
    pub removed: bool,
    /// Whether to go on if the questionnaire has changed in a breaking way since the last load, such as a label that belongs to
    /// another code now. Otherwise that is an error which lists the changes, and nothing is loaded.
    #[wire(default = false)]
    pub evolve: bool,
}

/// Options of a sync.
#[options]
pub struct SyncOptions {
    /// The store: a file that ends in `.parquet`, with its state in its metadata, or a folder, with its state in `manifest.json`.
    pub path: FilePath,
    /// Whether columns that are new, gone or of another type change the store. Otherwise they are an error, and nothing is
    /// changed.
    #[wire(default = false)]
    pub evolve: bool,
    /// How far before the last stored change a sync starts to read, because rows may be written late. Default: five
    /// minutes.
    pub overlap: Option<Duration>,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner can read
    /// it.
    #[wire(default = false)]
    pub shared: bool,
}

/// Options of the changes for a store that a language writes itself.
#[options]
pub struct ChangeSetOptions {
    /// What the store is called in errors.
    pub store: String,
    /// The format of the rows: `"parquet"`, `"csv"` or `"jsonl"`.
    pub format: String,
    /// The state that the store has. Default: it is new.
    pub state: Option<String>,
    /// The ids of all of its rows.
    pub ids: Option<Vec<String>>,
    /// The names of all of its columns. Default: they are not checked.
    pub columns: Option<Vec<String>>,
    /// Whether columns that are new, gone or of another type change the store. Otherwise they are an error.
    #[wire(default = false)]
    pub evolve: bool,
    /// How far before the last stored change the changes start, because rows may be written late. Default: five
    /// minutes.
    pub overlap: Option<Duration>,
}

/// Options for removing the interviews of an erased person from a file that a sync keeps.
#[options]
pub struct EraseFromStoreOptions {
    /// The receipt of the erasure.
    pub receipt: FilePath,
    /// The store.
    pub path: FilePath,
    /// Whether the file gets the process's usual permissions (its umask). Otherwise only its owner can read
    /// it.
    #[wire(default = false)]
    pub shared: bool,
}

/// Options for what is removed from a store that a language writes itself.
#[options]
pub struct ErasedRowsOptions {
    /// The receipt of the erasure.
    pub receipt: FilePath,
    /// What the store is called in errors.
    pub store: String,
    /// Its state, if it has one.
    pub state: Option<String>,
    /// The ids of all of its rows.
    pub ids: Vec<String>,
}

/// Options for reading one page of a list.
#[options]
pub struct PageOptions {
    /// Its number.
    pub number: i64,
    /// Its rows.
    pub size: i64,
}

/// Options for reading rows of a table.
#[options]
pub struct RowsOptions {
    /// The index of the first row, counted from 0.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Whether each row is an object with the column names as keys, instead of a list of cells.
    pub named: bool,
}

/// Options for codes that mean a missing answer.
#[options]
pub struct MissingOptions {
    /// Such codes: for all columns, as in `-99` or `[98, 99]`, or by column or question, as in `{"income": [98, 99]}`. A range
    /// is `{"from": 96, "to": 99}`.
    pub codes: AnswerCodes,
    /// `null`: they become missing values; `code`: they stay, and are declared for files that can hold it; `reason`: they
    /// become missing values, and a column `NAME_missing` beside each question has the reason.
    pub show: Option<String>,
}
