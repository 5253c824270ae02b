//! Messages to people: a plan, and its report.

use crate::failure::Failure;
use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use serde::Serialize;
use sondage::Client;
use sondage::arguments::{InviteOptions, RemindOptions};
use sondage::jobs::{self, LeftOut, message};

/// A plan of a message.
pub struct MessagePlan(jobs::MessagePlan);

/// The content of a plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessagePlanFacts {
    survey_id: i64,
    panel_id: i64,
    matches: usize,
    members: Vec<i64>,
    left_out: Vec<Left>,
    calls: u64,
    token: String,
    text: String,
}

#[derive(Serialize)]
struct Left {
    member: i64,
    reason: &'static str,
}

/// The report on a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageReport {
    members: Vec<i64>,
    sampling_project_id: Option<i64>,
    distributor_id: Option<i64>,
    reminder_id: Option<i64>,
    stopped: Option<Failure>,
}

/// Plans an invitation.
pub fn plan_invite<L: Language>(
    client: &Client,
    mut options: InviteOptions,
) -> ArgResult<kinds::Call<MessagePlan>, L> {
    let max_age = options.max_age.take().map(|time| L::TIME.read("max_age", time)).transpose()?;
    let client = client.clone();
    Ok(Box::pin(async move { message::plan_invite(client, options, max_age).await.map(MessagePlan) }))
}

/// Plans a reminder.
pub fn plan_remind<L: Language>(
    client: &Client,
    mut options: RemindOptions,
) -> ArgResult<kinds::Call<MessagePlan>, L> {
    let max_age = options.max_age.take().map(|time| L::TIME.read("max_age", time)).transpose()?;
    let client = client.clone();
    Ok(Box::pin(async move { message::plan_remind(client, options, max_age).await.map(MessagePlan) }))
}

impl<L: Language> core::message_plan::Methods<L> for MessagePlan {
    fn facts(&self) -> ArgResult<MessagePlanFacts, L> {
        let jobs::MessagePlanFacts {
            survey_id,
            panel_id,
            matches,
            members,
            left_out,
            calls,
            token,
            text,
            ..
        } = self.0.facts();
        let left = |left: LeftOut| Left { member: left.member, reason: left.reason.as_str() };
        let left_out = left_out.into_iter().map(left).collect();
        Ok(MessagePlanFacts { survey_id, panel_id, matches, members, left_out, calls, token, text })
    }

    fn run(&self, confirm: String) -> ArgResult<kinds::Call<MessageReport>, L> {
        let plan = self.0.clone();
        Ok(Box::pin(async move { Ok(told::<L>(plan.run(&confirm).await?)) }))
    }
}

fn told<L: Language>(report: jobs::MessageReport) -> MessageReport {
    let jobs::MessageReport { members, sampling_project_id, distributor_id, reminder_id, stopped, .. } =
        report;
    let stopped = stopped.as_ref().map(Failure::of::<L>);
    MessageReport { members, sampling_project_id, distributor_id, reminder_id, stopped }
}
