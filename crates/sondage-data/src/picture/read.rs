//! Results that come back from a language as JSON, to be drawn.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sondage::reports::{Crosstab, Frequencies, Quality};
use sondage::{Error, Result};
use sondage_jobs::{Distribution, FieldReport};

use super::{Picture, record};
use crate::table::Table;

/// How a result is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureFormat {
    /// Aligned text.
    Text,
    /// A table of HTML.
    Html,
    /// A picture.
    Svg,
}

impl PictureFormat {
    /// `text`, `html` or `svg`.
    pub fn of_name(name: &str) -> Result<Self> {
        Ok(match name {
            "text" => Self::Text,
            "html" => Self::Html,
            "svg" => Self::Svg,
            _ => {
                return Err(Error::invalid_argument(format!(
                    "format must be text, html or svg, not {name:?}"
                )));
            }
        })
    }
}

/// The results that have a picture. Of others, text and HTML are made of their fields.
const PICTURES: [&str; 5] = ["Frequencies", "Crosstab", "Quality", "Distribution", "FieldReport"];

/// Draws the result of this name, which is given as JSON.
pub fn draw(name: &str, json: &str, format: PictureFormat) -> Result<String> {
    if let Some(schema) = record::schema(name).filter(|_| !PICTURES.contains(&name)) {
        let refused = |error| Error::invalid_argument(format!("this is no {name}: {error}"));
        let fields: Map<String, Value> = serde_json::from_str(json).map_err(refused)?;
        let Value::Object(fields) = spelt(Value::Object(fields)) else { return Ok(String::new()) };
        return match format {
            PictureFormat::Text => Ok(record::to_text(schema, &fields)),
            PictureFormat::Html => Ok(record::to_html(schema, &fields)),
            PictureFormat::Svg => Err(Error::invalid_argument(format!("{name} has no picture"))),
        };
    }
    let picture = picture(name, json)?;
    Ok(match format {
        PictureFormat::Text => picture.to_text(),
        PictureFormat::Html => picture.to_html(),
        PictureFormat::Svg => picture.to_svg(),
    })
}

/// The long table of the result of this name, which is given as JSON.
pub fn table_of(name: &str, json: &str) -> Result<Table> {
    picture(name, json)?.to_table()
}

fn picture(name: &str, json: &str) -> Result<Box<dyn Picture>> {
    let refused = |error: serde_json::Error| Error::invalid_argument(format!("this is no {name}: {error}"));
    let value = spelt(serde_json::from_str(json).map_err(refused)?);
    match name {
        "Frequencies" => read::<Frequencies>(value),
        "Crosstab" => read::<Crosstab>(value),
        "Quality" => read::<Quality>(value),
        "Distribution" => read::<Distribution>(value),
        "FieldReport" => read::<FieldReport>(value),
        _ => return Err(Error::invalid_argument(format!("{name} cannot be drawn"))),
    }
    .map_err(refused)
}

fn read<T: DeserializeOwned + Picture + 'static>(value: Value) -> serde_json::Result<Box<dyn Picture>> {
    Ok(Box::new(serde_json::from_value::<T>(value)?))
}

/// The value with the names of fields as in Rust, whatever language spells them.
fn spelt(value: Value) -> Value {
    match value {
        Value::Array(all) => all.into_iter().map(spelt).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (snake(&name), spelt(value))).collect()
        }
        other => other,
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}
