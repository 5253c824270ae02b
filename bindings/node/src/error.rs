//! The core's error on its way to JavaScript, where `node/lib/errors.js` makes an object of the right class of it.

use crate::fault::Fault;
use crate::to_js::to_js;
use crate::words::in_javascript;
use napi::{Env, JsValue};
use serde::Serialize;
use sondage::Error;

/// Everything that is known about an error, by the names that it has in JavaScript.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failure<'a> {
    code: &'static str,
    message: String,
    operation: Option<&'a str>,
    attempts: u32,
    status: Option<u16>,
    error_code: Option<&'a str>,
    error_message: Option<&'a str>,
    request_id: Option<&'a str>,
    delivery: &'static str,
    safe_to_repeat: bool,
    /// Milliseconds.
    retry_after: Option<f64>,
    hint: String,
    reconcile: Option<String>,
}

/// What is thrown, or what a promise is rejected with: an error that carries what is known.
pub fn thrown(env: &Env, error: &Error) -> napi::Error {
    let failure = Failure {
        code: error.kind().as_str(),
        message: in_javascript(&error.to_string()),
        operation: error.operation(),
        attempts: error.attempts(),
        status: error.status(),
        error_code: error.error_code(),
        error_message: error.error_message(),
        request_id: error.request_id(),
        delivery: error.delivery().as_str(),
        safe_to_repeat: error.safe_to_repeat(),
        retry_after: error.retry_after().map(|wait| wait.as_secs_f64() * 1e3),
        hint: in_javascript(error.hint()),
        reconcile: error.reconcile().map(in_javascript),
    };
    let carrier = || {
        let mut carrier = env.create_error(napi::Error::from_reason("see `failure`"))?;
        carrier.set("failure", to_js(env, &failure)?)?;
        Ok(carrier.to_unknown())
    };
    carrier().map_or_else(|broken| broken, napi::Error::from_unknown_without_coercion)
}

/// A wrong argument, thrown. `operation`: of which call, where it is one.
pub fn refused(env: &Env, fault: &Fault, operation: Option<&str>) -> napi::Error {
    let error = fault.error();
    thrown(
        env,
        &match operation {
            Some(operation) => error.in_operation(operation),
            None => error,
        },
    )
}
