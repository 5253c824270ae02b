//! The blocking client. Each method blocks on the method of the same name of [`crate::Client`].

use crate::budget::BudgetReport;
use crate::call::writes::{PendingWrite, WriteOutcomes};
use crate::config::{ClientBuilder, Config};
use crate::error::Result;
use crate::facts::FactsReport;
use crate::model::{self, Json};
use crate::operation::{Operation, Paged, RawCall};
use crate::operations;
use crate::options::CallOptions;
use crate::paging::{Members, Pages};
use crate::response::Response;
use crate::runtime::block_on;
use crate::trace::PendingCall;
use std::time::Duration;

/// A blocking client of one account. It may be used on any thread, including a thread of an executor, which it then
/// blocks.
#[derive(Clone)]
pub struct Client(crate::Client);

impl Client {
    /// Reads settings from the environment and the profile file; settings made on the builder take
    /// precedence.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client with complete settings. Nothing is sent before the first call.
    pub fn new(config: Config) -> Result<Self> {
        crate::Client::new(config).map(Self)
    }

    /// The async client behind this one.
    pub fn as_async(&self) -> &crate::Client {
        &self.0
    }

    /// The same client with options for the calls that are made through it.
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        Self(self.0.with(options))
    }

    /// Makes a call and returns its response with status, headers and text.
    pub fn with_response<O: Operation>(&self, request: O::Request) -> Result<Response<O::Response>> {
        let client = self.0.clone();
        block_on(async move { client.with_response::<O>(request).await })
    }

    /// Makes a call to an operation that is not in the table.
    pub fn raw(&self, call: RawCall) -> Result<Response<Json>> {
        let client = self.0.clone();
        block_on(async move { client.raw(call).await })
    }

    /// The calls that have not ended yet, each with what it waits for.
    pub fn pending_calls(&self) -> Vec<PendingCall> {
        self.0.pending_calls()
    }

    /// Writes that have been sent and have no response yet.
    pub fn pending_writes(&self) -> Vec<PendingWrite> {
        self.0.pending_writes()
    }

    /// The outcomes of writes whose callers gave up: see [`crate::Client::write_outcomes`].
    pub fn write_outcomes(&self) -> Result<WriteOutcomes> {
        let client = self.0.clone();
        block_on(async move { client.write_outcomes().await })
    }

    /// The calls and bytes of the day, used and left: see [`crate::Client::budget`].
    pub fn budget(&self) -> BudgetReport {
        self.0.budget()
    }

    /// What is known about the service: see [`crate::Client::service_facts`].
    pub fn service_facts(&self) -> FactsReport {
        self.0.service_facts()
    }

    /// Discards the tokens of this client, in memory and in the token store: see [`crate::Client::logout`].
    pub fn logout(&self) -> Result<()> {
        let client = self.0.clone();
        block_on(async move { client.logout().await })
    }

    /// Rejects new calls, and waits up to `timeout` for writes in progress.
    pub fn close(&self, timeout: Duration) -> Vec<PendingWrite> {
        let client = self.0.clone();
        block_on(async move { Ok(client.close(timeout).await) }).unwrap_or_default()
    }
}

/// Lists.
impl Client {
    /// A complete list of any paged operation. Iterating over it reads page after page.
    pub fn pages<O: Paged>(&self, request: O::Request) -> Pages<O> {
        self.0.pages(request)
    }

    /// The members of a panel or sample of any size. Iterating over them reads page after page.
    pub fn members(&self, panel_id: i64) -> Members {
        self.0.members(panel_id)
    }
}

impl From<crate::Client> for Client {
    fn from(client: crate::Client) -> Self {
        Self(client)
    }
}

impl ClientBuilder {
    /// Makes the blocking client.
    pub fn build_blocking(&self) -> Result<Client> {
        Client::new(self.resolve()?)
    }
}

macro_rules! methods {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        impl Client {
            $(
                $(#[doc = $doc])*
                pub fn $method(&self, request: model::$Request) -> Result<model::$Response> {
                    self.with_response::<operations::$Name>(request).map(|answer| answer.value)
                }
            )*
        }
    };
}
crate::operations!(methods);
