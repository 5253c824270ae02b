//! Checks of files: contradicting settings, secrets that others can read, state files of other versions.

use super::report::{HealthCheck, HealthTopic};
use crate::auth::{KeyringStore, examine_token_file};
use crate::config::{Config, others_can_read};
use crate::{runtime, text};
use std::path::Path;

/// The settings: which account they select, and whether two sources select different ones.
pub(super) fn settings(config: &Config) -> HealthCheck {
    let Some(other) = config.contradictions().first() else {
        let from = |setting| config.explain().source(setting).map(ToString::to_string).unwrap_or_default();
        let finding = text!(
            "the account is {} ({}), and the grant is {} ({})",
            config.tenant,
            from("tenant"),
            config.credentials.name(),
            from("grant")
        );
        return HealthCheck::passed(HealthTopic::Settings, finding);
    };
    let names: Vec<String> =
        config.contradictions().iter().map(|other| format!("`{}`", other.setting)).collect();
    let finding = text!(
        "the environment and the {} have different values for {}; the environment is used",
        other.profile,
        names.join(", ")
    );
    let cure = text!("Remove one of the two: unset {}, or change the profile.", other.variable);
    HealthCheck::warning(HealthTopic::Settings, finding, cure)
}

/// Variables that look like settings, and are none.
pub(super) fn unknown_variables(config: &Config) -> Option<HealthCheck> {
    let unknown: Vec<String> = config.unknown_variables().iter().map(ToString::to_string).collect();
    let names = unknown.join(" ");
    let cure = "Correct the name, or unset it: `config.explain()` of a client lists all settings.";
    (!unknown.is_empty()).then(|| HealthCheck::warning(HealthTopic::Settings, names, cure))
}

/// The profile file, if secrets were read from it, or if it cannot be read.
pub(super) fn profile(config: &Config) -> Option<HealthCheck> {
    if let Some(file) = config.ignored_file() {
        let cure = text!(
            "Let this user read {}, or set XDG_CONFIG_HOME or HOME to a folder of this user. If all settings come from elsewhere, \
             nothing is missing.",
            file.path.display()
        );
        return Some(HealthCheck::warning(HealthTopic::ProfileFile, file.to_string(), cure));
    }
    let path = config.file_with_secrets()?;
    Some(if others_can_read(path) {
        let finding = text!("other users can read the secrets in the profile file {}", path.display());
        let cure = text!("Make it private: chmod 600 {}", path.display());
        HealthCheck::warning(HealthTopic::ProfileFile, finding, cure)
    } else {
        let finding = text!("no other user can read the profile file {}", path.display());
        HealthCheck::passed(HealthTopic::ProfileFile, finding)
    })
}

/// The token file, if there is one.
pub(super) fn token_file(config: &Config) -> Option<HealthCheck> {
    let path = Path::new(config.explain().value("token_file")?);
    let file_name = path.display();
    Some(match examine_token_file(path) {
        Ok(None) => {
            HealthCheck::passed(HealthTopic::TokenFile, text!("the token file {file_name} is private"))
        }
        Ok(Some((found, cure))) => HealthCheck::warning(
            HealthTopic::TokenFile,
            text!("the token file {file_name} {found}"),
            text!("{cure}"),
        ),
        Err(error) => HealthCheck::failed(
            HealthTopic::TokenFile,
            text!("the token file {file_name} cannot be used ({error})"),
            "Check `token_file`, and who may read and write there.",
        ),
    })
}

/// The keyring, if tokens are kept there.
pub(super) async fn token_keyring(config: &Config) -> Option<HealthCheck> {
    config.explain().value("token_keyring").filter(|value| *value == "true")?;
    let keyring = KeyringStore::new(None).ok()?;
    let read = runtime::handle().spawn_blocking(move || keyring.examine());
    let waits =
        || Err(std::io::Error::other("it did not respond; it may be waiting for somebody to unlock it"));
    let read = tokio::time::timeout(config.token_timeout, read).await;
    Some(match read.map_or_else(|_| waits(), |read| read.unwrap_or_else(|_| waits())) {
        Ok(()) => HealthCheck::passed(HealthTopic::TokenKeyring, "the keyring of the system can be read"),
        Err(error) => HealthCheck::failed(
            HealthTopic::TokenKeyring,
            text!("the keyring of the system cannot be used ({error})"),
            "Unlock it, or use `token_file`: programs without a desktop session often have no keyring.",
        ),
    })
}
