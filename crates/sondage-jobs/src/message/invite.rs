//! An invitation: its options, validated, and its request.

use super::audience::{Channel, Chooser, Rules};
use crate::options::{InviteOptions, JournalPlace};
use crate::plan::{CommonOptions, Reader, Request, Seen, SendKind, SendResult, wrong};
use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::Result;
use sondage::model::{DistributionChannel, InviteMembersRequest, Timestamp};
use sondage::operations::InviteMembers;
use sondage::text;

/// Checks everything that needs no reading.
fn check(options: &InviteOptions) -> Result<()> {
    channel(options.channel.as_ref())?;
    super::check_blocks(options.text_blocks.as_ref())
}

pub(super) fn channel(named: Option<&DistributionChannel>) -> Result<(DistributionChannel, Channel)> {
    let channel = named.unwrap_or(&DistributionChannel::Email);
    match channel {
        DistributionChannel::Email => Ok((channel.clone(), Channel::Email)),
        DistributionChannel::Sms | DistributionChannel::WhatsApp => Ok((channel.clone(), Channel::Phone)),
        other => Err(wrong(
            text!("`channel` is {:?}, for which no messages can be planned", other.as_str()),
            "It can be `Email`, `Sms` or `WhatsApp`.",
        )),
    }
}

/// Reads who would be invited now.
async fn audience(client: &Client, options: &InviteOptions, before: Option<&Seen>) -> Result<Seen> {
    let mut reader = Reader::again(client, before);
    let rules = rules(options)?;
    let fields = rules.fields(&mut reader).await?;
    let mut members = client.members(options.panel_id).fields(fields).interviews();
    if let Some(filter) = &options.filter {
        members = members.filter(filter.clone());
    }
    let candidates = rules.candidates(&mut reader, members.pages()?, options.member_ids.as_deref()).await?;
    Ok(rules.divide(reader, candidates).await?.seen)
}

/// A time this many days before the message is sent.
pub(super) fn since(sent: Option<Timestamp>, days: usize) -> Timestamp {
    let sent = sent.unwrap_or_else(Timestamp::now);
    let days = i64::try_from(days).ok().and_then(TimeDelta::try_days);
    let since = days.and_then(|days| sent.0.checked_sub_signed(days));
    // Before the earliest possible time: every contact counts.
    since.map_or(Timestamp(chrono::DateTime::<chrono::Utc>::MIN_UTC), Timestamp)
}

fn rules(options: &InviteOptions) -> Result<Rules> {
    Ok(Rules {
        survey_id: Some(options.survey_id),
        panel_id: options.panel_id,
        message_template_id: Some(options.message_template_id),
        channel: channel(options.channel.as_ref())?.1,
        workspace_id: options.workspace_id,
        contacted_since: options.pause_days.map(|days| since(options.schedule_date_time, days)),
        again: options.again,
        other_languages: options.other_languages,
        cap: options.cap,
        chooser: Chooser::Plan,
        each_address_once: false,
    })
}

/// The call that sends.
fn request(options: &InviteOptions, members: &[i64]) -> Result<InviteMembersRequest> {
    let mut request =
        InviteMembersRequest::new(options.survey_id, options.panel_id, options.message_template_id);
    request.channel = Some(channel(options.channel.as_ref())?.0);
    request.text_blocks = super::blocks(options.text_blocks.as_ref());
    request.member_ids = Some(members.to_vec());
    request.schedule_date_time = options.schedule_date_time;
    request.sampling_project_id = options.sampling_project_id;
    request.interview_expiry_date.clone_from(&options.interview_expiry_date);
    request.from.clone_from(&options.sender);
    request.from_name.clone_from(&options.sender_name);
    request.reply_to.clone_from(&options.reply_to);
    request.reply_to_name.clone_from(&options.reply_to_name);
    Ok(request)
}

impl SendKind for InviteOptions {
    fn name(&self) -> &'static str {
        "plan_invite"
    }

    fn journal(&mut self) -> &mut Option<JournalPlace> {
        &mut self.journal
    }

    fn common(&self) -> CommonOptions {
        CommonOptions {
            max_age: self.max_age,
            cap: self.cap,
            schedule: self.schedule_date_time,
            quiet: self.quiet,
        }
    }

    fn check_options(&self) -> Result<()> {
        check(self)
    }

    fn read<'a>(&'a self, client: &'a Client, before: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>> {
        Box::pin(audience(client, self, before))
    }

    fn request(&self, _: &Seen, targets: &[i64]) -> Result<Request> {
        Ok(Request::of::<InviteMembers>(request(self, targets)?, |answer| {
            let (sampling_project, distributor) = (answer.sampling_project_id, answer.distributor_id);
            SendResult { sampling_project, distributor, ..SendResult::default() }
        }))
    }

    fn continuation_hint(&self) -> &'static str {
        "Plan again: members who were invited are left out."
    }
}
