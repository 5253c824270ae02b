//! What differs between the kinds of plans: [`SendKind`], with one impl for each struct of options.

use super::request::Request;
use super::seen::Seen;
use crate::options::JournalPlace;
use futures_util::future::{self, BoxFuture};
use sondage::Client;
use sondage::error::{Error, Result, Text};
use sondage::model::Timestamp;
use sondage::text;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

impl dyn SendKind {
    /// Checks everything that needs no reading.
    pub(super) fn check(&self) -> Result<()> {
        self.check_options()?;
        if self.common().cap == Some(0) {
            let hint = "Leave it out to write to everybody who can be reached.";
            return Err(wrong("`cap` is 0, so nobody could get the message", hint));
        }
        Ok(())
    }

    /// Whether the time of sending is in the future.
    pub(super) fn check_schedule(&self) -> Result<()> {
        match self.common().schedule {
            Some(time) if time < Timestamp::now() => Err(wrong(
                text!("`schedule_date_time` is {time}, which has passed"),
                "Give a time in the future, or leave it out to send immediately.",
            )),
            _ => Ok(()),
        }
    }
}

/// Options that several kinds have; nothing stands for those that a kind lacks.
#[derive(Clone, Copy, Default)]
pub(crate) struct CommonOptions {
    /// The maximum age of the plan.
    pub max_age: Option<Duration>,
    /// The maximum number of recipients.
    pub cap: Option<usize>,
    /// When to send, unless immediately.
    pub schedule: Option<Timestamp>,
    /// How long the service may still be processing a call of an earlier run.
    pub quiet: Option<Duration>,
}

/// A kind of plan. The engine of plans knows nothing else of it.
pub(crate) trait SendKind: fmt::Debug + Send + Sync {
    /// Its name in journals.
    fn name(&self) -> &'static str;

    /// The option `journal`.
    fn journal(&mut self) -> &mut Option<JournalPlace>;

    /// The options that the engine uses.
    fn common(&self) -> CommonOptions;

    /// Checks the options.
    fn check_options(&self) -> Result<()>;

    /// Reads whom it would reach at this moment. `before`: what its plan has read, of which that is taken which does not decide about
    /// recipients.
    fn read<'a>(&'a self, client: &'a Client, before: Option<&'a Seen>) -> BoxFuture<'a, Result<Seen>>;

    /// Sets what can be derived from the remaining recipients.
    fn settle(&self, _client: &Client, _seen: &mut Seen) -> Result<()> {
        Ok(())
    }

    /// The maximum number of recipients of one call.
    fn max_targets_per_call(&self) -> usize {
        usize::MAX
    }

    /// Whether a refusal concerns one recipient only, so that the next ones are tried.
    fn continues_after(&self, _error: &Error) -> bool {
        false
    }

    /// The call for these recipients.
    fn request(&self, seen: &Seen, targets: &[i64]) -> Result<Request>;

    /// The call that reached these recipients, if its effects can be read back.
    fn sent_request<'a>(
        &'a self,
        _client: &'a Client,
        targets: &'a [i64],
    ) -> BoxFuture<'a, Result<Option<Request>>> {
        Box::pin(future::ready(self.request(&Seen::default(), targets).map(Some)))
    }

    /// The part of the calls that is the same for all recipients.
    fn identity(&self) -> Result<String> {
        self.request(&Seen::default(), &[])?.written()
    }

    /// Whether a plan that reaches nobody is an error. A list of people may well have nobody left; an object of which nothing
    /// can be done was named.
    fn check_reach(&self, _seen: &Seen) -> Result<()> {
        Ok(())
    }

    /// A summary in one line, without personal data.
    fn summary(&self, seen: &Seen) -> String {
        let reached = seen.reached();
        match (seen.survey_id, seen.panel_id) {
            (Some(survey), Some(panel)) => format!("survey {survey}, panel {panel}: reaches {reached}"),
            (None, Some(panel)) => format!("panel {panel}: reaches {reached}"),
            _ => reached,
        }
    }

    /// The error text for a journal whose key differs.
    fn difference_of_key(&self) -> &'static str {
        "its message, its survey, its panel or its sender was different"
    }

    /// The members who were created from rows, by row. Nothing if it creates none.
    fn read_back<'a>(
        &'a self,
        _client: &'a Client,
        _seen: &'a Seen,
    ) -> BoxFuture<'a, Result<Option<BTreeMap<i64, i64>>>> {
        Box::pin(future::ready(Ok(None)))
    }

    /// How to continue with what was not sent, if there is no journal.
    fn continuation_hint(&self) -> &'static str;
}

/// The error for an invalid argument.
pub(crate) fn wrong(what: impl Into<Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was sent. {}", Text::from(hint)))
}
