//! Answers that a program gives on behalf of people.

use super::entity;
use crate::random;
use crate::state::ServerState;
use crate::world::survey::{STATES, VariableRole};
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
    /// Adds the interviews, and returns their ids. After an error nothing was added: it names the row and the column.
    pub(crate) fn answer(&self, given: &GivenRows) -> Result<Vec<String>, String> {
        let (now, profile) = (self.clock.now(), self.profile());
        let mut world = self.world_mut();
        let survey = open_survey(&mut world, given.survey_id)?;
        let interview = |(row, answers): (usize, &Map<String, Value>)| {
            interview(survey, answers, profile.not_available, now)
                .map_err(|why| format!("rows[{row}].{why}. Nothing was added"))
        };
        let interviews = given.rows.iter().enumerate().map(interview).collect::<Result<Vec<_>, _>>()?;
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

fn interview(
    survey: &Survey,
    answers: &Map<String, Value>,
    not_available: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Interview, String> {
    let unknown = |name: &&String| survey.position(name).is_none() && !OWN.contains(&name.as_str());
    if let Some(name) = answers.keys().find(unknown) {
        let known: Vec<&str> =
            survey.variables.iter().map(|variable| variable.code.as_str()).take(12).collect();
        let more = if survey.variables.len() > known.len() { ", .." } else { "" };
        return Err(format!("{name}: the survey has no such column; it has {}{more}", known.join(", ")));
    }
    let is_text = |name: &&str| answers.get(*name).is_none_or(|value| value.is_null() || value.is_string());
    if let Some(name) = OWN.iter().find(|name| !is_text(name)) {
        return Err(format!("{name}: a text is needed"));
    }
    let mut interview = Interview::new(random::guid(), now, "survey");
    interview.state = match answers.get("State").and_then(Value::as_str) {
        None => "Completed",
        Some(state) => STATES
            .into_iter()
            .find(|known| *known == state)
            .ok_or_else(|| format!("State: this is not a state; known are {}", STATES.join(", ")))?,
    };
    interview.language = Some(match answers.get("Language").and_then(Value::as_str) {
        None => survey.default_language.clone(),
        Some(wanted) => survey.language(wanted).cloned().ok_or_else(|| {
            format!("Language: the survey has no language {wanted:?}; it has {}", survey.languages.join(", "))
        })?,
    });
    interview.start = (interview.state != "NotResponded").then_some(now);
    interview.end = (!matches!(interview.state, "NotResponded" | "InProgress")).then_some(now);
    (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
    let answer = |variable: &crate::world::SurveyVariable| {
        let answer = variable.as_integer(answers.get(&variable.code).cloned().unwrap_or_default());
        variable.check(&answer, not_available).map_err(|why| format!("{}: {why}", variable.code))?;
        Ok::<_, String>(variable.as_stored(answer))
    };
    interview.answers = survey.variables.iter().map(answer).collect::<Result<_, _>>()?;
    count_ticked(survey, &mut interview)?;
    Ok(interview)
}

/// Counts the ticked choices of each multiple choice that was answered. A count that was given must be right.
fn count_ticked(survey: &Survey, interview: &mut Interview) -> Result<(), String> {
    let is_complete = interview.state == "Completed";
    for (at, count) in survey.variables.iter().enumerate() {
        if count.role != VariableRole::Count {
            continue;
        }
        let answers = interview.answers.iter().map(|answer| *answer == 1);
        let ticked = count
            .check_ticked(survey.variables.iter().zip(answers), is_complete)
            .map_err(|why| format!("{}: {why}", count.question_code))?;
        let own = survey.variables.iter().zip(&interview.answers);
        let is_answered = own
            .filter(|(choice, _)| choice.question_code == count.question_code && choice.is_ticked())
            .any(|(_, answer)| !answer.is_null());
        let given = &mut interview.answers[at];
        if !given.is_null() && *given != ticked {
            return Err(format!("{}: the number of ticked choices is {ticked}", count.code));
        }
        if is_answered {
            *given = ticked.into();
        }
    }
    Ok(())
}
