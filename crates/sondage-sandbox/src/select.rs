//! Selects the rows of a list call: conditions, then order, then page.

use crate::filter::{CellKind, CellValue, ConditionSource, Filter, Identifier};
use crate::profile::{Profile, TotalCount};
use crate::refusal::Refusal;
use serde_json::Value;
use sondage::model::{Condition, Paging};

/// Rows with named columns.
pub(crate) trait Table {
    type Row;
    type Column;

    /// The column that a condition names, and its type.
    fn resolve(&self, identifier: Identifier<'_>) -> Option<(Self::Column, CellKind)>;

    /// The column that `orderField` names.
    fn order_column(&self, name: &str) -> Option<Self::Column>;

    fn cell<'r>(&'r self, row: &'r Self::Row, column: &Self::Column) -> CellValue<'r>;
}

/// The rows of one page.
pub(crate) struct Selection<'r, R> {
    pub(crate) rows: Vec<&'r R>,
    /// The response's count of the whole list.
    pub(crate) total_count: usize,
}

/// The rows that pass all conditions, in their own order.
pub(crate) fn filter<'r, T: Table>(
    table: &T,
    rows: impl Iterator<Item = &'r T::Row>,
    conditions: Option<&[Condition]>,
    profile: &Profile,
) -> Result<Vec<&'r T::Row>, Refusal> {
    let filter = Filter::compile(conditions.unwrap_or_default(), profile, |name| table.resolve(name))?;
    Ok(rows.filter(|row| filter.matches(|column| table.cell(row, column))).collect())
}

/// One page of them.
pub(crate) fn page<'r, T: Table>(
    table: &'r T,
    mut rows: Vec<&'r T::Row>,
    paging: Option<&Paging>,
    profile: &Profile,
) -> Result<Selection<'r, T::Row>, Refusal> {
    let matching = rows.len();
    if let Some(paging) = paging {
        order(table, &mut rows, paging)?;
        let (skip, take) = bounds(paging, profile)?;
        rows = rows.into_iter().skip(skip).take(take).collect();
    }
    let total_count = match profile.total_count {
        TotalCount::True => matching,
        TotalCount::Page => rows.len(),
        TotalCount::Zero => 0,
    };
    Ok(Selection { rows, total_count })
}

fn order<'r, T: Table>(table: &'r T, rows: &mut [&'r T::Row], paging: &Paging) -> Result<(), Refusal> {
    let descending =
        paging.order_direction.as_ref().is_some_and(|direction| direction.as_str() == "Descending");
    let Some(name) = paging.order_field.as_deref().filter(|name| !name.is_empty()) else {
        if descending {
            rows.reverse();
        }
        return Ok(());
    };
    let column = table.order_column(name).ok_or_else(|| {
        Refusal::invalid(format!("paging.orderField: there is no field `{name}` to order by."))
    })?;
    // Stable, so that equal rows stay in the order in which they were created and no page repeats one.
    rows.sort_by(|a, b| {
        let order = table.cell(a, &column).order(&table.cell(b, &column));
        if descending { order.reverse() } else { order }
    });
    Ok(())
}

/// How many rows to skip and how many to return.
fn bounds(paging: &Paging, profile: &Profile) -> Result<(usize, usize), Refusal> {
    let first = i64::from(profile.first_page);
    let largest = i64::from(profile.max_page_size);
    if paging.page_size < 1 || paging.page_size > largest {
        let page_size = paging.page_size;
        return Err(Refusal::invalid(format!(
            "paging.pageSize is {page_size}, but must be from 1 to {largest}."
        )));
    }
    if paging.page < first || paging.page > i64::from(i32::MAX) {
        let page = paging.page;
        return Err(Refusal::invalid(format!("paging.page is {page}, but the first page is {first}.")));
    }
    let take = usize::try_from(paging.page_size).unwrap_or(usize::MAX);
    let before = usize::try_from(paging.page - first).unwrap_or(usize::MAX);
    Ok((before.saturating_mul(take), take))
}

/// A short list of JSON objects whose own fields are its columns: surveys, workspaces, templates, distributors.
struct Items<'a> {
    columns: &'a [&'static str],
    items: &'a [Value],
}

impl Table for Items<'_> {
    type Row = Value;
    type Column = &'static str;

    fn resolve(&self, identifier: Identifier<'_>) -> Option<(&'static str, CellKind)> {
        let column =
            (identifier.source == ConditionSource::Sql).then(|| self.order_column(identifier.name))??;
        let numeric = self.items.iter().any(|item| item[column].is_number());
        Some((column, if numeric { CellKind::Number } else { CellKind::Text }))
    }

    /// The service writes columns in capitals (`UpdatedAt`) and fields in lower case (`updatedAt`).
    fn order_column(&self, name: &str) -> Option<&'static str> {
        self.columns.iter().copied().find(|column| column.eq_ignore_ascii_case(name))
    }

    fn cell<'r>(&'r self, row: &'r Value, column: &&'static str) -> CellValue<'r> {
        CellValue::json(&row[*column])
    }
}

/// Conditions, order and page of a short list.
pub(crate) fn items(
    columns: &'static [&'static str],
    items: &[Value],
    conditions: Option<&[Condition]>,
    paging: Option<&Paging>,
    profile: &Profile,
) -> Result<(Vec<Value>, usize), Refusal> {
    let table = Items { columns, items };
    let selection = page(&table, filter(&table, items.iter(), conditions, profile)?, paging, profile)?;
    Ok((selection.rows.into_iter().cloned().collect(), selection.total_count))
}
