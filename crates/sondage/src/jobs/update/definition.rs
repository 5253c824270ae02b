//! Matches the columns of the rows with the fields of the panel.

use super::Update;
use crate::error::{Error, Result};
use crate::jobs::column_names::ColumnNames;
use crate::model::{PanelField, ReadPanelRequest, VariableType};

/// Names that select the member's id as the key, if the panel has no such field.
const NUMBER: [&str; 2] = ["Id", "id"];

/// Columns of a table of members that are the service's own. They are no change, so that such a table can be edited and given
/// back.
const OF_TABLES: [&str; 6] = ["id", "created_at", "created_by", "updated_at", "updated_by", "interviews"];

/// The roles of the columns.
pub(super) struct UpdateColumns {
    /// The key column, and the kind of key.
    pub key: (usize, MemberKey),
    /// The columns that are compared.
    pub compared: Vec<UpdateColumn>,
}

/// The kind of key.
pub(super) enum MemberKey {
    /// Their number.
    Number,
    /// A field.
    Field { name: String, kind: VariableType },
}

/// A column that is compared with a field.
pub(super) struct UpdateColumn {
    /// Its index in the rows.
    pub place: usize,
    /// The name of the column and the field.
    pub name: String,
    /// The type of the field.
    pub kind: VariableType,
}

impl UpdateColumns {
    /// Reads the types of the panel's fields.
    pub async fn read(update: &Update, names: &[String]) -> Result<Self> {
        let request = ReadPanelRequest::new(update.panel_id);
        let panel = update.client.read_panel(request).await?.panel;
        let panel = panel.ok_or_else(|| Error::unexpected_response("the response has no panel"))?;
        let fields: Vec<PanelField> = panel.groups.into_iter().flat_map(|group| group.fields).collect();
        Self::of(update, names, &fields)
    }

    fn of(update: &Update, names: &[String], fields: &[PanelField]) -> Result<Self> {
        let columns = ColumnNames::new(names, |name| {
            let own = NUMBER.contains(&name) || OF_TABLES.contains(&name) || name == update.key;
            own || update.fields.iter().flatten().any(|field| field == name)
                || fields.iter().any(|field| field.name == name)
        });
        let place = |name: &str| {
            let place = names.iter().position(|known| known == name).or_else(|| {
                let number = NUMBER.contains(&name) && !fields.iter().any(|field| field.name == name);
                names.iter().position(|known| number && NUMBER.contains(&known.as_str()))
            });
            place.ok_or_else(|| {
                let what =
                    format!("the rows have no column {name:?}; they have {}", columns.show_all(ticked));
                Error::invalid_argument(what).with_hint(columns.hint("Name a column of the rows."))
            })
        };
        columns.check_distinct()?;
        let kind = |name: &str| {
            fields.iter().find(|field| field.name == name).map(|field| field.panel_field_type.clone())
        };
        let key = match kind(&update.key) {
            Some(kind) => MemberKey::Field { name: update.key.clone(), kind },
            None if NUMBER.contains(&update.key.as_str()) => MemberKey::Number,
            None => return Err(unknown(&ticked(&update.key), USE_FIELDS, fields)),
        };
        let key = (place(&update.key)?, key);
        let wanted = update.fields.as_deref().unwrap_or(names);
        let own = |name: &String| {
            update.fields.is_none() && OF_TABLES.contains(&name.as_str()) && kind(name).is_none()
        };
        let wanted: Vec<&String> = wanted.iter().filter(|name| **name != update.key && !own(name)).collect();
        let strange: Vec<&str> =
            wanted.iter().filter(|name| kind(name).is_none()).map(|name| name.as_str()).collect();
        if !strange.is_empty() {
            return Err(unknown(&columns.show(strange, ticked), columns.hint(USE_FIELDS), fields));
        }
        if wanted.is_empty() {
            return Err(Error::invalid_argument(
                "the rows have no column besides the key, so nothing can change",
            ));
        }
        let column = |name: &String| {
            let kind = kind(name).unwrap_or(VariableType::String);
            Ok(UpdateColumn { place: place(name)?, name: name.clone(), kind })
        };
        Ok(Self { key, compared: wanted.into_iter().map(column).collect::<Result<_>>()? })
    }

    /// The fields that are read for each member.
    pub fn fields(&self) -> Vec<String> {
        let key = match &self.key.1 {
            MemberKey::Number => None,
            MemberKey::Field { name, .. } => Some(name),
        };
        key.into_iter().chain(self.compared.iter().map(|column| &column.name)).cloned().collect()
    }
}

/// What to do about columns without a field.
const USE_FIELDS: &str = "Rename the column, or list the columns to use in `fields`.";

fn ticked(name: &str) -> String {
    format!("`{name}`")
}

fn unknown(names: &str, hint: &'static str, fields: &[PanelField]) -> Error {
    let known: Vec<String> = fields.iter().map(|field| ticked(&field.name)).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Error::invalid_argument(format!("the panel has no field {names}; it has {known}")).with_hint(hint)
}
