//! The control endpoints, for tests in languages that cannot hold a [`Sandbox`](crate::Sandbox).
//!
//! The documentation of the crate lists them.

use super::Reply;
use crate::delivery::{Cause, Deliveries, DeliveryFault};
use crate::fault::Fault;
use crate::refusal::Refusal;
use crate::server::http1::BufferedRequest;
use crate::state::ServerState;
use chrono::{DateTime, Utc};
use http::header::AUTHORIZATION;
use http::{Method, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const PREFIX: &str = "/_sandbox/";

pub(super) fn answer(shared: &Arc<ServerState>, received: &BufferedRequest) -> Reply {
    let header = received.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if header != Some(&format!("Sandbox {}", shared.control_key)) {
        let why = "The control endpoints need `Authorization: Sandbox <control key>`.";
        return Reply::refused(&Refusal::unauthorized("ControlKeyMissing", why));
    }
    let name = received.path.strip_prefix(PREFIX).unwrap_or_default();
    match act(shared, &received.method, name, &received.body) {
        Ok(value) => Reply::json(StatusCode::OK, value.to_string()),
        Err(refusal) => Reply::refused(&refusal),
    }
}

fn act(shared: &Arc<ServerState>, method: &Method, name: &str, body: &[u8]) -> Result<Value, Refusal> {
    match (method.as_str(), name) {
        ("GET", "clock") => Ok(json!({ "now": shared.clock.now() })),
        ("POST", "clock") => {
            match read(body)? {
                Move::Advance(seconds) => shared.clock.advance_seconds(seconds),
                Move::Set(time) => shared.clock.set(time),
            }
            shared.store_clock();
            Ok(json!({ "now": shared.clock.now() }))
        }
        ("DELETE", "clock") => {
            shared.clock.reset();
            shared.store_clock();
            Ok(json!({ "now": shared.clock.now() }))
        }
        ("POST", "faults") => {
            shared.faults.put(read::<Fault>(body)?);
            Ok(json!({}))
        }
        ("DELETE", "faults") => {
            shared.faults.clear();
            Ok(json!({}))
        }
        ("GET", "ledger") => {
            shared.catch_up();
            let ledger = &shared.ledger;
            Ok(json!({
                "requests": ledger.requests("*"),
                "effects": ledger.effects("*"),
                "tokenRequests": ledger.token_requests(),
            }))
        }
        ("DELETE", "ledger") => {
            shared.ledger.clear();
            Ok(json!({}))
        }
        ("GET", "profile") => Ok(json!(*shared.profile())),
        ("POST", "profile") => {
            let mut settings = json!(*shared.profile());
            if let (Value::Object(settings), Value::Object(changes)) = (&mut settings, read(body)?) {
                settings.extend(changes);
            }
            shared.set_profile(serde_json::from_value(settings).map_err(unreadable)?);
            Ok(json!(*shared.profile()))
        }
        ("POST", "causes") => {
            let emitted = shared.emit(read::<Cause>(body)?).map_err(Refusal::invalid)?;
            Ok(json!({ "emitted": emitted }))
        }
        ("GET", "pending") => {
            let (pending, busy) = (shared.desk.pending(), shared.desk.is_busy(shared.clock.now()));
            Ok(json!({ "pending": pending, "busy": busy, "nextDue": shared.desk.next_due() }))
        }
        (method, "deliveries") => deliveries(&Deliveries(Arc::clone(shared)), method, body),
        ("DELETE", "tokens") => {
            shared.tokens().end_all();
            Ok(json!({}))
        }
        _ => Err(nothing(method.as_str(), name)),
    }
}

fn deliveries(deliveries: &Deliveries, method: &str, body: &[u8]) -> Result<Value, Refusal> {
    match method {
        "GET" => Ok(json!({
            "attempts": deliveries.log(),
            "pending": deliveries.pending(),
            "nextDue": deliveries.next_due(),
        })),
        "POST" => {
            deliveries.fault(read::<DeliveryFault>(body)?);
            Ok(json!({}))
        }
        "DELETE" => {
            deliveries.clear_faults();
            deliveries.clear();
            Ok(json!({}))
        }
        _ => Err(nothing(method, "deliveries")),
    }
}

fn nothing(method: &str, name: &str) -> Refusal {
    let why = format!("There is no control endpoint {method} {name}.");
    Refusal::new(StatusCode::NOT_FOUND, "UnknownPath", why)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Move {
    /// Seconds, negative to go back.
    Advance(i64),
    Set(DateTime<Utc>),
}

/// A value is read in two steps, so that an error about its content does not name a line of the JSON, which callers never see.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).and_then(serde_json::from_value).map_err(unreadable)
}

#[allow(clippy::needless_pass_by_value)] // The signature that `map_err` needs.
fn unreadable(why: serde_json::Error) -> Refusal {
    Refusal::invalid(format!("{why}."))
}
