//! The names of types in code plans and panel definitions.

/// The declared type of a column's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Integer,
    Number,
    Real,
    Text,
    Bool,
    Date,
    Timestamp,
}

impl Wanted {
    /// Parses a type name, ignoring case. The names in code plans are not published, those of panel fields are
    /// (`VariableType`, `PanelMemberFieldType`). For a name that does not describe the data (`Single`, `Matrix`, ...) or is
    /// not known, the data determine the type.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word.trim().to_ascii_lowercase().as_str() {
            "integer" | "int" | "int32" | "int64" | "long" | "short" => Wanted::Integer,
            "number" | "numeric" => Wanted::Number,
            "real" | "float" | "double" | "decimal" | "money" => Wanted::Real,
            "string" | "text" | "time" | "guid" | "json" | "jsonlist" => Wanted::Text,
            "boolean" | "bool" => Wanted::Bool,
            "date" => Wanted::Date,
            "datetime" | "timestamp" => Wanted::Timestamp,
            _ => return None,
        })
    }

    /// The name of the type, for a warning.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Wanted::Integer => "integers",
            Wanted::Number | Wanted::Real => "numbers",
            Wanted::Text => "texts",
            Wanted::Bool => "true and false",
            Wanted::Date => "dates",
            Wanted::Timestamp => "timestamps",
        }
    }
}
