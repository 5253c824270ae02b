//! Answers that a program gives on behalf of people.

use super::entity;
use crate::mistakes::Mistakes;
use crate::profile::{AcceptedAnswers, Profile};
use crate::random;
use crate::state::ServerState;
use crate::world::questionnaire::{Contradiction, Course, Exit, Respondents, contradictory_answers};
use crate::world::survey::{STATES, SurveyVariable, VariableRole};
use crate::world::{Interview, PlatformState, Survey};
use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Interviews with these answers, for [`Sandbox::answer`](crate::Sandbox::answer).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GivenRows {
    /// The survey, which must be published.
    pub survey_id: i64,
    /// A row for each person: answers by the codes of the survey's columns. The columns `State` (default: `Completed`, or the state in
    /// which a forwarding of the questionnaire ends the interview) and `Language` are the interview's own, `custom.` and a name are a
    /// custom variable.
    pub rows: Vec<Map<String, Value>>,
}

/// The columns of a row that are not answers.
const OWN: [&str; 2] = ["State", "Language"];
/// What the columns of custom variables begin with, as in the tables.
const CUSTOM: &str = "custom.";

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
    completed.answers.resize(survey.variables.len(), Value::Null);
    let place = "answers.".to_owned();
    let mut reader = RowReader { survey, answers, place, profile, mistakes: &mut mistakes };
    reader.check_names(&[]);
    let exit = reader.read(&Respondents::new(survey, profile), &mut completed, true);
    let is_refused =
        |exit: &&Exit| exit.state != "Completed" && profile.accepted_answers == AcceptedAnswers::Asked;
    if let Some(exit) = exit.filter(is_refused) {
        mistakes.add(format!("answers: {}", exit.is_not_completed()));
    }
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
        let custom = self.custom_variables();
        let mut interview = Interview::new(random::guid(), now, "survey");
        interview.state = self.state();
        interview.custom = custom;
        interview.language = Some(self.language());
        interview.start = (interview.state != "NotResponded").then_some(now);
        (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
        interview.answers.resize(self.survey.variables.len(), Value::Null);
        let is_complete = interview.state == "Completed";
        if let Some(exit) = self.read(questions, &mut interview, is_complete) {
            if self.own("State").is_none() {
                interview.state = exit.state;
            } else if is_complete
                && exit.state != "Completed"
                && self.profile.accepted_answers == AcceptedAnswers::Asked
            {
                self.wrong("State", &exit.is_not_completed());
            }
        }
        interview.end = (!matches!(interview.state, "NotResponded" | "InProgress")).then_some(now);
        interview
    }

    /// Replaces the answers of an interview by those that were given, and returns the forwarding that ends it; what is wrong is
    /// noted, and left out.
    fn read<'q>(
        &mut self,
        questions: &Respondents<'q>,
        interview: &mut Interview,
        is_complete: bool,
    ) -> Option<&'q Exit> {
        let (survey, answers, profile) = (self.survey, self.answers, self.profile);
        let given = |variable: &SurveyVariable| answers.get(&variable.code).cloned();
        if profile.accepted_answers == AcceptedAnswers::Any {
            for (variable, place) in survey.variables.iter().zip(&mut interview.answers) {
                if let Some(answer) = given(variable) {
                    *place = answer;
                }
            }
            return None;
        }
        for (variable, place) in survey.variables.iter().zip(&mut interview.answers) {
            let Some(answer) = given(variable).map(|answer| variable.as_given(answer)) else { continue };
            let checked = variable.check(&answer, profile.not_available);
            *place = if checked.is_ok() { answer } else { Value::Null };
            if let Err(why) = checked {
                self.wrong(&variable.code, &why);
            }
        }
        let Course { shown, exit } = questions.course(interview, &interview.answers);
        self.check_shown((&shown, exit), interview);
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
        self.count_ticked(interview, is_complete);
        exit
    }

    /// What the conditions of the survey do not show has no answer, nor has what comes after the end of the interview.
    fn check_shown(&mut self, (shown, exit): (&[bool], Option<&Exit>), interview: &mut Interview) {
        let survey = self.survey;
        if self.profile.accepted_answers == AcceptedAnswers::AlsoNotAsked {
            return;
        }
        let columns = survey.variables.iter().zip(&mut interview.answers).zip(shown).enumerate();
        for (at, ((variable, place), is_shown)) in columns {
            if *is_shown || variable.role == VariableRole::Count {
                continue;
            }
            let answer = std::mem::take(place);
            if !answer.is_null() && self.answers.get(&variable.code).is_some_and(|given| !given.is_null()) {
                let ended = exit.filter(|exit| at >= exit.asked);
                let why = ended.map_or_else(|| variable.not_asked(), Exit::ends_before);
                self.wrong(&variable.code, &why);
            }
        }
    }

    fn check_names(&mut self, own: &[&str]) {
        let survey = self.survey;
        let is_custom = |name: &str| !own.is_empty() && survey.has_custom_variable(name);
        let unknown = |name: &&String| {
            let is_own = own.contains(&name.as_str()) || name.strip_prefix(CUSTOM).is_some_and(is_custom);
            !is_own && survey.position(name).is_none()
        };
        for name in self.answers.keys().filter(unknown) {
            let known: Vec<&str> =
                survey.variables.iter().map(|variable| variable.code.as_str()).take(12).collect();
            let more = if survey.variables.len() > known.len() { ", .." } else { "" };
            let custom = if is_custom(name) {
                format!("; the custom variable is `{CUSTOM}{name}`")
            } else {
                String::new()
            };
            self.wrong(
                name,
                &format!("the survey has no such column; it has {}{more}{custom}", known.join(", ")),
            );
        }
    }

    /// The custom variables of the row, which are texts.
    fn custom_variables(&mut self) -> IndexMap<String, String> {
        let mut variables = IndexMap::new();
        for (column, value) in self.answers {
            let Some(name) = column.strip_prefix(CUSTOM) else { continue };
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => {
                    self.wrong(column, "a text or a number is needed");
                    continue;
                }
            };
            variables.insert(name.to_owned(), text);
        }
        variables
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
    fn count_ticked(&mut self, interview: &mut Interview, is_complete: bool) {
        let survey = self.survey;
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
