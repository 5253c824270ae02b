//! How the questions of two waves differ.

use serde::Deserialize;
use sondage_macros::report;

/// How the questions of one table differ from those of a later one.
///
/// A change is breaking if numbers of the two must not be compared or stacked before somebody has looked at it.
#[report]
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Comparison {
    /// What has changed, the most severe first.
    pub changes: Vec<WaveChange>,
    /// How many columns are the same in both.
    pub identical: u64,
    /// How many changes are breaking.
    pub breaking: u64,
    /// What could not be compared, in sentences.
    pub notes: Vec<String>,
}

/// A difference between two waves.
#[report]
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct WaveChange {
    /// `"breaking"`, `"notable"` or `"minor"`.
    pub severity: String,
    /// `"label_moved"`, `"type_changed"`, `"range_changed"`, `"code_gone"`, `"code_new"`, `"label_changed"`, `"text_changed"`,
    /// `"codes_reordered"`, `"reordered"`, `"question_gone"`, `"question_new"` or `"question_renamed"`, which is a proposal by the
    /// likeness of two texts.
    pub kind: String,
    /// The column.
    pub column: String,
    /// The code that it concerns, if it is one.
    pub code: Option<String>,
    /// What it was.
    pub before: Option<String>,
    /// What it is now.
    pub after: Option<String>,
}
