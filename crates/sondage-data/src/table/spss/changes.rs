//! What is changed for the limits of SPSS, as warnings.

use super::{labels, names, values};
use crate::error::Warning;

/// Names of columns in a warning.
const SHOWN: usize = 20;

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The column has another name.
    Name,
    /// A list has become a text, and a column for each choice.
    List,
    /// The label of the column was cut.
    Label,
    /// Labels of values were cut.
    ValueLabel,
    /// Labels of values that became equal were numbered.
    EqualLabels,
    /// Labels whose codes are not of the column's type were left out.
    ForeignCode,
    /// Texts were cut.
    Text,
    /// A NUL was replaced.
    Nul,
    /// Integers became text.
    WideInteger,
    /// Missing codes are not declared.
    Missing,
}

const ALL: [Change; 10] = [
    Change::Name,
    Change::List,
    Change::Label,
    Change::ValueLabel,
    Change::EqualLabels,
    Change::ForeignCode,
    Change::Text,
    Change::Nul,
    Change::WideInteger,
    Change::Missing,
];

impl Change {
    /// What was done, with the number of times.
    fn told(self, count: usize) -> String {
        let [s, is, was, has] =
            if count == 1 { ["", "is", "was", "has"] } else { ["s", "are", "were", "have"] };
        match self {
            Change::Name => format!("{count} column{s} {has} another name in the file, as SPSS requires"),
            Change::List => {
                format!(
                    "{count} column{s} of lists {is} written as a text of the codes, and a column of 0 and 1 for each choice"
                )
            }
            Change::Label => {
                format!(
                    "{count} variable label{s} {was} longer than {} bytes: the question is cut",
                    labels::VARIABLE
                )
            }
            Change::ValueLabel => {
                format!("{count} value label{s} {was} longer than {} bytes and {is} cut", labels::VALUE)
            }
            Change::EqualLabels => format!("{count} cut value label{s} {has} a number, so that they differ"),
            Change::ForeignCode => {
                format!("{count} value label{s} {is} left out: no value of the column can have the code")
            }
            Change::Text => format!("{count} text{s} {was} longer than {} bytes and {is} cut", values::TEXT),
            Change::Nul => format!("{count} text{s} {has} a NUL, which is written as \u{fffd}"),
            Change::WideInteger => {
                format!("{count} column{s}: SPSS rounds integers beyond 2^53, so they are written as text")
            }
            Change::Missing => format!(
                "{count} missing code{s} cannot be declared in SPSS, which has three for a column, or a range and one, and of texts \
                 at most {} bytes; they stay values, with their labels",
                names::SHORT
            ),
        }
    }
}

/// All changes of a table.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<(Change, String, usize)>);

impl Changes {
    /// Remembers a change of a column, with the number of its labels or texts.
    pub(super) fn note(&mut self, change: Change, column: impl Into<String>, count: usize) {
        if count > 0 {
            self.0.push((change, column.into(), count));
        }
    }

    /// A warning for each kind of change.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        ALL.iter().filter_map(|&change| self.warning(change)).collect()
    }

    fn warning(&self, change: Change) -> Option<Warning> {
        let these = || self.0.iter().filter(move |(other, ..)| *other == change);
        let count: usize = these().map(|(.., count)| count).sum();
        let mut columns: Vec<&str> = Vec::new();
        for (_, column, _) in these() {
            if columns.last() != Some(&column.as_str()) {
                columns.push(column);
            }
        }
        if columns.is_empty() {
            return None;
        }
        let more = columns.len().saturating_sub(SHOWN);
        columns.truncate(SHOWN);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        Some(Warning::general(format!("{} ({}{more})", change.told(count), columns.join(", "))))
    }
}
