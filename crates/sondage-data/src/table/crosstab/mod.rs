//! How often each pair of answers to two questions was given.

mod independence;
mod side;

use std::borrow::Cow;
use std::collections::HashMap;

use sondage::arguments::CrosstabOptions;
use sondage::reports::{CROSSTAB_MEASURES, Crosstab, CrosstabCategory, CrosstabCell};
use sondage::{Error, Result};

use super::frequencies::Weights;
use super::{BaseColumn, Table};
use side::{Answers, Side};

/// The most cells.
const MOST_CELLS: usize = 250_000;

/// How many rows, their weights, and the squares of these.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    n: u64,
    weight: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, weight: f64) {
        self.n += 1;
        self.weight += weight;
        self.squares += weight * weight;
    }

    /// The effective base (Kish).
    fn effective(self) -> f64 {
        if self.squares > 0.0 { self.weight * self.weight / self.squares } else { 0.0 }
    }
}

/// A crosstab that is being counted, table by table: only its cells are in memory.
pub(crate) struct Counting {
    options: CrosstabOptions,
    show: Vec<String>,
    rows: Side,
    columns: Side,
    cells: HashMap<(usize, usize), Sums>,
    base: Sums,
    read: u64,
    without_weight: u64,
    without_answer: u64,
}

impl Table {
    /// How often each pair of answers to two questions was given; see [`Crosstab`]. The labels mode and the order of the table's columns
    /// make no difference.
    pub fn crosstab(&self, options: &CrosstabOptions) -> Result<Crosstab> {
        let mut counting = Counting::new(options)?;
        counting.add(self)?;
        counting.finish()
    }
}

impl Counting {
    pub(crate) fn new(options: &CrosstabOptions) -> Result<Self> {
        Ok(Self {
            show: shown(options)?,
            rows: Side::new("variable", &options.variable),
            columns: Side::new("by", &options.by),
            options: options.clone(),
            cells: HashMap::new(),
            base: Sums::default(),
            read: 0,
            without_weight: 0,
            without_answer: 0,
        })
    }

    /// Counts the rows of a table.
    pub(crate) fn add(&mut self, table: &Table) -> Result<()> {
        let own_columns = table.counted_columns()?;
        let columns: Vec<&BaseColumn> = own_columns.iter().map(Cow::as_ref).collect();
        let weights = Weights::of(&columns, self.options.weight.as_deref(), &table.base.rows)?;
        let missing = self.options.missing;
        let answers = self.rows.of(table, &columns)?;
        let by = self.columns.of(table, &columns)?;
        let reasons = (answers.reasons(&columns), by.reasons(&columns));
        let (mut row_places, mut column_places) = (Vec::new(), Vec::new());
        for (batch, rows) in table.base.rows.iter().enumerate() {
            for row in 0..*rows {
                self.read += 1;
                let Some(weight) = weights.at(batch, row) else {
                    self.without_weight += 1;
                    continue;
                };
                let is_in_rows =
                    self.rows.places((&answers, &reasons.0, missing), batch, row, &mut row_places)?;
                let is_in_columns =
                    self.columns.places((&by, &reasons.1, missing), batch, row, &mut column_places)?;
                if !is_in_rows || !is_in_columns {
                    self.without_answer += 1;
                    continue;
                }
                self.base.add(weight);
                self.rows.count(&row_places, weight);
                self.columns.count(&column_places, weight);
                for at in &row_places {
                    for by in &column_places {
                        self.cells.entry((*at, *by)).or_default().add(weight);
                    }
                }
            }
        }
        Ok(())
    }

    /// The finished crosstab.
    pub(crate) fn finish(self) -> Result<Crosstab> {
        let has_weight = self.options.weight.is_some();
        let (several_rows, several_columns) = (self.rows.is_several(), self.columns.is_several());
        let (label, by_label) = (self.rows.label(), self.columns.label());
        let (rows, columns) = (self.rows.ordered(), self.columns.ordered());
        if rows.len().saturating_mul(columns.len()) > MOST_CELLS {
            return Err(Error::invalid_argument(format!(
                "a crosstab of {} by {} answers has too many cells",
                rows.len(),
                columns.len()
            )));
        }
        let cell = |row: &Answers, column: &Answers| {
            let key = row.place.zip(column.place);
            key.and_then(|key| self.cells.get(&key)).copied().unwrap_or_default()
        };
        let matrix: Vec<Vec<Sums>> =
            rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
        let tested = if several_rows || several_columns {
            None
        } else {
            let are_valid = |all: &[Answers]| -> Vec<bool> { all.iter().map(|one| !one.missing).collect() };
            independence::test(&matrix, &are_valid(&rows), &are_valid(&columns), has_weight)
        };
        let shown = |sums: Sums| has_weight.then_some(sums.weight);
        let mut cells = Vec::with_capacity(rows.len() * columns.len());
        for (row, (of_row, sums)) in rows.iter().zip(&matrix).enumerate() {
            for (column, (of_column, sums)) in columns.iter().zip(sums).enumerate() {
                cells.push(CrosstabCell {
                    row,
                    column,
                    n: sums.n,
                    weighted_n: shown(*sums),
                    row_percent: share(*sums, of_row.sums),
                    column_percent: share(*sums, of_column.sums),
                    total_percent: share(*sums, self.base),
                    expected: tested.as_ref().and_then(|tested| tested.expected(row, column)),
                });
            }
        }
        let category = |of: Answers| CrosstabCategory {
            percent: share(of.sums, self.base),
            n: of.sums.n,
            weighted_n: shown(of.sums),
            effective_base: of.sums.effective(),
            code: of.code,
            label: of.label,
            missing: of.missing,
        };
        let test = tested.map(|tested| tested.test);
        let mut warnings = Vec::new();
        if self.base.n == 0 {
            warnings.push("no row has an answer to both questions".to_owned());
        }
        if let Some(small) = test.as_ref().map(|test| test.small_cells).filter(|small| *small > 0) {
            let of = cells.iter().filter(|cell| cell.expected.is_some()).count();
            warnings.push(format!(
                "{small} of {of} cells have an expected count below 5: do not rely on the test"
            ));
        }
        Ok(Crosstab {
            variable: self.options.variable,
            label,
            by: self.options.by,
            by_label,
            weight: self.options.weight,
            show: self.show,
            several_rows,
            several_columns,
            rows: self.read,
            base: self.base.n,
            weighted_base: shown(self.base),
            effective_base: self.base.effective(),
            without_weight: self.without_weight,
            without_answer: self.without_answer,
            row_categories: rows.into_iter().map(category).collect(),
            column_categories: columns.into_iter().map(category).collect(),
            cells,
            test,
            warnings,
        })
    }
}

/// What is shown, or the default.
fn shown(options: &CrosstabOptions) -> Result<Vec<String>> {
    let Some(show) = options.show.clone().filter(|show| !show.is_empty()) else {
        let count = if options.weight.is_some() { "weighted" } else { "n" };
        return Ok(vec![count.to_owned(), "col%".to_owned()]);
    };
    let known = CROSSTAB_MEASURES.map(|(name, _)| name);
    for name in &show {
        if !known.contains(&name.as_str()) {
            return Err(Error::invalid_argument(format!("show: {name:?} is none of {}", known.join(", "))));
        }
        if name == "weighted" && options.weight.is_none() {
            return Err(Error::invalid_argument("show: `weighted` needs a `weight`"));
        }
    }
    Ok(show)
}

/// From 0 to 100.
fn share(part: Sums, whole: Sums) -> Option<f64> {
    (whole.weight > 0.0).then(|| part.weight / whole.weight * 100.0)
}
