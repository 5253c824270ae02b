//! Results as they are shown: a list of answers, or a table of the answers to two questions.

use super::cells::Cells;
use super::snapshot::Snapshot;
use super::{Counted, Question, ResultsRequest, SMALLEST};
use serde_json::{Map, Value, json};
use sondage::arguments::{CrosstabOptions, FrequenciesOptions};
use sondage::reports::FrequencyKind;
use sondage_data::Answers;

/// What stands for a number that is hidden.
const HIDDEN: &str = "hidden";

const NOTE: &str = "A number that is `hidden` is below 10, or one below 10 could be computed from it.";

/// The rows of each category, and those without an answer.
fn sets(answers: &Answers, base: &[u32]) -> Vec<Vec<u32>> {
    let mut sets = vec![Vec::new(); answers.categories.len() + 1];
    let none = answers.categories.len();
    for row in base {
        match &answers.rows[*row as usize] {
            Some(places) => {
                for place in places {
                    sets[*place as usize].push(*row);
                }
            }
            None => sets[none].push(*row),
        }
    }
    sets
}

/// The cells of a list: each category, then no answer, then any answer.
pub fn list_cells(answers: &Answers, base: &[u32]) -> Cells {
    let is_single = answers.kind == FrequencyKind::Single;
    let mut cells = Cells::default();
    let mut sets = sets(answers, base);
    let none = sets.pop().unwrap_or_default();
    if matches!(answers.kind, FrequencyKind::Number | FrequencyKind::Open) {
        sets.clear();
    }
    let categories: Vec<usize> = sets.into_iter().map(|rows| cells.add(rows)).collect();
    let answered = base.iter().filter(|row| answers.rows[**row as usize].is_some()).copied().collect();
    let (none, answered) = (cells.add(none), cells.add(answered));
    cells.lines.push(vec![none, answered]);
    if is_single {
        cells.lines.push(categories.iter().copied().chain([none]).collect());
    }
    cells
}

/// The cells of a table, row by row, with those without an answer in the last row and column; then the margins of the rows and of the
/// columns.
pub fn table_cells(answers: &Answers, by: &Answers, base: &[u32]) -> Cells {
    let (rows, columns) = (sets(answers, base), sets(by, base));
    let mut cells = Cells::default();
    let mut is_in = vec![false; answers.rows.len()];
    for row in &rows {
        for at in row {
            is_in[*at as usize] = true;
        }
        for column in &columns {
            cells.add(column.iter().filter(|at| is_in[**at as usize]).copied().collect());
        }
        for at in row {
            is_in[*at as usize] = false;
        }
    }
    let Shape { height, width } = Shape::of(answers, by);
    let row_margins: Vec<usize> = rows.into_iter().map(|rows| cells.add(rows)).collect();
    let column_margins: Vec<usize> = columns.into_iter().map(|rows| cells.add(rows)).collect();
    if by.kind != FrequencyKind::Multiple {
        cells.lines.extend((0..height).map(|i| (0..width).map(|j| i * width + j).collect()));
        cells.lines.push(column_margins);
    }
    if answers.kind != FrequencyKind::Multiple {
        cells.lines.extend((0..width).map(|j| (0..height).map(|i| i * width + j).collect()));
        cells.lines.push(row_margins);
    }
    cells
}

/// The shape of a table with its last row and column of those without an answer.
struct Shape {
    height: usize,
    width: usize,
}

impl Shape {
    fn of(answers: &Answers, by: &Answers) -> Self {
        Self { height: answers.categories.len() + 1, width: by.categories.len() + 1 }
    }

    fn cell(&self, row: usize, column: usize) -> usize {
        row * self.width + column
    }

    fn row_margin(&self, row: usize) -> usize {
        self.height * self.width + row
    }

    fn column_margin(&self, column: usize) -> usize {
        self.height * self.width + self.height + column
    }
}

/// Hides the cells of answers that the questionnaire does not offer, which are texts of respondents.
pub fn hide_texts(questions: &[&Question], cells: &mut Cells) {
    let texts = |question: &Question| -> Vec<usize> {
        let categories = question.answers.categories.iter().enumerate();
        categories
            .filter(|(_, category)| !question.is_public && !category.offered)
            .map(|(at, _)| at)
            .collect()
    };
    match questions {
        [asked, by] => {
            let shape = Shape::of(&asked.answers, &by.answers);
            for row in texts(asked) {
                for column in 0..shape.width {
                    cells.hidden[shape.cell(row, column)] = true;
                }
                cells.hidden[shape.row_margin(row)] = true;
            }
            for column in texts(by) {
                for row in 0..shape.height {
                    cells.hidden[shape.cell(row, column)] = true;
                }
                cells.hidden[shape.column_margin(column)] = true;
            }
        }
        [asked] if !matches!(asked.answers.kind, FrequencyKind::Number | FrequencyKind::Open) => {
            for at in texts(asked) {
                cells.hidden[at] = true;
            }
        }
        _ => {}
    }
}

/// Hides everything about a category that fewer than ten people have, in the whole survey or among those who are counted: a 0 beside a cell
/// that is hidden would say what they have answered.
pub fn hide_small_categories(questions: &[&Question], cells: &mut Cells) {
    let is_small = |count: usize| (1..SMALLEST).contains(&count);
    let small = |answers: &Answers| -> Vec<bool> {
        let everybody: Vec<u32> = (0..answers.rows.len()).map(super::index).collect();
        sets(answers, &everybody).iter().map(|rows| is_small(rows.len())).collect()
    };
    match questions {
        [asked, by] => {
            let (shape, rows, columns) =
                (Shape::of(&asked.answers, &by.answers), small(&asked.answers), small(&by.answers));
            for (row, is_rare) in rows.into_iter().enumerate() {
                if is_rare || is_small(cells.n(shape.row_margin(row))) {
                    (0..shape.width).for_each(|column| cells.hidden[shape.cell(row, column)] = true);
                    cells.hidden[shape.row_margin(row)] = true;
                }
            }
            for (column, is_rare) in columns.into_iter().enumerate() {
                if is_rare || is_small(cells.n(shape.column_margin(column))) {
                    (0..shape.height).for_each(|row| cells.hidden[shape.cell(row, column)] = true);
                    cells.hidden[shape.column_margin(column)] = true;
                }
            }
        }
        [asked] if !matches!(asked.answers.kind, FrequencyKind::Number | FrequencyKind::Open) => {
            for (at, is_rare) in small(&asked.answers).into_iter().enumerate() {
                cells.hidden[at] |= is_rare;
            }
        }
        _ => {}
    }
}

impl Counted {
    fn n(&self, cell: usize) -> Value {
        if self.cells.hidden[cell] { HIDDEN.into() } else { self.cells.n(cell).into() }
    }

    /// How many they are, weighted if there is a weight.
    fn size(&self, rows: &[u32]) -> f64 {
        #[allow(clippy::cast_precision_loss)] // fewer than 2^53
        match &self.weights {
            Some(weights) => rows.iter().map(|row| weights[*row as usize]).sum(),
            None => rows.len() as f64,
        }
    }

    /// The share of a cell, in percent, if every number that it is computed from is shown.
    fn percent(&self, cell: usize, whole: &[usize]) -> Option<f64> {
        let cells = &self.cells;
        if cells.hidden[cell] || whole.iter().any(|part| cells.hidden[*part]) {
            return None;
        }
        let whole: f64 = whole.iter().map(|part| self.size(&cells.sets[*part])).sum();
        (whole > 0.0).then(|| rounded(self.size(&cells.sets[cell]) / whole * 100.0, 1))
    }

    /// The weights of a cell, if there are weights and the cell is shown.
    fn weighted(&self, cell: usize) -> Option<f64> {
        (self.weights.is_some() && !self.cells.hidden[cell])
            .then(|| rounded(self.size(&self.cells.sets[cell]), 2))
    }

    fn note(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut notes = vec![format!("The interviews as of {}.", snapshot.read_at)];
        if self.cells.hidden.contains(&true) {
            notes.push(NOTE.to_owned());
        }
        notes
    }
}

/// A list of answers.
pub fn list(
    request: &ResultsRequest,
    snapshot: &Snapshot,
    counted: &Counted,
    asked: &Question,
    is_open: bool,
) -> Result<Value, String> {
    let (answers, cells) = (&asked.answers, &counted.cells);
    let (none, answered) = (cells.sets.len() - 2, cells.sets.len() - 1);
    let mut lines = Vec::new();
    for at in 0..none {
        let line = json!({
            "label": label(asked, at, is_open),
            "code": code(asked, at, is_open),
            "n": counted.n(at),
            "weighted_n": counted.weighted(at),
            "percent": counted.percent(at, &[none, answered]),
            "valid_percent": counted.percent(at, &[answered]),
        });
        lines.push(without_nulls(line, "label"));
    }
    if cells.n(none) > 0 {
        let percent = counted.percent(none, &[none, answered]);
        lines
            .push(without_nulls(json!({ "label": null, "n": counted.n(none), "percent": percent }), "label"));
    }
    let mut result = json!({
        "survey_id": request.survey,
        "question": asked.name,
        "text": snapshot.title(&asked.name),
        "kind": answers.kind.as_str(),
        "interviews": counted.base.len(),
        "answered": counted.n(answered),
        "weight": request.weight,
        "answers": lines,
        "notes": counted.note(snapshot),
    });
    if answers.kind == FrequencyKind::Number && !cells.hidden[answered] && cells.n(answered) > 0 {
        let summary = summary(request, snapshot, counted, is_open)?;
        result.as_object_mut().into_iter().for_each(|fields| fields.extend(summary.clone()));
    }
    if answers.kind == FrequencyKind::Open {
        let why = "Open answers are counted, not listed.";
        result["notes"].as_array_mut().into_iter().for_each(|notes| notes.push(why.into()));
    }
    Ok(without_nulls(result, ""))
}

/// Mean and quantiles. In a session that hides personal data, at least ten answers are on either side of a quantile, and the ends are
/// hidden.
fn summary(
    request: &ResultsRequest,
    snapshot: &Snapshot,
    counted: &Counted,
    is_open: bool,
) -> Result<Map<String, Value>, String> {
    let mut mask = vec![false; snapshot.table.num_rows()];
    for row in &counted.base {
        mask[*row as usize] = true;
    }
    let mut options = FrequenciesOptions::new(&request.question);
    options.weight.clone_from(&request.weight);
    let frequencies = snapshot.table.chosen(&mask).and_then(|table| table.frequencies(&options));
    let frequencies = frequencies.map_err(|error| error.to_string())?;
    let Some(summary) = frequencies.summary else { return Ok(Map::new()) };
    let answered = usize::try_from(frequencies.answered).unwrap_or(usize::MAX);
    let mut fields = Map::new();
    let mut add = |name: &str, number: f64, at_least: usize| {
        if is_open || answered >= at_least {
            fields.insert(name.to_owned(), rounded(number, 2).into());
        }
    };
    add("mean", summary.mean, SMALLEST);
    add("median", summary.median, 2 * SMALLEST);
    add("q1", summary.q1, 4 * SMALLEST);
    add("q3", summary.q3, 4 * SMALLEST);
    if is_open {
        add("min", summary.min, 0);
        add("max", summary.max, 0);
        summary.deviation.into_iter().for_each(|deviation| add("deviation", deviation, 0));
    }
    Ok(fields)
}

/// A table of the answers to two questions.
pub fn table(
    request: &ResultsRequest,
    snapshot: &Snapshot,
    counted: &Counted,
    asked: &Question,
    by: &Question,
    is_open: bool,
) -> Result<Value, String> {
    let shape = Shape::of(&asked.answers, &by.answers);
    let (none_row, none_column) = (shape.height - 1, shape.width - 1);
    let is_there = |margin: usize| counted.cells.n(margin) > 0;
    let label_of = |question: &Question, at: usize| {
        if at == question.answers.categories.len() { Value::Null } else { label(question, at, is_open) }
    };
    let rows: Vec<usize> =
        (0..shape.height).filter(|row| *row < none_row || is_there(shape.row_margin(*row))).collect();
    let columns: Vec<usize> = (0..shape.width)
        .filter(|column| *column < none_column || is_there(shape.column_margin(*column)))
        .collect();
    let heads: Vec<Value> = columns
        .iter()
        .map(|column| json!({ "label": label_of(by, *column), "n": counted.n(shape.column_margin(*column)) }))
        .collect();
    let lines: Vec<Value> = rows
        .iter()
        .map(|row| {
            let cells: Vec<Value> = columns
                .iter()
                .map(|column| {
                    let cell = shape.cell(*row, *column);
                    let is_answer = *row < none_row && *column < none_column;
                    // Those who answered both questions.
                    let in_column: Vec<usize> = if asked.answers.kind == FrequencyKind::Multiple {
                        vec![shape.column_margin(*column)]
                    } else {
                        (0..none_row).map(|row| shape.cell(row, *column)).collect()
                    };
                    let in_row: Vec<usize> = if by.answers.kind == FrequencyKind::Multiple {
                        vec![shape.row_margin(*row)]
                    } else {
                        (0..none_column).map(|column| shape.cell(*row, column)).collect()
                    };
                    let percent = |whole: &[usize]| is_answer.then(|| counted.percent(cell, whole)).flatten();
                    let cell = json!({
                        "column": label_of(by, *column),
                        "n": counted.n(cell),
                        "weighted_n": counted.weighted(cell),
                        "column_percent": percent(&in_column),
                        "row_percent": percent(&in_row),
                    });
                    without_nulls(cell, "column")
                })
                .collect();
            json!({ "label": label_of(asked, *row), "n": counted.n(shape.row_margin(*row)), "cells": cells })
        })
        .collect();
    let mut notes = counted.note(snapshot);
    let has_several = [asked, by].iter().any(|question| question.answers.kind == FrequencyKind::Multiple);
    if has_several {
        notes.push("A respondent can have given several answers.".to_owned());
    }
    let test = is_open.then(|| independence(request, snapshot, counted)).transpose()?.flatten();
    let result = json!({
        "survey_id": request.survey,
        "question": asked.name,
        "text": snapshot.title(&asked.name),
        "by": by.name,
        "by_text": snapshot.title(&by.name),
        "interviews": counted.base.len(),
        "weight": request.weight,
        "columns": heads,
        "answers": lines,
        "test": test,
        "notes": notes,
    });
    Ok(without_nulls(result, ""))
}

/// The test of independence, which is computed from all cells.
fn independence(
    request: &ResultsRequest,
    snapshot: &Snapshot,
    counted: &Counted,
) -> Result<Option<Value>, String> {
    let mut mask = vec![false; snapshot.table.num_rows()];
    for row in &counted.base {
        mask[*row as usize] = true;
    }
    let mut options = CrosstabOptions::new(&request.question, request.by.as_deref().unwrap_or_default());
    options.weight.clone_from(&request.weight);
    let crosstab = snapshot.table.chosen(&mask).and_then(|table| table.crosstab(&options));
    let crosstab = crosstab.map_err(|error| error.to_string())?;
    Ok(crosstab.test.map(|test| {
        json!({ "chi_square": rounded(test.chi_square, 2), "df": test.df, "p": test.p, "cramers_v": rounded(test.cramers_v, 3),
                "warnings": crosstab.warnings })
    }))
}

fn label(question: &Question, at: usize, is_open: bool) -> Value {
    let category = &question.answers.categories[at];
    if is_open || question.is_public || category.offered {
        category.label.clone().into()
    } else {
        "an answer that the questionnaire does not offer".into()
    }
}

fn code(question: &Question, at: usize, is_open: bool) -> Value {
    let category = &question.answers.categories[at];
    if category.code == category.label || !(is_open || category.offered) {
        Value::Null
    } else {
        category.code.clone().into()
    }
}

fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}

/// Without what is not known, except one field.
fn without_nulls(mut value: Value, except: &str) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, value| name == except || !value.is_null());
    }
    value
}
