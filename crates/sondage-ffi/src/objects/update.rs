//! Updates of members from rows: a plan, and its report.

use crate::call::args::Attachment;
use crate::failure::Failure;
use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::cost::Cost;
use crate::objects::rows::rows;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::UpdateOptions;
use sondage::jobs::{self, SkippedRow, Update, UpdatePlan};
use sondage_data::{PlanFrom, Table, changes};
use std::sync::Arc;

/// A plan. It can still be read after it was applied.
pub struct Plan(Arc<UpdatePlan>);

/// The plan without its changes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanFacts {
    panel_id: i64,
    rows: usize,
    members: usize,
    unchanged: usize,
    skipped: Vec<Skipped>,
    cost: Cost,
    separator: Option<String>,
    encoding: Option<String>,
    text: String,
}

#[derive(Serialize)]
struct Skipped {
    row: usize,
    reason: &'static str,
}

/// The outcome for each member.
#[derive(Serialize)]
pub struct UpdateReport {
    applied: Vec<i64>,
    refused: Vec<i64>,
    unknown: Vec<i64>,
    left: Vec<i64>,
    issues: Vec<Option<String>>,
    stopped: Option<Failure>,
}

/// Plans the changes that rows would make.
pub fn plan<L: Language>(
    client: &Client,
    mut options: UpdateOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<Plan>, L> {
    let rows = self::rows(rows, options.rows.take())?;
    let max_age = options.max_age.take().map(|age| L::TIME.read(&L::name("max_age"), age)).transpose()?;
    let mut update = Update::new(client, options);
    if let Some(age) = max_age {
        update = update.max_age(age);
    }
    Ok(Box::pin(async move { Ok(Plan(Arc::new(update.plan_from(rows).await?))) }))
}

impl<L: Language> data::update_plan::Methods<L> for Plan {
    fn facts(&self) -> ArgResult<PlanFacts, L> {
        Ok(facts(&self.0))
    }

    fn changes(&self) -> ArgResult<Table, L> {
        Ok(changes(&self.0)?)
    }

    fn report(&self) -> ArgResult<UpdateReport, L> {
        Ok(told::<L>(self.0.report()))
    }

    fn apply(&self) -> ArgResult<kinds::Call<UpdateReport>, L> {
        let plan = Arc::clone(&self.0);
        Ok(Box::pin(async move { Ok(told::<L>(plan.apply().await)) }))
    }
}

fn facts(plan: &UpdatePlan) -> PlanFacts {
    let skipped = |skipped: &SkippedRow| Skipped { row: skipped.row, reason: skipped.reason.as_str() };
    let jobs::PlanFacts {
        panel_id,
        rows,
        members,
        unchanged,
        skipped: left_out,
        cost,
        separator,
        encoding,
        text,
        ..
    } = plan.facts();
    let skipped = left_out.iter().map(skipped).collect();
    PlanFacts { panel_id, rows, members, unchanged, skipped, cost: cost.into(), separator, encoding, text }
}

fn told<L: Language>(report: jobs::UpdateReport) -> UpdateReport {
    let jobs::UpdateReport { applied, refused, unknown, left, issues, stopped, .. } = report;
    let issues = issues.into_iter().map(|issue| issue.error_message).collect();
    let stopped = stopped.as_ref().map(Failure::of::<L>);
    UpdateReport { applied, refused, unknown, left, issues, stopped }
}
