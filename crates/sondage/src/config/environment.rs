//! Environment variables, as a value that a test can make.

use std::collections::BTreeMap;
use std::ffi::OsString;
#[cfg(feature = "profile")]
use std::path::PathBuf;

/// The environment from which settings are read: variables whose names begin with `SONDAGE_`, and those that say where
/// the user's configuration lies. A variable that is empty counts as not set.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// The environment of this process, as it is now.
    pub fn process() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// No environment at all: only what is set in code counts.
    pub fn empty() -> Self {
        Self::default()
    }

    /// An environment of these variables.
    pub fn of<N: Into<String>, V: Into<OsString>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self(variables.filter(|(_, value)| !value.is_empty()).collect())
    }

    /// A variable. The error: it is not Unicode.
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, ()> {
        self.0.get(name).map(|value| value.to_str().ok_or(())).transpose()
    }

    /// Names of the library's own kind.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| name.starts_with("SONDAGE_"))
    }

    /// Where the profile file lies unless somebody says otherwise.
    #[cfg(feature = "profile")]
    pub(super) fn profile_file(&self) -> Option<PathBuf> {
        let path = |name| self.0.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = path("XDG_CONFIG_HOME")
            .or_else(|| path("HOME").map(|home| home.join(".config")))
            .or_else(|| path("APPDATA"))?;
        Some(folder.join("sondage").join("config.toml"))
    }
}

/// Names only: any value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
