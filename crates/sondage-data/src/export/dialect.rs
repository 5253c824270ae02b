//! How a CSV file is written.

use sondage::arguments::Spreadsheet;
use sondage::{Error, Result};

use super::FileOptions;

/// What can separate cells.
pub(super) const SEPARATORS: [char; 4] = [',', ';', '|', '\t'];

/// Languages whose numbers have a decimal comma, so that their spreadsheets separate cells by `;` (CLDR 48, `decimal` and `list`).
const DECIMAL_COMMA: [&str; 49] = [
    "af", "ast", "az", "be", "bg", "br", "bs", "ca", "cs", "da", "de", "dsb", "el", "es", "et", "eu", "fi",
    "fo", "fr", "fur", "fy", "gl", "hr", "hsb", "hu", "hy", "id", "is", "it", "ka", "kk", "ky", "lb", "lt",
    "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv",
];
/// More of them, which have the comma without an alphabet of their own above.
const DECIMAL_COMMA_ELSEWHERE: [&str; 5] = ["tr", "uk", "uz", "vi", "wen"];
/// Regions that write a decimal point in such a language.
const DECIMAL_POINT: [&str; 14] = [
    "de-ch", "de-li", "it-ch", "es-419", "es-do", "es-gt", "es-hn", "es-mx", "es-ni", "es-pa", "es-pe",
    "es-pr", "es-sv", "es-us",
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
            Some(Spreadsheet::Language(tag)) => self = self.spreadsheet_in(&tag),
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
    /// the cells.
    #[must_use]
    pub fn spreadsheet_in(mut self, language: &str) -> Self {
        let tag = language.replace('_', "-").to_ascii_lowercase();
        let is_of = |region: &&str| tag == **region || tag.starts_with(&format!("{region}-"));
        let language = tag.split('-').next().unwrap_or_default();
        let has_comma = DECIMAL_COMMA.contains(&language) || DECIMAL_COMMA_ELSEWHERE.contains(&language);
        let has_point = !has_comma || DECIMAL_POINT.iter().any(&is_of);
        self.spreadsheet = true;
        self.decimal = Some(if has_point { '.' } else { ',' });
        let is_semicolon = !has_point || SEMICOLON.iter().any(&is_of);
        self.separator = Some(if is_semicolon { ';' } else { ',' });
        self
    }

    /// Returns an error for signs that cannot be told apart.
    pub(super) fn check_signs(self) -> Result<()> {
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

fn no_separator(given: &str) -> Error {
    Error::invalid_argument(format!("the separator of a CSV file cannot be {given:?}"))
        .with_hint(r#"Use ",", ";", "|" or a tab."#)
}

fn no_decimal(given: &str) -> Error {
    Error::invalid_argument(format!("the decimal sign of a CSV file cannot be {given:?}"))
        .with_hint(r#"Use "." or ","."#)
}
