//! The words for types in code plans and panel definitions.

/// What the data of a column are said to be.
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
    /// Understands a word in any case. The vocabulary of code plans is not published, that of panel fields is
    /// (`VariableType`, `PanelMemberFieldType`). A word that says nothing about the data (`Single`, `Matrix`, ...) or is not
    /// known leaves the type to the data.
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

    /// The type in words, for a warning.
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
