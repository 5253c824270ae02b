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
    head: Head,
    text: Text<'a, R>,
    shown: Option<Shown<'a, R>>,
}

/// What a column is apart from its rows.
struct Head {
    name: String,
    class: &'static str,
    is_heading: bool,
    /// Up to how many values are offered as a filter.
    choices: usize,
    is_in_order: bool,
}

impl<'a, R: 'a> Column<'a, R> {
    pub(super) fn new(name: impl Into<String>, text: impl Fn(&R) -> String + 'a) -> Self {
        let head = Head { name: name.into(), class: "", is_heading: false, choices: 0, is_in_order: true };
        Self { head, text: Box::new(text), shown: None }
    }

    /// Names the row.
    pub(super) fn heading(mut self) -> Self {
        self.head.is_heading = true;
        self
    }

    pub(super) fn number(mut self) -> Self {
        self.head.class = "number";
        self
    }

    pub(super) fn wraps(mut self) -> Self {
        self.head.class = "wraps";
        self
    }

    /// A name, which may be long.
    pub(super) fn name(mut self) -> Self {
        self.head.class = "name";
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
        self.head.class = "number";
        self.shown(move |row| {
            html! {
                span.share { (text(row)) @if let Some(share) = share(row) { (super::results::bar(share)) } }
            }
        })
    }

    /// Offers its values as a filter.
    pub(super) fn filter(mut self) -> Self {
        self.head.choices = CHOICES;
        self
    }

    /// Offers its values as a filter if there are only a few.
    pub(super) fn filter_of_few(mut self) -> Self {
        self.head.choices = 12;
        self
    }

    /// Offers no order, because it is made of buttons.
    pub(super) fn unordered(mut self) -> Self {
        self.head.is_in_order = false;
        self
    }
}

/// A table of the rows that a visitor wants to see.
pub(super) struct Listing<'a, 'v, R> {
    frame: Frame<'a, 'v>,
    columns: Vec<Column<'a, R>>,
}

/// The part of a table that does not depend on the type of its rows, so that its code exists once.
struct Frame<'a, 'v> {
    visit: &'a ConsoleVisit<'v>,
    /// What distinguishes its parameters from those of other tables of the page.
    key: &'static str,
    name: &'a str,
    /// How many columns there are, and how many of them stay when others are leafed through.
    columns: usize,
    fixed: usize,
}

impl<'a, 'v, R: 'a> Listing<'a, 'v, R> {
    pub(super) fn new(
        visit: &'a ConsoleVisit<'v>,
        key: &'static str,
        name: &'a str,
        columns: Vec<Column<'a, R>>,
    ) -> Self {
        let fixed = columns.len();
        Self { frame: Frame { visit, key, name, columns: fixed, fixed }, columns }
    }

    /// So many columns stay when the others are leafed through.
    pub(super) fn fixed(mut self, columns: usize) -> Self {
        self.frame.fixed = columns.min(self.columns.len());
        self
    }

    pub(super) fn show(&self, rows: Vec<R>) -> Markup {
        let (frame, all) = (&self.frame, rows.len());
        let choices = self.choices(&rows);
        let rows = self.selected(rows);
        self.offer(&rows);
        let last = rows.len().div_ceil(SIZE).max(1);
        let page = frame.given("page").parse().unwrap_or(1).clamp(1, last);
        let first = (page - 1) * SIZE;
        let shown = &rows[first..rows.len().min(first + SIZE)];
        let columns: Vec<_> = frame.window().map(|number| &self.columns[number]).collect();
        let heads: Vec<&Head> = columns.iter().map(|column| &column.head).collect();
        let cells = shown.iter().map(|row| columns.iter().map(|column| cell(column, row)).collect());
        let table = frame.table(&heads, &cells.collect::<Vec<_>>());
        frame.whole(&choices, &table, (all, rows.len()), (page, last))
    }

    /// The values that each filter offers; none if there are too many.
    fn choices(&self, rows: &[R]) -> Vec<(&Head, BTreeSet<String>)> {
        let filters = self.columns.iter().filter(|column| column.head.choices > 0 && rows.len() > FEW);
        let values = |column: &Column<'a, R>| -> BTreeSet<String> {
            let mut values = BTreeSet::new();
            for row in rows {
                values.insert((column.text)(row));
                if values.len() > column.head.choices {
                    break;
                }
            }
            values
        };
        let offered = filters.map(|column| (&column.head, values(column)));
        // What is different in almost every row is searched, not chosen.
        let is_common = |values: &BTreeSet<String>| values.len() * 3 <= rows.len();
        offered
            .filter(|(head, values)| {
                (2..=head.choices).contains(&values.len()) && (head.choices == CHOICES || is_common(values))
            })
            .take(4)
            .collect()
    }

    /// The rows that pass the search and the filters, in the order that was asked for.
    fn selected(&self, rows: Vec<R>) -> Vec<R> {
        let words = self.frame.given("q").to_lowercase();
        let filters: Vec<(&Column<'a, R>, &str)> = self
            .columns
            .iter()
            .filter(|column| column.head.choices > 0)
            .map(|column| (column, self.frame.given(&column.head.name)))
            .filter(|(_, wanted)| !wanted.is_empty())
            .collect();
        let passes = |row: &R| {
            filters.iter().all(|(column, wanted)| (column.text)(row).trim() == *wanted)
                && (words.is_empty()
                    || self.columns.iter().any(|column| (column.text)(row).to_lowercase().contains(&words)))
        };
        let mut rows: Vec<Option<R>> = if words.is_empty() && filters.is_empty() {
            rows.into_iter().map(Some).collect()
        } else {
            rows.into_iter().filter(passes).map(Some).collect()
        };
        let order = self.frame.given("sort");
        let (name, is_down) = order.strip_prefix('-').map_or((order, false), |name| (name, true));
        let by = self.columns.iter().find(|column| column.head.name == name && column.head.is_in_order);
        let Some(column) = by else { return rows.into_iter().flatten().collect() };
        let keys = rows.iter().flatten().map(|row| SortKey::of(&(column.text)(row))).collect();
        sorted(keys, is_down).into_iter().filter_map(|number| rows[number].take()).collect()
    }

    /// Offers the rows as a file, if that was asked for.
    fn offer(&self, rows: &[R]) {
        if self.frame.visit.query.get("csv") != Some(self.frame.csv_key()) {
            return;
        }
        let header = self.columns.iter().map(|column| column.head.name.clone()).collect();
        let rows = rows.iter().map(|row| self.columns.iter().map(|column| (column.text)(row)).collect());
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
        self.frame.visit.offer(self.frame.name, rows.into_iter());
    }
}

impl Frame<'_, '_> {
    fn parameter(&self, name: &str) -> String {
        if self.key.is_empty() { name.to_owned() } else { format!("{}.{name}", self.key) }
    }

    fn given(&self, name: &str) -> &str {
        self.visit.query.get(&self.parameter(name)).unwrap_or_default()
    }

    /// The columns that are shown now.
    fn window(&self) -> impl Iterator<Item = usize> {
        let from = self.fixed + self.first_column();
        (0..self.fixed).chain((from..self.columns).take(COLUMNS))
    }

    fn first_column(&self) -> usize {
        let first = self.given("columns").parse::<usize>().unwrap_or(1).saturating_sub(1);
        if first < self.columns - self.fixed { first / COLUMNS * COLUMNS } else { 0 }
    }

    fn table(&self, heads: &[&Head], rows: &[Vec<Markup>]) -> Markup {
        html! {
            div.scroll role="region" aria-label=(self.name) tabindex="0" {
                table {
                    caption { (self.name) }
                    thead { tr { @for head in heads { (self.head(head)) } } }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (head, cell) in heads.iter().zip(row) {
                                    @if head.is_heading { th scope="row" class=[some(head.class)] { (cell) } }
                                    @else { td class=[some(head.class)] { (cell) } }
                                }
                            }
                        }
                        @if rows.is_empty() { tr { td colspan=(heads.len()) { "Nothing matches." } } }
                    }
                }
            }
        }
    }

    /// The table between its search and its leaves. `all` rows, of which so many were `found`.
    fn whole(
        &self,
        choices: &[(&Head, BTreeSet<String>)],
        table: &Markup,
        (all, found): (usize, usize),
        (page, last): (usize, usize),
    ) -> Markup {
        html! {
            @if all > FEW { (self.tools(choices, all, found)) } @else if all > 0 { div.tools { (self.csv()) } }
            (table)
            (self.leaves(page, last, found))
            (self.column_leaves())
        }
    }

    fn head(&self, head: &Head) -> Markup {
        let order = self.given("sort");
        let now = match order.strip_prefix('-') {
            _ if order == head.name => Some("ascending"),
            Some(name) if name == head.name => Some("descending"),
            _ => None,
        };
        let next = if now == Some("ascending") { format!("-{}", head.name) } else { head.name.clone() };
        let link = || {
            let (sort, page) = (self.parameter("sort"), self.parameter("page"));
            self.visit.query.link(&[(&sort, &next), (&page, "")])
        };
        html! {
            th scope="col" class=[some(head.class)] aria-sort=[now] {
                @if head.is_in_order { a href=(link()) { (head.name) } } @else { (head.name) }
            }
        }
    }

    fn tools(&self, choices: &[(&Head, BTreeSet<String>)], all: usize, found: usize) -> Markup {
        let names: Vec<String> = choices
            .iter()
            .map(|(head, _)| self.parameter(&head.name))
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
                @for (head, values) in choices {
                    select name=(self.parameter(&head.name)) aria-label=(format!("{}: {}", head.name, self.name)) {
                        option value="" { (head.name) ": all" }
                        @for value in values.iter().filter(|value| !value.trim().is_empty()) {
                            option value=(value) selected[self.given(&head.name) == value.trim()] { (value) }
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

    fn leaves(&self, page: usize, last: usize, found: usize) -> Markup {
        let (name, first) = (self.parameter("page"), (page - 1) * SIZE);
        let link = |to: usize| self.visit.query.link(&[(&name, &to.to_string())]);
        html! {
            @if last > 1 {
                nav.leaves aria-label=(format!("Pages: {}", self.name)) {
                    @if page > 1 {
                        a href=(link(1)) { "First" } a href=(link(page - 1)) rel="prev" { "Previous page" }
                    }
                    span { "Page " (page) " of " (last) " (" (grouped(first + 1)) " to " (grouped(found.min(first + SIZE))) " of " (grouped(found)) ")" }
                    @if page < last {
                        a href=(link(page + 1)) rel="next" { "Next page" } a href=(link(last)) { "Last" }
                    }
                }
            }
        }
    }

    /// Links to further columns.
    fn column_leaves(&self) -> Markup {
        let others = self.columns - self.fixed;
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

/// The numbers of the rows in their order. Stable, and rows without a value stay at the end in both orders.
fn sorted(keys: Vec<SortKey>, is_down: bool) -> Vec<usize> {
    let mut keyed: Vec<(SortKey, usize)> = keys.into_iter().zip(0..).collect();
    keyed.sort_by(|(a, _), (b, _)| a.order(b, is_down));
    keyed.into_iter().map(|(_, number)| number).collect()
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
