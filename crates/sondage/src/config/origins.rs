//! Where settings came from, recorded for the doctor.

use super::environment::Environment;
use super::profile::ProfileSection;
use super::table;
use crate::model::Secret;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The settings that select the account and its credentials. A client that gets one of them from an unexpected source works on
/// another account.
const IDENTIFYING: [&str; 9] = [
    "account",
    "tenant",
    "data_center",
    "base_url",
    "auth_url",
    "client_id",
    "client_secret",
    "username",
    "password",
];

/// Where settings came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    pub contradictions: Vec<Contradiction>,
    /// The profile file, if secrets were read from it.
    pub file_with_secrets: Option<PathBuf>,
    /// Variables of the environment that look like settings, and are none.
    pub unknown: Vec<UnknownVariable>,
    /// The default profile file, if there is one that cannot be read.
    pub ignored: Option<IgnoredFile>,
}

/// The default profile file, which cannot be read. Nobody selected it, so it stops no client.
#[derive(Clone, Debug)]
pub(crate) struct IgnoredFile {
    pub path: PathBuf,
    /// Why it cannot be read.
    why: String,
}

impl IgnoredFile {
    /// `None` if there is no such file.
    #[cfg_attr(not(feature = "profile"), allow(dead_code))]
    pub(super) fn of(path: &Path, error: &std::io::Error) -> Option<Self> {
        let exists = error.kind() != std::io::ErrorKind::NotFound;
        exists.then(|| Self { path: path.to_owned(), why: error.to_string() })
    }

    /// Logs it once in a process.
    pub(super) fn warn(&self) {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !WARNED.swap(true, Ordering::Relaxed) {
            log::warn!("{self}");
        }
    }
}

impl fmt::Display for IgnoredFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the profile file {} is ignored, because it cannot be read ({})",
            self.path.display(),
            self.why
        )
    }
}

/// A variable of the environment that looks like a setting, and is none.
#[derive(Clone, Debug)]
pub(crate) struct UnknownVariable {
    pub name: String,
    /// The variable that was probably meant.
    pub meant: Option<&'static str>,
}

/// Variables that are no settings of a client.
const OTHERS: [&str; 2] = ["SONDAGE_SANDBOX_SECRET", "SONDAGE_WEBHOOK"];

impl UnknownVariable {
    pub(super) fn all(environment: &Environment) -> Vec<Self> {
        let is_known =
            |name: &str| OTHERS.contains(&name) || table::ALL.iter().any(|row| row.variable == name);
        let unknown = environment.names().filter(|name| !is_known(name));
        let suggestion = |name| table::meant(name).map(|row| row.variable);
        unknown.map(|name| Self { name: table::shown(name), meant: suggestion(name) }).collect()
    }

    /// Logs the variables once in a process.
    pub(super) fn warn(unknown: &[Self]) {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !unknown.is_empty() && !WARNED.swap(true, Ordering::Relaxed) {
            for variable in unknown {
                log::warn!("{variable}");
            }
        }
    }
}

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is set, but there is no such setting", self.name)?;
        self.meant.map_or(Ok(()), |meant| write!(f, ": did you mean {meant}?"))
    }
}

/// A setting of which the environment and the profile file have different values.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction {
    /// The setting.
    pub setting: &'static str,
    /// The environment variable, which takes precedence.
    pub variable: &'static str,
    /// The profile file and its section.
    pub profile: String,
}

impl Origins {
    pub fn of(
        explicit: &BTreeMap<&'static str, Secret>,
        environment: &Environment,
        profile: Option<&ProfileSection>,
    ) -> Self {
        let unknown = UnknownVariable::all(environment);
        let Some(profile) = profile else { return Self { unknown, ..Self::default() } };
        let rows = table::ALL.iter().filter(|row| IDENTIFYING.contains(&row.name));
        let differs = |row: &&table::SettingInfo| {
            let set = environment.get(row.variable).ok().flatten();
            !explicit.contains_key(row.name)
                && matches!((set, profile.plain(row.name)), (Some(one), Some(other)) if one.trim() != other.trim())
        };
        let contradictions = rows.filter(differs).map(|row| Contradiction {
            setting: row.name,
            variable: row.variable,
            profile: profile.place(),
        });
        Self {
            contradictions: contradictions.collect(),
            file_with_secrets: profile.with_secrets().map(Path::to_owned),
            unknown,
            ignored: None,
        }
    }
}

/// Whether other users of the machine can read a file.
#[cfg(unix)]
pub(crate) fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o044 != 0)
}

#[cfg(not(unix))]
pub(crate) fn others_can_read(_: &Path) -> bool {
    false
}
