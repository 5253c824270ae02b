//! What an interview says about its quality.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use arrow_array::cast::AsArray;
use arrow_array::types::TimestampMicrosecondType;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use sondage::arguments::QualityOptions;
use sondage::{Error, Result};

use super::super::frequencies::numbers;
use super::super::labels::code_at;
use super::super::{BaseColumn, metadata};
use super::{Examined, is_answered, text};

/// The columns of a table by what they tell.
pub(super) struct Questions<'a> {
    id: Option<&'a BaseColumn>,
    state: Option<&'a BaseColumn>,
    duration: Duration<'a>,
    /// The rows of each matrix of single choices.
    matrices: Vec<Vec<&'a BaseColumn>>,
    open: Vec<&'a BaseColumn>,
    closed: Vec<&'a BaseColumn>,
    /// All columns of questions.
    pub(super) asked: Vec<&'a BaseColumn>,
}

enum Duration<'a> {
    /// A column of seconds, batch by batch.
    Column(Vec<Vec<Option<f64>>>),
    Times(&'a BaseColumn, &'a BaseColumn),
    Unknown,
}

impl<'a> Questions<'a> {
    pub(super) fn of(columns: &[&'a BaseColumn], options: &QualityOptions) -> Result<Self> {
        let named = |name: &str| columns.iter().find(|column| column.field.name() == name).copied();
        let is_question = |column: &&BaseColumn| {
            column.field.metadata().get(metadata::ORIGIN).is_some_and(|origin| origin == "question")
        };
        // What the service computes from answers is none.
        let is_derived = |column: &&BaseColumn| {
            let question = column.variable.as_deref().and_then(|variable| variable.question_code.as_deref());
            question.is_some_and(|question| column.field.name().strip_prefix(question) == Some("__count"))
        };
        let asked = columns.iter().copied().filter(is_question).filter(|column| !is_derived(column));
        let asked: Vec<&BaseColumn> = asked.collect();
        let mut matrices: Vec<(&str, Vec<&BaseColumn>)> = Vec::new();
        for column in &asked {
            let Some(variable) = column.variable.as_deref() else { continue };
            let is_row = variable.row.is_some() && variable.choice.is_none() && variable.is_closed();
            let Some(code) = variable.question_code.as_deref().filter(|_| is_row) else { continue };
            match matrices.iter_mut().find(|(known, _)| *known == code) {
                Some((_, rows)) => rows.push(column),
                None => matrices.push((code, vec![column])),
            }
        }
        let is_open = |column: &&&BaseColumn| {
            let variable = column.variable.as_deref();
            *column.field.data_type() == DataType::Utf8
                && variable.is_some_and(crate::meaning::Variable::is_open)
        };
        let is_closed = |column: &&&BaseColumn| {
            let variable = column.variable.as_deref();
            variable.is_some_and(|variable| variable.is_closed() && variable.choice.is_none())
        };
        Ok(Self {
            id: named("Id"),
            state: named("State"),
            duration: duration(options, &named)?,
            matrices: matrices.into_iter().map(|(_, rows)| rows).collect(),
            open: asked.iter().filter(is_open).copied().collect(),
            closed: asked.iter().filter(is_closed).copied().collect(),
            asked,
        })
    }

    pub(super) fn state(&self, batch: usize, row: usize) -> Option<String> {
        text(self.state?, batch, row)
    }

    /// The last column with an answer.
    pub(super) fn last_answer(&self, batch: usize, row: usize) -> Option<usize> {
        self.asked.iter().rposition(|column| is_answered(column, batch, row))
    }

    pub(super) fn examine(
        &self,
        batch: usize,
        row: usize,
        number: u64,
        options: &QualityOptions,
    ) -> Examined {
        let (mut matrices, mut straight_lines) = (0, 0);
        for matrix in &self.matrices {
            let answers: Vec<String> = matrix.iter().filter_map(|column| text(column, batch, row)).collect();
            if answers.len() >= options.matrix_rows {
                matrices += 1;
                straight_lines += u64::from(answers.windows(2).all(|pair| pair[0] == pair[1]));
            }
        }
        let texts = self.open.iter().filter_map(|column| {
            let normal = normal(&text(column, batch, row)?);
            (normal.chars().count() >= options.text_length).then(|| digest(&normal))
        });
        let (mut closed, mut not_available) = (0, 0);
        for column in &self.closed {
            let code = column
                .undeclared
                .as_deref()
                .and_then(|undeclared| code_at(undeclared.column.arrays.get(batch)?, row));
            let is_missing = !is_answered(column, batch, row);
            let is_not_available = is_missing && code.is_some();
            closed += u64::from(!is_missing || is_not_available);
            not_available += u64::from(is_not_available);
        }
        Examined {
            row: number,
            id: self.id.and_then(|column| text(column, batch, row)),
            seconds: self.duration.of(batch, row),
            matrices,
            straight_lines,
            texts: texts.collect(),
            closed,
            not_available,
        }
    }
}

fn duration<'a>(
    options: &QualityOptions,
    named: &impl Fn(&str) -> Option<&'a BaseColumn>,
) -> Result<Duration<'a>> {
    let Some(name) = &options.duration else {
        return Ok(match (named("StartDate"), named("EndDate")) {
            (Some(start), Some(end)) => Duration::Times(start, end),
            _ => Duration::Unknown,
        });
    };
    let refused = |why: &str| Error::invalid_argument(format!("duration: {name:?} {why}"));
    let column = named(name).ok_or_else(|| refused("is no column of the table"))?;
    let seconds: Option<Vec<_>> = column.arrays.iter().map(numbers).collect();
    seconds.map(Duration::Column).ok_or_else(|| refused("is no column of numbers"))
}

impl Duration<'_> {
    #[allow(clippy::cast_precision_loss)] // a duration of less than 2^53 microseconds
    fn of(&self, batch: usize, row: usize) -> Option<f64> {
        match self {
            Self::Column(batches) => *batches.get(batch)?.get(row)?,
            Self::Times(start, end) => {
                let (start, end) = (time(start.arrays.get(batch)?, row)?, time(end.arrays.get(batch)?, row)?);
                (end >= start).then(|| (end - start) as f64 / 1e6)
            }
            Self::Unknown => None,
        }
    }
}

/// A time in microseconds.
fn time(array: &ArrayRef, row: usize) -> Option<i64> {
    let is_time = matches!(array.data_type(), DataType::Timestamp(TimeUnit::Microsecond, _));
    (is_time && array.is_valid(row)).then(|| array.as_primitive::<TimestampMicrosecondType>().value(row))
}

/// A text without differences of case, of blanks and of the signs at its end.
fn normal(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches(['.', '!', '?', ' ']).to_owned()
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
