//! Two waves of an invented survey of library visitors, with what real surveys have and the election study lacks: "not available",
//! texts beside choices, every kind of matrix, conditions, weights, interviews that were not finished.
//!
//! The questionnaire of the first wave is `data/library-visitors.json`, in the form of the editor's export; [`changes`] makes that of
//! the second wave from it.

mod changes;
mod people;
mod weights;

use super::{completed, empty_survey, moment};
use crate::own_survey;
use crate::profile::Profile;
use crate::random::SeededRng;
use crate::world::questionnaire::Respondents;
use crate::world::{Interview, Survey};
use chrono::{DateTime, TimeDelta, Utc};
use people::Person;
use std::io;

const QUESTIONNAIRE: &str = include_str!("../../../data/library-visitors.json");
const INTERVIEWS: u64 = 400;
/// One interview in this many is not finished.
const UNFINISHED: u64 = 16;
/// The mean time between two interviews, in minutes.
const MINUTES: u64 = 53;

/// A wave of the survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wave {
    First,
    Second,
}

impl Wave {
    /// In order of time.
    pub(crate) const ALL: [Self; 2] = [Self::First, Self::Second];

    fn year(self) -> i64 {
        match self {
            Self::First => 2025,
            Self::Second => 2026,
        }
    }

    /// The start of the first interview: a Monday in March at 09:00 UTC.
    fn opening(self) -> DateTime<Utc> {
        moment(match self {
            Self::First => 1_740_992_400,
            Self::Second => 1_772_442_000,
        })
    }

    /// The survey, with its interviews. The same `seed` makes the same interviews.
    pub(crate) fn survey(self, ids: (i64, i64), seed: u64, profile: &Profile) -> io::Result<Survey> {
        let (mut questionnaire, _) = own_survey::questionnaire(QUESTIONNAIRE)
            .map_err(|why| io::Error::other(format!("the demo's questionnaire {why}")))?;
        if self == Self::Second {
            changes::apply(&mut questionnaire);
        }
        let name = format!("Library visitors {}", self.year());
        let mut survey = empty_survey(ids.0, ids.1, &name, self.opening());
        survey.not_carried_out = own_survey::not_carried_out(&questionnaire);
        survey.set_questionnaire(questionnaire);
        // The seeds of the waves are far apart, so that no person occurs in both.
        let seed = seed ^ (self.year().unsigned_abs() << 32);
        let mut interviews = self.interviews(&survey, seed, profile);
        weights::assign(&survey, &mut interviews);
        survey.interviews =
            interviews.into_iter().map(|interview| (interview.id.clone(), interview)).collect();
        Ok(survey)
    }

    fn interviews(self, survey: &Survey, seed: u64, profile: &Profile) -> Vec<Interview> {
        let respondents = Respondents::new(survey, profile);
        let interview = |number: u64| {
            let mut rng = SeededRng::for_item(seed, number);
            let minutes = number * MINUTES + rng.below(MINUTES);
            let start = self.opening() + TimeDelta::minutes(i64::try_from(minutes).unwrap_or(0));
            let mut interview = completed(&mut rng, start);
            let person = Person::draw(self, &mut rng);
            interview.language = Some(person.language.to_owned());
            interview.custom.insert("channel".to_owned(), person.channel.to_owned());
            let stops = rng.one_in(UNFINISHED);
            let (answers, exit) = respondents.planned_answers(&interview, &person.planned, &mut rng, stops);
            interview.answers = answers;
            if let Some(exit) = exit {
                interview.state = exit.state;
            } else if stops {
                (interview.state, interview.end) = ("InProgress", None);
            }
            interview
        };
        (0..INTERVIEWS).map(interview).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::SurveyVariable;
    use crate::world::survey::VariableRole;
    use serde_json::Value;

    fn surveys() -> [Survey; 2] {
        Wave::ALL.map(|wave| wave.survey((1, 1), 1996, &Profile::default()).unwrap())
    }

    #[test]
    fn every_answer_is_one_that_its_question_accepts() {
        for survey in surveys() {
            let not_available = Profile::default().not_available;
            for interview in survey.interviews.values() {
                assert_eq!(interview.answers.len(), survey.variables.len());
                // Who answers "not available" has chosen nothing, which is fewer choices than are needed.
                let is_answer = |(variable, answer): &(&SurveyVariable, &Value)| {
                    variable.role != VariableRole::Count || **answer != 0
                };
                for (variable, answer) in survey.variables.iter().zip(&interview.answers).filter(is_answer) {
                    variable
                        .check(answer, not_available)
                        .unwrap_or_else(|why| panic!("{} = {answer}: {why}", variable.code));
                }
            }
        }
    }

    /// A plan for a column that no wave has would have no effect.
    #[test]
    fn what_is_planned_is_asked_in_a_wave() {
        let surveys = surveys();
        for (wave, number) in
            Wave::ALL.into_iter().flat_map(|wave| (0..100).map(move |number| (wave, number)))
        {
            let person = Person::draw(wave, &mut SeededRng::for_item(7, number));
            for code in person.planned.keys() {
                assert!(surveys.iter().any(|survey| survey.position(code).is_some()), "{code}");
            }
        }
    }
}
