//! A request as a shell command. Secrets are shell variables, so the command does not contain their values.

use super::program::quoted;
use crate::ledger::Arrival;
use crate::state::ServerState;
use serde_json::Value;
use sondage::operation::{Effect, RequestLocation};
use std::fmt::Write as _;

/// The command that sends the request again. If the body was not recorded, it names a file.
pub(super) fn command(shared: &ServerState, arrival: &Arrival) -> String {
    let address = shared.address(arrival.data_center);
    let Some(row) = sondage::operations::find(&arrival.operation) else {
        return match arrival.operation.as_str() {
            "token" => format!(
                "curl {} -d grant_type=client_credentials -d client_id=\"$CLIENT_ID\" -d client_secret=\"$CLIENT_SECRET\"",
                quoted(&format!("{}{}", address.auth, arrival.path))
            ),
            "authorize" | "jwks" => format!("curl {}", quoted(&format!("{}{}", address.auth, arrival.path))),
            // The answers of a form are not on the page.
            _ => {
                let data = if arrival.bytes > 0 { " --data @form.txt" } else { "" };
                format!("curl {}{data}", quoted(&format!("{}{}", address.api, arrival.path)))
            }
        };
    };
    let mut line = format!("curl -X POST {}", quoted(&format!("{}{}", address.api, arrival.path)));
    if row.effect != Effect::Token {
        line.push_str(" -H \"Authorization: Bearer $TOKEN\"");
    }
    if row.location == RequestLocation::Body {
        line.push_str(" -H 'Content-Type: application/json'");
        let body = arrival.body.as_deref().map(masked);
        let _ =
            write!(line, " --data {}", body.map_or_else(|| "@request.json".to_owned(), |body| quoted(&body)));
    }
    line
}

/// A body without its secrets. A body that is not JSON is hidden, because it may contain anything.
pub(super) fn masked(body: &str) -> String {
    let Ok(mut value) = serde_json::from_str(body) else { return "(not JSON)".to_owned() };
    mask(&mut value);
    value.to_string()
}

/// A body over several lines, without its secrets. The beginning of a long one is not JSON any more: then the secrets are not found,
/// and so it is hidden.
pub(super) fn readable(body: &str) -> String {
    let Ok(mut value) = serde_json::from_str(body) else {
        return format!("({} bytes that are not JSON, or too long to be shown)", body.len());
    };
    mask(&mut value);
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

/// Tokens, secrets, passwords, and the addresses of webhooks, which may contain a secret.
pub(super) fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.to_ascii_lowercase();
                if ["token", "secret", "password", "url"].iter().any(|word| name.contains(word)) {
                    *value = "***".into();
                } else {
                    mask(value);
                }
            }
        }
        _ => {}
    }
}
