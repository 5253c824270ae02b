//! Where halves of characters were replaced while a response was decoded. It holds columns and ids, never texts.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::names::ColumnNames;
use super::row::RawRow;
use crate::error::Warning;

/// How many rows a warning names.
const NAMED: usize = 3;
/// The maximum number of columns with a warning of their own.
const COLUMNS: usize = 100;

/// The rows of each column in which something was replaced. Without a column: in names, or beside the rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Replaced(IndexMap<String, ReplacedIn>);

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct ReplacedIn {
    count: u64,
    /// The ids of the first rows; in a part of a response that is no row, the places.
    rows: Vec<String>,
}

/// The same while a response is decoded: by the number of the column, and of the row, counted from 0.
#[derive(Debug, Default)]
pub(crate) struct ReplacedCells(IndexMap<Option<usize>, (u64, Vec<usize>)>);

impl ReplacedCells {
    /// Notes the columns of the halves at these places of a row.
    pub(crate) fn note(&mut self, halves: &[usize], row: &RawRow<'_>, text: &str, number: u64) {
        let number = usize::try_from(number).unwrap_or(usize::MAX) - 1;
        for half in halves {
            let holds = |raw: &str| super::chunk::within(text, raw).contains(half);
            let column = row.cells.iter().find(|(_, raw)| holds(raw.get())).map(|(column, _)| *column);
            if self.0.len() >= COLUMNS && !self.0.contains_key(&column) {
                continue;
            }
            let (count, rows) = self.0.entry(column).or_default();
            *count += 1;
            if rows.len() < NAMED && rows.last() != Some(&number) {
                rows.push(number);
            }
        }
    }

    /// With names and ids.
    pub(crate) fn named(
        self,
        names: &ColumnNames,
        id: impl Fn(usize) -> Option<String>,
        into: &mut Replaced,
    ) {
        for (column, (count, rows)) in self.0 {
            let name =
                column.and_then(|number| names.list().get(number)).map(|column| column.name.to_string());
            let rows = rows.into_iter().filter_map(&id).collect();
            into.add(name.unwrap_or_default(), ReplacedIn { count, rows });
        }
    }
}

impl Replaced {
    fn add(&mut self, column: String, more: ReplacedIn) {
        if self.0.len() >= COLUMNS && !self.0.contains_key(&column) {
            return;
        }
        let rows_of_column = self.0.entry(column).or_default();
        rows_of_column.count += more.count;
        let free = NAMED.saturating_sub(rows_of_column.rows.len());
        rows_of_column.rows.extend(more.rows.into_iter().take(free));
    }

    /// Notes halves beside the rows, the first of them at this place.
    pub(crate) fn beside(&mut self, count: usize, place: String) {
        self.add(String::new(), ReplacedIn { count: count as u64, rows: vec![place] });
    }

    pub(crate) fn merge(&mut self, other: Replaced) {
        other.0.into_iter().for_each(|(column, more)| self.add(column, more));
    }

    /// A warning for each column. `row`: the noun for a row.
    pub(crate) fn warnings(&self, row: &str) -> Vec<Warning> {
        let warning = |(column, ReplacedIn { count, rows }): (&String, &ReplacedIn)| {
            let what = match count {
                1 => "half of a character (a surrogate without its pair) was".to_owned(),
                _ => format!("{count} halves of characters (surrogates without their pair) were"),
            };
            let row_list = rows.iter().map(|row| format!("`{row}`")).collect::<Vec<_>>().join(", ");
            let location = match (column.is_empty(), rows.len()) {
                (_, 0) => String::new(),
                (true, _) => format!(": in {row_list}"),
                (false, 1) => format!(": {row} {row_list}"),
                (false, _) => format!(": {row}s {row_list}"),
            };
            let more = if *count > NAMED as u64 { " and others" } else { "" };
            let detail = format!("{what} replaced by U+FFFD{location}{more}");
            if column.is_empty() { Warning::general(detail) } else { Warning::new(column, detail) }
        };
        self.0.iter().map(warning).collect()
    }
}
