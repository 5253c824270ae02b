//! The settings of a client, by their names in JavaScript.

use crate::fault::Fault;
use crate::from_js::from_js;
use crate::words::camel;
use indexmap::IndexMap;
use napi::bindgen_prelude::Unknown;
use serde::Serialize;
use sondage::config::{ClientBuilder, Config};
use sondage::{Error, FieldValue};

macro_rules! table {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Every setting and the type of its value.
        const TABLE: &[(&str, &str)] = &[$((stringify!($name), stringify!($Type))),*];
    };
}
sondage::settings!(table);

/// A builder with these settings. A number that is a time counts milliseconds, as everywhere in JavaScript.
pub fn read(settings: Unknown<'_>) -> Result<ClientBuilder, Error> {
    let given: IndexMap<String, FieldValue> = from_js(settings, None).map_err(|fault| fault.error())?;
    let mut builder = ClientBuilder::new();
    for (name, value) in given {
        let row = TABLE.iter().find(|(setting, _)| camel(setting) == name);
        let text = match value {
            FieldValue::Null => continue,
            FieldValue::Text(text) => text,
            FieldValue::Int(number) => number.to_string(),
            FieldValue::Float(number) => number.to_string(),
            FieldValue::Bool(truth) => truth.to_string(),
            FieldValue::Json(_) => {
                return Err(Fault::new("must be a string, a number or a boolean").under(&name).error());
            }
        };
        let is_number = text.parse::<f64>().is_ok();
        builder = match row {
            Some((setting, "Duration")) if is_number => builder.set(setting, format!("{text} ms"))?,
            Some((setting, _)) => builder.set(setting, text)?,
            None => builder.set(&name, text)?,
        };
    }
    Ok(builder)
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
pub fn explain(config: &Config) -> Explained {
    let rows = config.explain().0.iter().map(|line| Line {
        setting: camel(line.setting),
        value: line.value.clone(),
        source: line.source.as_ref().map(ToString::to_string),
    });
    Explained { settings: rows.collect(), text: config.explain().to_string() }
}
