//! The interviews of a survey, as a session has read them.

use super::ledger::Ledger;
use sondage::arguments::InterviewsOptions;
use sondage::internals::spelling::did_you_mean;
use sondage::internals::{clock, mask};
use sondage::{Client, Error};
use sondage_data::{Answers, CodePlan, Query, Table};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;

/// How long a session with personal data counts in the same interviews.
const FRESH: Duration = Duration::from_secs(60);

/// Columns of the service by which everybody may know who is in which group.
const GROUPS: [&str; 2] = ["State", "Language"];

/// The interviews of a survey.
#[derive(Debug)]
pub struct Snapshot {
    pub table: Table,
    /// When they were read.
    pub read_at: String,
    /// What this session has told about them.
    pub ledger: Mutex<Ledger>,
    since: Instant,
}

/// The surveys that a session has read. One that hides personal data reads each once: of two counts at different times, the
/// difference can be one person.
#[derive(Debug, Default)]
pub struct Snapshots(Mutex<HashMap<i64, Arc<OnceCell<Arc<Snapshot>>>>>);

impl Snapshots {
    pub async fn of(&self, client: &Client, survey: i64, is_open: bool) -> Result<Arc<Snapshot>, Error> {
        let cell = {
            let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let is_old =
                |cell: &Arc<OnceCell<Arc<Snapshot>>>| cell.get().is_some_and(|it| it.since.elapsed() > FRESH);
            if is_open && known.get(&survey).is_some_and(is_old) {
                known.remove(&survey);
            }
            Arc::clone(known.entry(survey).or_default())
        };
        cell.get_or_try_init(|| Snapshot::read(client, survey)).await.map(Arc::clone)
    }
}

impl Snapshot {
    async fn read(client: &Client, survey: i64) -> Result<Arc<Self>, Error> {
        let read_at = clock::of_service(client, clock::wall(client));
        let table = Query::interviews(client, InterviewsOptions::new(survey)).table().await?;
        let mut groups = vec![0; table.num_rows()];
        for name in GROUPS {
            let Ok(answers) = table.answers("column", name) else { continue };
            for (group, answer) in groups.iter_mut().zip(&answers.rows) {
                let place = answer.as_ref().and_then(|places| places.first()).map_or(0, |place| place + 1);
                *group = *group * 1_000 + place.min(999);
            }
        }
        let read_at = read_at.format("%Y-%m-%d %H:%M UTC").to_string();
        Ok(Arc::new(Self { ledger: Mutex::new(Ledger::new(&groups)), table, read_at, since: Instant::now() }))
    }

    /// Whether a column is one of the service whose values are shown.
    pub fn is_public(&self, name: &str) -> bool {
        mask::COLUMNS.contains(&name) && !self.is_question(name)
    }

    /// Whether the questionnaire has this column or question, or a row of choices of this name.
    pub fn is_question(&self, name: &str) -> bool {
        self.table.code_plan().is_some_and(|plan| plan.names().contains(name))
    }

    /// The title of a question or column.
    pub fn title(&self, name: &str) -> Option<String> {
        self.table.code_plan()?.title(name)
    }

    /// The answers to a question, or the sentence that names those that were probably meant.
    pub fn answers(&self, argument: &str, name: &str, is_open: bool) -> Result<Answers, String> {
        let is_there = self.is_public(name) || self.is_question(name);
        let has_column = || self.table.schema().fields().iter().any(|field| field.name() == name);
        if !is_there && has_column() && !is_open {
            return Err(format!(
                "{argument}: `{name}` is a hidden column: its values are personal data, or may be. Take a question, or one of {}.",
                self.public().join(", ")
            ));
        }
        if !is_there && !has_column() {
            return Err(self.unknown(argument, name));
        }
        self.table.answers(argument, name).map_err(|error| error.to_string())
    }

    /// The columns of the service that are shown.
    fn public(&self) -> Vec<&'static str> {
        let schema = self.table.schema();
        let is_there = |name: &&str| self.is_public(name) && schema.field_with_name(name).is_ok();
        mask::COLUMNS.into_iter().filter(is_there).collect()
    }

    fn unknown(&self, argument: &str, name: &str) -> String {
        let names = self.table.code_plan().map(CodePlan::names).unwrap_or_default();
        let known: Vec<&str> = self.public().into_iter().chain(names.iter().map(String::as_str)).collect();
        let advice =
            did_you_mean(name, &known).unwrap_or_else(|| "`survey_questions` lists them.".to_owned());
        format!("{argument}: the survey has no question or column {name:?}. {advice}")
    }
}
