//! What an examination reports.

use crate::error::{Error, Text};
use sondage_macros::{report, words};
use std::fmt;

/// What an examination of a client's set-up found.
#[report]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Whether no check has failed and none warns.
    pub healthy: bool,
    /// The checks, in the order in which they were made.
    pub checks: Vec<HealthCheck>,
}

/// A check.
#[report]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HealthCheck {
    /// What was checked.
    pub check: HealthTopic,
    /// How it went. `"passed"`: it is right. `"warning"`: calls work, but something should be changed. `"failed"`: calls cannot
    /// work. `"skipped"`: it could not be checked.
    pub state: HealthState,
    /// What was found, in a sentence without a secret.
    pub found: String,
    /// What to do about it. `None`: nothing.
    pub cure: Option<String>,
}

/// How a check went.
#[words]
#[non_exhaustive]
pub enum HealthState {
    /// Passed: nothing to do.
    Passed,
    /// Calls work, but something should be changed.
    Warning,
    /// Calls cannot work.
    Failed,
    /// Could not be checked.
    Skipped,
}

/// What is checked.
#[words]
#[non_exhaustive]
pub enum HealthTopic {
    /// The settings and where they come from.
    Settings,
    /// Who can read the profile file.
    ProfileFile,
    /// The token file: its owner, its readers, its version.
    TokenFile,
    /// The keyring of the system: whether it can be read.
    TokenKeyring,
    /// The calls and bytes of the day.
    Budget,
    /// The names of the servers.
    Dns,
    /// Whether the proxy accepts connections.
    Proxy,
    /// Whether the authentication server responds as one.
    AuthenticationServer,
    /// The credentials, and whether the service accepts the token.
    Token,
    /// Whether the API responds as one.
    Service,
    /// The clock of this computer against that of the service.
    Clock,
    /// What the credentials are permitted to read.
    Rights,
    /// The first page number of lists.
    FirstPage,
    /// The paths of operations with several possible paths.
    Paths,
    /// The webhook in the state file.
    WebHook,
}

impl HealthCheck {
    fn new(check: HealthTopic, state: HealthState, found: impl Into<Text>, cure: Option<Text>) -> Self {
        let observation = sentence(found.into().as_str());
        Self { check, state, found: observation, cure: cure.map(|cure| cure.as_str().to_owned()) }
    }

    pub(super) fn passed(check: HealthTopic, found: impl Into<Text>) -> Self {
        Self::new(check, HealthState::Passed, found, None)
    }

    pub(super) fn warning(check: HealthTopic, found: impl Into<Text>, cure: impl Into<Text>) -> Self {
        Self::new(check, HealthState::Warning, found, Some(cure.into()))
    }

    pub(super) fn failed(check: HealthTopic, found: impl Into<Text>, cure: impl Into<Text>) -> Self {
        Self::new(check, HealthState::Failed, found, Some(cure.into()))
    }

    pub(super) fn skipped(check: HealthTopic, why: impl Into<Text>) -> Self {
        Self::new(check, HealthState::Skipped, why, None)
    }

    /// The text of an error, and its advice.
    pub(super) fn of(check: HealthTopic, error: &Error) -> Self {
        Self::failed(check, error.happened().clone(), error.hint().to_owned())
    }
}

/// Begins with a capital letter, unless it begins with a name, and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let mut text: String = first.into_iter().chain(letters).collect();
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}

impl Diagnosis {
    /// The report when the settings are not valid.
    pub fn of_settings(error: &Error) -> Self {
        Self::new(vec![HealthCheck::of(HealthTopic::Settings, error)])
    }

    pub(super) fn new(checks: Vec<HealthCheck>) -> Self {
        let well = |check: &HealthCheck| matches!(check.state, HealthState::Passed | HealthState::Skipped);
        Self { healthy: checks.iter().all(well), checks }
    }

    /// What is wrong.
    pub fn complaints(&self) -> impl Iterator<Item = &HealthCheck> {
        self.checks.iter().filter(|check| matches!(check.state, HealthState::Warning | HealthState::Failed))
    }
}

/// A line for each check, and below it the advice.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, check) in self.checks.iter().enumerate() {
            let break_before = if number > 0 { "\n" } else { "" };
            let name = check.check.as_str().replace('_', " ");
            write!(f, "{break_before}{:<8} {name}: {}", check.state.as_str(), check.found)?;
            if let Some(cure) = &check.cure {
                write!(f, "\n{:9}{cure}", "")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_sentence() {
        for (text, sentence) in [
            ("the panel is gone", "The panel is gone."),
            ("`base_url` is wrong.", "`base_url` is wrong."),
            ("why?", "Why?"),
            ("", "."),
        ] {
            assert_eq!(super::sentence(text), sentence);
        }
    }

    #[test]
    fn what_is_skipped_is_no_complaint() {
        let skipped = HealthCheck::skipped(HealthTopic::Clock, "no answer");
        let warning = HealthCheck::warning(HealthTopic::Clock, "late", "Set it.");
        assert!(Diagnosis::new(vec![skipped.clone()]).healthy);
        let both = Diagnosis::new(vec![skipped, warning]);
        assert!(!both.healthy);
        assert_eq!(both.to_string(), "skipped  clock: No answer.\nwarning  clock: Late.\n         Set it.");
        assert_eq!(both.complaints().count(), 1);
    }
}
