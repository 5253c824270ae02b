//! `sondage webhooks ensure`: subscribes once, for a deployment that runs the same line each time.

use super::listen::hook_of;
use crate::export::failed;
use clap::Args;
use sondage::arguments::EnsureWebHookOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Args)]
pub struct EnsureArgs {
    /// The address at which the receiver is reached.
    address: String,
    /// The event to subscribe to, for example `InterviewComplete`.
    event: String,
    /// The survey to watch. Left out: all.
    #[arg(long, value_name = "SURVEY")]
    entity: Option<String>,
    /// The file with the webhook as JSON, with its secrets. Left out: the variable `SONDAGE_WEBHOOK`.
    #[arg(long, value_name = "FILE")]
    hook: Option<PathBuf>,
    /// The file in which the id of the registration is kept from one run to the next.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// GUID of the registration, where something else keeps it.
    #[arg(long, value_name = "GUID")]
    id: Option<String>,
    /// Days before the end of a token or a signed address in which it is made anew.
    #[arg(long, value_name = "DAYS", default_value_t = EnsureWebHookOptions::DEFAULT_RENEW_DAYS)]
    renew_days: usize,
}

pub fn run(arguments: &EnsureArgs) -> io::Result<()> {
    let hook = hook_of(arguments.hook.as_deref())?.ok_or_else(|| {
        io::Error::other(
            "there is no webhook: name its file with `--hook`, or set SONDAGE_WEBHOOK. Nothing was sent",
        )
    })?;
    let client = sondage::Client::builder().build_blocking().map_err(failed)?;
    let mut options = EnsureWebHookOptions::new(arguments.address.as_str(), arguments.event.as_str())
        .renew_days(arguments.renew_days);
    options.entity_identifier.clone_from(&arguments.entity);
    options.web_hook_id.clone_from(&arguments.id);
    options.state = arguments.state.clone().map(Into::into);
    let done = client.ensure_web_hook(&hook, options).map_err(failed)?;
    writeln!(io::stdout(), "{done}")
}
