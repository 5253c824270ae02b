//! People who answer a survey, with answers to its own questions.

use super::answer::open_survey;
use crate::profile::Profile;
use crate::random::{self, SeededRng};
use crate::state::ServerState;
use crate::world::questionnaire::Respondents;
use crate::world::{Interview, Survey};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

/// Invented people who answer a survey, for [`Sandbox::fill`](crate::Sandbox::fill).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fill {
    /// The survey, which must be published.
    pub survey_id: i64,
    /// How many people, at most 1,000,000. Default: 100.
    #[serde(default = "people")]
    pub people: usize,
    /// The seed of their answers, and of the ids of the interviews of those who were not invited. The same seed, survey and time of
    /// the sandbox make the same interviews. Default: the id of the survey, and unguessable ids.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The share of those who stop early, from 0 to 1: their interviews stay `InProgress`. Default: 0.05.
    #[serde(default = "unfinished")]
    pub unfinished: f64,
}

/// The shortest time in which somebody answers, in seconds.
const SHORTEST: u64 = 120;

/// More than memory holds of a survey with hundreds of columns.
const MOST_PEOPLE: usize = 1_000_000;

fn people() -> usize {
    100
}

fn unfinished() -> f64 {
    0.05
}

impl Fill {
    /// A hundred people. [`people`](Self::people) sets another number.
    pub fn new(survey_id: i64) -> Self {
        Self { survey_id, people: people(), seed: None, unfinished: unfinished() }
    }

    /// How many people.
    #[must_use]
    pub fn people(mut self, people: usize) -> Self {
        self.people = people;
        self
    }

    /// The seed of their answers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The share of those who stop early, from 0 to 1.
    #[must_use]
    pub fn unfinished(mut self, share: f64) -> Self {
        self.unfinished = share;
        self
    }
}

impl ServerState {
    /// Lets the people answer, and returns the ids of their interviews. After an error nothing was changed.
    pub(crate) fn fill(&self, fill: &Fill) -> Result<Vec<String>, String> {
        let now = self.clock.now();
        let mut world = self.world_mut();
        let ids = fill.answer(open_survey(&mut world, fill.survey_id)?, &self.profile(), now)?;
        self.tell_completed(&world, fill.survey_id, &ids);
        Ok(ids)
    }
}

impl Fill {
    /// Adds the interviews of these people to a survey, and returns their ids: first of those who were invited and have not answered,
    /// then of others. After an error nothing was changed.
    pub(crate) fn answer(
        &self,
        survey: &mut Survey,
        profile: &Profile,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>, String> {
        if !(0.0..=1.0).contains(&self.unfinished) {
            return Err("unfinished: a share from 0 to 1 is needed".to_owned());
        }
        if self.people > MOST_PEOPLE {
            return Err(format!("people: at most {MOST_PEOPLE} are accepted in one call"));
        }
        let interviews = self.interviews(survey, profile, now);
        let ids: Vec<String> = interviews.iter().map(|interview| interview.id.clone()).collect();
        survey.interviews.extend(interviews.into_iter().map(|interview| (interview.id.clone(), interview)));
        Ok(ids)
    }

    fn interviews(&self, survey: &Survey, profile: &Profile, now: DateTime<Utc>) -> Vec<Interview> {
        let questions = Respondents::new(survey, profile);
        let mut invited = survey.interviews.values().filter(|interview| interview.state == "NotResponded");
        let answered = survey.interviews.len();
        let person = |number: usize| {
            let seed = self.seed.unwrap_or_else(|| survey.id.unsigned_abs());
            let mut rng = SeededRng::for_item(seed, (answered + number) as u64);
            let waiting = invited.next().cloned();
            let is_invited = waiting.is_some();
            let mut interview = waiting.unwrap_or_else(|| {
                let id = self.seed.map_or_else(random::guid, |_| rng.guid());
                Interview::new(id, now, "survey")
            });
            interview.language = survey.languages.get(number % survey.languages.len().max(1)).cloned();
            let stops = rng.share() < self.unfinished;
            let (answers, exit) = questions.answers(&interview, &mut rng, stops);
            interview.answers = answers;
            let start = now - duration(&interview, &mut rng, now);
            interview.start = Some(start);
            if !is_invited {
                interview.created_at = start;
            }
            let unfinished = if stops { "InProgress" } else { "Completed" };
            interview.state = exit.map_or(unfinished, |exit| exit.state);
            interview.end = (interview.state != "InProgress").then_some(now);
            (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
            interview
        };
        (0..self.people).map(person).collect()
    }
}

/// How long somebody answers: a few minutes, and not longer than the invitation is old, unless it is hardly older than a question.
fn duration(interview: &Interview, rng: &mut SeededRng, now: DateTime<Utc>) -> TimeDelta {
    let seconds = rng.below(600) + rng.below(600);
    let age = u64::try_from((now - interview.created_at).num_seconds()).unwrap_or(0);
    let seconds = if age > SHORTEST { seconds % (age - SHORTEST) } else { seconds };
    TimeDelta::seconds(i64::try_from(SHORTEST + seconds).unwrap_or_default())
}
