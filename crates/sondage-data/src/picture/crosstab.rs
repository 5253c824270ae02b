//! What is shown of a crosstab.

use sondage::reports::{Crosstab, CrosstabCategory, CrosstabCell, IndependenceMethod, IndependenceTest};

use super::{Chart, Drawing, Grid, GridRow, Groups, LongColumn, Shown, number, percent, titled};
use crate::table::code_text;

impl Shown for Crosstab {
    fn grid(&self) -> Grid {
        let names = self.column_categories.iter().map(|column| column.label.clone());
        let has_measures = self.show.len() > 1;
        let names = has_measures.then(String::new).into_iter().chain(names).chain(["Total".to_owned()]);
        let title = format!(
            "{} by {}",
            titled(&self.variable, self.label.as_deref()),
            titled(&self.by, self.by_label.as_deref())
        );
        let mut grid = Grid::new(title, "", names);
        for (number, category) in self.row_categories.iter().enumerate() {
            for (line, measure) in self.show.iter().enumerate() {
                let label = if line == 0 { category.label.clone() } else { String::new() };
                let cells =
                    self.cells.iter().filter(|cell| cell.row == number).map(|cell| of_cell(cell, measure));
                let total = of_margin(category, measure);
                let shares =
                    self.cells.iter().filter(|cell| cell.row == number).map(|cell| share(cell, measure));
                let aside = if has_measures { vec![None, None] } else { vec![None] };
                let shares = aside.into_iter().chain(shares).collect();
                let cells = [label].into_iter().chain(has_measures.then(|| measure.clone())).chain(cells);
                let cells = cells.chain([total]).collect();
                grid.rows.push(GridRow { cells, shares, bar: None, is_aside: category.missing });
            }
        }
        let mut base = |name: &str, of: &dyn Fn(&CrosstabCategory) -> String, total: String| {
            let columns = self.column_categories.iter().map(of);
            let cells = [name.to_owned()].into_iter().chain(has_measures.then(String::new)).chain(columns);
            let cells = cells.chain([total]).collect();
            grid.rows.push(GridRow { cells, is_aside: true, ..GridRow::default() });
        };
        base("base", &|category| category.n.to_string(), self.base.to_string());
        if let Some(weighted) = self.weighted_base {
            let of = |category: &CrosstabCategory| category.weighted_n.map(number).unwrap_or_default();
            base("weighted base", &of, number(weighted));
            base("effective base", &|category| number(category.effective_base), number(self.effective_base));
        }
        grid.notes = notes(self);
        grid
    }

    fn drawing(&self) -> Drawing {
        let parts: Vec<String> = self.row_categories.iter().map(|row| row.label.clone()).collect();
        let shares = |column: usize| {
            let cells = self.cells.iter().filter(|cell| cell.column == column);
            cells.map(|cell| cell.column_percent.unwrap_or_default()).collect::<Vec<f64>>()
        };
        let groups: Vec<(String, Vec<f64>)> = self
            .column_categories
            .iter()
            .enumerate()
            .map(|(number, column)| (format!("{} ({})", column.label, column.n), shares(number)))
            .collect();
        let described = |(label, shares): &(String, Vec<f64>)| {
            let parts = parts.iter().zip(shares).map(|(part, share)| format!("{part} {share:.1} %"));
            format!("{label}: {}", parts.collect::<Vec<_>>().join(", "))
        };
        let all: Vec<String> = groups.iter().map(described).collect();
        let description = format!("{}. {}", notes(self).join(". "), all.join("; "));
        let groups = Groups { parts, groups };
        Drawing {
            title: format!("{} by {}, % of each column", self.variable, self.by),
            description,
            chart: if self.several_rows { Chart::Grouped(groups) } else { Chart::Stacked(groups) },
        }
    }

    fn long(&self) -> Vec<LongColumn> {
        let code = |category: Option<&CrosstabCategory>| category?.code.as_ref().map(code_text);
        let label = |category: Option<&CrosstabCategory>| Some(category?.label.clone());
        let row = |cell: &CrosstabCell| self.row_categories.get(cell.row);
        let column = |cell: &CrosstabCell| self.column_categories.get(cell.column);
        let numbers =
            |of: &dyn Fn(&CrosstabCell) -> Option<f64>| self.cells.iter().map(of).collect::<Vec<_>>();
        let cells = self.cells.iter();
        vec![
            LongColumn::texts("code", "The code of the row.", cells.clone().map(|cell| code(row(cell)))),
            LongColumn::texts("label", "The label of the row.", cells.clone().map(|cell| label(row(cell)))),
            LongColumn::texts(
                "by_code",
                "The code of the column.",
                cells.clone().map(|cell| code(column(cell))),
            ),
            LongColumn::texts(
                "by_label",
                "The label of the column.",
                cells.clone().map(|cell| label(column(cell))),
            ),
            LongColumn::counts("n", "How many rows have both answers.", cells.map(|cell| Some(cell.n))),
            LongColumn::numbers("weighted_n", "Their weights.", numbers(&|cell| cell.weighted_n)),
            LongColumn::numbers("row_percent", "Their share of the row.", numbers(&|cell| cell.row_percent)),
            LongColumn::numbers(
                "column_percent",
                "Their share of the column.",
                numbers(&|cell| cell.column_percent),
            ),
            LongColumn::numbers(
                "total_percent",
                "Their share of the base.",
                numbers(&|cell| cell.total_percent),
            ),
            LongColumn::numbers(
                "expected",
                "The count if the questions were independent.",
                numbers(&|cell| cell.expected),
            ),
        ]
    }
}

fn of_cell(cell: &CrosstabCell, measure: &str) -> String {
    match measure {
        "n" => cell.n.to_string(),
        "weighted" => cell.weighted_n.map(number).unwrap_or_default(),
        "row%" => percent(cell.row_percent),
        "col%" => percent(cell.column_percent),
        "total%" => percent(cell.total_percent),
        _ => cell.expected.map(number).unwrap_or_default(),
    }
}

/// The share that a cell of percentages stands for.
fn share(cell: &CrosstabCell, measure: &str) -> Option<f64> {
    let percent = match measure {
        "row%" => cell.row_percent,
        "col%" => cell.column_percent,
        "total%" => cell.total_percent,
        _ => None,
    };
    percent.map(|percent| percent / 100.0)
}

/// The total of a row.
fn of_margin(category: &CrosstabCategory, measure: &str) -> String {
    match measure {
        "n" => category.n.to_string(),
        "weighted" => category.weighted_n.map(number).unwrap_or_default(),
        "row%" => percent((category.n > 0).then_some(100.0)),
        "col%" | "total%" => percent(category.percent),
        _ => String::new(),
    }
}

fn notes(crosstab: &Crosstab) -> Vec<String> {
    let mut notes = Vec::new();
    let left_out = [(crosstab.without_answer, "an answer"), (crosstab.without_weight, "a weight")];
    for (rows, what) in left_out.into_iter().filter(|(rows, _)| *rows > 0) {
        notes.push(format!("{rows} of {} rows without {what} are left out", crosstab.rows));
    }
    if crosstab.several_rows || crosstab.several_columns {
        notes.push(
            "Several choices: percentages are those of respondents, and do not add up to 100".to_owned(),
        );
    }
    notes.extend(crosstab.test.as_ref().map(of_test));
    notes.extend(crosstab.warnings.iter().cloned());
    notes
}

fn of_test(test: &IndependenceTest) -> String {
    let p = match test.p {
        Some(p) if p < 0.001 => "p < 0.001".to_owned(),
        Some(p) => format!("p = {p:.3}"),
        None => "p unknown".to_owned(),
    };
    let corrected = match test.method {
        IndependenceMethod::RaoScott => " (Rao and Scott)",
        _ => "",
    };
    format!(
        "chi-square {:.2}, df {}, {p}{corrected}, Cramér's V {:.3}",
        test.chi_square, test.df, test.cramers_v
    )
}
