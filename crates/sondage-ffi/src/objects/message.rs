//! Plans that send, and their reports.

use crate::call::args::Attachment;
use crate::failure::Failure;
use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use crate::objects::cost::Cost;
use crate::objects::rows::stream;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::{
    CreateAndInviteOptions, InviteOptions, RedeemOptions, RemindOptions, RowSource, SendMailOptions,
    TransitionOptions,
};
use sondage::jobs::plan::PlanTimes;
use sondage::jobs::{self, LeftOut, LeftOutRow, Order, Rows, plan};

/// A plan that sends.
pub struct SendPlan(jobs::SendPlan);

/// The content of a plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SendPlanFacts {
    survey_id: Option<i64>,
    panel_id: Option<i64>,
    matches: usize,
    count: usize,
    members: Vec<i64>,
    left_out: Vec<Left>,
    rows: Vec<i64>,
    rows_left_out: Vec<LeftRow>,
    calls: u64,
    cost: Cost,
    token: String,
    text: String,
}

#[derive(Serialize)]
struct Left {
    member: i64,
    reason: &'static str,
}

#[derive(Serialize)]
struct LeftRow {
    row: i64,
    reason: &'static str,
    why: Option<String>,
    member: Option<i64>,
}

/// The report on a plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SendReport {
    rows: Vec<SendRow>,
    members: Vec<i64>,
    done: usize,
    refused: usize,
    unknown: usize,
    not_sent: usize,
    complete: bool,
    resumed: bool,
    sampling_project_id: Option<i64>,
    distributor_id: Option<i64>,
    reminder_id: Option<i64>,
    journal: Option<String>,
    next: Option<String>,
    stopped: Option<Failure>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SendRow {
    target: i64,
    status: &'static str,
    reason: Option<String>,
    voucher_code: Option<sondage::Secret>,
    member_id: Option<i64>,
}

/// Options of a plan, with times whose unit depends on the language.
pub trait PlanOptions: Into<Order> + Send + 'static {
    /// Extracts the times, by their names.
    fn take_times(&mut self) -> Vec<(&'static str, Option<f64>)>;
}

macro_rules! plans {
    ($($Options:ty { $($time:ident),* })*) => {
        $(impl PlanOptions for $Options {
            fn take_times(&mut self) -> Vec<(&'static str, Option<f64>)> {
                vec![$((stringify!($time), self.$time.take())),*]
            }
        })*
    };
}
plans! {
    InviteOptions { max_age, quiet }
    CreateAndInviteOptions { max_age, quiet }
    RemindOptions { max_age }
    SendMailOptions { max_age }
    RedeemOptions { max_age, quiet }
    TransitionOptions { max_age, quiet }
}

/// Plans.
pub fn plan<L: Language>(
    client: &Client,
    mut options: impl PlanOptions,
) -> ArgResult<kinds::Call<SendPlan>, L> {
    let times = times::<L>(&mut options)?;
    let client = client.clone();
    Ok(Box::pin(async move { plan::plan(client, options, times, None).await.map(SendPlan) }))
}

/// A plan that is made from rows.
pub fn plan_rows<L: Language>(
    client: &Client,
    mut options: CreateAndInviteOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<SendPlan>, L> {
    let rows = stream(rows, options.rows.take())?;
    let times = times::<L>(&mut options)?;
    let client = client.clone();
    Ok(Box::pin(async move {
        options.rows = Some(RowSource::of(Rows::read(rows).await?)?);
        plan::plan(client, options, times, None).await.map(SendPlan)
    }))
}

fn times<L: Language>(options: &mut impl PlanOptions) -> ArgResult<PlanTimes, L> {
    let mut times = PlanTimes::default();
    for (name, time) in options.take_times() {
        let time = time.map(|time| L::TIME.read(&L::name(name), time)).transpose()?;
        if name == "quiet" {
            times.quiet = time;
        } else {
            times.max_age = time;
        }
    }
    Ok(times)
}

impl<L: Language> core::send_plan::Methods<L> for SendPlan {
    fn facts(&self) -> ArgResult<SendPlanFacts, L> {
        let facts = self.0.facts();
        let describe = |left: LeftOut| Left { member: left.member, reason: left.reason.as_str() };
        let left_row = |describe: LeftOutRow| LeftRow {
            row: describe.row,
            reason: describe.reason.as_str(),
            why: describe.why,
            member: describe.member,
        };
        Ok(SendPlanFacts {
            survey_id: facts.survey_id,
            panel_id: facts.panel_id,
            matches: facts.matches,
            count: facts.count,
            members: facts.members,
            left_out: facts.left_out.into_iter().map(describe).collect(),
            rows: facts.rows,
            rows_left_out: facts.rows_left_out.into_iter().map(left_row).collect(),
            calls: facts.calls,
            cost: facts.cost.into(),
            token: facts.token,
            text: facts.text,
        })
    }

    fn run(&self, confirm: String) -> ArgResult<kinds::Call<SendReport>, L> {
        let plan = self.0.clone();
        Ok(Box::pin(async move { Ok(told::<L>(plan.run(&confirm).await?)) }))
    }

    fn report(&self) -> ArgResult<SendReport, L> {
        Ok(told::<L>(self.0.report()))
    }
}

fn told<L: Language>(report: jobs::SendReport) -> SendReport {
    let row = |row: jobs::SendRow| SendRow {
        target: row.target,
        status: row.status.as_str(),
        reason: row.reason,
        voucher_code: row.voucher_code,
        member_id: row.member_id,
    };
    SendReport {
        rows: report.rows.into_iter().map(row).collect(),
        members: report.members,
        done: report.done,
        refused: report.refused,
        unknown: report.unknown,
        not_sent: report.not_sent,
        complete: report.complete,
        resumed: report.resumed,
        sampling_project_id: report.sampling_project_id,
        distributor_id: report.distributor_id,
        reminder_id: report.reminder_id,
        journal: report.journal,
        next: report.next,
        stopped: report.stopped.as_ref().map(Failure::of::<L>),
    }
}
