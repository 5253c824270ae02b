//! Matches the columns of the rows with the definition of the panel.

use super::ImportSettings;
use super::prints::RowPrints;
use super::{field_of, is_alike};
use crate::column_names::ColumnNames;
use sondage::error::{Error, Result};
use sondage::model::{PanelField, ReadPanelRequest, VariableType};
use sondage::text;
use std::sync::Arc;

/// What to do if there is nobody.
pub(super) const NO_ROWS: &str =
    "Nothing was sent. Give at least one row, below the names of the columns if it is a file.";

/// The columns, sorted by name: rows with their columns in another order count as the same rows.
pub(crate) struct ImportColumns {
    pub all: Vec<ImportColumn>,
    /// The index of the key.
    pub key: usize,
    /// Required fields without a column.
    pub missing: Vec<String>,
    /// The name of each column as the rows have it, and its field.
    pub fields: Vec<(String, String)>,
}

/// A column, and its field.
pub(crate) struct ImportColumn {
    /// Its index in the rows.
    pub place: usize,
    /// The name of the field.
    pub name: String,
    pub kind: VariableType,
    /// Whether the field is required.
    pub mandatory: bool,
    /// The beginning of the field in a request.
    pub head: String,
}

impl ImportColumns {
    /// Reads the definition of the panel, by one call. A column that the panel does not have is an error, before anything is
    /// sent.
    pub(super) async fn read(import: &ImportSettings, names: &[String]) -> Result<Self> {
        let panel = import.client.read_panel(ReadPanelRequest::new(import.panel_id)).await?.panel;
        let panel = panel.ok_or_else(|| Error::unexpected_response("the response has no panel"))?;
        let fields: Vec<PanelField> = panel.groups.into_iter().flat_map(|group| group.fields).collect();
        Self::of(&import.key, names, &fields)
    }

    /// The columns of rows with these names, in a panel with these fields.
    pub fn of(key: &str, names: &[String], fields: &[PanelField]) -> Result<Self> {
        let columns = ColumnNames::new(names, |name| {
            is_alike(name, key) || fields.iter().any(|field| is_alike(&field.name, name))
        });
        columns.check_distinct()?;
        let panel_fields: Vec<Option<&PanelField>> =
            names.iter().map(|name| field_of(name, fields)).collect::<Result<_>>()?;
        let key_field = field_of(key, fields)?;
        if key_field.is_none() && key.eq_ignore_ascii_case("id") {
            return Err(refused(
                text!("{key:?} cannot be the key of an import: the service gives new members their numbers"),
                "Name a field of the panel as `key`, or change members by their numbers with `plan_update`.",
            ));
        }
        let missing_key =
            key_field.is_none().then_some(key).filter(|key| !names.iter().any(|name| name == key));
        let strange = names.iter().zip(&panel_fields).filter(|(_, field)| field.is_none());
        let strange: Vec<&str> = strange.map(|(name, _)| name.as_str()).chain(missing_key).collect();
        if let Some(first) = strange.first() {
            let fields = list(fields);
            if missing_key == Some(first) {
                return Err(refused(
                    text!("the panel has no field {key:?} to use as the key; it has {fields}"),
                    "Name one of these fields as `key`.",
                ));
            }
            let strange = columns
                .show(strange.into_iter().filter(|name| missing_key != Some(name)), |name| {
                    format!("{name:?}")
                });
            return Err(refused(
                text!("the panel has no field for the columns {strange}; it has {fields}"),
                // Members as `create_members` takes them.
                if names == ["fields"] {
                    "Hand over the values of each person by the names of the fields, without `new_member`."
                } else {
                    columns.hint("Rename the columns to the names of the fields, or leave them out.")
                },
            ));
        }
        for (place, field) in panel_fields.iter().enumerate() {
            let Some(before) = panel_fields[..place].iter().position(|other| other == field) else {
                continue;
            };
            let columns = quoted([before, place].into_iter().map(|place| names[place].as_str()));
            let field = field.map_or("", |field| &field.name);
            let what = text!("the columns {columns} are the same field {field:?}");
            return Err(refused(what, "Rename or remove one of them."));
        }
        let column = |(place, field): (usize, Option<&PanelField>)| {
            let field = field?;
            let (name, kind) = (field.name.clone(), field.panel_field_type.clone());
            let quoted = serde_json::to_string(&name).ok()?;
            let word = serde_json::to_string(kind.as_str()).ok()?;
            let head = format!("{quoted}:{{\"name\":{quoted},\"fieldType\":{word},\"value\":");
            Some(ImportColumn { place, name, kind, mandatory: field.mandatory == Some(true), head })
        };
        let mut all: Vec<ImportColumn> =
            panel_fields.iter().copied().enumerate().filter_map(column).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        let is_key = |column: &ImportColumn| key_field.is_some_and(|field| field.name == column.name);
        let missing =
            |field: &&PanelField| field.mandatory == Some(true) && !panel_fields.contains(&Some(*field));
        let missing = fields.iter().filter(missing).map(|field| field.name.clone()).collect();
        if names.is_empty() {
            return Ok(Self { all, key: 0, missing, fields: Vec::new() });
        }
        let Some(place) = all.iter().position(is_key) else {
            let columns = quoted(names.iter().map(String::as_str));
            return Err(refused(
                text!("the rows have no column {key:?} to use as the key; they have {columns}"),
                "Name the column that identifies people as `key`.",
            ));
        };
        if matches!(all[place].kind, VariableType::Real | VariableType::Json | VariableType::JsonList) {
            let kind = all[place].kind.as_str();
            return Err(refused(
                text!("the field {key:?} cannot be the key: it holds values of the type {kind}"),
                "A key is a text, an integer or a date.",
            ));
        }
        let pairs = names
            .iter()
            .zip(&panel_fields)
            .filter_map(|(name, field)| Some((name.clone(), field.as_ref()?.name.clone())));
        Ok(Self { fields: pairs.collect(), all, key: place, missing })
    }
}

impl ImportColumns {
    /// Makes digests of rows with these columns.
    pub fn prints(&self, salt: &str) -> RowPrints {
        RowPrints::new(salt, self.all.iter().map(|column| column.head.as_str()))
    }

    /// The error for rows without a column. No rows at all are no error: then there is nothing to do.
    pub fn check(&self, rows: usize) -> Result<()> {
        if rows == 0 || !self.all.is_empty() {
            Ok(())
        } else {
            Err(refused("there are no rows with a value", NO_ROWS))
        }
    }

    /// Which columns are named otherwise than their fields, for a report.
    pub fn note(&self) -> String {
        super::note(self.fields.iter().map(|(column, field)| (column.as_str(), field.as_str())))
    }

    /// Why no row can create a member, if required fields have no column.
    pub fn lack(&self) -> Option<Arc<str>> {
        let names = (!self.missing.is_empty()).then(|| quoted(self.missing.iter().map(String::as_str)))?;
        Some(format!("the rows have no column {names}, and every member needs a value there").into())
    }
}

fn refused(what: impl Into<sondage::error::Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(hint)
}

fn list(fields: &[PanelField]) -> String {
    quoted(fields.iter().map(|field| field.name.as_str()))
}

pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}
