//! Answers as CSV: a row for each interview, a column for each variable, and some of the service's own columns.

use super::{MADE, wrong};
use crate::demo::{completed, moment};
use crate::mistakes::Mistakes;
use crate::random::SeededRng;
use crate::world::survey::STATES;
use crate::world::{Interview, SurveyVariable};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use csv::{ReaderBuilder, StringRecord};
use serde_json::Value;
use sondage::internals::csv_text;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// The service's columns that interviews take from a file.
pub(super) const TAKEN: [&str; 6] = ["Id", "State", "Language", "StartDate", "EndDate", "UpdatedAt"];
/// Columns that an exported file may have, and that mean nothing in another account.
pub(super) const LEFT_OUT: [&str; 10] = [
    "DistributorId",
    "SamplingProjectId",
    "PanelId",
    "PanelMemberId",
    "Mode",
    "Link",
    "ExpiryDate",
    "CreatedAt",
    "CreatedBy",
    "UpdatedBy",
];

/// A file that was read completely.
pub(super) struct AnswersFile {
    path: PathBuf,
    header: StringRecord,
    /// The columns, by name.
    columns: HashMap<String, usize>,
    rows: Vec<StringRecord>,
    /// What is wrong with the header.
    mistakes: Vec<String>,
}

/// A cell and its position.
#[derive(Clone, Copy)]
struct FileCell<'a> {
    file: &'a AnswersFile,
    row: &'a StringRecord,
    column: usize,
}

impl AnswersFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let text = csv_text::open(path, None, None).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}. {}", error.what(), error.hint()))
        })?;
        let mut lines = text.line_count();
        let mut reader = ReaderBuilder::new().delimiter(text.separator()).from_reader(text);
        let malformed = |error: csv::Error| wrong(path, format_args!("is not CSV: {error}"));
        let header = reader.headers().map_err(malformed)?.clone();
        lines.start_of(header.as_slice(), 1, false);
        let (mut names, mut mistakes) = (HashSet::new(), Vec::new());
        for (column, name) in header.iter().enumerate() {
            // A name is not quoted: if the line with the names is missing, it is a person's.
            let why = match name {
                "" => "there is no name: name the column, or remove it",
                _ if names.insert(name) => continue,
                _ => "the name occurs twice: rename one column",
            };
            mistakes.push(format!("line 1, column {}: {why}", column + 1));
        }
        if header.is_empty() {
            return Err(wrong(path, "is empty: the first line names the columns"));
        }
        let (mut rows, mut row) = (Vec::new(), StringRecord::new());
        while reader.read_record(&mut row).map_err(malformed)? {
            let mut position = reader.position().clone();
            position.set_line(lines.start_of(row.as_slice(), position.line(), false));
            row.set_position(Some(position));
            rows.push(row.clone());
        }
        let mut columns = HashMap::new();
        for (column, name) in header.iter().enumerate() {
            columns.entry(name.to_owned()).or_insert(column);
        }
        Ok(Self { path: path.to_owned(), header, columns, rows, mistakes })
    }

    /// The columns as variables, each with the narrowest type that fits all its cells.
    pub(super) fn variables(&self) -> Vec<SurveyVariable> {
        let own = |(_, name): &(usize, &str)| !TAKEN.contains(name) && !LEFT_OUT.contains(name);
        let variable = |(column, name): (usize, &str)| {
            let fits = |data_type: &&&str| {
                let mut cells = self.rows.iter().map(|row| row.get(column).unwrap_or_default());
                cells.all(|cell| !is_code(cell) && answer(cell, data_type).is_some())
            };
            let data_type = ["Number", "Real", "Date"].iter().find(fits).copied().unwrap_or("String");
            SurveyVariable {
                code: name.to_owned(),
                data_type,
                question_code: name.to_owned(),
                kind: if data_type == "Date" { "Date" } else { "OpenQuestion" },
                question: name.to_owned(),
                ..SurveyVariable::default()
            }
        };
        self.header.iter().enumerate().filter(own).map(variable).collect()
    }

    /// The interviews. The error names every mistake of the file.
    pub(super) fn interviews(&self, variables: &[SurveyVariable], seed: u64) -> io::Result<Vec<Interview>> {
        let mut mistakes = Mistakes::default();
        self.mistakes.iter().for_each(|mistake| mistakes.add(mistake.as_str()));
        let known: HashSet<&str> = variables.iter().map(|variable| variable.code.as_str()).collect();
        for (column, name) in self.header.iter().enumerate() {
            if !known.contains(name)
                && !name.is_empty()
                && !TAKEN.contains(&name)
                && !LEFT_OUT.contains(&name)
            {
                let codes: Vec<&str> =
                    variables.iter().map(|variable| variable.code.as_str()).take(12).collect();
                mistakes.add(format!(
                    "line 1, column {}: the code plan has no variable of this name; it has {}{}: rename the column, or remove it",
                    column + 1,
                    codes.join(", "),
                    if variables.len() > 12 { ", .." } else { "" }
                ));
            }
        }
        let (mut ids, mut interviews) = (HashSet::new(), Vec::new());
        for (number, row) in self.rows.iter().enumerate() {
            let rng = SeededRng::for_item(seed, number as u64);
            let interview = self.interview(row, variables, rng, number, &mut mistakes);
            if !ids.insert(interview.id.clone())
                && let Some(cell) = self.cell(row, "Id")
            {
                mistakes.add(cell.wrong("is the id of an earlier row, too: each interview has its own"));
            }
            interviews.push(interview);
        }
        mistakes.text().map_or(Ok(interviews), |text| Err(wrong(&self.path, text)))
    }

    /// What is wrong is noted, and left out.
    fn interview(
        &self,
        row: &StringRecord,
        variables: &[SurveyVariable],
        mut rng: SeededRng,
        number: usize,
        mistakes: &mut Mistakes,
    ) -> Interview {
        let start = moment(MADE) + TimeDelta::minutes(i64::try_from(number).unwrap_or(0));
        let mut interview = completed(&mut rng, start);
        if let Some(cell) = self.cell(row, "Id") {
            match uuid::Uuid::parse_str(cell.text()) {
                Ok(id) => interview.id = id.to_string(),
                Err(_) => mistakes.add(cell.wrong("is not a GUID: leave the cell empty for a new one")),
            }
        }
        if let Some(cell) = self.cell(row, "State") {
            match STATES.into_iter().find(|state| *state == cell.text()) {
                Some(state) => interview.state = state,
                None => {
                    mistakes.add(cell.wrong(&format!("is not a state; known are {}", STATES.join(", "))));
                }
            }
        }
        if let Some(cell) = self.cell(row, "Language") {
            interview.language = Some(cell.text().to_owned());
        }
        let mut time = |name: &str, into: &mut Option<DateTime<Utc>>| {
            let Some(cell) = self.cell(row, name) else { return };
            match DateTime::parse_from_rfc3339(cell.text()) {
                Ok(time) => *into = Some(time.to_utc()),
                Err(_) => mistakes.add(cell.wrong("is not a time such as 2024-05-01T12:00:00Z")),
            }
        };
        let mut begun = None;
        time("StartDate", &mut begun);
        if let Some(begun) = begun {
            interview.begin_at(begun);
        }
        interview.created_at = interview.start.unwrap_or(start);
        if interview.state == "NotResponded" || interview.state == "InProgress" {
            interview.end = None;
        }
        time("EndDate", &mut interview.end);
        interview.updated_at = interview.end.or(interview.start);
        time("UpdatedAt", &mut interview.updated_at);
        let answers = variables.iter().map(|variable| {
            let Some(cell) = self.cell(row, &variable.code) else { return Value::Null };
            answer(cell.text(), variable.data_type).unwrap_or_else(|| {
                let what = match variable.data_type {
                    "Number" => "is not an integer",
                    "Real" => "is not a number",
                    _ => "is not a date such as 2024-05-01",
                };
                mistakes.add(cell.wrong(&format!(
                    "{what}, and the type of the column is {}: correct one of them",
                    variable.data_type
                )));
                Value::Null
            })
        });
        interview.answers = answers.collect();
        interview
    }

    /// A cell that is not empty.
    fn cell<'a>(&'a self, row: &'a StringRecord, name: &str) -> Option<FileCell<'a>> {
        let column = *self.columns.get(name)?;
        let filled = row.get(column).is_some_and(|text| !text.is_empty());
        filled.then_some(FileCell { file: self, row, column })
    }
}

impl FileCell<'_> {
    fn text(&self) -> &str {
        self.row.get(self.column).unwrap_or_default()
    }

    /// A mistake in this cell.
    fn wrong(&self, why: &str) -> String {
        let line = self.row.position().map_or(0, csv::Position::line);
        let (column, name) = (self.column + 1, self.file.header.get(self.column).unwrap_or_default());
        // The value is not quoted: it may be personal data.
        format!("line {line}, column {column} ({name}): the value {why}")
    }
}

/// Whether a cell of digits is no number, such as a postcode 01234 or an id: as one, it would lose its zeros or its last digits.
fn is_code(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    let is_padded = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    let is_long = digits.bytes().all(|digit| digit.is_ascii_digit()) && text.parse::<i64>().is_err();
    is_padded || text.starts_with('+') || is_long && !text.is_empty()
}

/// A cell as an answer of this type; `None` if it does not fit. An empty cell is a missing answer.
fn answer(text: &str, data_type: &str) -> Option<Value> {
    if text.is_empty() {
        return Some(Value::Null);
    }
    match data_type {
        "Number" => text.parse::<i64>().ok().map(Value::from),
        "Real" => text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Value::Number),
        "Date" => NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|_| Value::from(text)),
        _ => Some(Value::from(text)),
    }
}
