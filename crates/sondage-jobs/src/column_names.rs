//! The names of columns in errors about them.

use sondage::error::Error;

/// The names of columns, from the first line of a file or from a program.
///
/// If the line with the names is missing, the first person's row was read as names. So they are quoted only where one of them
/// is known, and numbered otherwise: an error contains no personal data.
pub(crate) struct ColumnNames<'a> {
    names: &'a [String],
    /// Whether they are names, and not the values of a row.
    are_names: bool,
}

impl<'a> ColumnNames<'a> {
    /// `known`: whether there is a field of this name, or the caller has named it.
    pub fn new(names: &'a [String], known: impl Fn(&str) -> bool) -> Self {
        Self { names, are_names: names.iter().any(|name| known(name)) }
    }

    /// These of the columns: their names in quotes, or their numbers counted from 1.
    pub fn show<'n>(&self, chosen: impl IntoIterator<Item = &'n str>, quote: fn(&str) -> String) -> String {
        let show = |name: &str| {
            let position = self.names.iter().position(|known| known == name).filter(|_| !self.are_names);
            position.map_or_else(|| quote(name), |position| format!("number {}", position + 1))
        };
        let names: Vec<String> = chosen.into_iter().map(show).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// All of them.
    pub fn show_all(&self, quote: fn(&str) -> String) -> String {
        self.show(self.names.iter().map(String::as_str), quote)
    }

    /// An error if two have the same name.
    pub fn check_distinct(&self) -> Result<(), Error> {
        let Some((first, second)) = twice(self.names) else { return Ok(()) };
        Err(if self.are_names {
            Error::invalid_argument(format!("the rows have two columns {:?}", self.names[first]))
                .with_hint("Rename or remove one of them.")
        } else {
            same_name(first, second)
        })
    }

    /// What to do about names that are not known; `otherwise` if they are names.
    pub fn hint(&self, otherwise: &'static str) -> &'static str {
        match self.names {
            _ if self.are_names => otherwise,
            [one] if one.contains([';', '\t', '|', ':']) => {
                "The whole first line was read as one name. If it names more, name the sign between its columns as `separator`."
            }
            _ => {
                "None of the columns has the name of a field: if the first line of the file is a person, add a line with the names \
                 above it. Columns are counted from 1."
            }
        }
    }
}

/// Two columns with the same name, for rows whose fields are not known yet.
pub(crate) fn check_distinct(names: &[String]) -> Result<(), Error> {
    twice(names).map_or(Ok(()), |(first, second)| Err(same_name(first, second)))
}

fn twice(names: &[String]) -> Option<(usize, usize)> {
    names.iter().enumerate().find_map(|(second, name)| {
        let first = names[..second].iter().position(|earlier| earlier == name)?;
        Some((first, second))
    })
}

fn same_name(first: usize, second: usize) -> Error {
    let what = format!("the columns number {} and {} of the rows have the same name", first + 1, second + 1);
    Error::invalid_argument(what).with_hint("Rename or remove one of them. Columns are counted from 1.")
}
