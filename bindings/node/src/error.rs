//! The core's error on its way to JavaScript, where `node/lib/fail.js` makes an object of the right class of it.

use crate::language::JavaScript;
use napi::{Env, JsValue};
use sondage::Error;
use sondage_ffi::Failure;
use sondage_node_values::to_js;

/// What is thrown, or what a promise is rejected with: an error that carries what is known.
pub fn thrown(env: &Env, error: &Error) -> napi::Error {
    let carrier = || {
        let mut carrier = env.create_error(napi::Error::from_reason("see `failure`"))?;
        carrier.set("failure", to_js(env, &Failure::of::<JavaScript>(error))?)?;
        Ok(carrier.to_unknown())
    };
    carrier().map_or_else(|broken| broken, napi::Error::from_unknown_without_coercion)
}
