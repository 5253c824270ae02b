//! For whom a CSV file is written.

use super::{Argument, ArgumentType};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use std::fmt;

/// Whether a CSV file is for spreadsheets, and of which language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spreadsheet {
    /// For programs.
    No,
    /// For spreadsheets whose numbers have a decimal point.
    Yes,
    /// For spreadsheets of people who speak a language, by its tag: `de`, `fr-CH`.
    Language(String),
}

impl Argument for Spreadsheet {
    const TYPE: ArgumentType = ArgumentType::Spreadsheet;
}

impl From<bool> for Spreadsheet {
    fn from(is_one: bool) -> Self {
        if is_one { Self::Yes } else { Self::No }
    }
}

impl<'de> Deserialize<'de> for Spreadsheet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Spreadsheet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a boolean or the tag of a language, such as \"de\" or \"fr-CH\"")
            }

            fn visit_bool<E>(self, is_one: bool) -> Result<Spreadsheet, E> {
                Ok(is_one.into())
            }

            fn visit_str<E: serde::de::Error>(self, tag: &str) -> Result<Spreadsheet, E> {
                let is_tag = |part: &str| {
                    (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
                };
                let language = tag.split(['-', '_']).next().unwrap_or_default();
                let is_language =
                    (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_alphabetic());
                if is_language && tag.split(['-', '_']).all(is_tag) {
                    return Ok(Spreadsheet::Language(tag.to_owned()));
                }
                Err(E::invalid_value(Unexpected::Str(tag), &self))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boolean_or_a_tag() {
        let read = |json: &str| serde_json::from_str::<Spreadsheet>(json);
        assert_eq!(read("true").unwrap(), Spreadsheet::Yes);
        assert_eq!(read("false").unwrap(), Spreadsheet::No);
        for tag in ["de", "de-CH", "zh_Hant_TW", "gsw"] {
            assert_eq!(read(&format!("{tag:?}")).unwrap(), Spreadsheet::Language(tag.to_owned()));
        }
        for wrong in ["\"\"", "\"german\"", "\"d\"", "\"de-\"", "\"yes please\"", "1", "null", "[]"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains("a boolean or the tag of a language"), "{wrong}: {error}");
        }
    }
}
