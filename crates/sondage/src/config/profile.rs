//! The profile file: settings of several accounts, one section each.

use super::environment::Environment;
use super::origins::{IgnoredFile, others_can_read};
use super::table::{self, shown};
use super::value::Written;
use crate::error::{Error, Result, Text};
use crate::text;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The maximum size of a profile file.
const LARGEST: u64 = 1 << 20;

/// The selected section.
#[derive(Debug)]
pub(super) struct ProfileSection {
    pub path: PathBuf,
    pub name: String,
    values: Table,
}

impl ProfileSection {
    /// Reads the section. `None` when none was asked for and the default does not exist, or cannot be read: a program
    /// that has all its settings need not be able to read its user's home folder.
    pub(super) fn find(
        path: Option<PathBuf>,
        name: Option<String>,
        environment: &Environment,
    ) -> Result<(Option<Self>, Option<IgnoredFile>)> {
        let is_requested = path.is_some() || name.is_some();
        let Some(path) = path.or_else(|| environment.profile_file()) else {
            return if is_requested { Err(no_place()) } else { Ok((None, None)) };
        };
        let file_name = path.display().to_string();
        let mut sections = match read(&path) {
            Ok(text) => parse(&text, &file_name)?,
            Err(error) if !is_requested && is_unreadable(&error) => {
                return Ok((None, IgnoredFile::of(&path, &error)));
            }
            Err(error) => {
                return Err(Error::configuration(text!(
                    "the profile file {file_name} cannot be read ({error})"
                ))
                .with_hint("Check `profile_file` (SONDAGE_CONFIG) and who may read the file.")
                .caused_by(&error));
            }
        };
        let default = name.is_none();
        let name = name.unwrap_or_else(|| "default".to_owned());
        match sections.remove(&name) {
            Some(Value::Table(values)) => {
                check(&values, &file_name, &name)?;
                let section = Self { path, name, values };
                section.with_secrets().inspect(|path| warn_if_open(path));
                Ok((Some(section), None))
            }
            _ if default && !is_requested => Ok((None, None)),
            _ => Err(Error::configuration(text!("the profile file {file_name} has no profile `{name}`"))
                .with_hint(text!(
                    "It has {}. Choose one with `profile` or SONDAGE_PROFILE.",
                    names(&sections)
                ))),
        }
    }

    /// A setting as text. The error: it has the wrong type.
    pub(super) fn get(&self, name: &str, written: Written) -> std::result::Result<Option<String>, String> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        match (value, written) {
            (Value::String(text), Written::Text | Written::Both) => Ok(Some(text.clone())),
            (Value::Integer(number), Written::Number | Written::Both) => Ok(Some(number.to_string())),
            (Value::Float(number), Written::Number | Written::Both) => Ok(Some(number.to_string())),
            (Value::Boolean(truth), Written::Truth) => Ok(Some(truth.to_string())),
            (_, Written::Truth) => {
                Err(format!("must be true or false without quotes, and is {}", kind(value)))
            }
            (_, Written::Text) => Err(format!("must be a text in quotes, and is {}", kind(value))),
            (_, Written::Number) => Err(format!("must be a number without quotes, and is {}", kind(value))),
            (_, Written::Both) => {
                Err(format!("must be a number or a text in quotes, and is {}", kind(value)))
            }
        }
    }

    /// A setting as it is written, for comparison.
    pub(super) fn plain(&self, name: &str) -> Option<String> {
        self.values.get(name)?.as_str().map(str::to_owned)
    }

    /// The file, if the section has secrets.
    pub(super) fn with_secrets(&self) -> Option<&Path> {
        let secret = |name: &String| table::find(name).is_some_and(|row| row.secret);
        self.values.keys().any(secret).then_some(self.path.as_path())
    }

    /// The location of its settings, for people.
    pub(super) fn place(&self) -> String {
        format!("profile file {} [{}]", self.path.display(), self.name)
    }
}

/// The profiles in a file from which none was selected. For advice in errors only.
pub(super) fn available(environment: &Environment) -> Option<Text> {
    let path = environment.profile_file()?;
    let read = match read(&path) {
        Ok(read) => read,
        Err(error) => return Some(text!("{}.", IgnoredFile::of(&path, &error)?.to_string())),
    };
    let sections = parse(&read, "").ok()?;
    Some(text!(
        "The profile file {} has {}: choose one with `profile` or SONDAGE_PROFILE.",
        path.display(),
        names(&sections)
    ))
}

fn read(path: &Path) -> std::io::Result<String> {
    if std::fs::metadata(path)?.len() > LARGEST {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "it is larger than 1 MiB"));
    }
    std::fs::read_to_string(path)
}

/// Whether there is no file that this user can read. A file that can be read and is not a profile file is a mistake to correct.
fn is_unreadable(error: &std::io::Error) -> bool {
    error.kind() != std::io::ErrorKind::InvalidData
}

/// Secrets in a file that every user of the machine can read are a misconfiguration, but not one that justifies failing
/// the call.
fn warn_if_open(path: &Path) {
    if others_can_read(path) {
        log::warn!(
            "other users can read the secrets in the profile file {}: `chmod 600` prevents that",
            path.display()
        );
    }
}

/// The parser's own error shows the line, which may contain a secret: only its number is shown.
fn parse(text: &str, path: &str) -> Result<Table> {
    let sections: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        Error::configuration(text!("the profile file {path} is not TOML, near line {line}"))
            .with_hint("A profile looks like this: `[default]`, and below it `account = \"https://acme.survalyzer-eu.app\"`.")
    })?;
    match sections.iter().find(|(_, value)| !value.is_table()) {
        Some((name, _)) => {
            let name = shown(name);
            Err(Error::configuration(text!(
                "`{name}` stands outside of a profile in the profile file {path}"
            ))
            .with_hint("Put it below the name of a profile, for example `[default]`."))
        }
        None => Ok(sections),
    }
}

fn check(values: &Table, path: &str, profile: &str) -> Result<()> {
    let chooses = |name: &str| matches!(name, "profile" | "profile_file");
    let is_setting = |name: &str| table::find(name).is_some() && !chooses(name);
    let Some(name) = values.keys().find(|name| !is_setting(name)) else { return Ok(()) };
    let suggestion = table::meant(name).filter(|row| !chooses(row.name));
    let hint = suggestion.map_or_else(
        || "The settings are listed in the documentation of `sondage::config`.".into(),
        |row| text!("Did you mean `{}`?", row.name),
    );
    let name = shown(name);
    Err(Error::configuration(text!("`{name}` in the profile file {path} [{profile}] is not a setting"))
        .with_hint(hint))
}

fn names(sections: &Table) -> String {
    let names: Vec<_> = sections.keys().map(|name| format!("`{}`", shown(name))).collect();
    if names.is_empty() { "no profiles".to_owned() } else { format!("the profiles {}", names.join(", ")) }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

fn no_place() -> Error {
    Error::configuration(
        "a profile is selected, but there is no home folder in which to look for the profile file",
    )
    .with_hint("Say where it is with `profile_file` or SONDAGE_CONFIG.")
}

/// A profile file, and the error for text that is not one.
#[cfg(fuzzing)]
pub fn fuzzed(text: &str) -> Option<String> {
    let checked = parse(text, "a file").and_then(|sections| {
        sections
            .values()
            .filter_map(Value::as_table)
            .try_for_each(|values| check(values, "a file", "default"))
    });
    checked.err().map(|error| error.to_string())
}
