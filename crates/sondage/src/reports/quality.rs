//! Interviews that may not be worth counting.

use serde::Deserialize;
use sondage_macros::report;

/// Interviews that may not be worth counting, and where interviews were broken off.
///
/// Each check has a threshold, and says how many interviews it could examine: a survey without matrices has no straight-lining. A check
/// that marks an interview is a reason to look at it, not to delete it.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Quality {
    /// How many rows were read.
    pub rows: u64,
    /// How many of them are complete, and were examined. All, if the table has no column `State`.
    pub complete: u64,
    /// The checks.
    pub checks: Vec<QualityCheck>,
    /// The interviews that a check has marked: those with the most checks first.
    pub interviews: Vec<MarkedInterview>,
    /// For interviews that were begun and not completed: the last question with an answer, in the order of the table's columns.
    pub drop_out: Vec<DropOut>,
    /// How many interviews were begun and not completed.
    pub broken_off: u64,
    /// Of a query: the warnings about the downloaded data, which a table has itself.
    pub warnings: Vec<String>,
}

/// One way to find interviews that may not be worth counting.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct QualityCheck {
    /// Its name: `"speeding"`, `"straight_lining"`, `"duplicate_text"` or `"not_available"`.
    pub name: String,
    /// What it marks, with its threshold.
    pub rule: String,
    /// How many interviews it could examine.
    pub examined: u64,
    /// How many it has marked.
    pub marked: u64,
}

/// An interview that a check has marked.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MarkedInterview {
    /// The row, counted from 0.
    pub row: u64,
    /// The id of the interview, if the table has the column `Id`.
    pub id: Option<String>,
    /// The names of the checks that have marked it.
    pub checks: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: Option<f64>,
    /// How many matrices have one answer throughout.
    pub straight_lines: u64,
    /// How many open answers another interview has, too.
    pub duplicate_texts: u64,
    /// The share of its questions that are not available, from 0 to 100.
    pub not_available_percent: Option<f64>,
}

/// How many interviews were broken off behind a question.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DropOut {
    /// The column of the last answer; nothing if there is none.
    pub column: Option<String>,
    /// The text of its question.
    pub label: Option<String>,
    /// How many interviews.
    pub n: u64,
    /// Their share of the interviews that were broken off, from 0 to 100.
    pub percent: f64,
}
