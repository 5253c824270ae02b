//! Messages to people, planned: who gets one and who does not, before anything is sent; then the message, to those and nobody
//! else.
//!
//! A plan reads and sends nothing. It is bound to what it saw: whoever runs it gives back its token, the audience is read once
//! more, and if it is another one by now the plan is refused with the difference. The members are named one by one in the
//! call that sends, so nobody who joins in between gets a message.

mod audience;
mod invite;
mod order;
mod plan;
pub(in crate::jobs) mod reader;
mod remind;
mod run;

pub use audience::{LeftOut, LeftOutReason};
pub use plan::{MessagePlan, MessagePlanFacts};
pub use run::MessageReport;

use super::{Job, Observer};
use crate::arguments::{InviteOptions, RemindOptions};
use crate::error::{Error, Result};
use crate::{Client, runtime};
use futures_util::future::BoxFuture;
use order::Message;
use std::time::Duration;

/// A plan is not run when it is older.
const MAX_AGE: Duration = Duration::from_secs(15 * 60);

/// Plans an invitation. `max_age`: how old the plan may be when it is run; its unit in the options is a language's own.
#[doc(hidden)] // for sondage-ffi
pub async fn plan_invite(
    client: Client,
    options: InviteOptions,
    max_age: Option<Duration>,
) -> Result<MessagePlan> {
    runtime::here(plan::plan(client, Message::Invite(options), max_age.unwrap_or(MAX_AGE))).await
}

/// Plans a reminder: see [`plan_invite`].
#[doc(hidden)] // for sondage-ffi
pub async fn plan_remind(
    client: Client,
    options: RemindOptions,
    max_age: Option<Duration>,
) -> Result<MessagePlan> {
    runtime::here(plan::plan(client, Message::Remind(options), max_age.unwrap_or(MAX_AGE))).await
}

/// A number of seconds as it stands in options.
fn age(seconds: Option<f64>) -> Result<Option<Duration>> {
    let age = seconds.map(Duration::try_from_secs_f64).transpose();
    age.map_err(|error| Error::invalid_argument(format!("max_age: {error}")))
}

impl Job for InviteOptions {
    type With = ();
    type Progress = ();
    type Report = MessagePlan;

    fn run(
        self,
        client: &Client,
        (): (),
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<MessagePlan>> {
        let client = client.clone();
        Box::pin(async move { plan_invite(client, self.clone(), age(self.max_age)?).await })
    }
}

impl Job for RemindOptions {
    type With = ();
    type Progress = ();
    type Report = MessagePlan;

    fn run(
        self,
        client: &Client,
        (): (),
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<MessagePlan>> {
        let client = client.clone();
        Box::pin(async move { plan_remind(client, self.clone(), age(self.max_age)?).await })
    }
}

impl Client {
    /// Plans an invitation: who gets the message, who does not and why, and what it costs in calls. Nothing is sent before
    /// [`MessagePlan::run`]. `max_age` in the options counts seconds.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client) -> sondage::Result<()> {
    /// use sondage::arguments::InviteOptions;
    /// use sondage::condition::field;
    ///
    /// let sales = field("Division").is_equal_to("Sales");
    /// let plan = client.plan_invite(InviteOptions::new(7, 123, 9).r#where(sales)).await?;
    /// println!("{plan}");
    /// let report = plan.run(plan.token()).await?;
    /// println!("{report}");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn plan_invite(&self, options: InviteOptions) -> Result<MessagePlan> {
        options.run(self, (), None).await
    }

    /// Plans a reminder to those whom a distributor invited and who have not answered: see [`Client::plan_invite`].
    pub async fn plan_remind(&self, options: RemindOptions) -> Result<MessagePlan> {
        options.run(self, (), None).await
    }
}

#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    /// Plans an invitation: see [`Client::plan_invite`]. [`MessagePlan::wait`] sends it.
    pub fn plan_invite(&self, options: InviteOptions) -> Result<MessagePlan> {
        runtime::block_on(options.run(self.as_async(), (), None))
    }

    /// Plans a reminder: see [`Client::plan_remind`]. [`MessagePlan::wait`] sends it.
    pub fn plan_remind(&self, options: RemindOptions) -> Result<MessagePlan> {
        runtime::block_on(options.run(self.as_async(), (), None))
    }
}
