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
pub use left_out::{LeftOut, LeftOutReason, LeftOutRow};
pub use report::{SendReport, SendRow, SendStatus};

pub(crate) use kind::{CommonOptions, SendKind, wrong};
pub(crate) use reader::Reader;
pub(crate) use request::{Request, SendResult};
pub(crate) use seen::{Detail, MailTo, Recipient, Seen, TargetKind};

use crate::options::{
    CreateAndInviteOptions, InviteOptions, JournalPlace, RedeemOptions, RemindOptions, SendMailOptions,
    TransitionOptions,
};
use futures_util::future::BoxFuture;
use sondage::Client;
use sondage::error::Result;
use sondage::internals::runtime;
use sondage::job::{Job, Observer};

/// Plans what the options describe. Nothing is sent.
async fn plan(client: Client, mut options: Box<dyn SendKind>) -> Result<SendPlan> {
    let journal = options.journal().take().map(JournalPlace::open).transpose()?;
    runtime::here(facts::plan(client, options, journal)).await
}

macro_rules! jobs {
    ($($Options:ident)*) => { $(
        impl Job for $Options {
            type With = ();
            type Progress = ();
            type Report = SendPlan;

            fn run(
                self,
                client: &Client,
                (): (),
                _: Option<Observer<()>>,
            ) -> BoxFuture<'static, Result<SendPlan>> {
                Box::pin(plan(client.clone(), Box::new(self)))
            }
        }
    )* };
}

jobs! { InviteOptions CreateAndInviteOptions RemindOptions SendMailOptions RedeemOptions TransitionOptions }
