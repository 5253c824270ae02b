//! The two clients, without their operations.

use crate::convert::{ConversionError, IntoFfi, argument};
use crate::pages::Pages;
use crate::{Map, PendingWrite, SondageError};
use futures_util::FutureExt;
use sondage::config;
use sondage::error::camel;
#[cfg(feature = "blocking")]
use sondage::internals::runtime;
use sondage::operation::{Operation, Paged};
use sondage::{CallOptions, RawCall};
use std::time::Duration;

/// An async client of one account.
///
/// It can be used from any thread, and shares tokens and connections between all its calls. Cancelling a read aborts its
/// request. A write that was sent continues, and is listed among the pending writes.
#[derive(uniffi::Object)]
pub struct Client(sondage::Client);

/// A client of one account whose calls block their thread until the response has arrived.
///
/// Never call it on the main thread of an application, or inside a coroutine or a task.
#[cfg(feature = "blocking")]
#[derive(uniffi::Object)]
pub struct BlockingClient(sondage::Client);

/// How long the blocking client waits for writes when it is closed.
#[cfg(feature = "blocking")]
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// The effect of a call to an operation. It decides what happens after an unknown outcome.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum Effect {
    /// Changes nothing: may be retried.
    Read,
    /// Idempotent: has the same effect however often it is sent.
    IdempotentWrite,
    /// Creates something: a retry could create it twice.
    Create,
    /// Changes what other data depend on: read it back before you call again.
    SchemaChange,
    /// Sends messages or spends money: a retry could do it twice, and it cannot be undone.
    Send,
}

/// A setting as the client uses it.
#[derive(Debug, uniffi::Record)]
pub struct Explained {
    /// The setting, by its name in `Settings`.
    pub setting: String,
    /// The value, masked where it is secret; nothing when it is not set.
    pub value: Option<String>,
    /// The source: code, an environment variable, a file, a default; nothing when it is not set.
    pub source: Option<String>,
}

/// Every setting of a client.
#[derive(Debug, uniffi::Record)]
pub struct Explanation {
    /// The settings.
    pub settings: Vec<Explained>,
    /// The same as a table for people.
    pub text: String,
}

/// A response with its HTTP details.
#[derive(uniffi::Record)]
pub struct RawResponse {
    /// HTTP status.
    pub status: i32,
    /// HTTP headers, by their names in lower case.
    pub headers: Map<String>,
    /// The body.
    pub text: String,
    /// Number of attempts.
    pub attempts: i32,
}

async_and_blocking! {
    {
        /// The core's client.
        pub fn core(&self) -> sondage::Client {
            self.0.clone()
        }

        /// A client of the core.
        pub fn of(client: sondage::Client) -> Self {
            Self(client)
        }

        /// Starts a list.
        pub fn pages<O: Paged>(
            &self,
            request: Result<O::Request, ConversionError>,
            page_size: Option<i64>,
        ) -> Result<Pages<Vec<O::Item>>, SondageError> {
            let request = request.map_err(|wrong| wrong.into_error(O::INFO.name))?;
            let pages = self.0.pages::<O>(request);
            let pages = match page_size {
                Some(rows) => pages.page_size(rows),
                None => pages,
            };
            Ok(Pages::new(pages.pager()?))
        }
    }
}

impl Client {
    /// Makes a call.
    pub async fn call<O: Operation, T>(
        &self,
        request: Result<O::Request, ConversionError>,
    ) -> Result<T, SondageError>
    where
        O::Response: IntoFfi<T>,
    {
        let request = request.map_err(|wrong| wrong.into_error(O::INFO.name))?;
        Ok(self.0.call::<O>(request).await?.into_ffi())
    }
}

#[cfg(feature = "blocking")]
impl BlockingClient {
    /// Makes a call and waits for it.
    pub fn call<O: Operation, T>(
        &self,
        request: Result<O::Request, ConversionError>,
    ) -> Result<T, SondageError>
    where
        O::Response: IntoFfi<T>,
    {
        let request = request.map_err(|wrong| wrong.into_error(O::INFO.name))?;
        let client = self.0.clone();
        Ok(runtime::block_on(async move { client.call::<O>(request).await })?.into_ffi())
    }
}

async_and_blocking! {
    exported {
        /// The same client with other call options. What is not given stays as it is.
        ///
        /// - `deadline`: how long a call may take in total, including waiting, retries and the token request; for a list, each page.
        /// - `attempts`: the maximum number of attempts, from 1 to 20. It never causes a write to be sent twice.
        /// - `timeout`: how long one attempt may take before the next one follows. For a call that writes at least 200 s, because
        ///   the service may compute for 180 s.
        /// - `headers`: additional headers of each request. Those that the library sets, and `Authorization`, are refused.
        /// - `extra`: fields for the body that this version of the library does not know, as JSON texts by name.
        #[uniffi::method(default(deadline = None, attempts = None, timeout = None, headers = None, extra))]
        pub fn with_options(
            &self,
            deadline: Option<Duration>,
            attempts: Option<i32>,
            timeout: Option<Duration>,
            headers: Option<Map<String>>,
            extra: Map<String>,
        ) -> Result<Self, SondageError> {
            let mut chosen = CallOptions::new();
            // The core says what is wrong with 0, which is as wrong as a number below it.
            let attempts = attempts.map(|attempts| u32::try_from(attempts).unwrap_or_default());
            (chosen.deadline, chosen.attempts, chosen.timeout) = (deadline, attempts, timeout);
            let headers = headers.into_iter().flat_map(|headers| headers.0);
            chosen.headers = headers.map(|(name, value)| (name, value.into())).collect();
            chosen.extra = argument("extra", extra)?;
            Ok(Self(self.0.with(self.0.call_options().and(chosen)?)))
        }

        /// Every setting, its value unless that is a secret, and its source.
        pub fn explain(&self) -> Explanation {
            self.0.config().explain().clone().into_ffi()
        }
    }
}

blocking_and_async! {
    /// Calls an operation that this version does not know. `body` is JSON and sent unchanged: if the operation needs a
    /// tenant, it must contain it.
    ///
    /// - `path`: The path of the operation, from `/`.
    /// - `body`: The body of the request.
    /// - `effect`: What a call does, which decides whether it may be repeated.
    raw(path: String, body: String, effect: Effect) -> RawResponse;

    /// Rejects new calls, and waits up to `timeout` for writes in progress. Writes that are still in progress afterwards
    /// continue, and are returned.
    ///
    /// - `timeout`: How long to wait.
    close_within(timeout: Duration) -> Vec<PendingWrite>;
}

#[cfg(feature = "blocking")]
#[uniffi::export]
impl Client {
    /// The same client, blocking.
    pub fn blocking(&self) -> BlockingClient {
        BlockingClient(self.0.clone())
    }
}

#[uniffi::export]
impl Client {
    /// Rejects new calls. It does not wait: writes in progress continue.
    pub fn close(&self) {
        // The client rejects new calls as soon as `close` starts.
        let _ = self.0.close(Duration::ZERO).now_or_never();
    }
}

#[cfg(feature = "blocking")]
#[uniffi::export]
impl BlockingClient {
    /// The same client, async.
    pub fn asynchronous(&self) -> Client {
        Client(self.0.clone())
    }

    /// Rejects new calls, and waits up to 30 seconds for writes in progress.
    pub fn close(&self) {
        let _ = runtime::block_on(close_within(self.core(), CLOSE_TIMEOUT));
    }
}

async fn raw(
    client: sondage::Client,
    path: String,
    body: String,
    effect: Effect,
) -> sondage::Result<RawResponse> {
    let effect = match effect {
        Effect::Read => sondage::Effect::Read,
        Effect::IdempotentWrite => sondage::Effect::IdempotentWrite,
        Effect::Create => sondage::Effect::Create,
        Effect::SchemaChange => sondage::Effect::SchemaChange,
        Effect::Send => sondage::Effect::Send,
    };
    let body = argument("body", body)?;
    Ok(client.raw(RawCall::new(path, body, effect)).await?.into_ffi())
}

async fn close_within(client: sondage::Client, timeout: Duration) -> sondage::Result<Vec<PendingWrite>> {
    Ok(client.close(timeout).await.into_ffi())
}

impl IntoFfi<Explanation> for config::Explanation {
    fn into_ffi(self) -> Explanation {
        let text = self.to_string();
        let line = |line: config::Explained| Explained {
            setting: camel(line.setting),
            value: line.value,
            source: line.source.map(|source| source.to_string()),
        };
        Explanation { settings: self.0.into_iter().map(line).collect(), text }
    }
}

impl IntoFfi<RawResponse> for sondage::Response<sondage::Json> {
    fn into_ffi(self) -> RawResponse {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers =
            self.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())));
        RawResponse {
            status: self.status.into(),
            headers: Map(headers.collect()),
            text: self.text().into_owned(),
            attempts: i32::try_from(self.attempts).unwrap_or(i32::MAX),
        }
    }
}
