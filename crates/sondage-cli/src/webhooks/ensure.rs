//! `sondage webhooks ensure`: registers a webhook once, for deployments that run the same command repeatedly.

use super::listen::hook_of;
use crate::account;
use crate::output::{Output, failed, refused};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::arguments::EnsureWebHookOptions;
use sondage::reports::Report as _;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sondage webhooks ensure https://acme.example/hooks InterviewComplete --hook hook.json --state hook.state"
)]
pub struct EnsureArgs {
    /// The address of the receiver.
    address: String,
    /// The event to subscribe to, for example `InterviewComplete`.
    #[arg(value_parser = values::event())]
    event: String,
    /// The survey to watch. Default: all.
    #[arg(long, value_name = "SURVEY")]
    entity: Option<String>,
    /// A file with the webhook as JSON, which contains its secrets. Default: the variable `SONDAGE_WEBHOOK`.
    #[arg(long, value_name = "FILE")]
    hook: Option<PathBuf>,
    /// The state file, in which the id of the registration is stored between runs.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// GUID of the registration, if it is stored elsewhere.
    #[arg(long, value_name = "GUID")]
    id: Option<String>,
    /// Renews a token or a signed address when it expires within this many days.
    #[arg(long, value_name = "DAYS", default_value_t = EnsureWebHookOptions::DEFAULT_RENEW_DAYS)]
    renew_days: usize,
}

pub fn run(arguments: &EnsureArgs, output: Output) -> io::Result<()> {
    let hook = hook_of(arguments.hook.as_deref())?.ok_or_else(|| {
        refused("there is no webhook: name its file with `--hook`, or set SONDAGE_WEBHOOK. Nothing was sent")
    })?;
    let client = progress::connect(&account::builder())?;
    let mut options = EnsureWebHookOptions::new(arguments.address.as_str(), arguments.event.as_str())
        .renew_days(arguments.renew_days);
    options.entity_identifier.clone_from(&arguments.entity);
    options.web_hook_id.clone_from(&arguments.id);
    options.state = arguments.state.clone().map(Into::into);
    let ensured = client.ensure_web_hook(&hook, options).map_err(failed)?;
    output.show(|| ensured.to_json(), &ensured)
}
