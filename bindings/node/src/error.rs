//! Converts the core's error for JavaScript, where `node/lib/fail.js` makes an object of the right class.

use crate::journals::JournalFailure;
use crate::language::JavaScript;
use napi::{Env, JsValue};
use sondage::Error;
use sondage_ffi::Failure;
use sondage_node_values::to_js;

/// The error to throw or to reject a promise with, carrying all its data.
pub fn thrown(env: &Env, error: &Error) -> napi::Error {
    let carrier = || {
        let mut carrier = env.create_error(napi::Error::from_reason("see `failure`"))?;
        carrier.set("failure", to_js(env, &Failure::of::<JavaScript>(error))?)?;
        let callers =
            std::error::Error::source(error).and_then(|source| source.downcast_ref::<JournalFailure>());
        if let Some(number) = callers.and_then(|callers| callers.number) {
            carrier.set("callers", number)?;
        }
        Ok(carrier.to_unknown())
    };
    carrier().map_or_else(|broken| broken, napi::Error::from_unknown_without_coercion)
}
