//! What an SPSS file can hold of a table. Its limits are respected here, and each change is a warning with its columns.

mod changes;
mod labels;
mod lists;
mod missing;
mod names;
mod values;

use std::path::Path;
use std::sync::Arc;

use arrow_schema::{Field, Metadata};
use sondage::Result;

use super::{Base, BaseColumn, Labels, Table, codes, metadata, not_available};
use changes::{Change, Changes};
use values::Kind;

use crate::place::{check_name, check_place};

impl Table {
    /// The same rows as an SPSS file holds them: codes, with the metadata that SPSS has.
    ///
    /// Numbers are floating-point numbers, times have no zone, and lists are a text and a column for each choice. Names, labels, texts and
    /// declarations of missing codes are within the limits of SPSS. The warnings of the table list what was changed for that.
    ///
    /// Refused is a path where no SPSS file can be.
    pub fn for_spss(&self, path: &Path) -> Result<Table> {
        Self::check_spss_path(path)?;
        let mut changes = Changes::default();
        let mut columns: Vec<BaseColumn> = Vec::new();
        for column in self.base_columns() {
            let column = not_available::shown(column)?;
            columns.extend(lists::unfolded(&column, &mut changes));
        }
        let names = names::of(columns.iter().map(|column| column.field.name().as_str()), &mut changes);
        let columns: Vec<BaseColumn> =
            columns.iter().zip(names).map(|(column, name)| held(column, name, &mut changes)).collect();
        let (rows, survey) = (self.base.rows.clone(), self.base.survey.clone());
        let base = Arc::new(Base { columns, rows, survey, plan: None, warnings: Vec::new() });
        let value_columns = (0..base.columns.len()).map(|i| codes(&base, i)).collect();
        let table = Table { base, ..self.clone() };
        Ok(table.view(value_columns, Labels::Codes, changes.warnings()))
    }

    /// Refuses a path where no SPSS file can be.
    pub fn check_spss_path(path: &Path) -> Result<()> {
        check_name(path, "SPSS", &["sav", "zsav"])?;
        check_place(path)
    }
}

/// A column with values, labels and declarations that SPSS has.
fn held(column: &BaseColumn, name: String, changes: &mut Changes) -> BaseColumn {
    let own = column.field.name();
    let (kind, arrays) = values::converted(column, changes);
    let old = column.field.metadata();
    let text = |key: &str| old.get(key).map(String::as_str);
    let mut new = Metadata::default();
    new.insert(
        metadata::LABEL,
        labels::of_variable(own, text(metadata::LABEL), text(metadata::QUESTION), changes),
    );
    let value_labels =
        column.variable.as_deref().map(|variable| variable.values.as_slice()).unwrap_or_default();
    let value_labels = labels::of_values(own, value_labels, kind, changes);
    if let Ok(json) = serde_json::to_string(&value_labels)
        && !value_labels.is_empty()
    {
        new.insert(metadata::VALUES, json);
    }
    let declared = text(metadata::MISSING).and_then(|json| serde_json::from_str::<Vec<_>>(json).ok());
    if let Some(json) = missing::of(own, &declared.unwrap_or_default(), kind, &value_labels, &arrays, changes)
    {
        new.insert(metadata::SPSS_MISSING, json);
    }
    let nominal = !value_labels.is_empty() || kind == Kind::Text;
    new.insert(metadata::SPSS_MEASURE, if nominal { "nominal" } else { "scale" }.to_owned());
    if let Some(format) = kind.format() {
        new.insert(metadata::SPSS_FORMAT, format.to_owned());
    }
    let data_type = arrays.first().map_or_else(|| kind.data_type(), |array| array.data_type().clone());
    let field = Field::new(name, data_type, true).with_metadata(new);
    BaseColumn {
        field: Arc::new(field),
        arrays,
        variable: None,
        nested: false,
        json: false,
        undeclared: None,
    }
}

/// The beginning of a text, at most this many bytes, with whole characters.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// SPSS ends a text at a NUL, so it is replaced by the character for what cannot be shown.
fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

impl Changes {
    /// Replaces a NUL.
    fn printable(&mut self, column: &str, text: &str) -> String {
        if text.contains('\0') {
            self.note(Change::Nul, column, 1);
        }
        without_nul(text)
    }
}
