//! Work of the core that ends in a JavaScript value, and waiting for it.

use crate::error::thrown;
use crate::language::JavaScript;
use crate::thing::given;
use napi::bindgen_prelude::{PromiseRaw, Unknown};
use napi::{Env, JsValue};
use napi_derive::napi;
use sondage::{Error, Result, runtime};
use sondage_doors::Gift;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::sync::oneshot;

/// Something that is to be done: wait for it, or get a promise of it.
#[napi]
pub struct Work {
    doing: Option<sondage_doors::Work<JavaScript>>,
    stop: Option<oneshot::Sender<()>>,
}

impl Work {
    /// Work that has not begun.
    pub fn new(work: sondage_doors::Work<JavaScript>) -> Self {
        Self { doing: Some(work), stop: None }
    }

    fn take(&mut self) -> sondage_doors::Work<JavaScript> {
        let twice = || Error::internal("the same work was begun twice");
        self.doing.take().unwrap_or_else(|| Box::pin(async move { Err(twice()) }))
    }
}

#[napi]
impl Work {
    /// Starts it. The event loop stays alive until the promise is settled.
    #[napi(catch_unwind)]
    pub fn start<'env>(&mut self, env: &'env Env) -> napi::Result<PromiseRaw<'env, Unknown<'static>>> {
        let (deferred, promise) = env.create_deferred::<Unknown<'static>, _>()?;
        let (stop, stopped) = oneshot::channel();
        self.stop = Some(stop);
        let task = runtime::spawn(self.take());
        runtime::handle().spawn(async move {
            let result = tokio::select! {
                biased;
                // When the work is garbage, nobody can stop it any more: that is no reason to.
                Ok(()) = stopped => Err(Error::internal("the call was given up")),
                result = task => result,
            };
            deferred.resolve(move |env| settle(&env, result).map(|value| forever(&env, value)));
        });
        Ok(PromiseRaw::new(env.raw(), promise.raw()))
    }

    /// Waits for it and blocks the thread.
    #[napi(catch_unwind)]
    pub fn wait<'env>(&mut self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        settle(env, runtime::block_on(self.take()))
    }

    /// Gives it up. (A write that was sent goes on, as the core sees to.)
    #[napi]
    pub fn cancel(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// The JavaScript value, or what is thrown. A panic is an error like any other.
fn settle(env: &Env, result: Result<Gift<JavaScript>>) -> napi::Result<Unknown<'_>> {
    let made = catch_unwind(AssertUnwindSafe(|| match result {
        Ok(gift) => given(gift)(env),
        Err(error) => Err(thrown(env, &error)),
    }));
    made.unwrap_or_else(|panic| Err(thrown(env, &runtime::panicked(panic.as_ref()))))
}

/// A value for the promise, which takes it before the scope that it lives in ends.
#[allow(unsafe_code)]
fn forever(env: &Env, value: Unknown<'_>) -> Unknown<'static> {
    // SAFETY: napi settles the promise right after the resolver has returned, in the same scope.
    unsafe { Unknown::from_raw_unchecked(env.raw(), value.raw()) }
}
