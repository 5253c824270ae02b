//! Examines a client's set-up (settings, files, network, credentials and the service), and says how to correct what is
//! wrong.
//!
//! It reads and changes nothing: of the service, it reads the lists of workspaces, of surveys and of webhooks and the
//! balance of credits, up to ten calls of the day.

mod budget;
mod files;
mod network;
mod report;
mod service;
#[cfg(feature = "webhook")]
mod web_hook;

pub use report::{Diagnosis, HealthCheck, HealthState, HealthTopic};

use crate::arguments::DoctorOptions;
use crate::error::Result;
use crate::job::{Job, Observer};
use crate::{Client, runtime};
use futures_util::future::BoxFuture;

async fn examine(client: Client, options: DoctorOptions) -> Diagnosis {
    let config = client.config();
    let mut checks = vec![files::settings(config)];
    checks.extend(files::unknown_variables(config));
    checks.extend(files::profile(config));
    checks.extend(files::token_file(config));
    checks.extend(files::token_keyring(config).await);
    checks.push(budget::examine(&client.budget()));
    let ways = network::examine(config, &mut checks).await;
    let observations = service::examine(&client, &ways, &mut checks).await;
    #[cfg(feature = "webhook")]
    if let Some(state) = options.state {
        checks.push(web_hook::examine(&state.0, &observations, config.clock.wall().into()));
    }
    #[cfg(not(feature = "webhook"))]
    let _ = (options, observations);
    Diagnosis::new(checks)
}

impl Job for DoctorOptions {
    type With = ();
    type Progress = ();
    type Report = Diagnosis;

    fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<Diagnosis>> {
        let client = client.clone();
        Box::pin(async move { runtime::here(async move { Ok(examine(client, self).await) }).await })
    }
}

impl Client {
    /// Examines the set-up: settings and their sources, files, names, proxy, both servers, credentials, clock, rights,
    /// first page, paths, budget, and the webhook of a state file. Nothing is changed; up to ten calls are made.
    ///
    /// Problems are reported, not returned as an error.
    ///
    /// ```
    /// # use sondage::arguments::DoctorOptions;
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sandbox = sondage_sandbox::Sandbox::demo().await?;
    /// let client = sandbox.client().client_secret("mistyped").build()?;
    ///
    /// let diagnosis = client.doctor(DoctorOptions::new()).await?;
    /// for wrong in diagnosis.complaints() {
    ///     println!("{} {}", wrong.found, wrong.cure.as_deref().unwrap_or_default());
    /// }
    /// # assert!(!diagnosis.healthy);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn doctor(&self, options: DoctorOptions) -> Result<Diagnosis> {
        options.run(self, (), None).await
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Examines the set-up: see [`Client::doctor`].
    pub fn doctor(&self, options: DoctorOptions) -> Result<Diagnosis> {
        runtime::block_on(options.run(self.as_async(), (), None))
    }
}
