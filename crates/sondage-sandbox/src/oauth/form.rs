//! Parameters of a query or a form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use std::collections::HashMap;

/// Parameters by name. An empty one counts as absent (RFC 6749, 3.1).
#[derive(Debug, Default)]
pub(super) struct FormParameters(HashMap<String, String>);

impl FormParameters {
    /// The error names the duplicate parameter: each may occur once (RFC 6749, 3.1).
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let mut form = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(text) {
            if form.insert(name.to_string(), value.into_owned()).is_some() {
                return Err(format!("The parameter {name} is given twice."));
            }
        }
        Ok(Self(form))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Adds parameters from another source. The error says that one is duplicated.
    pub(super) fn add(&mut self, name: &str, value: String) -> Result<(), String> {
        match self.0.insert(name.to_owned(), value) {
            Some(before) if !before.is_empty() => {
                Err(format!("The {name} is given in the body and in the Authorization header."))
            }
            _ => Ok(()),
        }
    }

    /// The error says which parameter is missing.
    pub(super) fn need(&self, name: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("The parameter {name} is missing."))
    }
}

/// Whether a body is a form, as token requests are.
// API 1.3
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// A client's id and secret in the `Authorization` header (RFC 6749, 2.3.1): both form-encoded, then joined by a colon. `None`
/// if there is no such header.
pub(super) fn basic(headers: &HeaderMap) -> Option<Result<(String, String), String>> {
    let value = headers.get(AUTHORIZATION)?;
    let unreadable =
        || "The Authorization header is not Basic with a client_id and a client_secret.".to_owned();
    Some(value.to_str().ok().and_then(credentials).ok_or_else(unreadable))
}

fn credentials(header: &str) -> Option<(String, String)> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((decoded(id)?, decoded(secret)?))
}

/// One value as a form encodes it.
fn decoded(text: &str) -> Option<String> {
    let form = format!("v={}", text.replace('&', "%26"));
    url::form_urlencoded::parse(form.as_bytes()).next().map(|(_, value)| value.into_owned())
}
