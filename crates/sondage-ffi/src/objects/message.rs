//! Plans that send, and their reports.

use crate::call::args::Attachment;
use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use crate::objects::rows::stream;
use sondage::Client;
use sondage::arguments::{
    CreateAndInviteOptions, InviteOptions, RedeemOptions, RemindOptions, RowSource, SendMailOptions,
    TransitionOptions,
};
use sondage::jobs::plan::PlanTimes;
use sondage::jobs::{self, Order, Rows, SendPlanFacts, SendReport, plan};

/// A plan that sends.
pub struct SendPlan(jobs::SendPlan);

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
