//! `sondage remind`: shows the recipients of a reminder; and sends it if the token of that plan is passed.

use crate::account;
use crate::blocks::BlockArgs;
use crate::filters::MemberFilter;
use crate::invite::confirmed;
use crate::journal;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::RemindOptions;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: sondage remind 1 --template 5")]
pub struct RemindArgs {
    /// The id of the distributor of the invitation.
    #[arg(value_parser = values::id)]
    distributor: i64,
    /// The id of the message template.
    #[arg(long, value_parser = values::id)]
    template: i64,
    #[command(flatten)]
    members: MemberFilter,
    /// The maximum number of recipients. A reminder that would reach more is refused.
    #[arg(long, value_parser = values::count::<usize>)]
    cap: Option<usize>,
    /// Sends the fallback language to members for whose language the message has no text.
    #[arg(long)]
    other_languages: bool,
    /// The workspace of the survey, whose opt-out list applies. Default: it is looked up, which costs calls.
    #[arg(long, value_parser = values::id)]
    workspace: Option<i64>,
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
    let client = progress::connect(&progress::shown(account::builder()))?;
    let mut options = RemindOptions::new(arguments.distributor, arguments.template)
        .other_languages(arguments.other_languages);
    options.filter = arguments.members.expression()?;
    options.cap = arguments.cap;
    options.workspace_id = arguments.workspace;
    options.text_blocks = arguments.blocks.texts()?;
    options.journal = arguments.journal.as_deref().map(journal::place).transpose()?;
    confirmed(&client.plan_remind(options).map_err(failed)?, arguments.confirm.as_deref(), output)
}
