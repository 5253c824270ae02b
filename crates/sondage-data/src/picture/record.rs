//! What is shown of any other result: its fields, and its lists as tables or, if they are long, as counts.

use super::{Grid, GridColumn, GridRow, html, shortened, text};
use serde_json::{Map, Value};
use sondage::reports::{
    Comparison, Report as _, ReportSchema, ReportType, StoreErasure, SyncReport, WaveChange,
};
use std::collections::BTreeMap;

/// Results of methods with tables that have no picture.
const OF_TABLES: &[&ReportSchema] = &[Comparison::SCHEMA, StoreErasure::SCHEMA, SyncReport::SCHEMA];

/// The most lines of a text, which fit on a screen.
const LINES: usize = 24;
/// A longer list is counted.
const ROWS: usize = 15;
/// The most characters of a value.
const VALUE: usize = 90;
/// The most kinds of rows that are counted.
const KINDS: usize = 12;

/// The schema of a result of this name.
pub(super) fn schema(name: &str) -> Option<&'static ReportSchema> {
    let all = sondage::reports::ALL.iter().chain(sondage_jobs::reports::ALL).chain(OF_TABLES);
    all.copied().find(|schema| schema.name == name)
}

/// The result as aligned text, at most a screen.
pub(super) fn to_text(schema: &ReportSchema, result: &Map<String, Value>) -> String {
    let said = sentences(result).map(str::to_owned);
    let all = said
        .into_iter()
        .chain(parts(schema, result).iter().map(|grid| text::text(grid, text::WIDTH)))
        .collect::<Vec<_>>()
        .join("\n");
    let lines: Vec<&str> = all.lines().collect();
    if lines.len() <= LINES {
        return all;
    }
    let more = format!("… {} more lines: the fields of the result have everything", lines.len() + 1 - LINES);
    lines[..LINES - 1].iter().copied().chain([more.as_str()]).collect::<Vec<_>>().join("\n")
}

/// The result as tables of HTML.
pub(super) fn to_html(schema: &ReportSchema, result: &Map<String, Value>) -> String {
    let said = sentences(result)
        .map(|text| maud::html! { p style="white-space:pre-wrap" dir="auto" { (text) } }.into_string());
    said.into_iter().chain(parts(schema, result).iter().map(html::html)).collect()
}

/// What the result says of itself.
fn sentences(result: &Map<String, Value>) -> Option<&str> {
    result.get("text")?.as_str()
}

/// The fields, and then the lists.
fn parts(schema: &ReportSchema, result: &Map<String, Value>) -> Vec<Grid> {
    let mut fields = Grid::new(words(schema.name), "", [String::new()]);
    fields.columns[1].is_number = false;
    let mut lists = Vec::new();
    for field in schema.fields.iter().filter(|field| field.name != "text") {
        let Some(value) = result.get(field.name).filter(|value| !value.is_null()) else { continue };
        match of_type(field.ty) {
            ReportType::Secret => {}
            ReportType::List(item) => match (of_type(item), value.as_array()) {
                (_, Some(items)) if items.is_empty() => {}
                (ReportType::Report(item), Some(items)) => lists.push(list(field.name, item(), items)),
                (ReportType::Secret, _) => {}
                (_, Some(items)) => fields.rows.push(line(field.name, &some(items))),
                _ => {}
            },
            ReportType::Report(inner) => {
                for field_of_inner in inner().fields {
                    let value = value.get(field_of_inner.name).filter(|value| !value.is_null());
                    if let Some(value) = value
                        .filter(|value| !matches!(field_of_inner.ty, ReportType::Secret) && !value.is_array())
                    {
                        fields
                            .rows
                            .push(line(&format!("{} {}", field.name, field_of_inner.name), &shown(value)));
                    }
                }
            }
            _ => fields.rows.push(line(field.name, &shown(value))),
        }
    }
    let fields = (!fields.rows.is_empty()).then_some(fields);
    fields.into_iter().chain(lists).collect()
}

fn of_type(ty: &'static ReportType) -> &'static ReportType {
    match ty {
        ReportType::Optional(inner) => inner,
        ty => ty,
    }
}

fn line(name: &str, value: &str) -> GridRow {
    GridRow { cells: vec![name.replace('_', " "), value.to_owned()], ..GridRow::default() }
}

/// A list of results: all of them, or how many there are of each kind.
fn list(name: &str, schema: &ReportSchema, items: &[Value]) -> Grid {
    let title = format!("{} ({})", name.replace('_', " "), items.len());
    let is_shown = |value: &Value| !value.is_null() && !value.is_array() && !value.is_object();
    let names: Vec<&str> = schema
        .fields
        .iter()
        .filter(|field| !matches!(of_type(field.ty), ReportType::Secret))
        .map(|field| field.name)
        .filter(|name| items.iter().any(|item| item.get(name).is_some_and(is_shown)))
        .collect();
    // Each change counts, and there are as many as somebody has made.
    if items.len() > ROWS && schema.name != WaveChange::SCHEMA.name {
        return counted(title, schema, items);
    }
    let column = |name: &&str| GridColumn {
        name: name.replace('_', " "),
        is_number: items.iter().all(|item| item[*name].is_number()),
    };
    let row = |item: &Value| GridRow {
        cells: names.iter().map(|name| shown(&item[*name])).collect(),
        ..GridRow::default()
    };
    Grid {
        title,
        columns: names.iter().map(column).collect(),
        rows: items.iter().map(row).collect(),
        ..Grid::default()
    }
}

fn counted(title: String, schema: &ReportSchema, items: &[Value]) -> Grid {
    let mut grid = Grid::new(title, "", ["n".to_owned()]);
    let is_kind = |ty: &ReportType| matches!(ty, ReportType::Word(_));
    let kind = schema.fields.iter().find(|field| is_kind(of_type(field.ty)));
    let kind = kind.or_else(|| schema.fields.iter().find(|field| field.name == "reason"));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    if let Some(kind) = kind {
        for item in items {
            *kinds.entry(shown(&item[kind.name])).or_default() += 1;
        }
    }
    let mut kinds: Vec<(String, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (kind, n) in kinds.into_iter().take(KINDS) {
        #[allow(clippy::cast_precision_loss)] // no list has 2^53 rows
        let bar = Some(n as f64 / items.len() as f64);
        grid.rows.push(GridRow {
            cells: vec![kind.replace('_', " "), n.to_string()],
            bar,
            is_aside: false,
            ..GridRow::default()
        });
    }
    grid
}

/// The first of several values.
fn some(items: &[Value]) -> String {
    let first: Vec<String> = items.iter().take(5).map(shown).collect();
    let more = if items.len() > 5 { format!(", … {} in all", items.len()) } else { String::new() };
    format!("{}{more}", first.join(", "))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) if number.is_f64() => super::number(number.as_f64().unwrap_or_default()),
        Value::String(text) => shortened(text, VALUE),
        other => shortened(&other.to_string(), VALUE),
    }
}

/// `SendReport` in words.
fn words(name: &str) -> String {
    let mut words = String::new();
    for (at, letter) in name.chars().enumerate() {
        if at > 0 && letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(if at == 0 {
            letter.to_uppercase().collect::<Vec<_>>()
        } else {
            letter.to_lowercase().collect()
        });
    }
    words.trim_end_matches(" facts").to_owned()
}
