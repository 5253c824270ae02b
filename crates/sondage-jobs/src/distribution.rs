//! What has become of one invitation: from those who were invited to those who completed.
//!
//! The service tells the state of each interview and lists bounces. It does not tell who opened a message, and its opt-out lists do not say
//! which message somebody answered with an opt-out: what is unknown here is `None`, and never estimated.

use crate::field::{Cases, absent, state_of};
use crate::options::DistributionOptions;
use futures_util::future::BoxFuture;
use sondage::condition::column;
use sondage::error::Result;
use sondage::internals::runtime;
use sondage::job::{Job, Observer};
use sondage::model::{
    BounceType, DistributionChannel, Distributor, FieldValue, ReadBounceListRequest,
    ReadDistributorListRequest, ReadInterviewListRequest, ReadOptOutListRequest, Timestamp,
};
use sondage::operations::{ReadBounceList, ReadDistributorList, ReadInterviewListCompact, ReadOptOutList};
use sondage::{Client, Error, ErrorKind, text};
use sondage_macros::report;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// What has become of one invitation. `None` stands for what the service does not tell, or not to this account.
#[report]
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct Distribution {
    /// The distributor.
    pub distributor_id: i64,
    /// Its survey.
    pub survey_id: i64,
    /// Its panel. Panel, channel, state and time are nothing if the service does not list the distributor any more.
    pub panel_id: Option<i64>,
    /// The channel.
    pub channel: Option<DistributionChannel>,
    /// The state of the distributor, as the service names it.
    pub state: Option<String>,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
    /// How many were invited: the interviews of the distributor.
    pub invited: usize,
    /// How many of them have no message that bounced for good or as spam. The service does not tell more about delivery.
    pub not_bounced: Option<usize>,
    /// How many opened the message. The service does not tell it.
    pub opened: Option<usize>,
    /// How many have begun to answer.
    pub started: usize,
    /// How many have completed the interview.
    pub completed: usize,
    /// How many are answering, or have broken off.
    pub in_progress: usize,
    /// How many have not begun.
    pub not_responded: usize,
    /// How many were screened out.
    pub screened_out: usize,
    /// How many came when their quota was full.
    pub quota_full: usize,
    /// How many are in a state that this version does not know.
    pub other: usize,
    /// Messages that came back for good.
    pub hard_bounces: Option<usize>,
    /// Messages that came back for now.
    pub soft_bounces: Option<usize>,
    /// Messages that were refused as spam.
    pub spam_bounces: Option<usize>,
    /// The entries of the panel's opt-out list, whatever message they answer: the service does not tell which.
    pub opt_outs_of_panel: Option<usize>,
    /// Completed interviews among the invited; nothing if nobody was invited.
    pub completion: Option<f64>,
    /// Response rate 1 of the American Association for Public Opinion Research, with what was not completed as broken off.
    pub rr1: Option<f64>,
    /// Response rate 3: as 1, with the estimated share of the eligible among those who have not begun.
    pub rr3: Option<f64>,
    /// Completed interviews by day in UTC, without the days that have none.
    pub days: Vec<CompletedOnDay>,
    /// Completed interviews without the time of their end.
    pub completed_without_day: usize,
}

/// How many interviews were completed on a day.
#[report]
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct CompletedOnDay {
    /// The day in UTC, such as 2026-05-01.
    pub day: String,
    /// How many.
    pub completed: usize,
}

async fn read(client: Client, options: DistributionOptions) -> Result<Distribution> {
    let id = options.distributor_id;
    let listed = found(&client, &options).await?;
    let no_such = || {
        Error::invalid_argument(text!("there is no distributor {id}")).with_hint(
            "`read_distributor_list` shows which ones exist. The interviews of a deleted one are found with `survey_id`.",
        )
    };
    if listed.is_none() && options.survey_id.is_none() {
        return Err(no_such());
    }
    let Some(survey_id) = listed.as_ref().and_then(|listed| listed.survey_id).or(options.survey_id) else {
        return Err(Error::invalid_argument(text!(
            "the service does not tell the survey of the distributor {id}"
        ))
        .with_hint("Pass `survey_id`."));
    };
    let mut report = Distribution { distributor_id: id, survey_id, ..Distribution::default() };
    let is_listed = listed.is_some();
    if let Some(listed) = listed {
        report.panel_id = listed.panel_id;
        report.channel = listed.distribution_channel;
        (report.state, report.sent_at) = (listed.distribution_state, listed.executed_distribution);
    }
    interviews(&client, &mut report).await?;
    if !is_listed && report.invited == 0 {
        return Err(no_such());
    }
    bounces(&client, &mut report).await?;
    report.opt_outs_of_panel = match report.panel_id {
        Some(panel_id) => opt_outs(&client, panel_id).await?,
        None => None,
    };
    Ok(report)
}

async fn found(client: &Client, options: &DistributionOptions) -> Result<Option<Distributor>> {
    let id = options.distributor_id;
    let mut request = ReadDistributorListRequest::new();
    request.survey_id = options.survey_id;
    let mut pages = client.pages::<ReadDistributorList>(request).pager()?;
    while let Some(page) = pages.next().await? {
        if let Some(distributor) = page.into_iter().find(|distributor| distributor.distributor_id == id) {
            return Ok(Some(distributor));
        }
    }
    Ok(None)
}

async fn interviews(client: &Client, report: &mut Distribution) -> Result<()> {
    let fields = ["Id", "State", "DistributorId", "EndDate"];
    let mut request = ReadInterviewListRequest::new(report.survey_id).fields_to_download(fields);
    request.conditions = Some(column("DistributorId").is_equal_to(report.distributor_id).compile()?);
    let mut pages = client.pages::<ReadInterviewListCompact>(request).pager()?;
    let mut tally = DistributionTally::default();
    while let Some(page) = pages.next().await? {
        for interview in &page {
            // A service that ignores the filter must not change a count.
            let sender = interview.get("DistributorId").ok_or_else(|| {
                Error::unexpected_response("the interviews have no `DistributorId`, so nobody can be counted")
            })?;
            if id_of(sender) != Some(report.distributor_id) {
                continue;
            }
            let end = interview.get("EndDate").filter(|_| !absent(interview, "EndDate"));
            tally.add(report, state_of(interview), end.and_then(FieldValue::as_str).and_then(day));
        }
    }
    tally.finish(report);
    Ok(())
}

/// Counts the interviews of a distribution, for whoever has them.
#[doc(hidden)] // for the sandbox
#[derive(Default, Debug)]
pub struct DistributionTally {
    cases: Cases,
    days: BTreeMap<String, usize>,
}

impl DistributionTally {
    /// Counts one by its state and the day on which it ended.
    pub fn add(&mut self, report: &mut Distribution, state: &str, day: Option<String>) {
        report.invited += 1;
        self.cases.count_state(state, false);
        match state {
            "Completed" => report.completed += 1,
            "InProgress" => report.in_progress += 1,
            "NotResponded" => report.not_responded += 1,
            "Screenout" => report.screened_out += 1,
            "Quotafull" => report.quota_full += 1,
            _ => report.other += 1,
        }
        match day {
            _ if state != "Completed" => {}
            Some(day) => *self.days.entry(day).or_default() += 1,
            None => report.completed_without_day += 1,
        }
    }

    /// Computes what follows from the counts.
    pub fn finish(self, report: &mut Distribution) {
        report.started = report.completed + report.in_progress + report.screened_out + report.quota_full;
        let (_, [rr1, _, rr3, ..]) = self.cases.rates();
        (report.rr1, report.rr3) = (rr1, rr3);
        #[allow(clippy::cast_precision_loss)] // no survey has 2^53 interviews
        let completion = (report.invited > 0).then(|| report.completed as f64 / report.invited as f64);
        report.completion = completion;
        report.days =
            self.days.into_iter().map(|(day, completed)| CompletedOnDay { day, completed }).collect();
    }
}

/// An id, which a service may also write as text.
fn id_of(value: &FieldValue) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// The day of a time.
fn day(time: &str) -> Option<String> {
    let time: Timestamp = serde_json::from_value(time.into()).ok()?;
    Some(time.0.format("%Y-%m-%d").to_string())
}

async fn bounces(client: &Client, report: &mut Distribution) -> Result<()> {
    let mut request = ReadBounceListRequest::new(report.survey_id);
    request.distributors = Some(vec![report.distributor_id]);
    let mut pages = client.pages::<ReadBounceList>(request).pager()?;
    // Interviews whose message did not arrive, and the bounces of each kind.
    let (mut lost, mut kinds) = (HashSet::<String>::new(), [0; 3]);
    // Whether it is unknown of a bounce which interview it is of, or whether the message is lost.
    let mut is_unclear = false;
    loop {
        let page = match pages.next().await {
            Ok(Some(page)) => page,
            Ok(None) => break,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(()),
            Err(error) => return Err(error),
        };
        for bounce in page {
            if bounce.distributor_id.is_some_and(|id| id != report.distributor_id) {
                continue;
            }
            let kind = match bounce.bounce_type {
                BounceType::Hard => 0,
                BounceType::Soft => 1,
                BounceType::Spam => 2,
                _ => {
                    is_unclear = true;
                    continue;
                }
            };
            kinds[kind] += 1;
            if kind != 1 {
                match bounce.interview_id {
                    Some(id) => drop(lost.insert(id)),
                    None => is_unclear = true,
                }
            }
        }
    }
    [report.hard_bounces, report.soft_bounces, report.spam_bounces] = kinds.map(Some);
    // Several messages to one member can bounce; without interviews nobody knows how many members that are.
    report.not_bounced = (!is_unclear).then(|| report.invited.saturating_sub(lost.len()));
    Ok(())
}

/// The length of the opt-out list of a panel, if this account may read it.
async fn opt_outs(client: &Client, panel_id: i64) -> Result<Option<usize>> {
    let mut request = ReadOptOutListRequest::new();
    request.panel_id = Some(panel_id);
    let mut pages = client.pages::<ReadOptOutList>(request).pager()?;
    let mut count = 0;
    loop {
        match pages.next().await {
            Ok(Some(page)) => count += page.len(),
            Ok(None) => return Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known =
            |count: Option<usize>| count.map_or_else(|| "unknown".to_owned(), |count| count.to_string());
        write!(
            f,
            "distributor {} of survey {}: {} invited",
            self.distributor_id, self.survey_id, self.invited
        )?;
        write!(f, ", {} not bounced, opened {}", known(self.not_bounced), known(self.opened))?;
        write!(f, ", {} started, {} completed", self.started, self.completed)?;
        write!(f, "\n  {} in progress, {} screened out", self.in_progress, self.screened_out)?;
        write!(f, ", {} quota full, {} not responded", self.quota_full, self.not_responded)?;
        match self.rr1 {
            Some(rate) => write!(f, "\n  RR1 {:.1} %", rate * 100.0),
            None => write!(f, "\n  RR1 none"),
        }
    }
}

impl Job for DistributionOptions {
    type With = ();
    type Progress = ();
    type Report = Distribution;

    fn run(
        self,
        client: &Client,
        (): (),
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<Distribution>> {
        let client = client.clone();
        Box::pin(async move { runtime::here(read(client, self)).await })
    }
}
