//! Every setting with its source, for display.

use super::layers::Source;
use std::fmt;

/// A setting as the client uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explained {
    /// The setting.
    pub setting: &'static str,
    /// The value, masked where it is secret; `None` when it is not set.
    pub value: Option<String>,
    /// Where it comes from; `None` when it is not set.
    pub source: Option<Source>,
}

/// Every setting with its value and its source. Shown as a table; secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation(pub Vec<Explained>);

impl Explanation {
    /// The source of a setting.
    pub fn source(&self, setting: &str) -> Option<&Source> {
        self.0.iter().find(|line| line.setting == setting)?.source.as_ref()
    }

    /// The value of a setting as it is displayed.
    pub fn value(&self, setting: &str) -> Option<&str> {
        self.0.iter().find(|line| line.setting == setting)?.value.as_deref()
    }

    /// Sets a value that was derived from other settings.
    pub(super) fn put(&mut self, setting: &'static str, value: impl Into<String>, source: Source) {
        let line = Explained { setting, value: Some(value.into()), source: Some(source) };
        match self.0.iter_mut().find(|old| old.setting == setting) {
            Some(old) => *old = line,
            None => self.0.insert(0, line),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = std::iter::once(("setting", "value".to_owned(), "source".to_owned()))
            .chain(self.0.iter().map(|line| {
                (
                    line.setting,
                    shown(line.value.as_deref()),
                    line.source.as_ref().map(ToString::to_string).unwrap_or_default(),
                )
            }))
            .collect();
        let wide = |width: fn(&(&str, String, String)) -> usize| rows.iter().map(width).max().unwrap_or(0);
        let (first, second) = (wide(|row| row.0.len()), wide(|row| row.1.chars().count()));
        for (i, (setting, value, source)) in rows.iter().enumerate() {
            let line = format!("{setting:first$}  {value:second$}  {source}");
            f.write_str(line.trim_end())?;
            if i + 1 < rows.len() {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

/// Escapes line breaks, so that a value takes one line.
fn shown(value: Option<&str>) -> String {
    value.unwrap_or("-").replace(char::is_control, "?")
}
