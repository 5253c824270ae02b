//! A plan, run: refused when it is not confirmed, too old or no longer true; sent at most once.

use super::audience::difference;
use super::plan::{MessagePlan, Planned};
use crate::error::{Error, Result};
use crate::{runtime, text};
use sondage_macros::report;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What became of a message that was planned.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MessageReport {
    /// The members to whom it was sent, or perhaps was.
    pub members: Vec<i64>,
    /// The sampling project that holds an invitation.
    pub sampling_project_id: Option<i64>,
    /// The distributor that carries an invitation.
    pub distributor_id: Option<i64>,
    /// Number of a reminder.
    pub reminder_id: Option<i64>,
    /// Why it is not known whether it was sent, with how to find out; `None` when it was.
    pub stopped: Option<Error>,
}

impl MessagePlan {
    /// Reads the audience again, and sends the message to the members of the plan if it is still the same. `confirm` is
    /// [`MessagePlan::token`], given back by whoever agrees.
    ///
    /// An error: nothing was sent. The token is another one, the plan is too old or was run before, the audience has changed
    /// (the error says how), or the service refused. Once it may have been sent, the report says so, and the plan does not
    /// run again.
    pub async fn run(&self, confirm: &str) -> Result<MessageReport> {
        let (planned, confirm) = (Arc::clone(&self.0), confirm.to_owned());
        runtime::here(async move { planned.run(&confirm).await }).await
    }

    /// The same, blocking.
    #[cfg(feature = "blocking")]
    pub fn wait(&self, confirm: &str) -> Result<MessageReport> {
        let (planned, confirm) = (Arc::clone(&self.0), confirm.to_owned());
        runtime::block_on(async move { planned.run(&confirm).await })
    }
}

/// Lets a plan be run again, unless something may have been sent.
struct Claim<'a>(&'a Planned, bool);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.1 {
            self.0.used.store(false, Ordering::SeqCst);
        }
    }
}

impl Planned {
    async fn run(&self, confirm: &str) -> Result<MessageReport> {
        if confirm.trim() != self.token {
            return Err(Error::invalid_argument(text!("{confirm:?} does not confirm this plan"))
                .with_hint("Nothing was sent. Look at the plan, and give back the `token` that it shows."));
        }
        if self.used.swap(true, Ordering::SeqCst) {
            return Err(Error::invalid_argument("this plan was run already")
                .with_hint("Nothing was sent by this call. Make another plan to send another message."));
        }
        let mut claim = Claim(self, false);
        let age = self.made.elapsed();
        if age > self.max_age {
            return Err(Error::invalid_argument(text!(
                "the plan is {} seconds old, and may be {}",
                age.as_secs(),
                self.max_age.as_secs()
            ))
            .with_hint(
                "Nothing was sent. Plan again, and look at the new plan. `max_age` allows older ones.",
            ));
        }
        self.message.in_future()?;
        let now = self.message.audience(&self.client).await?;
        if let Some((came, went)) = difference(&self.audience.members, &now.members) {
            return Err(Error::invalid_argument(text!(
                "the audience has changed since it was planned: {} more ({}), {} less ({})",
                came.len(),
                shown(&came),
                went.len(),
                shown(&went)
            ))
            .with_hint("Nothing was sent. Plan again, and look at the new plan."));
        }
        // From here on it may be under way, also when the caller does not wait for it.
        claim.1 = true;
        let members = &self.audience.members;
        let sent = self.message.send(&self.client, members).await;
        let mut report = MessageReport {
            members: members.clone(),
            sampling_project_id: None,
            distributor_id: None,
            reminder_id: None,
            stopped: None,
        };
        match sent {
            Ok(made) => {
                report.sampling_project_id = made.sampling_project;
                report.distributor_id = made.distributor;
                report.reminder_id = made.reminder;
            }
            Err(error) if error.changed_nothing() => {
                claim.1 = false;
                return Err(error);
            }
            Err(error) => report.stopped = Some(error),
        }
        Ok(report)
    }
}

/// The first members by their numbers.
fn shown(members: &[i64]) -> String {
    if members.is_empty() {
        return "nobody".to_owned();
    }
    let first: Vec<String> = members.iter().take(10).map(ToString::to_string).collect();
    let more = if members.len() > first.len() { ", ..." } else { "" };
    first.join(", ") + more
}

impl fmt::Display for MessageReport {
    /// How many, never who.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.members.len();
        match (&self.stopped, self.distributor_id, self.reminder_id) {
            (Some(error), ..) => write!(f, "perhaps sent to {count}: {error}"),
            (None, Some(id), _) => write!(f, "sent to {count} by distributor {id}"),
            (None, None, Some(id)) => write!(f, "sent to {count} as reminder {id}"),
            (None, None, None) => write!(f, "sent to {count}"),
        }
    }
}
