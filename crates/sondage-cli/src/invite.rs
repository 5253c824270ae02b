//! `sondage invite`: shows the recipients of an invitation; and sends it if the token of that plan is passed back.

use crate::account;
use crate::blocks::BlockArgs;
use crate::filters::{MemberFilter, of_panel};
use crate::journal;
use crate::output::{self, Output, failed};
use crate::progress;
use crate::values;
use clap::Args;
use sondage::reports::Report as _;
use sondage_jobs::SendPlan;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::InviteOptions;
use std::io;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sondage invite 7 1002 --template 5 --where Language=de --journal wave-1.journal\n\
                  Another text in a block: sondage invite 7 1002 --template 5 --text-block 6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11:de=Hallo"
)]
pub struct InviteArgs {
    /// The id of the survey.
    #[arg(value_parser = values::id)]
    survey: i64,
    /// The id of the panel or sample.
    #[arg(value_parser = values::id)]
    panel: i64,
    /// The id of the message template.
    #[arg(long, value_parser = values::id)]
    template: i64,
    #[command(flatten)]
    members: MemberFilter,
    /// The channel of the message.
    #[arg(long, value_parser = values::channel())]
    channel: Option<String>,
    /// The maximum number of recipients.
    #[arg(long, value_parser = values::count::<usize>)]
    cap: Option<usize>,
    /// Excludes members to whom an invitation from this panel was sent within this many days.
    #[arg(long, value_name = "DAYS")]
    pause_days: Option<usize>,
    /// Invites members again who were already invited to this survey.
    #[arg(long)]
    again: bool,
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

pub fn run(arguments: &InviteArgs, output: Output) -> io::Result<()> {
    let client = progress::connect(&progress::shown(account::builder()))?;
    let mut options = InviteOptions::new(arguments.survey, arguments.panel, arguments.template)
        .again(arguments.again)
        .other_languages(arguments.other_languages);
    options.filter = arguments.members.expression()?;
    options.channel = arguments.channel.as_deref().map(Into::into);
    (options.cap, options.pause_days) = (arguments.cap, arguments.pause_days);
    options.workspace_id = arguments.workspace;
    options.text_blocks = arguments.blocks.texts()?;
    options.journal = arguments.journal.as_deref().map(journal::place).transpose()?;
    let filter = options.filter.clone();
    let plan = client
        .plan_invite(options)
        .map_err(|error| of_panel(error, &client, arguments.panel, None, filter.as_ref()))?;
    confirmed(&plan, arguments.confirm.as_deref(), output)
}

/// Shows a plan, or runs it if this is its token.
pub fn confirmed(plan: &SendPlan, confirm: Option<&str>, output: Output) -> io::Result<()> {
    let facts = || plan.facts().to_json();
    if plan.count() == 0 && !confirm.is_some_and(|token| plan.is_confirmed_by(token)) {
        // Nobody is left, so there is nothing that a token could confirm.
        return output.show(facts, format!("{plan}\nNothing was sent."));
    }
    let Some(confirm) = confirm else {
        let token = plan.token();
        let next = format!("{plan}\nNothing was sent. The same command with `--confirm {token}` sends it.");
        return output.show(facts, next);
    };
    if !plan.is_confirmed_by(confirm) {
        output.show(facts, plan)?;
        return Err(io::Error::other(format!(
            "{confirm:?} is not the token of this plan: another message or audience has another one. Nothing was sent. Look at \
             the plan, and pass the token that it shows with --confirm."
        )));
    }
    let mut report = plan.wait(confirm).map_err(failed)?;
    let json = output.json.then(|| report.to_json());
    let stopped = report.stopped.take();
    output.show(|| json.unwrap_or_default(), &report)?;
    stopped.map_or(Ok(()), |error| Err(output::stopped(error)))
}
