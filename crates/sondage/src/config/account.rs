//! What can be read from an account's own address.
// API 1.1, published

use crate::error::{Error, Result, Text};
use crate::text;
use sondage_macros::words;
use std::str::FromStr;
use url::Url;

/// Where an account is hosted. Tokens of one data center are invalid in the other.
// API 1.1, published
#[words]
#[non_exhaustive]
pub enum DataCenter {
    /// `survalyzer-swiss.app`
    Swiss,
    /// `survalyzer-eu.app`
    Eu,
}

impl DataCenter {
    /// The address of the API.
    pub fn base_url(self) -> String {
        format!("https://api.{}", self.domain())
    }

    /// The address of the authentication server.
    pub fn auth_url(self) -> String {
        format!("https://authentication.{}", self.domain())
    }

    fn domain(self) -> String {
        format!("survalyzer-{}.app", self.as_str())
    }
}

impl FromStr for DataCenter {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        Self::ALL.into_iter().find(|center| center.as_str() == text).ok_or(())
    }
}

/// Reads tenant and data center from `https://{tenant}.survalyzer-{swiss|eu}.app`. An address copied from a browser may
/// have a path, and may lack the `https://`.
pub(super) fn read(text: &str, place: &Text) -> Result<(String, DataCenter)> {
    let refuse = |why: &'static str| {
        Err(Error::configuration(text!("{place} {}", Text::from(why))).with_hint(
            "An account's address looks like https://acme.survalyzer-eu.app. If yours does not, set `tenant`, `base_url` and \
             `auth_url` instead.",
        ))
    };
    let text = text.trim();
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let Ok(url) = full.parse::<Url>() else { return refuse("is not an address") };
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("contains a user name or a password, which do not belong in an address");
    }
    if url.scheme() != "https" || url.port().is_some() {
        return refuse("is not the address of an account, which begins with https:// and has no port");
    }
    let host = url.host_str().unwrap_or_default();
    let account = DataCenter::ALL.into_iter().find_map(|center| {
        let tenant = host.strip_suffix(&center.domain())?.strip_suffix('.')?;
        Some((tenant, center))
    });
    match account {
        Some(("api" | "authentication" | "www", _)) => {
            refuse("is an address that all accounts share: it does not say whose account is meant")
        }
        Some((tenant, center)) if !tenant.contains('.') => Ok((tenant.to_owned(), center)),
        _ => refuse("is not the address of an account"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_accounts() {
        for (text, tenant, center) in [
            ("https://acme.survalyzer-eu.app", "acme", DataCenter::Eu),
            ("https://ACME.survalyzer-swiss.app/surveys/5?tab=2", "acme", DataCenter::Swiss),
            (" acme-2.survalyzer-eu.app/ ", "acme-2", DataCenter::Eu),
        ] {
            assert_eq!(read(text, &"account".into()).unwrap(), (tenant.to_owned(), center), "{text}");
        }
    }

    #[test]
    fn other_addresses_are_refused_with_advice() {
        for text in [
            "",
            "acme",
            "http://acme.survalyzer-eu.app",
            "https://survalyzer-eu.app",
            "https://api.survalyzer-eu.app",
            "https://acme.survalyzer-us.app",
            "https://acme.evil.survalyzer-eu.app",
            "https://acme.survalyzer-eu.app.evil.example",
            "https://evilsurvalyzer-eu.app",
            "https://acme.survalyzer-eu.app:8443",
            "https://user:marker@acme.survalyzer-eu.app",
        ] {
            let error = read(text, &"`account`".into()).unwrap_err().to_string();
            assert!(error.contains("https://acme.survalyzer-eu.app"), "{text}: {error}");
            assert!(!error.contains("marker"));
        }
    }
}
