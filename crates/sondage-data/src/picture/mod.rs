//! Results for people to look at: aligned text, HTML with bars, SVG without scripts, and a long table.
//!
//! Each result says once what is shown: as a [`Grid`] of cells, as a [`Drawing`], and as columns. Text, HTML and SVG are made of these.

mod charts;
mod crosstab;
mod field;
mod frequencies;
mod groups;
mod html;
mod quality;
mod read;
mod record;
mod svg;
mod text;

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use sondage::Result;

pub use groups::{Comparison, NumberGroup, NumberGroups};
pub use read::{PictureFormat, draw, table_of};

use crate::error::unexpected;
use crate::table::{Table, metadata};

/// A result that can be looked at.
pub trait Picture {
    /// Aligned text of at most 24 lines, for a terminal.
    fn to_text(&self) -> String {
        self.to_text_within(text::WIDTH)
    }
    /// The same for a terminal of so many columns.
    fn to_text_within(&self, columns: usize) -> String;
    /// A table of HTML with bars, for a notebook or a page. It has no script.
    fn to_html(&self) -> String;
    /// A picture as SVG, without scripts, with a title and a description for screen readers, readable in light and dark.
    fn to_svg(&self) -> String;
    /// The result as a table in long form, a row for each number or pair.
    fn to_table(&self) -> Result<Table>;
    /// The names of the columns, and the cells of each row, as text shows them.
    fn cells(&self) -> Vec<Vec<String>>;
    /// The cells with their bars and the sentences below them, for a page that is written in its own way.
    fn to_grid(&self) -> Grid;
    /// What a screen reader says of the picture.
    fn description(&self) -> String;
}

impl<T: Shown> Picture for T {
    fn to_text_within(&self, columns: usize) -> String {
        text::text(&self.grid(), columns)
    }

    fn to_html(&self) -> String {
        html::html(&self.grid())
    }

    fn to_svg(&self) -> String {
        charts::svg(&self.drawing())
    }

    fn to_table(&self) -> Result<Table> {
        let columns = self.long();
        let rows = columns.first().map_or(0, |column| column.values.len());
        let columns = columns
            .into_iter()
            .map(|column| (column.name, metadata::of_list(column.about, false), false, column.values));
        Table::plain(columns, rows).map_err(|error| unexpected(&error))
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let grid = self.grid();
        let header = grid.columns.iter().map(|column| column.name.clone()).collect();
        std::iter::once(header).chain(grid.rows.into_iter().map(|row| row.cells)).collect()
    }

    fn to_grid(&self) -> Grid {
        self.grid()
    }

    fn description(&self) -> String {
        self.drawing().description
    }
}

/// A result that says what is shown of it.
trait Shown {
    fn grid(&self) -> Grid;
    fn drawing(&self) -> Drawing;
    fn long(&self) -> Vec<LongColumn>;
}

/// Cells in rows and columns, with a bar for each row that has one.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// The columns.
    pub columns: Vec<GridColumn>,
    /// The rows, with a cell for each column.
    pub rows: Vec<GridRow>,
    /// Sentences below it.
    pub notes: Vec<String>,
}

/// A column of a [`Grid`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GridColumn {
    /// The text above it.
    pub name: String,
    /// Whether its cells are numbers.
    pub is_number: bool,
}

/// A row of a [`Grid`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GridRow {
    /// The cells, as text.
    pub cells: Vec<String>,
    /// The share that each cell stands for, from 0 to 1; empty if the cells stand for none.
    pub shares: Vec<Option<f64>>,
    /// How long its bar is, from 0 to 1.
    pub bar: Option<f64>,
    /// Whether it is none of the answers: a base, or a reason for a missing answer.
    pub is_aside: bool,
}

impl Grid {
    /// A column of texts, and columns of numbers.
    pub fn new(title: String, first: &str, numbers: impl IntoIterator<Item = String>) -> Self {
        let column = |name: String| GridColumn { name, is_number: true };
        let first = GridColumn { name: first.to_owned(), is_number: false };
        let columns = std::iter::once(first).chain(numbers.into_iter().map(column)).collect();
        Self { title, columns, ..Self::default() }
    }
}

/// A chart, and what a screen reader says of it.
struct Drawing {
    title: String,
    description: String,
    chart: Chart,
}

enum Chart {
    /// Horizontal bars.
    Bars(Vec<Bar>),
    /// Vertical bars side by side: classes of numbers, or days.
    Columns(Vec<Bar>),
    /// A horizontal bar for each group, of parts that add up to 100 %.
    Stacked(Groups),
    /// Horizontal bars for each group, of shares that do not add up to 100 %.
    Grouped(Groups),
}

struct Bar {
    label: String,
    value: f64,
    /// The value as text.
    shown: String,
}

struct Groups {
    /// What the parts are.
    parts: Vec<String>,
    /// The groups, with the share of each part, from 0 to 100.
    groups: Vec<(String, Vec<f64>)>,
}

/// A column of a long table.
struct LongColumn {
    name: &'static str,
    about: &'static str,
    values: ArrayRef,
}

impl LongColumn {
    fn texts(
        name: &'static str,
        about: &'static str,
        values: impl IntoIterator<Item = Option<String>>,
    ) -> Self {
        Self { name, about, values: Arc::new(values.into_iter().collect::<StringArray>()) }
    }

    fn counts(
        name: &'static str,
        about: &'static str,
        values: impl IntoIterator<Item = Option<u64>>,
    ) -> Self {
        let values = values.into_iter().map(|value| value.and_then(|value| i64::try_from(value).ok()));
        Self { name, about, values: Arc::new(values.collect::<Int64Array>()) }
    }

    fn numbers(
        name: &'static str,
        about: &'static str,
        values: impl IntoIterator<Item = Option<f64>>,
    ) -> Self {
        Self { name, about, values: Arc::new(values.into_iter().collect::<Float64Array>()) }
    }

    fn flags(name: &'static str, about: &'static str, values: impl IntoIterator<Item = bool>) -> Self {
        Self { name, about, values: Arc::new(values.into_iter().map(Some).collect::<BooleanArray>()) }
    }
}

/// A share from 0 to 100.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"))
}

/// A number with at most two decimals.
fn number(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The name of a question with its text.
fn titled(name: &str, label: Option<&str>) -> String {
    match label.filter(|label| !label.is_empty() && *label != name) {
        Some(label) => format!("{name}: {label}"),
        None => name.to_owned(),
    }
}

/// A text of at most so many characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}
