//! Jobs that the console does as a program does them: with a client of its own platform. Its calls are in the ledger.

use super::ConsoleVisit;
use crate::refusal::Refusal;
use sondage::config::{ClientBuilder, Environment};
use sondage::internals::runtime;
use sondage::{Client, Error};
use std::future::Future;
use std::time::Duration;

/// How long a job may take before the page says so: a fault may hold back a response for ever.
const LIMIT: Duration = Duration::from_secs(60);

/// Waits for a job.
pub(super) fn wait<T, F>(visit: &ConsoleVisit<'_>, job: impl FnOnce(Client) -> F) -> Result<T, Refusal>
where
    T: Send + 'static,
    F: Future<Output = sondage::Result<T>> + Send + 'static,
{
    let address = visit.shared.address(visit.here);
    let secret = visit.read(|tenant| Ok(tenant.client_secret.clone()))?;
    let builder = ClientBuilder::new()
        .environment(Environment::empty())
        .base_url(&address.api)
        .auth_url(&address.auth)
        .tenant(&visit.tenant)
        .client_secret(secret.as_str())
        .deadline(LIMIT);
    let client = builder.build().map_err(|error| said(&error))?;
    let job = job(client);
    // The other thread of the sandbox answers the calls meanwhile.
    tokio::task::block_in_place(|| runtime::block_on(job)).map_err(|error| said(&error))
}

/// An error for people.
pub(super) fn said(error: &Error) -> Refusal {
    let mut what = error.what().to_owned();
    if let Some(first) = what.get(..1) {
        what = first.to_uppercase() + &what[1..];
    }
    Refusal::invalid(format!("{}. {}", what.trim_end_matches('.'), error.hint()))
}
