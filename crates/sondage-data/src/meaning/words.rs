//! The names of types of data and questions in code plans and panel definitions.

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

/// How a type of question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionKind {
    /// By choosing.
    Choice,
    /// By a point on a scale of numbers.
    Scale,
    /// By writing.
    Open,
}

impl QuestionKind {
    /// Parses the type of a question, ignoring case and anything but letters. These names are not published for code plans;
    /// those of a questionnaire's elements are (`ElementType`).
    pub(crate) fn of(word: &str) -> Option<Self> {
        let letters: String = word.chars().filter(char::is_ascii_alphabetic).collect();
        Some(match letters.to_ascii_lowercase().as_str() {
            "singlechoice"
            | "single"
            | "multiplechoice"
            | "multiple"
            | "dropdown"
            | "matrix"
            | "semanticdifferential"
            | "rankorder"
            | "starscale"
            | "implicitassociation" => Self::Choice,
            "slider" | "nps" | "netpromoterscore" => Self::Scale,
            "openquestion" | "open" | "text" | "number" | "numeric" | "date" | "email" => Self::Open,
            _ => return None,
        })
    }
}

/// The code of a choice that is not available, which is in no list of choices. The service's documents do not name it;
/// conditions of public questionnaires compare closed questions with it.
pub(crate) const NOT_AVAILABLE: &str = "9999999";
