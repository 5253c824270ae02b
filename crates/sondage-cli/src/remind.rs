//! `sondage remind`: shows the recipients of a reminder; and sends it if the token of that plan is passed.

use crate::blocks::BlockArgs;
use crate::invite::{confirmed, filter, test};
use crate::journal;
use crate::output::{Output, failed};
use crate::progress::shown;
use clap::Args;
use sondage::arguments::RemindOptions;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage remind 1 --template 5")]
pub struct RemindArgs {
    /// The id of the distributor of the invitation.
    distributor: i64,
    /// The id of the message template.
    #[arg(long)]
    template: i64,
    /// Only members with this value in this field; if given several times, all must match.
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = test)]
    tests: Vec<(String, String)>,
    /// The maximum number of recipients. A reminder that would reach more is refused.
    #[arg(long)]
    cap: Option<usize>,
    /// Sends the fallback language to members for whose language the message has no text.
    #[arg(long)]
    other_languages: bool,
    #[command(flatten)]
    blocks: BlockArgs,
    /// The journal, which records what was sent, so that the same command does not send it again: a file, or
    /// `sqlite:FILE#NAME`.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Sends, if this is the token of the plan that is shown without this option.
    #[arg(long, visible_alias = "yes", value_name = "TOKEN")]
    confirm: Option<String>,
}

pub fn run(arguments: &RemindArgs, output: Output) -> io::Result<()> {
    let client = shown(sondage::Client::builder()).build_blocking().map_err(failed)?;
    let mut options = RemindOptions::new(arguments.distributor, arguments.template)
        .other_languages(arguments.other_languages);
    options.r#where = filter(&arguments.tests);
    options.cap = arguments.cap;
    options.text_blocks = arguments.blocks.texts()?;
    options.journal = arguments.journal.as_deref().map(journal::place).transpose()?;
    confirmed(&client.plan_remind(options).map_err(failed)?, arguments.confirm.as_deref(), output)
}
