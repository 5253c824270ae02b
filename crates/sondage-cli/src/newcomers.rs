//! `sondage create-and-invite`: shows which rows of a CSV file become members who are invited by the same call, and does so if
//! the token of that plan is passed back.

use crate::account;
use crate::blocks::BlockArgs;
use crate::import::{CsvArgs, RuleArgs};
use crate::invite::confirmed;
use crate::journal;
use crate::output::{Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::internals::runtime;
use sondage_jobs::Rows;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{CreateAndInviteOptions, RowSource};
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sondage create-and-invite 1004 1002 people.csv --key Email --template 1006 --journal wave-1.journal"
)]
pub struct NewcomerArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
    /// The CSV file, or the workbook (.xlsx). Its first line names the fields. How a CSV file is written is recognised.
    file: PathBuf,
    #[command(flatten)]
    csv: CsvArgs,
    /// The field that identifies a person, for example `Email`.
    #[arg(long)]
    key: String,
    #[command(flatten)]
    rules: RuleArgs,
    /// The id of the message template.
    #[arg(long, value_parser = values::id)]
    template: i64,
    /// The channel of the message.
    #[arg(long, value_parser = values::channel())]
    channel: Option<String>,
    /// The maximum number of new members: the first rows that can be invited are chosen.
    #[arg(long, value_parser = values::count::<usize>)]
    cap: Option<usize>,
    /// Sends the fallback language to people for whose language the message has no text.
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
    /// Creates and invites, if this is the token of the plan that is shown without this option.
    #[arg(long, visible_alias = "yes", value_name = "TOKEN")]
    confirm: Option<String>,
}

pub fn run(arguments: &NewcomerArgs, output: Output) -> io::Result<()> {
    let rows = arguments.csv.rows(&arguments.file).map_err(failed)?;
    let rows = runtime::block_on(Rows::read(rows)).map_err(failed)?;
    let client = progress::connect(&progress::shown(account::builder()))?;
    let mut options = CreateAndInviteOptions::new(
        arguments.survey,
        arguments.panel,
        arguments.template,
        arguments.key.as_str(),
    )
    .rows(RowSource::of(rows).map_err(failed)?)
    .duplicates(arguments.rules.duplicates())
    .strip(arguments.rules.strip)
    .other_languages(arguments.other_languages);
    options.channel = arguments.channel.as_deref().map(Into::into);
    options.cap = arguments.cap;
    options.workspace_id = arguments.workspace;
    options.text_blocks = arguments.blocks.texts()?;
    options.journal = arguments.journal.as_deref().map(journal::place).transpose()?;
    confirmed(&client.plan_create_and_invite(options).map_err(failed)?, arguments.confirm.as_deref(), output)
}
