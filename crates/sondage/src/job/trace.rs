//! Reading the trace of a client.

use super::{Job, Observer};
use crate::arguments::TraceOptions;
use crate::client::Client;
use crate::error::{Error, Result};
use crate::runtime;
use crate::trace::{Trace, Tracer};
use futures_util::future::BoxFuture;

async fn read(tracer: Tracer, options: TraceOptions) -> Result<Trace> {
    let TraceOptions { after, wait } = options;
    if !tracer.keeps() {
        return Err(Error::invalid_argument("this client keeps no trace")
            .with_hint("Set `trace_entries` to the number of entries to keep, for example 1000."));
    }
    let after = u64::try_from(after)
        .map_err(|_| Error::invalid_argument("`after` is negative").with_hint("Begin with 0."))?;
    Ok(tracer.read(after, wait.unwrap_or_default()).await)
}

impl Job for TraceOptions {
    type With = ();
    type Progress = ();
    type Report = Trace;

    fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<Trace>> {
        let tracer = client.tracer().clone();
        Box::pin(async move { runtime::here(read(tracer, self)).await })
    }
}

impl Client {
    /// Reads what this client and its clones have done, as far as the trace keeps it (`trace_entries`). Nothing
    /// is sent.
    ///
    /// ```
    /// # use sondage::{arguments::TraceOptions, model::ReadPanelRequest};
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sandbox = sondage_sandbox::Sandbox::demo().await?;
    /// let client = sandbox.client().trace_entries(100_u32).build()?;
    /// client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await?;
    ///
    /// for entry in client.trace(TraceOptions::new()).await?.entries {
    ///     println!("{entry}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn trace(&self, options: TraceOptions) -> Result<Trace> {
        options.run(self, (), None).await
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Reads what this client and its clones have done: see [`Client::trace`].
    pub fn trace(&self, options: TraceOptions) -> Result<Trace> {
        runtime::block_on(options.run(self.as_async(), (), None))
    }
}
