//! Interviews that may not be worth counting.

mod answers;

use std::borrow::Cow;
use std::collections::HashMap;

use arrow_array::Array;
use indexmap::IndexMap;
use sondage::arguments::QualityOptions;
use sondage::reports::{DropOut, MarkedInterview, Quality, QualityCheck};
use sondage::{Error, Result};

use super::labels::answer;
use super::{BaseColumn, Table};
use answers::Questions;

const SPEEDING: &str = "speeding";
const STRAIGHT_LINING: &str = "straight_lining";
const DUPLICATE_TEXT: &str = "duplicate_text";
const NOT_AVAILABLE: &str = "not_available";

/// What is known of one interview.
struct Examined {
    row: u64,
    id: Option<String>,
    seconds: Option<f64>,
    /// Matrices with enough answers, and those with one answer throughout.
    matrices: u64,
    straight_lines: u64,
    /// The digests of its open answers.
    texts: Vec<u64>,
    /// Questions that could be not available, and those that are.
    closed: u64,
    not_available: u64,
}

impl Table {
    /// Marks interviews that may not be worth counting; see [`Quality`]. Only complete interviews are examined.
    pub fn quality(&self, options: &QualityOptions) -> Result<Quality> {
        check(options)?;
        let own_columns = self.counted_columns()?;
        let columns: Vec<&BaseColumn> = own_columns.iter().map(Cow::as_ref).collect();
        let questions = Questions::of(&columns, options)?;
        let (mut examined, mut rows, mut broken_off) = (Vec::new(), 0, 0);
        let mut last_answers: IndexMap<Option<usize>, u64> = IndexMap::new();
        for (batch, length) in self.base.rows.iter().enumerate() {
            for row in 0..*length {
                let number = rows;
                rows += 1;
                match questions.state(batch, row).as_deref() {
                    None | Some("Completed") => examined.push(questions.examine(batch, row, number, options)),
                    Some("InProgress") => {
                        broken_off += 1;
                        *last_answers.entry(questions.last_answer(batch, row)).or_default() += 1;
                    }
                    Some(_) => {}
                }
            }
        }
        let (checks, interviews) = marked(&examined, options);
        Ok(Quality {
            rows,
            complete: examined.len() as u64,
            checks,
            interviews,
            drop_out: questions.drop_out(last_answers, broken_off),
            broken_off,
            warnings: Vec::new(),
        })
    }
}

/// Refuses thresholds that would mark nobody or everybody.
fn check(options: &QualityOptions) -> Result<()> {
    let refused = |name: &str, why: &str| Err(Error::invalid_argument(format!("{name}: {why}")));
    match options {
        QualityOptions { speeder_percent: 100.., .. } => refused(
            "speeder_percent",
            "it must be less than 100, because half of all are faster than the median",
        ),
        QualityOptions { matrix_rows: 0..=1, .. } => refused("matrix_rows", "it must be 2 or more"),
        QualityOptions { text_length: 0, .. } => refused("text_length", "it must be 1 or more"),
        QualityOptions { not_available_percent: 0 | 101.., .. } => {
            refused("not_available_percent", "it must be from 1 to 100")
        }
        _ => Ok(()),
    }
}

#[allow(clippy::cast_precision_loss)] // fewer than 2^53
fn marked(examined: &[Examined], options: &QualityOptions) -> (Vec<QualityCheck>, Vec<MarkedInterview>) {
    let mut durations: Vec<f64> = examined.iter().filter_map(|one| one.seconds).collect();
    durations.sort_by(f64::total_cmp);
    let median = median(&durations);
    let fastest = median.map(|median| median * options.speeder_percent as f64 / 100.0);
    let mut texts: HashMap<u64, u64> = HashMap::new();
    // One interview with the same text in two questions is no duplicate of another.
    for one in examined {
        let mut own = one.texts.clone();
        own.sort_unstable();
        own.dedup();
        for text in own {
            *texts.entry(text).or_default() += 1;
        }
    }
    let mut checks = [
        (SPEEDING, rule_of_speeding(options, median)),
        (
            STRAIGHT_LINING,
            format!("every matrix with {} answers or more has one answer throughout", options.matrix_rows),
        ),
        (
            DUPLICATE_TEXT,
            format!(
                "an open answer of {} characters or more that another interview has, too",
                options.text_length
            ),
        ),
        (
            NOT_AVAILABLE,
            format!("{} % or more of the closed questions are not available", options.not_available_percent),
        ),
    ]
    .map(|(name, rule)| QualityCheck { name: name.to_owned(), rule, examined: 0, marked: 0 });
    let mut interviews = Vec::new();
    for one in examined {
        let duplicates =
            one.texts.iter().filter(|text| texts.get(text).is_some_and(|count| *count > 1)).count();
        let share = (one.closed > 0).then(|| one.not_available as f64 / one.closed as f64 * 100.0);
        let found = [
            one.seconds.map(|seconds| fastest.is_some_and(|fastest| seconds < fastest)),
            (one.matrices > 0).then_some(one.straight_lines == one.matrices),
            (!one.texts.is_empty()).then_some(duplicates > 0),
            share.map(|share| share >= options.not_available_percent as f64),
        ];
        let mut names = Vec::new();
        for (check, is_marked) in checks.iter_mut().zip(found) {
            check.examined += u64::from(is_marked.is_some());
            if is_marked == Some(true) {
                check.marked += 1;
                names.push(check.name.clone());
            }
        }
        if !names.is_empty() {
            interviews.push(MarkedInterview {
                row: one.row,
                id: one.id.clone(),
                checks: names,
                seconds: one.seconds,
                straight_lines: one.straight_lines,
                duplicate_texts: duplicates as u64,
                not_available_percent: share,
            });
        }
    }
    interviews.sort_by_key(|one| (std::cmp::Reverse(one.checks.len()), one.row));
    (checks.into(), interviews)
}

fn rule_of_speeding(options: &QualityOptions, median: Option<f64>) -> String {
    let of = median.map_or_else(String::new, |median| format!(" of {median:.0} s"));
    format!("faster than {} % of the median duration{of}", options.speeder_percent)
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let above = *sorted.get(middle)?;
    Some(if sorted.len() % 2 == 1 { above } else { f64::midpoint(sorted[middle - 1], above) })
}

/// A column of an interview as text.
fn text(column: &BaseColumn, batch: usize, row: usize) -> Option<String> {
    answer(column.arrays.get(batch)?.as_ref(), row)
}

/// Whether a column has an answer.
fn is_answered(column: &BaseColumn, batch: usize, row: usize) -> bool {
    column
        .arrays
        .get(batch)
        .is_some_and(|array| *array.data_type() != arrow_schema::DataType::Null && array.is_valid(row))
}

impl Questions<'_> {
    /// Where interviews were broken off, in the order of the columns.
    #[allow(clippy::cast_precision_loss)]
    fn drop_out(&self, last_answers: IndexMap<Option<usize>, u64>, all: u64) -> Vec<DropOut> {
        let mut last_answers: Vec<_> = last_answers.into_iter().collect();
        last_answers.sort_unstable();
        let of = |(place, n): (Option<usize>, u64)| {
            let column = place.and_then(|place| self.asked.get(place));
            DropOut {
                column: column.map(|column| column.field.name().clone()),
                label: column.and_then(|column| column.variable.as_deref()?.label()),
                n,
                percent: n as f64 / all as f64 * 100.0,
            }
        };
        last_answers.into_iter().map(of).collect()
    }
}
