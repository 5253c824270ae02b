//! Work of the core that ends in a JavaScript value, and waiting for it.

use crate::error::thrown;
use crate::to_js::to_js;
use napi::Env;
use napi::JsValue;
use napi::bindgen_prelude::{PromiseRaw, Unknown};
use napi_derive::napi;
use serde::Serialize;
use sondage::{Error, Result, runtime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use tokio::sync::oneshot;

/// A result that becomes a JavaScript value on the thread that JavaScript runs on.
type Ready = Box<dyn for<'env> FnOnce(&'env Env) -> napi::Result<Unknown<'env>> + Send>;

type Doing = Pin<Box<dyn Future<Output = Result<Ready>> + Send>>;

fn ready(f: impl for<'env> FnOnce(&'env Env) -> napi::Result<Unknown<'env>> + Send + 'static) -> Ready {
    Box::new(f)
}

/// Something that is to be done: wait for it, or get a promise of it.
#[napi]
pub struct Work {
    doing: Option<Doing>,
    stop: Option<oneshot::Sender<()>>,
}

impl Work {
    /// Work whose result is written as plain objects.
    pub fn new<T: Serialize + Send + 'static>(
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Self {
        Self::with(work, |env, value| to_js(env, &value))
    }

    /// Work whose result `convert` turns into a JavaScript value.
    pub fn with<T: Send + 'static>(
        work: impl Future<Output = Result<T>> + Send + 'static,
        convert: impl for<'env> FnOnce(&'env Env, T) -> napi::Result<Unknown<'env>> + Send + 'static,
    ) -> Self {
        let doing = async move {
            let value = work.await?;
            Ok(ready(move |env| convert(env, value)))
        };
        Self { doing: Some(Box::pin(doing)), stop: None }
    }

    fn take(&mut self) -> Doing {
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
fn settle(env: &Env, result: Result<Ready>) -> napi::Result<Unknown<'_>> {
    let made = catch_unwind(AssertUnwindSafe(|| match result {
        Ok(ready) => ready(env),
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
