//! A sandbox inside the process. What can be done to it while it runs goes through its control endpoints.

use crate::error::{refused, thrown};
use crate::from_js::from_js;
use crate::to_js::to_js;
use napi::Env;
use napi::bindgen_prelude::Unknown;
use napi_derive::napi;
use sondage::Error;
use sondage_sandbox::{Builder, Sandbox};

/// A running sandbox.
#[napi]
pub struct NativeSandbox(Option<Sandbox>);

#[napi]
impl NativeSandbox {
    /// Starts one.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: &Env, settings: Unknown<'_>) -> napi::Result<Self> {
        let builder: Builder = from_js(settings, None).map_err(|fault| refused(env, &fault, None))?;
        let started = builder.start_blocking();
        let failed = |error: std::io::Error| {
            let what = format!("the sandbox cannot start ({error})");
            thrown(env, &Error::configuration(what).with_hint("Leave out `port` to get a free one."))
        };
        started.map(|sandbox| Self(Some(sandbox))).map_err(failed)
    }

    /// Addresses, credentials and ids of the demo account.
    #[napi(catch_unwind)]
    pub fn facts<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        match &self.0 {
            Some(sandbox) => to_js(env, &sandbox.facts()),
            None => Err(thrown(env, &Error::invalid_argument("the sandbox has been stopped"))),
        }
    }

    /// Stops it and waits until the ports are closed.
    #[napi(catch_unwind)]
    pub fn stop(&mut self) {
        self.0 = None;
    }
}
