//! A reminder, to the members of a distributor who have not answered. The service selects them by conditions alone, so a
//! plan that would exclude anyone else is refused.

use super::audience::{Candidate, Channel, Chooser, Rules};
use crate::options::{JournalPlace, RemindOptions};
use crate::plan::{CommonOptions, LeftOutReason, Reader, Request, Seen, SendKind, SendResult, wrong};
use futures_util::future::{self, BoxFuture};
use sondage::Client;
use sondage::error::{Error, Result};
use sondage::model::{DistributionChannel, Member, ReadDistributorListRequest, RemindMembersRequest};
use sondage::operations::{ReadDistributorList, RemindMembers};
use sondage::text;

/// Interviews in these states are open.
// API 6.4, published
const OPEN: [&str; 2] = ["NotResponded", "InProgress"];

/// Reads who would be reminded now.
async fn audience(client: &Client, options: &RemindOptions, before: Option<&Seen>) -> Result<Seen> {
    let mut reader = Reader::again(client, before);
    let (survey_id, panel_id) = invited(&mut reader, options).await?;
    let rules = Rules {
        survey_id: Some(survey_id),
        panel_id,
        message_template_id: Some(options.message_template_id),
        channel: Channel::Email,
        workspace_id: options.workspace_id,
        contacted_since: None,
        again: true,
        other_languages: options.other_languages,
        cap: None,
        chooser: Chooser::Service,
        each_address_once: false,
    };
    let fields = rules.fields(&mut reader).await?;
    let mut members = client.members(panel_id).fields(fields).interviews();
    if let Some(filter) = &options.filter {
        members = members.filter(filter.clone());
    }
    let mut candidates = Vec::new();
    let open = |member: &Member| {
        member.interviews.iter().any(|interview| {
            interview.distributor_id == Some(options.distributor_id)
                && interview.state.as_deref().is_some_and(|state| OPEN.contains(&state))
        })
    };
    reader
        .all(members.pages()?, |member| {
            if open(&member) {
                candidates.push(Candidate::of(&member));
            }
        })
        .await?;
    let matching = candidates.len();
    let audience = rules.divide(reader, candidates).await?.seen;
    let without_text = audience.left_out.iter().filter(|left| left.reason == LeftOutReason::NoText).count();
    if without_text > 0 {
        return Err(wrong(
            text!(
                "the message has no text in the language of {without_text} members, and a reminder cannot leave them out"
            ),
            "Choose other members by `where`, or set `other_languages`.",
        )
        .about_people(matching));
    }
    let reached = audience.targets.len();
    match options.cap {
        Some(cap) if reached > cap => Err(wrong(
            text!(
                "the reminder would reach {reached} members, `cap` is {cap}, and a reminder cannot leave out the others"
            ),
            "Choose fewer members by `where`, or allow more.",
        )
        .about_people(matching)),
        _ => Ok(audience),
    }
}

/// The survey and the panel of the invitation.
async fn invited(reader: &mut Reader, options: &RemindOptions) -> Result<(i64, i64)> {
    let (id, mut found) = (options.distributor_id, None);
    reader
        .list::<ReadDistributorList>(ReadDistributorListRequest::new(), |distributor| {
            if distributor.distributor_id == id {
                found = Some(distributor);
            }
        })
        .await?;
    let distributor = found.ok_or_else(|| {
        wrong(text!("there is no distributor {id}"), "`read_distributor_list` shows which ones exist.")
    })?;
    if distributor.executed_distribution.is_none() {
        return Err(wrong(
            text!("the distributor {id} has not sent yet, so nobody can be reminded"),
            "Wait until the invitation was sent.",
        ));
    }
    match distributor.distribution_channel {
        None | Some(DistributionChannel::Email) => {}
        Some(other) => {
            return Err(wrong(
                text!(
                    "the invitation went by {:?}, and a reminder can be planned by `Email` only",
                    other.as_str()
                ),
                "`remind_members` sends one without a plan.",
            ));
        }
    }
    let of = distributor.survey_id.zip(distributor.panel_id);
    of.ok_or_else(|| Error::unexpected_response("a distributor has no survey or no panel"))
}

/// Checks everything that needs no reading.
fn check(options: &RemindOptions) -> Result<()> {
    super::check_blocks(options.text_blocks.as_ref())
}

/// The call that sends.
fn request(options: &RemindOptions) -> Result<RemindMembersRequest> {
    let mut request = RemindMembersRequest::new(options.distributor_id, options.message_template_id);
    request.conditions = options.filter.as_ref().map(|filter| filter.clone().compile()).transpose()?;
    request.channel = Some(DistributionChannel::Email);
    request.text_blocks = super::blocks(options.text_blocks.as_ref());
    request.schedule_date_time = options.schedule_date_time;
    request.from.clone_from(&options.sender);
    request.from_name.clone_from(&options.sender_name);
    request.reply_to.clone_from(&options.reply_to);
    request.reply_to_name.clone_from(&options.reply_to_name);
    Ok(request)
}

impl SendKind for RemindOptions {
    fn name(&self) -> &'static str {
        "plan_remind"
    }

    fn journal(&mut self) -> &mut Option<JournalPlace> {
        &mut self.journal
    }

    fn common(&self) -> CommonOptions {
        CommonOptions {
            max_age: self.max_age,
            cap: self.cap,
            schedule: self.schedule_date_time,
            ..CommonOptions::default()
        }
    }

    fn check_options(&self) -> Result<()> {
        check(self)
    }

    fn read<'a>(&'a self, client: &'a Client, before: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>> {
        Box::pin(audience(client, self, before))
    }

    fn request(&self, _: &Seen, _: &[i64]) -> Result<Request> {
        Ok(Request::of::<RemindMembers>(request(self)?, |answer| SendResult {
            reminder: answer.reminder_id,
            ..SendResult::default()
        }))
    }

    /// Nothing in the API shows the effects of a reminder.
    fn sent_request<'a>(&'a self, _: &'a Client, _: &'a [i64]) -> BoxFuture<'a, Result<Option<Request>>> {
        Box::pin(future::ready(Ok(None)))
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan again."
    }
}
