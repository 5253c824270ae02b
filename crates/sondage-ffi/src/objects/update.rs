//! Updates of members from rows: a plan, and its report.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::{data, kinds};
use crate::objects::rows::rows;
use sondage::Client;
use sondage_data::{PlanFrom, Table, changes};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::UpdateOptions;
use sondage_jobs::{PlanFacts, UpdatePlan, UpdateReport};
use std::sync::Arc;

/// A plan. It can still be read after it was applied.
pub struct Plan(Arc<UpdatePlan>);

/// Plans the changes that rows would make.
pub fn plan<L: Language>(
    client: &Client,
    mut options: UpdateOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<Plan>, L> {
    let rows = self::rows(rows, options.rows.take())?;
    let update = client.update_members_by(options);
    Ok(Box::pin(async move { Ok(Plan(Arc::new(update.plan_from(rows).await?))) }))
}

impl<L: Language> data::update_plan::Methods<L> for Plan {
    fn facts(&self) -> ArgResult<PlanFacts, L> {
        Ok(self.0.facts())
    }

    fn changes(&self) -> ArgResult<Table, L> {
        Ok(changes(&self.0)?)
    }

    fn report(&self) -> ArgResult<UpdateReport, L> {
        Ok(self.0.report())
    }

    fn apply(&self) -> ArgResult<kinds::Call<UpdateReport>, L> {
        let plan = Arc::clone(&self.0);
        Ok(Box::pin(async move { Ok(plan.apply().await) }))
    }
}
