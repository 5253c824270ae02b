//! Tables as the programs have them that keep codes, labels and missing codes apart: SPSS and Stata.
//!
//! Their files begin with a dictionary, which depends on all rows: how long the texts are, and which codes the answers have. So the rows are
//! read twice. What a format cannot hold is changed here, and each change is a warning with its columns.

mod cells;
mod changes;
mod labels;
pub(super) mod limits;
mod lists;
mod measure;
mod names;
mod seen;
mod values;

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef};
use sondage::Error;

pub(super) use cells::{Calendar, Values};
pub(super) use changes::{Change, Changes};
pub(super) use measure::Measure;
pub(super) use seen::Seen;
pub(super) use values::{Kind, number};

use super::sink::{RowSource, RowWriter};
use crate::error::Warning;
use crate::meaning::{ValueLabel, Variable};
use crate::table::labels::offered;
use crate::table::metadata;
use limits::{Limits, without_nul};

/// A column of the file, with what its dictionary has.
#[derive(Debug)]
pub(super) struct FileVariable {
    /// The name in the table.
    pub(super) column: String,
    /// The name in the file.
    pub(super) name: String,
    pub(super) label: String,
    pub(super) kind: Kind,
    pub(super) values: Vec<ValueLabel>,
    /// The codes that are declared as missing, with their labels.
    pub(super) missing: Vec<ValueLabel>,
    pub(super) seen: Seen,
    pub(super) measure: Measure,
    /// The whole text of the question, of which the label may have a part.
    pub(super) question: Option<String>,
}

/// A table whose rows have been read once.
pub(super) struct Prepared {
    pub(super) variables: Vec<FileVariable>,
    pub(super) changes: Changes,
    conversion: Conversion,
}

/// How the columns of a table become those of a file.
pub(super) struct Conversion {
    columns: Vec<ConvertedColumn>,
    longest: usize,
}

/// What becomes of a column.
struct ConvertedColumn {
    kind: Kind,
    parts: Vec<Part>,
    /// Whether all texts are as the format requires, so that none has to be changed.
    fits: bool,
}

/// What becomes a column of the file.
enum Part {
    /// The column.
    Whole,
    /// The column of texts, without the ones that mean a missing answer.
    Without(HashSet<String>),
    /// The codes of its lists.
    Codes,
    /// A choice of its lists.
    Choice(String),
}

/// Writes rows behind a dictionary.
pub(super) trait VariableWriter: Send {
    /// Writes rows: `Float64`, `Utf8`, `Date32`, or microseconds without a zone.
    fn write(&mut self, arrays: &[ArrayRef], rows: usize) -> io::Result<()>;

    fn finish(self) -> io::Result<()>;
}

/// Converts the rows of a table, and writes them.
pub(super) struct Labelled<W> {
    conversion: Conversion,
    changes: Changes,
    writer: W,
}

impl<W> Labelled<W> {
    pub(super) fn new(prepared: Prepared, writer: W) -> Self {
        Labelled { conversion: prepared.conversion, changes: prepared.changes, writer }
    }
}

impl<W: VariableWriter> RowWriter for Labelled<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.writer.write(&self.conversion.arrays(batch), batch.num_rows())
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<Warning>> {
        self.writer.finish().map(|()| self.changes.warnings())
    }
}

impl Conversion {
    fn arrays(&self, batch: &RecordBatch) -> Vec<ArrayRef> {
        let columns = batch.columns().iter().zip(&self.columns);
        let parts =
            columns.flat_map(|(array, column)| column.parts.iter().map(move |part| (array, column, part)));
        let array = |(array, column, part): (&ArrayRef, &ConvertedColumn, &Part)| {
            let longest = (!column.fits).then_some(self.longest);
            match part {
                Part::Whole => values::converted(array, column.kind, longest),
                Part::Without(codes) => {
                    values::without(&values::converted(array, column.kind, longest), codes)
                }
                Part::Codes => values::converted(&lists::codes(array), Kind::Text, Some(self.longest)),
                Part::Choice(code) => lists::chosen(array, code),
            }
        };
        parts.map(array).collect()
    }
}

/// Reads the rows of a table, which has codes, also those that mean a missing answer.
pub(super) fn prepared(table: &impl RowSource, limits: &'static Limits) -> io::Result<Prepared> {
    let schema = table.schema();
    let declared: Vec<Vec<ValueLabel>> =
        schema.fields().iter().map(|field| metadata::missing(field)).collect();
    let meanings = table.variables();
    let seen = |(place, codes): (usize, &Vec<ValueLabel>)| {
        let variable = meanings.get(place).and_then(Option::as_deref);
        Seen::new(in_order(codes), variable.map(|variable| in_order(&variable.values)).unwrap_or_default())
    };
    let mut seen: Vec<Seen> = declared.iter().enumerate().map(seen).collect();
    table.for_each(|batch, _| {
        for (array, seen) in batch.columns().iter().zip(&mut seen) {
            seen.look(array, limits);
        }
        Ok(())
    })?;
    let mut changes = Changes::new(limits);
    let (mut columns, mut variables) = (Vec::new(), Vec::new());
    for (place, ((field, declared), seen)) in schema.fields().iter().zip(declared).zip(seen).enumerate() {
        let variable = meanings.get(place).cloned().flatten();
        let (kind, fits) = (Kind::of(field.data_type(), seen.is_wide), seen.fits());
        let parts = if matches!(field.data_type(), DataType::List(_)) {
            of_list(field, variable.as_deref(), &seen, &mut variables, &mut changes)
        } else {
            seen.note(field.name(), &mut changes);
            let is_text = kind == Kind::Text && !limits.labels_texts && !declared.is_empty();
            let codes = declared.iter().map(|value| value.code.clone()).collect();
            variables.push(of_column(field, variable.as_deref(), declared, kind, seen, &mut changes));
            vec![if is_text { Part::Without(codes) } else { Part::Whole }]
        };
        columns.push(ConvertedColumn { kind, parts, fits });
    }
    if variables.len() > limits.columns {
        return Err(too_many("columns", variables.len(), limits.columns, limits.program));
    }
    let names = names::of(variables.iter().map(|variable| variable.column.as_str()), limits, &mut changes);
    for (variable, name) in variables.iter_mut().zip(names) {
        variable.name = name;
    }
    Ok(Prepared { variables, changes, conversion: Conversion { columns, longest: limits.text } })
}

/// More rows or columns than a format has.
pub(super) fn too_many(what: &str, count: usize, most: usize, program: &str) -> io::Error {
    let error = Error::invalid_argument(format!(
        "the table has {count} {what}, and a file of {program} at most {most}"
    ));
    io::Error::other(
        error.with_hint("Name fewer `fields`, or `select` columns of the table, or write .parquet or .csv."),
    )
}

/// Codes as numbers.
fn in_order(codes: &[ValueLabel]) -> Vec<f64> {
    let mut codes: Vec<f64> = codes.iter().filter_map(|value| number(&value.code)).collect();
    codes.sort_by(f64::total_cmp);
    codes.dedup();
    codes
}

fn of_column(
    field: &FieldRef,
    variable: Option<&Variable>,
    missing: Vec<ValueLabel>,
    kind: Kind,
    seen: Seen,
    changes: &mut Changes,
) -> FileVariable {
    let column = field.name();
    let text = |key: &str| field.metadata().get(key).map(String::as_str);
    let limits = changes.limits();
    let label = labels::of_variable(column, text(metadata::LABEL), text(metadata::QUESTION), limits, changes);
    // Equal labels differ as they do in a table: not every reader takes them.
    let known = variable.into_iter().flat_map(|variable| variable.values.iter().zip(offered(variable)));
    let known: Vec<ValueLabel> =
        known.map(|(value, label)| ValueLabel { code: value.code.clone(), label }).collect();
    let values = labels::of_values(column, &known, kind, limits, changes);
    let question = text(metadata::QUESTION).map(without_nul);
    let measure = Measure::of(variable, &missing, kind, seen.has_unlabelled);
    let name = String::new();
    FileVariable { column: column.clone(), name, label, kind, values, missing, seen, measure, question }
}

/// The columns of a list: its codes, unless a choice has the name, and its choices.
fn of_list(
    field: &FieldRef,
    variable: Option<&Variable>,
    seen: &Seen,
    variables: &mut Vec<FileVariable>,
    changes: &mut Changes,
) -> Vec<Part> {
    changes.note(Change::List, field.name(), 1);
    let variable = variable.cloned().unwrap_or_default();
    let choices = lists::choices(&variable, &seen.codes);
    let mut parts = Vec::new();
    let mut add = |column: &str, meaning: &Variable, kind: Kind, seen: Seen| {
        let question = meaning.question.as_deref();
        let limits = changes.limits();
        let label = labels::of_variable(column, meaning.label().as_deref(), question, limits, changes);
        variables.push(FileVariable {
            column: column.to_owned(),
            name: String::new(),
            label,
            kind,
            values: Vec::new(),
            missing: Vec::new(),
            seen,
            measure: Measure::Nominal,
            question: meaning.question.as_deref().map(without_nul),
        });
    };
    if choices.iter().all(|choice| choice.code != *field.name()) {
        add(field.name(), &variable, Kind::Text, seen.of_text());
        parts.push(Part::Codes);
    }
    for choice in choices {
        let meaning = lists::of_choice(&variable, &choice);
        add(&choice.code, &meaning, Kind::Number { whole: true }, Seen::of_choice());
        parts.push(Part::Choice(choice.code));
    }
    parts
}

/// The meanings of columns, by their place.
pub(crate) type Meanings = Vec<Option<Arc<Variable>>>;
