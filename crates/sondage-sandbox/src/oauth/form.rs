//! Parameters of a query or a form.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use std::collections::HashMap;

/// Parameters by name. An empty one counts as absent (RFC 6749, 3.1).
#[derive(Debug, Default)]
pub(super) struct Form(HashMap<String, String>);

impl Form {
    /// The error names the parameter that stands there twice: each may once (RFC 6749, 3.1).
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let mut form = HashMap::new();
        for (name, value) in url::form_urlencoded::parse(text) {
            if form.insert(name.to_string(), value.into_owned()).is_some() {
                return Err(format!("The parameter {name} stands there twice."));
            }
        }
        Ok(Self(form))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The error says which parameter is missing.
    pub(super) fn need(&self, name: &str) -> Result<&str, String> {
        self.get(name).ok_or_else(|| format!("The parameter {name} is missing."))
    }
}

/// Whether a body is a form (spec 1: token requests are).
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}
