//! How a CSV file is written.

use sondage::arguments::Spreadsheet;
use sondage::{Error, Result};

use super::{FileOptions, languages};

/// What can separate cells.
pub(super) const SEPARATORS: [char; 4] = [',', ';', '|', '\t'];

/// Regions that write a decimal point in a language with a decimal comma (CLDR, `decimal`).
const DECIMAL_POINT: [&str; 18] = [
    "de-ch", "de-li", "es-419", "es-br", "es-bz", "es-cu", "es-do", "es-gt", "es-hn", "es-mx", "es-ni",
    "es-pa", "es-pe", "es-pr", "es-sv", "es-us", "fr-rw", "it-ch",
];
/// Regions that write a decimal comma in one with a decimal point.
const DECIMAL_COMMA: [&str; 33] = [
    "ar-dz", "ar-ly", "ar-ma", "ar-tn", "en-at", "en-be", "en-cz", "en-de", "en-dk", "en-ee", "en-es",
    "en-fi", "en-fr", "en-ge", "en-hu", "en-id", "en-it", "en-lt", "en-lv", "en-nl", "en-no", "en-pl",
    "en-pt", "en-ro", "en-se", "en-si", "en-sk", "en-ua", "en-za", "ms-bn", "ms-id", "qu-bo", "sw-cd",
];
/// Of these, the ones whose spreadsheets separate cells by `;` all the same.
const SEMICOLON: [&str; 3] = ["de-ch", "de-li", "it-ch"];

impl FileOptions {
    /// The options of a CSV file in the words of a language. `spreadsheet` sets what the others leave open.
    pub fn csv(
        mut self,
        spreadsheet: Option<Spreadsheet>,
        separator: Option<&str>,
        decimal: Option<&str>,
        bom: Option<bool>,
    ) -> Result<Self> {
        match spreadsheet {
            Some(Spreadsheet::Language(tag)) => self = self.spreadsheet_in(&tag)?,
            Some(Spreadsheet::Yes) => self.spreadsheet = true,
            _ => {}
        }
        if let Some(text) = separator {
            self.separator = Some(single(text).ok_or_else(|| no_separator(text))?);
        }
        if let Some(text) = decimal {
            self.decimal = Some(single(text).ok_or_else(|| no_decimal(text))?);
        }
        self.bom = bom.or(self.bom);
        Ok(self)
    }

    /// Sets that the file is CSV for the spreadsheets of people who speak this language, by its tag (`de`, `fr-CH`): as
    /// [`spreadsheet`](Self::spreadsheet) writes it, and where numbers have a decimal comma in that language with it and with `;` between
    /// the cells. An error says that there is no such language.
    pub fn spreadsheet_in(mut self, language: &str) -> Result<Self> {
        let tag = language.replace('_', "-").to_ascii_lowercase();
        let is_of = |region: &&str| tag == **region || tag.starts_with(&format!("{region}-"));
        let has_comma = languages::has_decimal_comma(&tag).ok_or_else(|| no_language(language))?;
        let has_comma =
            if has_comma { !DECIMAL_POINT.iter().any(&is_of) } else { DECIMAL_COMMA.iter().any(&is_of) };
        self.spreadsheet = true;
        self.decimal = Some(if has_comma { ',' } else { '.' });
        let is_semicolon = has_comma || SEMICOLON.iter().any(&is_of);
        self.separator = Some(if is_semicolon { ';' } else { ',' });
        Ok(self)
    }

    /// Returns an error for signs that cannot be told apart.
    pub(super) fn check_signs(&self) -> Result<()> {
        if let Some(sign) = self.separator.filter(|sign| !SEPARATORS.contains(sign)) {
            return Err(no_separator(&sign.to_string()));
        }
        if let Some(sign) = self.decimal.filter(|sign| !matches!(sign, '.' | ',')) {
            return Err(no_decimal(&sign.to_string()));
        }
        if self.decimal == Some(',') && self.separator.unwrap_or(',') == ',' {
            return Err(Error::invalid_argument(
                "a decimal comma and commas between the cells cannot be told apart",
            )
            .with_hint(r#"Add the separator ";"."#));
        }
        Ok(())
    }
}

fn single(text: &str) -> Option<char> {
    let mut signs = if text == "tab" { "\t".chars() } else { text.chars() };
    signs.next().filter(|_| signs.next().is_none())
}

fn no_language(given: &str) -> Error {
    Error::invalid_argument(format!("spreadsheet: {given:?} is not the tag of a language"))
        .with_hint(r#"Use a tag such as "de" or "fr-CH", or no language, for commas and decimal points."#)
}

fn no_separator(given: &str) -> Error {
    Error::invalid_argument(format!("the separator of a CSV file cannot be {given:?}"))
        .with_hint(r#"Use ",", ";", "|" or a tab."#)
}

fn no_decimal(given: &str) -> Error {
    Error::invalid_argument(format!("the decimal sign of a CSV file cannot be {given:?}"))
        .with_hint(r#"Use "." or ","."#)
}
