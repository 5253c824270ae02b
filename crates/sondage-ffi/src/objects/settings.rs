//! The settings of a client, by their names in a language.

use crate::language::{ArgContext, ArgResult, Language, Unit};
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

/// The given settings, by the names of the language.
pub type SettingsByName = IndexMap<String, FieldValue>;

/// A builder with the given settings.
pub fn read<L: Language>(given: L::Args<'_>) -> ArgResult<ClientBuilder, L> {
    let given = L::read(given, &ArgContext { call: "", argument: "", request: None })?;
    Ok(builder::<L>(given)?)
}

/// A builder with these settings. A number for a time is in the language's unit.
pub fn builder<L: Language>(given: SettingsByName) -> Result<ClientBuilder> {
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

/// Every setting of a client with its source, as rows and as text.
#[derive(Serialize)]
pub struct Explanation {
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
pub fn explain<L: Language>(config: &Config) -> Explanation {
    let explanation = config.explain();
    let text = explanation.to_string();
    let line = |line: &sondage::config::Explained| Line {
        setting: L::name(line.setting),
        value: line.value.clone(),
        source: line.source.as_ref().map(ToString::to_string),
    };
    Explanation { settings: explanation.0.iter().map(line).collect(), text }
}
