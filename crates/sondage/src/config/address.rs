//! Which addresses the client may talk to.

use crate::error::{Error, Result, Text};
use crate::text;
use crate::transport::settings::is_loopback;
use url::Url;

/// Checks the address of a server: https, or http to this machine, and nothing after the host and port.
pub(super) fn server(url: &Url, place: &Text) -> Result<()> {
    origin(url, place)?;
    if !matches!(url.path(), "" | "/") {
        return Err(Error::configuration(text!("{place} has a path, `{}`", shortened(url.path())))
            .with_hint("Give the address alone, for example https://api.example.com: the paths are known."));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Error::configuration(text!("{place} has a query or a fragment (`?` or `#`)"))
            .with_hint("Give the address alone, for example https://api.example.com."));
    }
    Ok(())
}

/// Checks the scheme and the host, and that the address contains no password.
fn origin(url: &Url, place: &Text) -> Result<()> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::configuration(text!("{place} contains a user name or a password"))
            .with_hint("Remove them from the address and set `username` and `password`."));
    }
    match url.scheme() {
        "https" if url.has_host() => Ok(()),
        "http" if is_loopback(url) => Ok(()),
        "http" => Err(Error::configuration(text!(
            "{place} is plain http to `{}`, where passwords and answers could be read on the way",
            url.host_str().unwrap_or_default()
        ))
        .with_hint("Use https. Plain http is for this machine only: 127.0.0.1, [::1] or localhost.")),
        "ftp" | "file" | "ws" | "wss" | "localhost" => {
            Err(Error::configuration(text!("{place} begins with `{}:`", url.scheme()))
                .with_hint("Use an address that begins with https://."))
        }
        // The text before a colon may be half of a password, so it is not shown.
        _ => Err(Error::configuration(text!("{place} is not an address that begins with https://"))
            .with_hint("Use an address that begins with https://.")),
    }
}

/// Checks the address of a proxy. It may contain a user name and a password; they are masked where it is
/// shown.
pub(super) fn proxy(url: &Url, place: &Text) -> Result<()> {
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(()),
        _ => {
            Err(Error::configuration(text!("{place} is not an address that begins with http:// or https://"))
                .with_hint("For example http://proxy.example.com:3128."))
        }
    }
}

/// Checks that an address is on this machine, which the setting `loopback_only` (at `because`) requires of all.
pub(super) fn on_this_machine(url: &Url, place: &Text, because: &Text) -> Result<()> {
    if is_loopback(url) {
        return Ok(());
    }
    Err(Error::configuration(text!(
        "{place} is not on this machine, and this process may only talk to this machine: {because} is set"
    ))
    .with_hint(
        "In a test, use the sandbox, whose client has addresses of this machine, or replay a recording. Remove the setting \
         if calls may leave this machine.",
    ))
}

/// Checks a path of the authentication server.
pub(super) fn path(path: &str, place: &Text) -> Result<()> {
    if path.starts_with('/') && !path.starts_with("//") && !path.contains(['?', '#', '\\', ' ']) {
        return Ok(());
    }
    let is = if path.contains('/') { text!("`{}`, which", shortened(path)) } else { "a text that".into() };
    Err(Error::configuration(text!("{place} is {is} is not a path"))
        .with_hint("A path begins with one `/` and has no query, for example /openid/token."))
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
