//! Answers that a program gives on behalf of people.

use super::entity;
use crate::mistakes::Mistakes;
use crate::profile::{AcceptedAnswers, Profile};
use crate::random;
use crate::state::ServerState;
use crate::world::questionnaire::{Contradiction, Respondents, contradictory_answers};
use crate::world::survey::{STATES, SurveyVariable, VariableRole};
use crate::world::{Interview, PlatformState, Survey};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Interviews with these answers, for [`Sandbox::answer`](crate::Sandbox::answer).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GivenRows {
    /// The survey, which must be published.
    pub survey_id: i64,
    /// A row for each person: answers by the codes of the survey's columns. The columns `State` (default: `Completed`) and
    /// `Language` are the interview's own.
    pub rows: Vec<Map<String, Value>>,
}

/// The columns of a row that are not answers.
const OWN: [&str; 2] = ["State", "Language"];

impl ServerState {
    /// Adds the interviews, and returns their ids. After an error nothing was added: it names the mistakes of all rows.
    pub(crate) fn answer(&self, given: &GivenRows) -> Result<Vec<String>, String> {
        let (now, profile) = (self.clock.now(), self.profile());
        let mut world = self.world_mut();
        let survey = open_survey(&mut world, given.survey_id)?;
        let questions = Respondents::new(survey, &profile);
        let mut mistakes = Mistakes::default();
        let mut interviews = Vec::with_capacity(given.rows.len());
        for (row, answers) in given.rows.iter().enumerate() {
            let place = format!("rows[{row}].");
            let mut reader = RowReader { survey, answers, place, profile: &profile, mistakes: &mut mistakes };
            interviews.push(reader.interview(&questions, now));
        }
        if let Some(text) = mistakes.text() {
            return Err(format!("{text}. Nothing was changed"));
        }
        let ids: Vec<String> = interviews.iter().map(|interview| interview.id.clone()).collect();
        survey.interviews.extend(interviews.into_iter().map(|interview| (interview.id.clone(), interview)));
        self.tell_completed(&world, given.survey_id, &ids);
        Ok(ids)
    }

    /// Notifies the subscribers of interviews that were completed.
    pub(super) fn tell_completed(&self, world: &PlatformState, survey_id: i64, ids: &[String]) {
        let Some(tenant) = world.tenants.iter().find(|tenant| tenant.surveys.contains_key(&survey_id)) else {
            return;
        };
        let Some(survey) = tenant.surveys.get(&survey_id) else { return };
        let interviews = ids.iter().filter_map(|id| survey.interviews.get(id));
        for interview in interviews.filter(|interview| interview.state == "Completed") {
            self.tell(tenant, "InterviewComplete", Some(survey_id), &entity::interview(survey, interview));
        }
    }
}

/// A survey that can be answered.
pub(super) fn open_survey(world: &mut PlatformState, id: i64) -> Result<&mut Survey, String> {
    let survey = world.tenants.iter_mut().find_map(|tenant| tenant.surveys.get_mut(&id));
    let survey = survey.ok_or_else(|| format!("there is no survey {id}"))?;
    if survey.status == "Active" {
        return Ok(survey);
    }
    Err(format!("the survey {id} is {}: publish it first", survey.state))
}

/// The answers of an interview after somebody has given these, with those that it had before. The error names all mistakes.
pub(super) fn answers_with(
    survey: &Survey,
    interview: &Interview,
    answers: &Map<String, Value>,
    profile: &Profile,
) -> Result<Vec<Value>, String> {
    let mut mistakes = Mistakes::default();
    let mut completed = interview.clone();
    completed.state = "Completed";
    completed.answers.resize(survey.variables.len(), Value::Null);
    let place = "answers.".to_owned();
    let mut reader = RowReader { survey, answers, place, profile, mistakes: &mut mistakes };
    reader.check_names(&[]);
    reader.read(&Respondents::new(survey, profile), &mut completed);
    mistakes.text().map_or(Ok(completed.answers), |text| Err(format!("{text}. Nothing was changed")))
}

/// Reads one row.
struct RowReader<'a> {
    survey: &'a Survey,
    answers: &'a Map<String, Value>,
    /// What its columns are named after in a mistake.
    place: String,
    profile: &'a Profile,
    mistakes: &'a mut Mistakes,
}

impl RowReader<'_> {
    /// Notes a mistake, with its place.
    fn wrong(&mut self, column: &str, why: &str) {
        self.mistakes.add(format!("{}{column}: {why}", self.place));
    }

    /// What is wrong is noted, and left out.
    fn interview(&mut self, questions: &Respondents<'_>, now: DateTime<Utc>) -> Interview {
        self.check_names(&OWN);
        let mut interview = Interview::new(random::guid(), now, "survey");
        interview.state = self.state();
        interview.language = Some(self.language());
        interview.start = (interview.state != "NotResponded").then_some(now);
        interview.end = (!matches!(interview.state, "NotResponded" | "InProgress")).then_some(now);
        (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
        interview.answers.resize(self.survey.variables.len(), Value::Null);
        self.read(questions, &mut interview);
        interview
    }

    /// Replaces the answers of an interview by those that were given; what is wrong is noted, and left out.
    fn read(&mut self, questions: &Respondents<'_>, interview: &mut Interview) {
        let (survey, answers, profile) = (self.survey, self.answers, self.profile);
        let given = |variable: &SurveyVariable| answers.get(&variable.code).cloned();
        if profile.accepted_answers == AcceptedAnswers::Any {
            for (variable, place) in survey.variables.iter().zip(&mut interview.answers) {
                if let Some(answer) = given(variable) {
                    *place = answer;
                }
            }
            return;
        }
        for (variable, place) in survey.variables.iter().zip(&mut interview.answers) {
            let Some(answer) = given(variable).map(|answer| variable.as_given(answer)) else { continue };
            let checked = variable.check(&answer, profile.not_available);
            *place = if checked.is_ok() { answer } else { Value::Null };
            if let Err(why) = checked {
                self.wrong(&variable.code, &why);
            }
        }
        let shown = questions.shown(interview, &interview.answers);
        self.check_shown(&shown, interview);
        let found =
            contradictory_answers(&survey.variables, &interview.answers, &shown, profile.not_available);
        // What an interview had before is not the caller's mistake.
        let is_given = |question: &str| {
            survey.variables.iter().any(|known| known.question_code == question && given(known).is_some())
        };
        for Contradiction { column, why } in found {
            let column = &survey.variables[column];
            if is_given(&column.question_code) {
                self.wrong(&column.code, &why);
            }
        }
        self.count_ticked(interview);
    }

    /// What the conditions of the survey do not show has no answer.
    fn check_shown(&mut self, shown: &[bool], interview: &mut Interview) {
        let survey = self.survey;
        if self.profile.accepted_answers == AcceptedAnswers::AlsoNotAsked {
            return;
        }
        for ((variable, place), is_shown) in survey.variables.iter().zip(&mut interview.answers).zip(shown) {
            if *is_shown || variable.role == VariableRole::Count {
                continue;
            }
            let answer = std::mem::take(place);
            if !answer.is_null() && self.answers.get(&variable.code).is_some_and(|given| !given.is_null()) {
                self.wrong(&variable.code, &variable.not_asked());
            }
        }
    }

    fn check_names(&mut self, own: &[&str]) {
        let survey = self.survey;
        let unknown = |name: &&String| !own.contains(&name.as_str()) && survey.position(name).is_none();
        for name in self.answers.keys().filter(unknown) {
            let known: Vec<&str> =
                survey.variables.iter().map(|variable| variable.code.as_str()).take(12).collect();
            let more = if survey.variables.len() > known.len() { ", .." } else { "" };
            self.wrong(name, &format!("the survey has no such column; it has {}{more}", known.join(", ")));
        }
    }

    /// The text of one of the interview's own columns, if there is one.
    fn own(&mut self, name: &str) -> Option<String> {
        match self.answers.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.wrong(name, "a text is needed");
                None
            }
        }
    }

    fn state(&mut self) -> &'static str {
        let Some(state) = self.own("State") else { return "Completed" };
        let known = STATES.into_iter().find(|known| *known == state);
        known.unwrap_or_else(|| {
            self.wrong("State", &format!("this is not a state; known are {}", STATES.join(", ")));
            "Completed"
        })
    }

    fn language(&mut self) -> String {
        let survey = self.survey;
        let Some(wanted) = self.own("Language") else { return survey.default_language.clone() };
        survey.language(&wanted).cloned().unwrap_or_else(|| {
            let known = survey.languages.join(", ");
            self.wrong("Language", &format!("the survey has no language {wanted:?}; it has {known}"));
            wanted
        })
    }

    /// Counts the ticked choices of each multiple choice that was answered. A count that was given must be right.
    fn count_ticked(&mut self, interview: &mut Interview) {
        let (survey, is_complete) = (self.survey, interview.state == "Completed");
        for (at, count) in survey.variables.iter().enumerate() {
            if count.role != VariableRole::Count {
                continue;
            }
            let answers = interview.answers.iter().map(|answer| *answer == 1);
            let ticked = match count.check_ticked(survey.variables.iter().zip(answers), is_complete) {
                Ok(ticked) => ticked,
                Err(why) => {
                    self.wrong(&count.question_code, &why);
                    continue;
                }
            };
            let own = survey.variables.iter().zip(&interview.answers);
            let is_given = self.answers.get(&count.code).is_some_and(|given| !given.is_null());
            let is_answered = own
                .filter(|(choice, _)| choice.question_code == count.question_code && choice.is_ticked())
                .any(|(_, answer)| !answer.is_null());
            let given = &mut interview.answers[at];
            if is_given && *given != ticked {
                self.wrong(&count.code, &format!("the number of ticked choices is {ticked}"));
            } else if is_answered {
                *given = ticked.into();
            }
        }
    }
}
