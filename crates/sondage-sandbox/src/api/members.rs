//! The members of a panel as a table: the columns for conditions and `orderField`.

use crate::filter::{CellKind, CellValue, ConditionSource, Identifier};
use crate::select::Table;
use crate::world::{Member, Panel, PanelField};

/// The columns of a panel for conditions and `orderField`.
pub(crate) enum MemberColumn {
    Field(usize),
    Id,
    PanelId,
    CreatedAt,
    CreatedBy,
    UpdatedAt,
    UpdatedBy,
}

impl MemberColumn {
    /// The service's system columns.
    // API 11.3, published
    fn own(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "id" | "panelmemberid" => Self::Id,
            "panelid" => Self::PanelId,
            "createdat" => Self::CreatedAt,
            "createdby" => Self::CreatedBy,
            "updatedat" => Self::UpdatedAt,
            "updatedby" => Self::UpdatedBy,
            _ => return None,
        })
    }

    fn kind(&self) -> CellKind {
        match self {
            Self::Id | Self::PanelId => CellKind::Number,
            Self::CreatedAt | Self::UpdatedAt => CellKind::Time,
            Self::Field(_) | Self::CreatedBy | Self::UpdatedBy => CellKind::Text,
        }
    }
}

/// How the values of a field are compared.
pub(super) fn kind_of_field(field: &PanelField) -> CellKind {
    match CellKind::of_variable(field.kind) {
        None | Some(CellKind::Text) if field.name == "Language" => CellKind::Tag,
        kind => kind.unwrap_or(CellKind::Text),
    }
}

impl Table for Panel {
    type Row = Member;
    type Column = MemberColumn;

    fn resolve(&self, identifier: Identifier<'_>) -> Option<(MemberColumn, CellKind)> {
        match identifier.source {
            ConditionSource::Panel => {
                let at = self.position(identifier.name)?;
                Some((MemberColumn::Field(at), kind_of_field(self.fields.get(at)?)))
            }
            ConditionSource::Sql => MemberColumn::own(identifier.name).map(|column| {
                let kind = column.kind();
                (column, kind)
            }),
            // Members have neither answers nor interview variables.
            ConditionSource::Question | ConditionSource::CustomVariable | ConditionSource::UrlVariable => {
                None
            }
        }
    }

    fn order_column(&self, name: &str) -> Option<MemberColumn> {
        self.position(name).map(MemberColumn::Field).or_else(|| MemberColumn::own(name))
    }

    fn cell<'r>(&'r self, row: &'r Member, column: &MemberColumn) -> CellValue<'r> {
        match column {
            MemberColumn::Field(at) => row.values.get(*at).map_or(CellValue::Null, CellValue::json),
            MemberColumn::Id => CellValue::int(row.id),
            MemberColumn::PanelId => CellValue::int(self.id),
            MemberColumn::CreatedAt => CellValue::time(Some(row.created_at)),
            MemberColumn::CreatedBy => CellValue::text(&row.created_by),
            MemberColumn::UpdatedAt => CellValue::time(row.updated_at),
            MemberColumn::UpdatedBy => row.updated_by.as_deref().map_or(CellValue::Null, CellValue::text),
        }
    }
}
