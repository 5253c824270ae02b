//! The value of a member's field, and secrets.

use crate::convert::{ConversionError, IntoFfi, TryFromFfi};

/// The value of a field: text, a number, a boolean, empty, or (unusual) any other JSON.
#[derive(Debug, uniffi::Enum)]
pub enum FieldValue {
    /// The field is empty.
    Null,
    /// A boolean.
    Bool {
        /// The boolean.
        value: bool,
    },
    /// An integer.
    Int {
        /// The number.
        value: i64,
    },
    /// A number with decimals.
    Float {
        /// The number.
        value: f64,
    },
    /// Text.
    Text {
        /// The text.
        value: String,
    },
    /// Anything else, as the JSON text received.
    Json {
        /// The JSON text.
        value: String,
    },
}

impl IntoFfi<FieldValue> for sondage::FieldValue {
    fn into_ffi(self) -> FieldValue {
        match self {
            Self::Null => FieldValue::Null,
            Self::Bool(value) => FieldValue::Bool { value },
            Self::Int(value) => FieldValue::Int { value },
            Self::Float(value) => FieldValue::Float { value },
            Self::Text(value) => FieldValue::Text { value },
            Self::Json(value) => FieldValue::Json { value: value.into_ffi() },
        }
    }
}

impl TryFromFfi<sondage::FieldValue> for FieldValue {
    fn try_from_ffi(self) -> Result<sondage::FieldValue, ConversionError> {
        Ok(match self {
            Self::Null => sondage::FieldValue::Null,
            Self::Bool { value } => sondage::FieldValue::Bool(value),
            Self::Int { value } => sondage::FieldValue::Int(value),
            Self::Float { value } if value.is_finite() => sondage::FieldValue::Float(value),
            Self::Float { value } => {
                return Err(ConversionError::new(format!(
                    "is {value}: JSON has no such number; use null for a missing value"
                )));
            }
            Self::Text { value } => sondage::FieldValue::Text(value),
            Self::Json { value } => sondage::FieldValue::Json(value.try_from_ffi()?),
        })
    }
}

/// A password, a token or a secret: it is sent, but never displayed.
pub type Secret = sondage::Secret;
uniffi::custom_type!(Secret, String, {
    remote,
    lower: |secret| secret.reveal().to_owned(),
    try_lift: |text| Ok(crate::json::secret(text)?),
});
