//! What is changed for the limits of a format, as warnings.

use super::limits::{Limits, without_nul};
use crate::error::Warning;

/// Names of columns in a warning.
const SHOWN: usize = 20;

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::export) enum Change {
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
    /// Labels of texts or fractions were left out.
    NoLabel,
    /// Texts were cut.
    Text,
    /// A NUL was replaced.
    Nul,
    /// Integers became text.
    WideInteger,
    /// Numbers became missing values.
    HugeNumber,
    /// Missing codes are not declared.
    Missing,
    /// Missing codes of texts became empty texts.
    MissingText,
    /// Rows have no weight.
    Weight,
}

const ALL: [Change; 14] = [
    Change::Name,
    Change::List,
    Change::Label,
    Change::ValueLabel,
    Change::EqualLabels,
    Change::ForeignCode,
    Change::NoLabel,
    Change::Text,
    Change::Nul,
    Change::WideInteger,
    Change::HugeNumber,
    Change::Missing,
    Change::MissingText,
    Change::Weight,
];

impl Change {
    /// What was done, with the number of times.
    fn told(self, count: usize, limits: &Limits) -> String {
        let [s, is, was, has] =
            if count == 1 { ["", "is", "was", "has"] } else { ["s", "are", "were", "have"] };
        let program = limits.program;
        match self {
            Change::Name => {
                format!("{count} column{s} {has} another name in the file, as {program} requires")
            }
            Change::List => {
                format!(
                    "{count} column{s} of lists {is} written as a text of the codes, and a column of 0 and 1 for each choice"
                )
            }
            Change::Label => {
                let (most, unit) = (limits.label, limits.unit.word());
                format!("{count} variable label{s} {was} longer than {most} {unit}: the question is cut")
            }
            Change::ValueLabel => {
                let most = limits.value_label;
                format!("{count} value label{s} {was} longer than {most} bytes and {is} cut")
            }
            Change::EqualLabels => format!("{count} cut value label{s} {has} a number, so that they differ"),
            Change::ForeignCode => {
                format!("{count} value label{s} {is} left out: no value of the column can have the code")
            }
            Change::NoLabel => {
                let most = "whole numbers of at most 32 bits";
                format!("{count} value label{s} {is} left out: {program} has them for {most} only")
            }
            Change::Text => format!("{count} text{s} {was} longer than {} bytes and {is} cut", limits.text),
            Change::Nul => format!("{count} text{s} {has} a NUL, which is written as \u{fffd}"),
            Change::WideInteger => {
                format!(
                    "{count} column{s}: {program} rounds integers beyond 2^53, so they are written as text"
                )
            }
            Change::HugeNumber => {
                format!(
                    "{count} column{s} {has} numbers beyond those of {program}, which are written as missing values"
                )
            }
            Change::Missing if limits.labels_texts => format!(
                "{count} missing code{s} cannot be declared in {program}, which has three for a column, or a range and one, and of \
                 texts at most 8 bytes; they stay values, with their labels"
            ),
            Change::Missing => format!(
                "{count} missing code{s} cannot be declared in {program}, which has 26 for a column; they stay values"
            ),
            Change::MissingText => format!(
                "{count} missing code{s} of texts {is} written as the empty text: {program} declares them of numbers only"
            ),
            Change::Weight => {
                format!("{count} row{s} {has} no weight above 0: {program} leaves them out of every count")
            }
        }
    }
}

/// All changes of a table.
#[derive(Debug)]
pub(in crate::export) struct Changes {
    limits: &'static Limits,
    noted: Vec<(Change, String, usize)>,
}

impl Changes {
    pub(in crate::export) fn new(limits: &'static Limits) -> Self {
        Changes { limits, noted: Vec::new() }
    }

    pub(super) fn limits(&self) -> &'static Limits {
        self.limits
    }

    /// Remembers a change of a column, with the number of its labels or texts.
    pub(in crate::export) fn note(&mut self, change: Change, column: impl Into<String>, count: usize) {
        if count > 0 {
            self.noted.push((change, column.into(), count));
        }
    }

    /// Replaces a NUL.
    pub(super) fn printable(&mut self, column: &str, text: &str) -> String {
        if text.contains('\0') {
            self.note(Change::Nul, column, 1);
        }
        without_nul(text)
    }

    /// A warning for each kind of change.
    pub(in crate::export) fn warnings(&self) -> Vec<Warning> {
        ALL.iter().filter_map(|&change| self.warning(change)).collect()
    }

    fn warning(&self, change: Change) -> Option<Warning> {
        let these = || self.noted.iter().filter(move |(other, ..)| *other == change);
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
        Some(Warning::general(format!("{} ({}{more})", change.told(count, self.limits), columns.join(", "))))
    }
}
