//! The promises of the README and SECURITY.md about a call, against a hostile service.

mod backoff;
mod cancelled;
mod decide;
mod early;
mod mutual;
mod pause;
mod tls;
mod truth;

use crate::support::{Fault, Service, client};
use sondage::{Client, Effect, Error, Json, RawCall};

/// Larger than all buffers between the client and the service.
const LARGE: usize = 20_000_000;

fn call(effect: Effect, size: usize) -> RawCall {
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(size));
    RawCall::new("/publicapi/Panel/v3/Something", Json::parse(body).unwrap(), effect)
}

/// One call, whose connections encounter these faults, the last one repeatedly.
async fn meet(faults: &[Fault], effect: Effect, size: usize) -> (Result<(), Error>, Service) {
    let service = Service::with(faults);
    let result = client(&service.address).raw(call(effect, size)).await.map(|_| ());
    (result, service)
}
