//! The members of a panel as a table: what conditions and `orderField` can name.

use crate::filter::{Cell, Identifier, Kind, Source};
use crate::select::Table;
use crate::world::{Member, Panel};

/// What conditions and `orderField` can name in a panel.
pub(crate) enum Column {
    Field(usize),
    Id,
    PanelId,
    CreatedAt,
    CreatedBy,
    UpdatedAt,
    UpdatedBy,
}

impl Column {
    /// The service's own columns.
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

    fn kind(&self) -> Kind {
        match self {
            Self::Id | Self::PanelId => Kind::Number,
            Self::CreatedAt | Self::UpdatedAt => Kind::Time,
            Self::Field(_) | Self::CreatedBy | Self::UpdatedBy => Kind::Text,
        }
    }
}

impl Table for Panel {
    type Row = Member;
    type Column = Column;

    fn resolve(&self, identifier: Identifier<'_>) -> Option<(Column, Kind)> {
        match identifier.source {
            Source::Panel => {
                let at = self.position(identifier.name)?;
                Some((Column::Field(at), Kind::of_variable(self.fields.get(at)?.kind).unwrap_or(Kind::Text)))
            }
            Source::Sql => Column::own(identifier.name).map(|column| {
                let kind = column.kind();
                (column, kind)
            }),
            // Members have no answers and no variables of an interview.
            Source::Question | Source::CustomVariable | Source::UrlVariable => None,
        }
    }

    fn order_column(&self, name: &str) -> Option<Column> {
        self.position(name).map(Column::Field).or_else(|| Column::own(name))
    }

    fn cell<'r>(&'r self, row: &'r Member, column: &Column) -> Cell<'r> {
        match column {
            Column::Field(at) => row.values.get(*at).map_or(Cell::Null, Cell::json),
            Column::Id => Cell::int(row.id),
            Column::PanelId => Cell::int(self.id),
            Column::CreatedAt => Cell::time(Some(row.created_at)),
            Column::CreatedBy => Cell::text(&row.created_by),
            Column::UpdatedAt => Cell::time(row.updated_at),
            Column::UpdatedBy => row.updated_by.as_deref().map_or(Cell::Null, Cell::text),
        }
    }
}
