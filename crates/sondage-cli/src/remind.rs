//! `sondage remind`: shows whom a reminder reaches; and sends it when the token of what was shown is given back.

use crate::export::failed;
use crate::invite::{confirmed, filter, test};
use clap::Args;
use sondage::arguments::RemindOptions;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
pub struct RemindArgs {
    /// The id of the distributor that carried the invitation.
    distributor: i64,
    /// The id of the message template.
    #[arg(long)]
    template: i64,
    /// Only members with this value in this field; given several times, with all of them.
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = test)]
    tests: Vec<(String, String)>,
    /// How many members may get the message. A reminder that reaches more is refused.
    #[arg(long)]
    cap: Option<usize>,
    /// Sends members in whose language the message has no text the one to which it falls back.
    #[arg(long)]
    other_languages: bool,
    /// The file that says what was sent, so that the same command does not send it again.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Sends, if this is the token of the plan that is shown without it.
    #[arg(long, value_name = "TOKEN")]
    confirm: Option<String>,
}

pub fn run(arguments: &RemindArgs) -> io::Result<()> {
    let client = sondage::Client::builder().build_blocking().map_err(failed)?;
    let mut options = RemindOptions::new(arguments.distributor, arguments.template)
        .other_languages(arguments.other_languages);
    options.r#where = filter(&arguments.tests);
    options.cap = arguments.cap;
    options.journal = arguments.journal.clone().map(Into::into);
    confirmed(&client.plan_remind(options).map_err(failed)?, arguments.confirm.as_deref())
}
