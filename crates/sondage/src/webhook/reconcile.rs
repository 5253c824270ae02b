//! Finds events that no callback delivered.

use super::event::Event;
use super::guard::Guard;
use super::source::Source;
use crate::Client;
use crate::arguments::MissedOptions;
use crate::condition::column;
use crate::error::{Error, Result};
use crate::job::{Job, Observer};
use crate::model::{EventType, Json, ReadInterviewListRequest, Timestamp};
use crate::operations::ReadInterviewListCompact;
use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::value::RawValue;
use sondage_macros::report;

/// How far each run overlaps the previous one, so that rows which were written late are not missed.
const OVERLAP: TimeDelta = TimeDelta::minutes(5);

/// The completed interviews of a survey since a time, as the events that a webhook would deliver. Run it every hour or
/// every night: callbacks get lost, and the service gives up after some attempts.
///
/// ```no_run
/// # async fn nightly(client: sondage::Client, guard: sondage::webhook::Guard, since: sondage::Timestamp)
/// # -> sondage::Result<sondage::Timestamp> {
/// use sondage::webhook::{Claim, Missed};
///
/// let caught = Missed::of_survey(7, since).columns(["NPS"]).unknown_to(&guard).read(&client).await?;
/// for event in &caught.events {
///     if let Claim::New(ticket) = guard.claim(event)? {
///         // handle it as one that was delivered
///         ticket.done()?;
///     }
/// }
/// Ok(caught.until) // the time to begin with when it runs again: keep it after everything was handled
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Missed {
    survey_id: i64,
    since: Timestamp,
    columns: Vec<String>,
    guard: Option<Guard>,
}

/// What was found.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MissedEvents {
    /// The events, each once, oldest first.
    pub events: Vec<Event>,
    /// How many completed interviews were looked at.
    pub seen: usize,
    /// The start time for the next run. Save it only after the events were handled.
    pub until: Timestamp,
}

impl Missed {
    /// Completed interviews of a survey that changed at or after a time.
    pub fn of_survey(survey_id: i64, since: Timestamp) -> Self {
        Self { survey_id, since, columns: Vec::new(), guard: None }
    }

    /// Questions and columns to read in addition to `Id`, `State` and `UpdatedAt`.
    #[must_use]
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Excludes events that a guard has marked as handled.
    #[must_use]
    pub fn unknown_to(mut self, guard: &Guard) -> Self {
        self.guard = Some(guard.clone());
        self
    }

    /// Reads the complete list, or fails.
    pub async fn read(self, client: &Client) -> Result<MissedEvents> {
        let from = self.since.0.checked_sub_signed(OVERLAP).unwrap_or(self.since.0);
        let changed = column("State").is_equal_to("Completed") & column("UpdatedAt").is_since(from);
        let own = ["Id", "State", "UpdatedAt"].map(str::to_owned);
        let more = self.columns.iter().filter(|name| !own.contains(name));
        let columns: Vec<String> = own.iter().chain(more).cloned().collect();
        let request = ReadInterviewListRequest::new(self.survey_id)
            .fields_to_download(columns)
            .conditions(changed.compile()?);
        let rows = client.pages::<ReadInterviewListCompact>(request).collect_all().await?;
        let mut caught = MissedEvents { events: Vec::new(), seen: rows.len(), until: self.since };
        for row in rows {
            let text = Json::of(&row).map_err(|e| Error::internal(format!("a row is not JSON ({e})")))?;
            let (event, changed) = self.event(&text)?;
            caught.until = changed.map_or(caught.until, |time| caught.until.max(time));
            let is_known = self.guard.as_ref().map_or(Ok(false), |guard| guard.knows(&event))?;
            if !is_known {
                caught.events.push(event);
            }
        }
        caught.events.sort_by_cached_key(|event| event.entity.identity().1);
        caught.events.dedup_by(|a, b| a.key == b.key);
        Ok(caught)
    }

    /// A row in the form of a callback.
    fn event(&self, row: &Json) -> Result<(Event, Option<Timestamp>)> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct CallbackBody<'a> {
            event_type: EventType,
            entity_identifier: String,
            entity: SurveyRow<'a>,
        }
        let body = CallbackBody {
            event_type: EventType::InterviewComplete,
            entity_identifier: self.survey_id.to_string(),
            entity: SurveyRow { survey_id: self.survey_id, row },
        };
        let unreadable = |why: &dyn std::fmt::Display| {
            Error::unexpected_response(format!(
                "an interview of the survey {} cannot be read ({why})",
                self.survey_id
            ))
        };
        let raw = Json::of(&body).map_err(|e| unreadable(&e))?;
        let event = Event::read(raw, None, Source::Reconciled).map_err(|reason| unreadable(&reason))?;
        let changed = event.entity.identity().1;
        Ok((event, changed))
    }
}

impl Job for MissedOptions {
    /// Events that the guard has marked as handled are excluded.
    type With = Option<Guard>;
    type Progress = ();
    type Report = MissedEvents;

    fn run(
        self,
        client: &Client,
        guard: Option<Guard>,
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<MissedEvents>> {
        let Self { survey_id, since, columns } = self;
        let client = client.clone();
        let job = Missed { survey_id, since, columns: columns.unwrap_or_default(), guard };
        Box::pin(async move { job.read(&client).await })
    }
}

/// The row and its survey, which the rows of a list do not name.
struct SurveyRow<'a> {
    survey_id: i64,
    row: &'a Json,
}

impl Serialize for SurveyRow<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let fields: indexmap::IndexMap<String, &RawValue> =
            self.row.read().map_err(serde::ser::Error::custom)?;
        let survey = RawValue::from_string(self.survey_id.to_string()).map_err(serde::ser::Error::custom)?;
        let first = std::iter::once(("surveyId", survey.as_ref()));
        let rest = fields.iter().filter(|(name, _)| *name != "surveyId");
        serializer.collect_map(first.chain(rest.map(|(name, raw)| (name.as_str(), *raw))))
    }
}
