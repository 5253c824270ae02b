//! A table that can be searched, filtered, sorted, leafed through and downloaded, by forms and links that need no script.

use super::ConsoleVisit;
use maud::{Markup, html};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Rows of a page.
const SIZE: usize = 50;
/// Up to this many rows there is nothing to search, but they can be downloaded.
const FEW: usize = 5;
/// The most values that a filter offers.
const CHOICES: usize = 60;
/// The most columns that are shown side by side; a download has all of them.
const COLUMNS: usize = 40;

/// The text of a cell, by which rows are searched and sorted.
type Text<'a, R> = Box<dyn Fn(&R) -> String + 'a>;
/// What a cell shows instead.
type Shown<'a, R> = Box<dyn Fn(&R) -> Markup + 'a>;

/// A column: what it is called, and what its cells are.
pub(super) struct Column<'a, R> {
    name: String,
    text: Text<'a, R>,
    shown: Option<Shown<'a, R>>,
    class: &'static str,
    is_heading: bool,
    /// Up to how many values are offered as a filter.
    choices: usize,
    is_in_order: bool,
}

impl<'a, R: 'a> Column<'a, R> {
    pub(super) fn new(name: impl Into<String>, text: impl Fn(&R) -> String + 'a) -> Self {
        let (name, text) = (name.into(), Box::new(text));
        Self { name, text, shown: None, class: "", is_heading: false, choices: 0, is_in_order: true }
    }

    /// Names the row.
    pub(super) fn heading(mut self) -> Self {
        self.is_heading = true;
        self
    }

    pub(super) fn number(mut self) -> Self {
        self.class = "number";
        self
    }

    pub(super) fn wraps(mut self) -> Self {
        self.class = "wraps";
        self
    }

    /// A name, which may be long.
    pub(super) fn name(mut self) -> Self {
        self.class = "name";
        self
    }

    /// Shows something else than its text, such as a link.
    pub(super) fn shown(mut self, shown: impl Fn(&R) -> Markup + 'a) -> Self {
        self.shown = Some(Box::new(shown));
        self
    }

    /// The text as a link.
    pub(super) fn link(self, path: impl Fn(&R) -> String + 'a) -> Self {
        self.linked(move |row| Some(path(row)))
    }

    /// The text as a link, where there is something behind it.
    pub(super) fn linked(mut self, path: impl Fn(&R) -> Option<String> + 'a) -> Self {
        let text = std::mem::replace(&mut self.text, Box::new(|_| String::new()));
        let text = std::rc::Rc::new(text);
        let again = std::rc::Rc::clone(&text);
        self.text = Box::new(move |row| again(row));
        self.shown(move |row| {
            html! {
                @match path(row) { Some(path) => a href=(path) { (text(row)) }, None => (text(row)) }
            }
        })
    }

    /// A number with a bar.
    pub(super) fn bar(mut self, share: impl Fn(&R) -> Option<f64> + 'a) -> Self {
        let text = std::rc::Rc::new(std::mem::replace(&mut self.text, Box::new(|_| String::new())));
        let again = std::rc::Rc::clone(&text);
        self.text = Box::new(move |row| again(row));
        self.class = "number";
        self.shown(move |row| {
            html! {
                span.share { (text(row)) @if let Some(share) = share(row) { (super::results::bar(share)) } }
            }
        })
    }

    /// Offers its values as a filter.
    pub(super) fn filter(mut self) -> Self {
        self.choices = CHOICES;
        self
    }

    /// Offers its values as a filter if there are only a few.
    pub(super) fn filter_of_few(mut self) -> Self {
        self.choices = 12;
        self
    }

    /// Offers no order, because it is made of buttons.
    pub(super) fn unordered(mut self) -> Self {
        self.is_in_order = false;
        self
    }
}

/// A table of the rows that a visitor wants to see.
pub(super) struct Listing<'a, 'v, R> {
    visit: &'a ConsoleVisit<'v>,
    /// What distinguishes its parameters from those of other tables of the page.
    key: &'static str,
    name: &'a str,
    columns: Vec<Column<'a, R>>,
    /// How many columns stay when others are leafed through.
    fixed: usize,
}

impl<'a, 'v, R: 'a> Listing<'a, 'v, R> {
    pub(super) fn new(
        visit: &'a ConsoleVisit<'v>,
        key: &'static str,
        name: &'a str,
        columns: Vec<Column<'a, R>>,
    ) -> Self {
        Self { visit, key, name, columns, fixed: usize::MAX }
    }

    /// So many columns stay when the others are leafed through.
    pub(super) fn fixed(mut self, columns: usize) -> Self {
        self.fixed = columns;
        self
    }

    fn parameter(&self, name: &str) -> String {
        if self.key.is_empty() { name.to_owned() } else { format!("{}.{name}", self.key) }
    }

    fn given(&self, name: &str) -> &str {
        self.visit.query.get(&self.parameter(name)).unwrap_or_default()
    }

    pub(super) fn show(&self, rows: Vec<R>) -> Markup {
        let all = rows.len();
        let choices = self.choices(&rows);
        let rows = self.selected(rows);
        self.offer(&rows);
        let last = rows.len().div_ceil(SIZE).max(1);
        let page = self.given("page").parse().unwrap_or(1).clamp(1, last);
        let first = (page - 1) * SIZE;
        let shown = &rows[first..rows.len().min(first + SIZE)];
        let columns = self.window();
        html! {
            @if all > FEW { (self.tools(&choices, all, rows.len())) } @else if all > 0 { div.tools { (self.csv()) } }
            div.scroll role="region" aria-label=(self.name) tabindex="0" {
                table {
                    caption { (self.name) }
                    thead { tr { @for column in &columns { (self.head(column)) } } }
                    tbody {
                        @for row in shown {
                            tr {
                                @for column in &columns {
                                    @if column.is_heading { th scope="row" class=[some(column.class)] { (cell(column, row)) } }
                                    @else { td class=[some(column.class)] { (cell(column, row)) } }
                                }
                            }
                        }
                        @if shown.is_empty() { tr { td colspan=(columns.len()) { "Nothing matches." } } }
                    }
                }
            }
            (self.leaves(page, last, (first, shown.len(), rows.len())))
            (self.column_leaves())
        }
    }

    /// The values that each filter offers; none if there are too many.
    fn choices(&self, rows: &[R]) -> Vec<(&Column<'a, R>, BTreeSet<String>)> {
        let filters = self.columns.iter().filter(|column| column.choices > 0 && rows.len() > FEW);
        let values = |column: &Column<'a, R>| -> BTreeSet<String> {
            let mut values = BTreeSet::new();
            for row in rows {
                values.insert((column.text)(row));
                if values.len() > column.choices {
                    break;
                }
            }
            values
        };
        let offered = filters.map(|column| (column, values(column)));
        // What is different in almost every row is searched, not chosen.
        let is_common = |values: &BTreeSet<String>| values.len() * 3 <= rows.len();
        offered
            .filter(|(column, values)| {
                (2..=column.choices).contains(&values.len())
                    && (column.choices == CHOICES || is_common(values))
            })
            .take(4)
            .collect()
    }

    /// The rows that pass the search and the filters, in the order that was asked for.
    fn selected(&self, rows: Vec<R>) -> Vec<R> {
        let words = self.given("q").to_lowercase();
        let filters: Vec<(&Column<'a, R>, &str)> = self
            .columns
            .iter()
            .filter(|column| column.choices > 0)
            .map(|column| (column, self.given(&column.name)))
            .filter(|(_, wanted)| !wanted.is_empty())
            .collect();
        let passes = |row: &R| {
            filters.iter().all(|(column, wanted)| (column.text)(row).trim() == *wanted)
                && (words.is_empty()
                    || self.columns.iter().any(|column| (column.text)(row).to_lowercase().contains(&words)))
        };
        let mut rows: Vec<R> = if words.is_empty() && filters.is_empty() {
            rows
        } else {
            rows.into_iter().filter(passes).collect()
        };
        let order = self.given("sort");
        let (name, is_down) = order.strip_prefix('-').map_or((order, false), |name| (name, true));
        if let Some(column) = self.columns.iter().find(|column| column.name == name && column.is_in_order) {
            let mut keyed: Vec<(SortKey, R)> =
                rows.into_iter().map(|row| (SortKey::of(&(column.text)(&row)), row)).collect();
            // Stable, and rows without a value stay at the end in both orders.
            keyed.sort_by(|(a, _), (b, _)| a.order(b, is_down));
            rows = keyed.into_iter().map(|(_, row)| row).collect();
        }
        rows
    }

    /// The columns that are shown now.
    fn window(&self) -> Vec<&Column<'a, R>> {
        let fixed = self.fixed.min(self.columns.len());
        let first = self.first_column();
        self.columns[..fixed].iter().chain(self.columns[fixed + first..].iter().take(COLUMNS)).collect()
    }

    fn first_column(&self) -> usize {
        let others = self.columns.len() - self.fixed.min(self.columns.len());
        let first = self.given("columns").parse::<usize>().unwrap_or(1).saturating_sub(1);
        if first < others { first / COLUMNS * COLUMNS } else { 0 }
    }

    fn head(&self, column: &Column<'a, R>) -> Markup {
        let order = self.given("sort");
        let now = match order.strip_prefix('-') {
            _ if order == column.name => Some("ascending"),
            Some(name) if name == column.name => Some("descending"),
            _ => None,
        };
        let next = if now == Some("ascending") { format!("-{}", column.name) } else { column.name.clone() };
        let link = || {
            let (sort, page) = (self.parameter("sort"), self.parameter("page"));
            self.visit.query.link(&[(&sort, &next), (&page, "")])
        };
        html! {
            th scope="col" class=[some(column.class)] aria-sort=[now] {
                @if column.is_in_order { a href=(link()) { (column.name) } } @else { (column.name) }
            }
        }
    }

    fn tools(&self, choices: &[(&Column<'a, R>, BTreeSet<String>)], all: usize, found: usize) -> Markup {
        let names: Vec<String> = choices
            .iter()
            .map(|(column, _)| self.parameter(&column.name))
            .chain(["q", "page", "csv"].map(|name| self.parameter(name)))
            .collect();
        let mut own: Vec<&str> = names.iter().map(String::as_str).collect();
        let is_narrowed = own.iter().take(choices.len() + 1).any(|name| self.visit.query.get(name).is_some());
        let cleared: Vec<(&str, &str)> = own.iter().map(|name| (*name, "")).collect();
        let everything = self.visit.query.link(&cleared);
        own.push("done");
        html! {
            form.tools method="get" role="search" aria-label=(format!("Search: {}", self.name)) {
                @for (name, value) in self.visit.query.without(&own) { input type="hidden" name=(name) value=(value); }
                input type="search" name=(self.parameter("q")) value=(self.given("q")) placeholder="Search"
                    aria-label=(format!("Search: {}", self.name));
                @for (column, values) in choices {
                    select name=(self.parameter(&column.name)) aria-label=(format!("{}: {}", column.name, self.name)) {
                        option value="" { (column.name) ": all" }
                        @for value in values.iter().filter(|value| !value.trim().is_empty()) {
                            option value=(value) selected[self.given(&column.name) == value.trim()] { (value) }
                        }
                    }
                }
                button { "Search" }
                @if is_narrowed { span.hint { (grouped(found)) " of " (grouped(all)) } a href=(everything) { "Show all" } }
                (self.csv())
            }
        }
    }

    /// The link to the rows as a file.
    fn csv(&self) -> Markup {
        html! { a.download href=(self.visit.query.link(&[("csv", self.csv_key())])) { "CSV" } }
    }

    /// What the parameter `csv` names it.
    fn csv_key(&self) -> &'static str {
        if self.key.is_empty() { "table" } else { self.key }
    }

    /// Offers the rows as a file, if that was asked for.
    fn offer(&self, rows: &[R]) {
        if self.visit.query.get("csv") != Some(self.csv_key()) {
            return;
        }
        let header = self.columns.iter().map(|column| column.name.clone()).collect();
        let rows = rows.iter().map(|row| self.columns.iter().map(|column| (column.text)(row)).collect());
        self.visit.offer(self.name, std::iter::once(header).chain(rows));
    }

    fn leaves(&self, page: usize, last: usize, (first, shown, found): (usize, usize, usize)) -> Markup {
        let name = self.parameter("page");
        let link = |to: usize| self.visit.query.link(&[(&name, &to.to_string())]);
        html! {
            @if last > 1 {
                nav.leaves aria-label=(format!("Pages: {}", self.name)) {
                    @if page > 1 {
                        a href=(link(1)) { "First" } a href=(link(page - 1)) rel="prev" { "Previous page" }
                    }
                    span { "Page " (page) " of " (last) " (" (grouped(first + 1)) " to " (grouped(first + shown)) " of " (grouped(found)) ")" }
                    @if page < last {
                        a href=(link(page + 1)) rel="next" { "Next page" } a href=(link(last)) { "Last" }
                    }
                }
            }
        }
    }

    /// Links to further columns.
    fn column_leaves(&self) -> Markup {
        let others = self.columns.len() - self.fixed.min(self.columns.len());
        let (first, name) = (self.first_column(), self.parameter("columns"));
        html! {
            @if others > COLUMNS {
                nav.leaves aria-label=(format!("Columns: {}", self.name)) {
                    span { "Columns:" }
                    @for start in (0..others).step_by(COLUMNS) {
                        @let text = format!("{} to {}", start + 1, others.min(start + COLUMNS));
                        @if start == first { span aria-current="true" { (text) } }
                        @else { a href=(self.visit.query.link(&[(&name, &(start + 1).to_string())])) { (text) } }
                    }
                }
            }
        }
    }
}

fn cell<R>(column: &Column<'_, R>, row: &R) -> Markup {
    column.shown.as_ref().map_or_else(|| html! { ((column.text)(row)) }, |shown| shown(row))
}

fn some(class: &'static str) -> Option<&'static str> {
    Some(class).filter(|class| !class.is_empty())
}

/// What a row is sorted by.
enum SortKey {
    Number(f64),
    Text(String),
    Nothing,
}

impl SortKey {
    fn of(text: &str) -> Self {
        match text.parse::<f64>() {
            _ if text.is_empty() => Self::Nothing,
            Ok(number) if number.is_finite() => Self::Number(number),
            _ => Self::Text(text.to_lowercase()),
        }
    }

    fn order(&self, other: &Self, is_down: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
            (Self::Nothing, Self::Nothing) => return Ordering::Equal,
            (Self::Nothing, _) => return Ordering::Greater,
            (_, Self::Nothing) => return Ordering::Less,
        };
        if is_down { order.reverse() } else { order }
    }
}

/// A count with its thousands apart: `10,200`.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
