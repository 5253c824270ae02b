//! Matches the columns of the rows with the fields of the panel.

use super::Update;
use crate::column_names::ColumnNames;
use crate::import::{field_of, is_alike, note};
use sondage::error::{Error, Result};
use sondage::model::{PanelField, ReadPanelRequest, VariableType};

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
    /// Which columns are named otherwise than their fields, for a report.
    pub note: String,
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
    /// The name of the field.
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
            let own = NUMBER.contains(&name) || OF_TABLES.contains(&name) || is_alike(name, &update.key);
            own || update.fields.iter().flatten().any(|field| is_alike(field, name))
                || fields.iter().any(|field| is_alike(&field.name, name))
        });
        columns.check_distinct()?;
        let no_column = |name: &str| {
            let what = format!("the rows have no column {name:?}; they have {}", columns.show_all(ticked));
            Error::invalid_argument(what).with_hint(columns.hint("Name a column of the rows."))
        };
        let find_field = |name: &str| field_of(name, fields);
        let own = |name: &str| {
            let is_field = fields.iter().any(|field| field.name == name);
            update.fields.is_none() && OF_TABLES.contains(&name) && !is_field
        };
        let key = match find_field(&update.key)? {
            Some(field) => {
                let (name, kind) = (field.name.clone(), field.panel_field_type.clone());
                MemberKey::Field { name, kind }
            }
            None if NUMBER.contains(&update.key.as_str()) => MemberKey::Number,
            None => return Err(unknown(&ticked(&update.key), USE_FIELDS, fields)),
        };
        if names.is_empty() {
            return Ok(Self { key: (0, key), compared: Vec::new(), note: String::new() });
        }
        // A name that is written exactly comes before one that is alike.
        let position = |name: &str| {
            let exact = names.iter().position(|find_field| find_field == name);
            exact.or_else(|| names.iter().position(|find_field| is_alike(find_field, name)))
        };
        let key_place = position(&update.key).ok_or_else(|| no_column(&update.key))?;
        let mut strange = Vec::new();
        let mut compared: Vec<UpdateColumn> = Vec::new();
        for name in update.fields.as_deref().unwrap_or(names) {
            let at = position(name);
            if at == Some(key_place) || own(name) {
                continue;
            }
            let Some(field) = find_field(name)? else {
                strange.push(name.as_str());
                continue;
            };
            let at = at.ok_or_else(|| no_column(name))?;
            let is_key = matches!(&key, MemberKey::Field { name, .. } if *name == field.name);
            let twice = compared.iter().find(|column| column.name == field.name && column.place != at);
            if let Some(other) = twice.map(|column| column.place).or(is_key.then_some(key_place)) {
                let columns = columns.show([names[other].as_str(), names[at].as_str()], ticked);
                let what = format!("the columns {columns} are the same field {:?}", field.name);
                return Err(Error::invalid_argument(what).with_hint("Rename or remove one of them."));
            }
            let (name, kind) = (field.name.clone(), field.panel_field_type.clone());
            compared.push(UpdateColumn { place: at, name, kind });
        }
        if !strange.is_empty() {
            return Err(unknown(&columns.show(strange, ticked), columns.hint(USE_FIELDS), fields));
        }
        if compared.is_empty() {
            return Err(Error::invalid_argument(
                "the rows have no column besides the key, so nothing can change",
            ));
        }
        let key_name = match &key {
            MemberKey::Field { name, .. } => name,
            MemberKey::Number => &names[key_place],
        };
        let pairs = compared.iter().map(|column| (names[column.place].as_str(), column.name.as_str()));
        let note = note(pairs.chain([(names[key_place].as_str(), key_name.as_str())]));
        Ok(Self { key: (key_place, key), compared, note })
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
    let field_names: Vec<String> = fields.iter().map(|field| ticked(&field.name)).collect();
    let field_names = if field_names.is_empty() { "none".to_owned() } else { field_names.join(", ") };
    Error::invalid_argument(format!("the panel has no field {names}; it has {field_names}")).with_hint(hint)
}
