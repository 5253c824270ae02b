//! How the answers of two questions go together.

use super::ColumnCode;
use serde::Deserialize;
use sondage_macros::{report, words};

/// The numbers of a crosstab that can be shown, each with the field of [`CrosstabCell`] that has it.
pub const CROSSTAB_MEASURES: [(&str, &str); 6] = [
    ("n", "n"),
    ("weighted", "weighted_n"),
    ("row%", "row_percent"),
    ("col%", "column_percent"),
    ("total%", "total_percent"),
    ("expected", "expected"),
];

/// How often each pair of answers to two questions was given.
///
/// Only rows with an answer to both questions count, unless missing answers are wanted: then these are categories, too. Choices of a
/// question of several choices do not add up to 100 %: every percentage is one of respondents. With a weight, percentages are those of the
/// weights, and rows whose weight is missing or 0 are left out of everything but `without_weight`.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Crosstab {
    /// The name of the column whose answers are the rows, or the code of the question.
    pub variable: String,
    /// The text of its question, with that of the row of a matrix and of the choice.
    pub label: Option<String>,
    /// The name of the column whose answers are the columns, or the code of the question.
    pub by: String,
    /// The text of its question, with that of the row of a matrix and of the choice.
    pub by_label: Option<String>,
    /// The column of the weights.
    pub weight: Option<String>,
    /// The numbers that a text, a page or a picture shows, of `"n"`, `"weighted"`, `"row%"`, `"col%"`, `"total%"` and `"expected"`.
    pub show: Vec<String>,
    /// Whether respondents can be in several rows.
    pub several_rows: bool,
    /// Whether respondents can be in several columns.
    pub several_columns: bool,
    /// How many rows of the table were read.
    pub rows: u64,
    /// The base: how many of them count.
    pub base: u64,
    /// The weights of the base.
    pub weighted_base: Option<f64>,
    /// The effective base (Kish): the squared sum of the weights by the sum of their squares. Without a weight, the base.
    pub effective_base: f64,
    /// The rows that were left out because their weight is missing or 0.
    pub without_weight: u64,
    /// The rows that were left out because an answer is missing.
    pub without_answer: u64,
    /// The answers to the first question in the order of the questionnaire, with the margin of each.
    pub row_categories: Vec<CrosstabCategory>,
    /// The answers to the second question.
    pub column_categories: Vec<CrosstabCategory>,
    /// A cell for each pair, row by row.
    pub cells: Vec<CrosstabCell>,
    /// The test of independence. `None` for several choices, and for fewer than two answers to a question.
    pub test: Option<IndependenceTest>,
    /// What to consider before the numbers are used, such as small cells; of a query, then the warnings about the downloaded data, which a
    /// table has itself.
    pub warnings: Vec<String>,
}

/// An answer of a crosstab, with its margin.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CrosstabCategory {
    /// The code of the answer, in the type of the column; for several choices the name of the column.
    pub code: Option<ColumnCode>,
    /// The label of the answer, or the code if it has none.
    pub label: String,
    /// Whether it is a reason for which an answer is missing.
    pub missing: bool,
    /// How many rows of the base have it.
    pub n: u64,
    /// Their weights.
    pub weighted_n: Option<f64>,
    /// Their share of the base, from 0 to 100.
    pub percent: Option<f64>,
    /// Their effective base.
    pub effective_base: f64,
}

/// How often a pair of answers was given.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CrosstabCell {
    /// The number of its row, counted from 0.
    pub row: usize,
    /// The number of its column, counted from 0.
    pub column: usize,
    /// How many rows of the base have both answers.
    pub n: u64,
    /// Their weights.
    pub weighted_n: Option<f64>,
    /// Their share of the row, from 0 to 100. `None` if the row is empty.
    pub row_percent: Option<f64>,
    /// Their share of the column, from 0 to 100. `None` if the column is empty.
    pub column_percent: Option<f64>,
    /// Their share of the base, from 0 to 100.
    pub total_percent: Option<f64>,
    /// How many there would be if the questions were independent, in the unit of `n`. `None` where nothing is tested.
    pub expected: Option<f64>,
}

/// A chi-square test of whether two questions are independent.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct IndependenceTest {
    /// How it was computed.
    pub method: IndependenceMethod,
    /// Pearson's chi-square. With a weight: that of the weights, scaled so that their mean is 1.
    pub chi_square: f64,
    /// The degrees of freedom of chi-square.
    pub df: u64,
    /// The probability of such a chi-square or a larger one if the questions are independent. With a weight, from the F distribution of Rao and
    /// Scott's second-order correction, as R's `survey::svychisq` has it. `None` if that cannot be computed.
    pub p: Option<f64>,
    /// Cramér's V, from 0 (independent) to 1.
    pub cramers_v: f64,
    /// How many cells have an expected count below 5.
    pub small_cells: u64,
}

/// How a test of independence was computed.
#[words]
#[non_exhaustive]
pub enum IndependenceMethod {
    /// From counts.
    Pearson,
    /// From weights.
    RaoScott,
}
