//! The core's files for receiving webhooks, and the conversion of their verdicts.

#[path = "../../../../crates/sondage/src/webhook/basic.rs"]
mod basic;
#[path = "../../../../crates/sondage/src/webhook/bearer.rs"]
mod bearer;
#[path = "../../../../crates/sondage/src/webhook/body.rs"]
mod body;
mod crypto;
#[path = "../../../../crates/sondage/src/webhook/entity.rs"]
mod entity;
#[path = "../../../../crates/sondage/src/webhook/event.rs"]
mod event;
#[path = "../../../../crates/sondage/src/webhook/hook.rs"]
mod hook;
#[path = "../../../../crates/sondage/src/webhook/jwt.rs"]
mod jwt;
#[path = "../../../../crates/sondage/src/webhook/object.rs"]
mod object;
#[path = "../../../../crates/sondage/src/webhook/obscure.rs"]
mod obscure;
#[path = "../../../../crates/sondage/src/webhook/received.rs"]
mod received;
#[path = "../../../../crates/sondage/src/webhook/refusal.rs"]
mod refusal;
#[path = "../../../../crates/sondage/src/webhook/shapes.rs"]
mod shapes;
#[path = "../../../../crates/sondage/src/webhook/signed_url.rs"]
mod signed_url;
#[path = "../../../../crates/sondage/src/webhook/signing.rs"]
mod signing;
mod source;
#[path = "../../../../crates/sondage/src/webhook/strategy.rs"]
mod strategy;
mod values;

pub use basic::Basic;
pub use bearer::Bearer;
pub use obscure::ObscureUrl;
pub use refusal::Reason;
pub use signed_url::SignedUrl;
pub use signing::Profile;

use crate::error::{Error, Result};
use crate::{About, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use hook::{Hook, Verdict};
use serde_json::{Value, json};

/// The core takes the current time for a webhook without `issuedAt`; here is no clock, and only its registration needs it.
fn read(settings: &Value) -> Result<Hook> {
    let mut settings = settings.clone();
    for place in ["strategy", "previous"] {
        if let Some(strategy) = settings.get_mut(place).and_then(Value::as_object_mut)
            && ["bearer", "signedUrl"]
                .iter()
                .any(|name| strategy.get("strategy").is_some_and(|own| own == name))
        {
            strategy.entry("issuedAt").or_insert_with(|| json!("1970-01-01T00:00:00Z"));
        }
    }
    settings.to_string().parse()
}

pub fn about(settings: &Value) -> Result<String> {
    let hook = read(settings)?;
    let about =
        About { strategy: hook.strategy().name(), largest_body: hook.largest_body(), ends: hook.ends() };
    Ok(serde_json::to_string(&about)?)
}

pub fn judge(request: &Request, body: &[u8]) -> Result<String> {
    let hook = read(&request.hook)?;
    let now: DateTime<Utc> = DateTime::from_timestamp_millis(request.now)
        .ok_or_else(|| Error::invalid_argument("`now` is not a time"))?;
    let mut headers = Vec::new();
    for (name, value) in &request.headers {
        let value = STANDARD.decode(value).map_err(|_| Error::invalid_argument("a header is not base64"))?;
        headers.push((name, value));
    }
    Ok(match hook.judge(now, &request.url, headers, body) {
        Verdict::Accepted { event } => serde_json::to_string(&values::accepted(&event))?,
        Verdict::Refused { reason, explanation } => {
            json!({ "reason": reason, "explanation": explanation }).to_string()
        }
    })
}
