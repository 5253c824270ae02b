//! The places that may contain data about a person, and the result of reading each.

use sondage::error::{Error, ErrorKind, Result};
use sondage_macros::{report, words};

/// Whether a source was read.
#[words]
#[non_exhaustive]
pub enum SourceOutcome {
    /// Read completely.
    Read,
    /// Not read, or only in part: the reason says why.
    NotRead,
}

/// A source, and what was found in it.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PersonSource {
    /// Its name, as in `docs/persons.md`, or the path of a file.
    pub name: String,
    /// Whether it was read.
    pub outcome: SourceOutcome,
    /// How many objects of the person were found there.
    pub items: usize,
    /// A description, or why it was not read.
    pub reason: String,
}

impl PersonSource {
    pub(super) fn read(name: impl Into<String>, items: usize, reason: &str) -> Self {
        Self { name: name.into(), outcome: SourceOutcome::Read, items, reason: reason.to_owned() }
    }

    pub(super) fn not_read(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { name: name.into(), outcome: SourceOutcome::NotRead, items: 0, reason: reason.into() }
    }
}

/// Sources that cannot be read through the API.
pub(super) fn beyond() -> Vec<PersonSource> {
    [
        (
            "public_links",
            "an interview by a public link does not say whose it is: look for it by its answers",
        ),
        ("messages", "the API lists no messages that were sent, only bounced ones"),
        ("service_copies", "logs and backups of the service are not in its API: ask the provider"),
        (
            "other_copies",
            "tables and files that were made from interviews and members: ask those who made them",
        ),
    ]
    .into_iter()
    .map(|(name, reason)| PersonSource::not_read(name, reason))
    .collect()
}

/// The result of a source. A missing permission is reported and does not end the work.
pub(super) fn allowed<T: Default>(
    sources: &mut Vec<PersonSource>,
    name: &str,
    about: &str,
    read: Result<T>,
    items: impl Fn(&T) -> usize,
) -> Result<T> {
    match read {
        Ok(found) => {
            sources.push(PersonSource::read(name, items(&found), about));
            Ok(found)
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            sources.push(PersonSource::not_read(name, denied(&error)));
            Ok(T::default())
        }
        Err(error) => Err(error),
    }
}

/// Why the permission is missing.
pub(super) fn denied(error: &Error) -> String {
    format!("these credentials do not allow it: {}", error.what())
}
