//! Members who get other values from rows: a plan, and what became of it.

use crate::failure::Failure;
use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::rows::{Source, rows};
use crate::thing::Verbs;
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::jobs::{SkippedRow, UpdatePlan, UpdateReport};
use sondage_data::{PlanFrom, changes};
use std::sync::Arc;

/// A plan. Applying it does not use it up: what it says can still be read.
pub struct Planned(Arc<UpdatePlan>);

/// Whose values are to change, and how they are found.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Choices {
    panel_id: i64,
    key: String,
    fields: Option<Vec<String>>,
    clear_nulls: Option<bool>,
    ignore_case: Option<bool>,
    chunk: Option<usize>,
    rows: Option<Source>,
}

/// What a plan says beside the changes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    panel_id: i64,
    rows: usize,
    members: usize,
    unchanged: usize,
    skipped: Vec<Skipped>,
    text: String,
}

#[derive(Serialize)]
struct Skipped {
    row: usize,
    why: &'static str,
}

#[derive(Serialize)]
struct Report {
    applied: Vec<i64>,
    refused: Vec<i64>,
    unknown: Vec<i64>,
    left: Vec<i64>,
    issues: Vec<Option<String>>,
    stopped: Option<Failure>,
}

/// Plans what rows would change.
pub fn plan<L: Language>(client: &Client, call: Call<'_, L>) -> Done<L> {
    let chosen: Choices = call.read_of("plan_update", "")?;
    let mut update = client.update_members_by(chosen.panel_id, chosen.key);
    if let Some(fields) = chosen.fields {
        update = update.fields(fields);
    }
    if chosen.clear_nulls == Some(true) {
        update = update.clear_nulls();
    }
    if chosen.ignore_case == Some(true) {
        update = update.ignore_case();
    }
    if let Some(members) = chosen.chunk {
        update = update.chunk(members);
    }
    let rows = rows(call.with, chosen.rows)?;
    Outcome::thing_later(async move { Ok(Planned(Arc::new(update.plan_from(rows).await?))) })
}

impl<L: Language> Verbs<L> for Planned {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let plan = Arc::clone(&self.0);
        match call.verb {
            "facts" => Outcome::value(facts(&plan)),
            "changes" => Outcome::thing(changes(&plan)?),
            "apply" => Outcome::later(async move { Ok(told::<L>(plan.apply().await)) }),
            _ => Err(call.unknown()),
        }
    }
}

fn facts(plan: &UpdatePlan) -> Facts {
    let skipped = |skipped: &SkippedRow| Skipped { row: skipped.row, why: skipped.why.as_str() };
    Facts {
        panel_id: plan.panel_id(),
        rows: plan.rows,
        members: plan.members(),
        unchanged: plan.unchanged,
        skipped: plan.skipped.iter().map(skipped).collect(),
        text: plan.to_string(),
    }
}

fn told<L: Language>(report: UpdateReport) -> Report {
    let UpdateReport { applied, refused, unknown, left, issues, stopped } = report;
    let issues = issues.into_iter().map(|issue| issue.error_message).collect();
    let stopped = stopped.as_ref().map(Failure::of::<L>);
    Report { applied, refused, unknown, left, issues, stopped }
}
