//! How often each answer was given.

use super::{ReportStyle, ReportType, ReportValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sondage_macros::{report, words};

/// How often each answer of a question was given.
///
/// With a weight, `weighted_n` is the sum of the weights, and percentages are those of the weights. Rows whose weight is missing or 0 are left
/// out of everything but `without_weight`.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Frequencies {
    /// The name of the column, or the code of the question.
    pub variable: String,
    /// The text of the question, with that of the row of a matrix and of the choice.
    pub label: Option<String>,
    /// Choices, several choices, numbers, or texts.
    pub kind: FrequencyKind,
    /// The column of the weights.
    pub weight: Option<String>,
    /// How many rows were counted.
    pub rows: u64,
    /// How many of them have an answer. The question was asked, for several choices.
    pub answered: u64,
    /// The weights of `rows`.
    pub weighted_rows: Option<f64>,
    /// The weights of `answered`.
    pub weighted_answered: Option<f64>,
    /// The rows that were left out because their weight is missing or 0.
    pub without_weight: u64,
    /// The answers in the order of the questionnaire, also those that nobody gave; then, if they are wanted, the reasons for which an
    /// answer is missing. Numbers have these reasons alone, open answers have none.
    pub categories: Vec<Frequency>,
    /// The distribution of numbers.
    pub summary: Option<NumberSummary>,
    /// Of a query: the warnings about the downloaded data, which a table has itself.
    pub warnings: Vec<String>,
}

/// How often one answer was given.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Frequency {
    /// The code of the answer, in the type of the column, as `values` has it; for several choices the name of the column. `None` if a
    /// missing answer has none.
    pub code: Option<ColumnCode>,
    /// The label of the answer, or the code if it has none.
    pub label: String,
    /// Whether it is a reason for which an answer is missing.
    pub missing: bool,
    /// How many rows have it.
    pub n: u64,
    /// Their weights.
    pub weighted_n: Option<f64>,
    /// Their share of all rows, from 0 to 100.
    pub percent: f64,
    /// Their share of the rows with an answer, from 0 to 100. `None` where there are none, and for missing answers.
    pub valid_percent: Option<f64>,
    /// The sum of `valid_percent` down to here, from 0 to 100. `None` for several choices.
    pub cumulative_percent: Option<f64>,
    /// The share of all chosen answers, from 0 to 100, for several choices.
    pub percent_of_answers: Option<f64>,
}

/// The distribution of numbers.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NumberSummary {
    /// The mean.
    #[serde(deserialize_with = "number")]
    pub mean: f64,
    /// The standard deviation of the sample: divided by n - 1, or by the sum of the weights - 1. `None` for a single answer.
    pub deviation: Option<f64>,
    /// The smallest number.
    #[serde(deserialize_with = "number")]
    pub min: f64,
    /// The quartile below which a quarter of the numbers is. Quartiles are interpolated; with a weight, they are the smallest numbers up to
    /// which a quarter, a half and three quarters of the weights are.
    #[serde(deserialize_with = "number")]
    pub q1: f64,
    /// The median.
    #[serde(deserialize_with = "number")]
    pub median: f64,
    /// The quartile below which three quarters of the numbers are.
    #[serde(deserialize_with = "number")]
    pub q3: f64,
    /// The largest number.
    #[serde(deserialize_with = "number")]
    pub max: f64,
    /// Of whole numbers: a class for each from the smallest to the largest if these are at most 20, otherwise at most ten classes of equally
    /// many whole numbers. Of other numbers: ten classes of equal width; one if all are equal.
    pub histogram: Vec<HistogramClass>,
}

/// A class of a histogram.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct HistogramClass {
    /// The lower end, which belongs to the class.
    #[serde(deserialize_with = "number")]
    pub lower: f64,
    /// The upper end: of whole numbers the last that belongs to the class; otherwise it belongs to the last class only.
    #[serde(deserialize_with = "number")]
    pub upper: f64,
    /// How many numbers are in it.
    pub n: u64,
    /// Their weights.
    pub weighted_n: Option<f64>,
}

/// A number, or the null that JSON has for one that is infinite.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// A code, in the type of its column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ColumnCode {
    /// Of a column of integers.
    Integer(i64),
    /// Of a column of other numbers.
    Real(f64),
    /// A code of a column of texts, or one that is no number although its column is one of numbers.
    Text(String),
}

impl ReportValue for ColumnCode {
    const TYPE: &'static ReportType = &ReportType::Code;

    fn serialize_styled<S: Serializer>(&self, _: &ReportStyle, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// What kind of answers was counted.
#[words]
#[non_exhaustive]
pub enum FrequencyKind {
    /// One of several answers.
    Single,
    /// Any of several choices.
    Multiple,
    /// Numbers.
    Number,
    /// Texts, times and other values, which are only counted.
    Open,
}
