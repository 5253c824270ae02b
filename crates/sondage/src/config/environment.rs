//! Environment variables as a value, so that tests can construct them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The environment from which settings are read: variables whose names begin with `SONDAGE_`, and those that locate
/// the user's configuration folder. An empty variable counts as not set.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// The current environment of this process.
    pub fn process() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// An empty environment: only settings made in code count.
    pub fn empty() -> Self {
        Self::default()
    }

    /// An environment of these variables.
    pub fn of<N: Into<String>, V: Into<OsString>>(variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self(variables.filter(|(_, value)| !value.is_empty()).collect())
    }

    /// The same without settings and proxies: what is left locates the user's folders. A program under test must not be
    /// able to leave this machine by ignoring the environment.
    pub(super) fn without_settings(&self) -> Self {
        let is_proxy =
            |name: &str| super::proxy::VARIABLES.iter().any(|known| known.eq_ignore_ascii_case(name));
        let is_left = |name: &str| {
            matches!(name, "SONDAGE_USE_ENVIRONMENT" | "SONDAGE_LOOPBACK_ONLY")
                || !name.starts_with("SONDAGE_") && !is_proxy(name)
        };
        let remaining = self.0.iter().filter(|(name, _)| is_left(name));
        Self(remaining.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Reads a variable. The error: its value is not Unicode.
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, ()> {
        self.0.get(name).map(|value| value.to_str().ok_or(())).transpose()
    }

    /// The names of variables that belong to this library.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| name.starts_with("SONDAGE_"))
    }

    /// The user's folder for what a program has learned. `None` on phones, where a program has no such folder.
    pub(super) fn state_folder(&self) -> Option<PathBuf> {
        if cfg!(any(target_os = "android", target_os = "ios")) {
            return None;
        }
        let path = |name| self.0.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = path("XDG_STATE_HOME")
            .or_else(|| path("LOCALAPPDATA"))
            .or_else(|| path("HOME").map(|home| home.join(".local").join("state")))?;
        Some(folder.join("sondage"))
    }

    /// The default path of the profile file.
    pub(crate) fn profile_file(&self) -> Option<PathBuf> {
        let path = |name| self.0.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = path("XDG_CONFIG_HOME")
            .or_else(|| path("HOME").map(|home| home.join(".config")))
            .or_else(|| path("APPDATA"))?;
        Some(folder.join("sondage").join("config.toml"))
    }
}

/// Prints names only: any value may be a secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
