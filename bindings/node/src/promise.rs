//! A promise that is created now and settled later, on the same thread, without a thread-safe function of its own.
#![allow(unsafe_code)]

use napi::bindgen_prelude::{PromiseRaw, ToNapiValue, Unknown};
use napi::{Env, JsValue, check_status, sys};
use std::ptr;

/// An open promise.
pub struct Promise(sys::napi_deferred);

// SAFETY: other threads only move it. Settling needs the environment, which is on the thread that created both.
unsafe impl Send for Promise {}

impl Promise {
    /// A promise, and its JavaScript value.
    pub fn new(env: &Env) -> napi::Result<(Self, PromiseRaw<'_, Unknown<'static>>)> {
        let (mut deferred, mut promise) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the environment belongs to this thread, and both out-parameters are written before they are read.
        check_status!(unsafe { sys::napi_create_promise(env.raw(), &raw mut deferred, &raw mut promise) })?;
        Ok((Self(deferred), PromiseRaw::new(env.raw(), promise)))
    }

    /// Resolves or rejects it, once: this consumes it.
    pub fn settle(self, env: &Env, result: napi::Result<Unknown<'_>>) {
        // SAFETY: the value belongs to the promise's environment, and the promise has not been settled before.
        unsafe {
            match result {
                Ok(value) => sys::napi_resolve_deferred(env.raw(), self.0, value.raw()),
                Err(error) => match ToNapiValue::to_napi_value(env.raw(), error) {
                    Ok(error) => sys::napi_reject_deferred(env.raw(), self.0, error),
                    // The environment is being torn down, so there is nothing to settle.
                    Err(_) => return,
                },
            };
        }
    }
}
