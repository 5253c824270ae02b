//! Messages to people that are planned.

use crate::convert::IntoFfi;
use crate::{MessagePlanFacts, MessageReport, SondageError};
use sondage::jobs::{self, LeftOutReason};
use std::sync::Arc;

/// A message that would be sent, before it is.
#[derive(uniffi::Object)]
pub struct MessagePlan(jobs::MessagePlan);

#[uniffi::export]
#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours
impl MessagePlan {
    /// Who gets the message, who does not and why, what it costs, and the token that `run` wants to have back.
    pub fn facts(&self) -> MessagePlanFacts {
        self.0.facts().into_ffi()
    }

    /// Reads the audience again, and sends the message to the members of the plan if it is still the same.
    ///
    /// An error: nothing was sent. The token is another one, the plan is too old or was run before, the audience has changed
    /// (the error says how), or the service refused. Once it may have been sent, the report says so, and the plan does not run
    /// again.
    ///
    /// - `confirm`: The token of the plan, given back by whoever agrees.
    pub async fn run(&self, confirm: String) -> Result<MessageReport, SondageError> {
        Ok(self.0.run(&confirm).await?.into_ffi())
    }

    /// `run`, blocking.
    pub fn run_blocking(&self, confirm: String) -> Result<MessageReport, SondageError> {
        Ok(self.0.wait(&confirm)?.into_ffi())
    }
}

impl IntoFfi<Arc<MessagePlan>> for jobs::MessagePlan {
    fn into_ffi(self) -> Arc<MessagePlan> {
        Arc::new(MessagePlan(self))
    }
}

impl IntoFfi<String> for LeftOutReason {
    fn into_ffi(self) -> String {
        self.as_str().to_owned()
    }
}
