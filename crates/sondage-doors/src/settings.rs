//! The settings of a client, by their names in a language.

use crate::language::{About, Language, Taken, Unit};
use indexmap::IndexMap;
use serde::Serialize;
use sondage::config::{ClientBuilder, Config};
use sondage::{Error, FieldValue, Result};

macro_rules! table {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting and the type of its value.
        const TABLE: &[(&str, &str)] = &[$((stringify!($name), stringify!($Type))),*];
    };
}
sondage::settings!(table);

/// What was given, by the names of the language.
pub type Given = IndexMap<String, FieldValue>;

/// Reads what was given.
pub fn given<L: Language>(given: L::Given<'_>) -> Taken<Given, L> {
    L::read(given, &About { call: "", argument: "", request: None })
}

/// A builder with what was given.
pub fn read<L: Language>(given: L::Given<'_>) -> Taken<ClientBuilder, L> {
    Ok(builder::<L>(self::given::<L>(given)?)?)
}

/// A builder with these settings. A number that is a time is counted as the language counts.
pub fn builder<L: Language>(given: Given) -> Result<ClientBuilder> {
    let mut builder = ClientBuilder::new();
    for (name, value) in given {
        if matches!(value, FieldValue::Null) {
            continue;
        }
        let wrong = || Error::invalid_argument(format!("{name} must be a string, a number or a boolean"));
        let value = text(value).ok_or_else(wrong)?;
        let millis = L::TIME == Unit::Milliseconds && value.parse::<f64>().is_ok();
        builder = match TABLE.iter().find(|(setting, _)| L::name(setting) == name) {
            Some((setting, "Duration")) if millis => builder.set(setting, format!("{value} ms"))?,
            Some((setting, _)) => builder.set(setting, value)?,
            None => builder.set(&name, value)?,
        };
    }
    Ok(builder)
}

/// A plain value as text.
pub fn text(value: FieldValue) -> Option<String> {
    match value {
        FieldValue::Text(text) => Some(text),
        FieldValue::Int(number) => Some(number.to_string()),
        FieldValue::Float(number) => Some(number.to_string()),
        FieldValue::Bool(truth) => Some(truth.to_string()),
        FieldValue::Null | FieldValue::Json(_) => None,
    }
}

/// Every setting of a client with its source, as rows and as a text.
#[derive(Serialize)]
pub struct Explained {
    settings: Vec<Line>,
    text: String,
}

#[derive(Serialize)]
struct Line {
    setting: String,
    value: Option<String>,
    source: Option<String>,
}

/// Explains the settings of a client.
pub fn explain<L: Language>(config: &Config) -> Explained {
    let explanation = config.explain();
    let text = explanation.to_string();
    let line = |line: &sondage::config::Explained| Line {
        setting: L::name(line.setting),
        value: line.value.clone(),
        source: line.source.as_ref().map(ToString::to_string),
    };
    Explained { settings: explanation.0.iter().map(line).collect(), text }
}
