//! Work of the core that ends in a JavaScript value, and how it is awaited.

use crate::completions::{self, Begun};
use crate::error::thrown;
use crate::handle::host_value;
use crate::language::JavaScript;
use napi::Env;
use napi::bindgen_prelude::{PromiseRaw, Unknown};
use napi_derive::napi;
use sondage::{Error, Result, internals::runtime};
use sondage_ffi::Output;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pending work: wait for it, or get a promise of it.
#[napi]
pub struct Work {
    doing: Option<sondage_ffi::Work<JavaScript>>,
    begun: Option<Begun>,
}

impl Work {
    /// Work that has not started.
    pub fn new(work: sondage_ffi::Work<JavaScript>) -> Self {
        Self { doing: Some(work), begun: None }
    }

    fn take(&mut self) -> sondage_ffi::Work<JavaScript> {
        let twice = || Error::internal("the same work was begun twice");
        self.doing.take().unwrap_or_else(|| Box::pin(async move { Err(twice()) }))
    }
}

/// Dropping the JavaScript handle must not cancel the call.
impl Drop for Work {
    fn drop(&mut self) {
        if let Some(begun) = self.begun.take() {
            begun.detach();
        }
    }
}

#[napi]
impl Work {
    /// Starts it. The event loop stays alive until the promise is settled.
    #[napi(catch_unwind)]
    pub fn start<'env>(&mut self, env: &'env Env) -> napi::Result<PromiseRaw<'env, Unknown<'static>>> {
        let (begun, promise) = completions::start(env, self.take())?;
        self.begun = Some(begun);
        Ok(promise)
    }

    /// Waits for it and blocks the thread.
    #[napi(catch_unwind)]
    pub fn wait<'env>(&mut self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        finish(env, runtime::block_on(self.take()))
    }

    /// Cancels it. (A write that was sent continues: the core sees to that.)
    #[napi(catch_unwind)]
    pub fn cancel(&mut self, env: &Env) {
        if let Some(begun) = self.begun.take() {
            begun.give_up(env);
        }
    }
}

/// The JavaScript value, or the error to throw. A panic is an error like any other.
pub fn finish(env: &Env, result: Result<Output<JavaScript>>) -> napi::Result<Unknown<'_>> {
    let value = catch_unwind(AssertUnwindSafe(|| match result {
        Ok(output) => host_value(output)(env),
        Err(error) => Err(thrown(env, &error)),
    }));
    value.unwrap_or_else(|panic| Err(thrown(env, &runtime::panicked(panic.as_ref()))))
}
