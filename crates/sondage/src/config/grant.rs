//! Derives the grant from the settings.

use super::layers::{self, FoundSetting, Settings, Source};
use crate::auth::Credentials;
use crate::error::{Error, Result, Text};
use crate::model::Secret;
use crate::text;
use sondage_macros::words;

/// A grant that the settings can name.
#[words]
#[non_exhaustive]
pub enum Grant {
    /// The client id and its secret, with the permissions of the account.
    // API 2.9, published
    ClientCredentials,
    /// A user's name and password, with that user's permissions.
    // API 2.9, published
    Password,
    /// A refresh token from an earlier login.
    RefreshToken,
    /// An access token that is renewed elsewhere.
    Token,
    /// The tokens of an earlier login, from the token file.
    Login,
    /// The deprecated call `GetApiToken`. It is used only when it is named.
    ApiToken,
}

/// The credentials that the settings define, and their source. `None`: no setting mentions credentials.
pub(super) fn choose(settings: &Settings) -> Result<Option<(Credentials, Source)>> {
    let Some((grant, source)) = named(settings)? else { return Ok(None) };
    let credentials = match grant {
        Grant::ClientCredentials => Credentials::ClientCredentials,
        Grant::Token => Credentials::Token(need(settings.token.as_ref(), "token", grant)?),
        Grant::RefreshToken => {
            Credentials::RefreshToken(need(settings.refresh_token.as_ref(), "refresh_token", grant)?)
        }
        Grant::Login => Credentials::Stored,
        Grant::Password | Grant::ApiToken => {
            let username = need(settings.username.as_ref(), "username", grant)?;
            let password: Secret = need(settings.password.as_ref(), "password", grant)?;
            if grant == Grant::ApiToken {
                Credentials::ApiToken { username, password }
            } else {
                let panel_id = settings.panel_id.as_ref().map(|found| found.value);
                Credentials::Password { username, password, panel_id }
            }
        }
    };
    Ok(Some((credentials, source)))
}

/// The grant, by name or derived from what is set. The source with the highest precedence that implies a grant decides.
/// A client secret belongs to several grants: it means client credentials when it is the only credential set in code, or
/// the only one set at all.
fn named(settings: &Settings) -> Result<Option<(Grant, Source)>> {
    if let Some(grant) = &settings.grant {
        return Ok(Some((grant.value, grant.source.clone())));
    }
    let mut signs = signs(settings);
    signs.sort_by(|one, other| one.2.cmp(&other.2));
    let secret = settings.client_secret.as_ref().map(|found| found.source.clone());
    match (signs.first(), secret) {
        (Some((_, _, source)), Some(Source::Explicit)) if *source != Source::Explicit => {
            Ok(Some((Grant::ClientCredentials, Source::Explicit)))
        }
        (Some(&(grant, name, ref source)), _) => {
            let other = signs.iter().find(|(other, _, at)| *other != grant && at == source);
            match other {
                Some((_, other, _)) => Err(Error::configuration(text!(
                    "{} and {} are both set ({source}), and only one can be used",
                    layers::quoted(name, source),
                    layers::quoted(other, source)
                ))
                .with_hint("Remove one of them, or select one with `grant` (SONDAGE_GRANT).")),
                None => Ok(Some((grant, source.clone()))),
            }
        }
        (None, Some(source)) => Ok(Some((Grant::ClientCredentials, source))),
        (None, None) => {
            let file = settings.token_file.as_ref().map(|found| found.source.clone());
            let storage = file.or_else(|| keyring(settings));
            Ok(storage.map(|source| (Grant::Login, source)))
        }
    }
}

/// Where the keyring was asked for, if it was.
pub(super) fn keyring(settings: &Settings) -> Option<Source> {
    settings.token_keyring.as_ref().filter(|found| found.value).map(|found| found.source.clone())
}

/// The settings that imply a grant: the grant, the setting, its source.
fn signs(settings: &Settings) -> Vec<(Grant, &'static str, Source)> {
    let at = |found: Option<&FoundSetting<Secret>>| found.map(|found| found.source.clone());
    let user = settings.username.as_ref().map(|found| found.source.clone());
    [
        (Grant::Token, "token", at(settings.token.as_ref())),
        (Grant::RefreshToken, "refresh_token", at(settings.refresh_token.as_ref())),
        (Grant::Password, "username", user),
        (Grant::Password, "password", at(settings.password.as_ref())),
    ]
    .into_iter()
    .filter_map(|(grant, name, source)| Some((grant, name, source?)))
    .collect()
}

fn need<T: Clone>(found: Option<&FoundSetting<T>>, name: &'static str, grant: Grant) -> Result<T> {
    found.map(|found| found.value.clone()).ok_or_else(|| {
        let grant = grant.as_str();
        let variable = name.to_uppercase();
        let name = Text::from(name);
        Error::configuration(text!("`{name}` is missing, which the grant `{grant}` needs"))
            .with_hint(text!("Set `{name}` in code, as SONDAGE_{variable}, or in the profile file."))
    })
}
