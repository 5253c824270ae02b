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
    let settings = L::read(given, &ArgContext { call: "", argument: "", request: None })?;
    Ok(builder::<L>(settings)?)
}

/// A builder with these settings. A number for a time is in the language's unit.
pub fn builder<L: Language>(given: SettingsByName) -> Result<ClientBuilder> {
    let mut builder = ClientBuilder::new();
    for (name, value) in given {
        if matches!(value, FieldValue::Null) {
            continue;
        }
        let Some((setting, ty)) = TABLE.iter().find(|(setting, _)| L::name(setting) == name) else {
            // An error about the name, whatever the value is.
            builder = builder.set(&name, "")?;
            continue;
        };
        let is_text = matches!(value, FieldValue::Text(_));
        let wrong = || Error::invalid_argument(format!("{name} must be a string, a number or a boolean"));
        let value = text(value).ok_or_else(wrong)?;
        let millis =
            *ty == "Duration" && L::TIME == Unit::Milliseconds && value.trim().parse::<f64>().is_ok();
        if millis && is_text {
            return Err(without_unit(&name));
        }
        builder = builder.set(setting, if millis { format!("{value} ms") } else { value })?;
    }
    Ok(builder)
}

/// A time as text without a unit: a number here is milliseconds, and the same text in the environment is seconds.
fn without_unit(name: &str) -> Error {
    let what = format!("{name} is a text without a unit, which could mean seconds or milliseconds");
    Error::configuration(what)
        .with_hint("Give a number, which is milliseconds, or a unit: `30 s`, `500 ms`, `2 min`.")
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
