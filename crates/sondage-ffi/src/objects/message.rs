//! Plans that send, and their reports.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::{jobs, kinds};
use crate::objects::rows::stream;
use sondage::Client;
use sondage::job::Job;
use sondage_jobs::options::{CreateAndInviteOptions, RowSource};
use sondage_jobs::{Jobs as _, Rows, SendPlanFacts, SendReport};

/// A plan that sends.
pub struct SendPlan(sondage_jobs::SendPlan);

/// Plans.
pub fn plan(
    client: &Client,
    options: impl Job<With = (), Report = sondage_jobs::SendPlan>,
) -> kinds::Call<SendPlan> {
    let planning = options.run(client, (), None);
    Box::pin(async move { planning.await.map(SendPlan) })
}

/// A plan that is made from rows.
pub fn plan_rows<L: Language>(
    client: &Client,
    mut options: CreateAndInviteOptions,
    rows: Attachment<'_, L>,
) -> ArgResult<kinds::Call<SendPlan>, L> {
    let rows = stream(rows, options.rows.take())?;
    let client = client.clone();
    Ok(Box::pin(async move {
        options.rows = Some(RowSource::of(Rows::read(rows).await?)?);
        client.plan_create_and_invite(options).await.map(SendPlan)
    }))
}

impl<L: Language> jobs::send_plan::Methods<L> for SendPlan {
    fn facts(&self) -> ArgResult<SendPlanFacts, L> {
        Ok(self.0.facts())
    }

    fn run(&self, confirm: String) -> ArgResult<kinds::Call<SendReport>, L> {
        let plan = self.0.clone();
        Ok(Box::pin(async move { plan.run(&confirm).await }))
    }

    fn report(&self) -> ArgResult<SendReport, L> {
        Ok(self.0.report())
    }
}
