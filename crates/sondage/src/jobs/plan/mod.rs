//! Jobs that are planned, confirmed and then run: the shared engine of invitations, reminders, mails, vouchers and
//! transitions.
//!
//! A plan reads and sends nothing. To run it, the caller passes its token; everything is read once more, and if it has changed
//! since, the plan is refused with the difference. Each call is sent at most once. With a journal, the same job resumes after a
//! crash: what was sent is reported, and what may have been sent is not sent again.

mod attribute;
mod facts;
mod kind;
mod left_out;
mod past;
mod reader;
mod report;
mod request;
mod run;
mod seen;

pub use facts::{SendPlan, SendPlanFacts};
pub use kind::Order;
pub use left_out::{LeftOut, LeftOutReason, LeftOutRow};
pub use report::{SendReport, SendRow, SendStatus};

pub(in crate::jobs) use kind::{CREATE_AND_INVITE, CommonOptions, SendKind, wrong};
pub(in crate::jobs) use reader::Reader;
pub(in crate::jobs) use request::{Request, SendResult};
pub(in crate::jobs) use seen::{Detail, MailTo, Recipient, Seen, TargetKind};

use super::JournalStore;
use crate::arguments::JournalPlace;
use crate::error::{Error, Result};
use crate::{Client, runtime, text};
use std::time::{Duration, Instant};

/// The maximum age of a plan when it is run.
pub(in crate::jobs) const MAX_AGE: Duration = Duration::from_secs(15 * 60);

/// Refuses a plan that is too old to be run.
pub(in crate::jobs) fn check_age(made: Instant, most: Duration) -> Result<()> {
    let age = made.elapsed();
    if age <= most {
        return Ok(());
    }
    let (age, most) = (age.as_secs_f64(), most.as_secs_f64());
    let what = text!("the plan is {age:.1} seconds old, and may be at most {most}");
    Err(Error::invalid_argument(what)
        .with_hint("Nothing was sent. Plan again, and look at the new plan. `max_age` allows older ones."))
}

/// Holds a journal that the caller passes.
pub type Store = Box<dyn JournalStore>;

/// Plans an order. `journal` takes the place of the file that the options name.
#[doc(hidden)] // for sondage-ffi
pub async fn plan(client: Client, order: impl Into<Order>, journal: Option<Store>) -> Result<SendPlan> {
    let Order(mut order) = order.into();
    let named = order.journal().take();
    let journal = match journal {
        Some(journal) => Some(journal),
        None => named.map(JournalPlace::open).transpose()?,
    };
    runtime::here(facts::plan(client, order, journal)).await
}

impl Client {
    /// Plans an order with a journal that is not a file, for example a database table. The order is the options of a
    /// plan.
    ///
    /// ```no_run
    /// # async fn example(client: sondage::Client, journal: impl sondage::jobs::JournalStore) -> sondage::Result<()> {
    /// use sondage::arguments::InviteOptions;
    ///
    /// let plan = client.plan_with_journal(InviteOptions::new(7, 123, 9), journal).await?;
    /// let report = plan.run(plan.token()).await?;
    /// println!("{report}");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn plan_with_journal(
        &self,
        order: impl Into<Order>,
        journal: impl JournalStore,
    ) -> Result<SendPlan> {
        plan(self.clone(), order, Some(Box::new(journal))).await
    }
}

macro_rules! jobs {
    ($($Options:ident => $method:ident: $doc:literal, $blocking:literal;)*) => { $(
        impl super::Job for crate::arguments::$Options {
            type With = ();
            type Progress = ();
            type Report = SendPlan;

            fn run(
                self,
                client: &Client,
                (): (),
                _: Option<super::Observer<()>>,
            ) -> futures_util::future::BoxFuture<'static, Result<SendPlan>> {
                Box::pin(plan(client.clone(), self, None))
            }
        }

        impl Client {
            #[doc = $doc]
            pub async fn $method(&self, options: crate::arguments::$Options) -> Result<SendPlan> {
                super::Job::run(options, self, (), None).await
            }
        }

        #[cfg(feature = "blocking")]
        impl crate::blocking::Client {
            #[doc = $blocking]
            pub fn $method(&self, options: crate::arguments::$Options) -> Result<SendPlan> {
                runtime::block_on(super::Job::run(options, self.as_async(), (), None))
            }
        }
    )* };
}

jobs! {
    InviteOptions => plan_invite:
        "Plans an invitation: who gets the message, who does not and why, and what it costs in calls. Nothing is sent before\n\
         [`SendPlan::run`].\n\n\
         ```no_run\n\
         # async fn example(client: sondage::Client) -> sondage::Result<()> {\n\
         use sondage::arguments::InviteOptions;\n\
         use sondage::condition::field;\n\n\
         let sales = field(\"Division\").is_equal_to(\"Sales\");\n\
         let plan = client.plan_invite(InviteOptions::new(7, 123, 9).filter(sales)).await?;\n\
         println!(\"{plan}\");\n\
         let report = plan.run(plan.token()).await?;\n\
         println!(\"{report}\");\n\
         # Ok(())\n\
         # }\n\
         ```",
        "Plans an invitation: see [`Client::plan_invite`]. [`SendPlan::wait`] sends it.";
    CreateAndInviteOptions => plan_create_and_invite:
        "Plans new members, created from rows and invited by the same call: see [`Client::plan_invite`]. The rows are in the\n\
         options.\n\n\
         ```no_run\n\
         # async fn example(client: sondage::Client) -> sondage::Result<()> {\n\
         use sondage::arguments::{CreateAndInviteOptions, RowSource};\n\
         use sondage::jobs::Rows;\n\n\
         let rows = Rows::of([[(\"Email\", \"ada@example.com\"), (\"Language\", \"en\")]]);\n\
         let options = CreateAndInviteOptions::new(7, 123, 9, \"Email\").rows(RowSource::of(rows)?);\n\
         let plan = client.plan_create_and_invite(options).await?;\n\
         println!(\"{plan}\");\n\
         let report = plan.run(plan.token()).await?;\n\
         println!(\"{report}\");\n\
         # Ok(())\n\
         # }\n\
         ```",
        "Plans new members who are invited: see [`Client::plan_create_and_invite`]. [`SendPlan::wait`] sends it.";
    RemindOptions => plan_remind:
        "Plans a reminder to those whom a distributor invited and who have not answered: see [`Client::plan_invite`].",
        "Plans a reminder: see [`Client::plan_remind`]. [`SendPlan::wait`] sends it.";
    SendMailOptions => plan_send_mail:
        "Plans single mails to members of a panel, a call for each: see [`Client::plan_invite`].",
        "Plans single mails: see [`Client::plan_send_mail`]. [`SendPlan::wait`] sends them.";
    RedeemOptions => plan_redeem:
        "Plans vouchers that credits buy, a call for each: see [`Client::plan_invite`].",
        "Plans vouchers: see [`Client::plan_redeem`]. [`SendPlan::wait`] buys them.";
    TransitionOptions => plan_transition:
        "Plans a transition of a survey or a distributor to another state: see [`Client::plan_invite`].",
        "Plans a transition: see [`Client::plan_transition`]. [`SendPlan::wait`] makes it.";
}
