//! The account of a command: that of the settings, or else that of the login that `sondage login` left.

use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::config::{ClientBuilder, Config};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The file of the login, and the default place of its tokens, in the folder of the profile file.
const LOGIN: &str = "login.json";
const TOKENS: &str = "tokens.json";

/// Settings that a login supplies if they are set nowhere else. Each step is tried only if the ones before do not suffice, so that
/// settings take precedence.
const STEPS: [&[&str]; 3] = [
    &["grant", "identity"],
    &["token_file", "token_keyring"],
    &["tenant", "base_url", "auth_url", "client_id"],
];

/// Variables with credentials. With one of them, a command does not use the login.
const CREDENTIALS: [&str; 5] = [
    "SONDAGE_CLIENT_SECRET",
    "SONDAGE_TOKEN",
    "SONDAGE_REFRESH_TOKEN",
    "SONDAGE_USERNAME",
    "SONDAGE_PASSWORD",
];

/// The login of this user that commands use.
#[derive(Serialize, Deserialize)]
struct SavedLogin {
    settings: BTreeMap<String, String>,
}

/// The settings of a command.
pub fn builder() -> ClientBuilder {
    let builder = Client::builder();
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if CREDENTIALS.iter().any(is_set) {
        return builder;
    }
    if builder.clone().resolve().is_ok() {
        return builder;
    }
    match SavedLogin::read() {
        Ok(Some(login)) => login.supply(&builder).unwrap_or(builder),
        Ok(None) => builder,
        Err(reason) => {
            crate::progress::note(format_args!(
                "{reason}. Run `sondage login` again, or `sondage logout` to remove it"
            ));
            builder
        }
    }
}

/// The default place of tokens, if this user has a folder for settings.
pub fn token_file() -> Option<PathBuf> {
    Some(sondage::internals::config::folder()?.join(TOKENS))
}

/// From now on, commands without credentials of their own use this login. `false`: they have credentials of their own.
pub fn keep(config: &Config, identity: &str) -> io::Result<bool> {
    let mut settings = BTreeMap::from([("grant", "login"), ("identity", identity)].map(owned));
    settings.extend([
        owned(("tenant", &config.tenant)),
        owned(("base_url", config.base_url.as_str())),
        owned(("auth_url", config.auth_url.as_str())),
        owned(("client_id", &config.client_id)),
    ]);
    let token_place = if config.explain().value("token_keyring") == Some("true") {
        Some(owned(("token_keyring", "true")))
    } else {
        // The command may run in another folder next time.
        let file = config.explain().value("token_file").map(std::path::absolute).transpose()?;
        file.and_then(|file| Some(owned(("token_file", file.to_str()?))))
    };
    settings.extend(token_place);
    let Some(path) = login_file() else { return Ok(false) };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, serde_json::to_string_pretty(&SavedLogin { settings })?)?;
    Ok(builder().resolve().is_ok_and(|config| config.identity.as_deref() == Some(identity)))
}

/// Commands use the login of this identity no more.
pub fn forget(identity: Option<&str>) -> io::Result<()> {
    let saved = SavedLogin::read().unwrap_or_default();
    let saved = saved.and_then(|login| login.settings.get("identity").cloned());
    match login_file() {
        Some(path) if saved.is_some() && saved.as_deref() == identity => remove(&path).map(|_| ()),
        _ => Ok(()),
    }
}

/// Removes a login that is damaged, with the tokens in their default place. Returns what was removed.
pub fn remove_damaged() -> io::Result<Vec<PathBuf>> {
    if SavedLogin::read().is_ok() {
        return Ok(Vec::new());
    }
    let mut removed = Vec::new();
    for path in [token_file(), login_file()].into_iter().flatten() {
        if remove(&path)? {
            removed.push(path);
        }
    }
    Ok(removed)
}

/// Removes a file, and returns whether it existed.
fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn login_file() -> Option<PathBuf> {
    Some(sondage::internals::config::folder()?.join(LOGIN))
}

impl SavedLogin {
    /// The login, if there is one that this user can read. An error: it is damaged. The parser's own words could repeat what the file
    /// holds.
    fn read() -> io::Result<Option<Self>> {
        let Some(path) = login_file() else { return Ok(None) };
        let Ok(text) = fs::read(&path) else { return Ok(None) };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let path = path.display();
            io::Error::new(
                ErrorKind::InvalidData,
                format!("the login in {path} is damaged (line {line}, column {column})"),
            )
        })
    }

    /// What the settings lack. `None`: they are of another account.
    fn supply(&self, builder: &ClientBuilder) -> Option<ClientBuilder> {
        let mut builder = builder.clone();
        for names in STEPS {
            for name in names {
                if let Some(value) = self.settings.get(*name) {
                    builder = builder.set(name, value.clone()).ok()?;
                }
            }
            if let Ok(config) = builder.clone().resolve() {
                let of_the_login =
                    |name: &str, value: &str| self.settings.get(name).is_some_and(|it| it == value);
                let same = of_the_login("tenant", &config.tenant)
                    && of_the_login("base_url", config.base_url.as_str());
                return same.then_some(builder);
            }
        }
        None
    }
}
