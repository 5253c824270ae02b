//! A person answers a survey, in one or several sessions.

use super::cause;
use crate::random;
use crate::refusal::Refusal;
use crate::state::ServerState;
use crate::world::Interview;
use crate::world::word::Word;
use serde_json::{Map, Value};

/// What comes after the answers of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextStep {
    /// The page where the interview goes on, counted from 0.
    Page(usize),
    /// The end, in this state.
    End(Word),
}

impl ServerState {
    /// Saves answers of an interview, or of a new one through the public link, and returns its id. If it is complete, the subscribers
    /// of `InterviewComplete` are notified. An interview that can no longer be answered is not changed; of two simultaneous
    /// submissions, only one completes it.
    pub(crate) fn take_part(
        &self,
        survey_id: i64,
        interview: Option<String>,
        language: Option<String>,
        answers: &Map<String, Value>,
        next: NextStep,
    ) -> Result<String, Refusal> {
        let now = self.clock.now();
        let mut world = self.world_mut();
        let missing = || Refusal::not_found("SurveyNotFound", "survey", survey_id);
        let surveys = world.tenants.iter_mut().find_map(|tenant| tenant.surveys.get_mut(&survey_id));
        let survey = surveys.ok_or_else(missing)?;
        if let Some(why) =
            survey.closed_to(interview.as_deref().and_then(|id| survey.interviews.get(id)), now)
        {
            return Err(Refusal::invalid(why));
        }
        let id = interview.unwrap_or_else(|| {
            let mut stranger = Interview::new(random::guid(), now, "survey");
            stranger.language = language.or_else(|| Some(survey.default_language.clone()));
            let id = stranger.id.clone();
            survey.interviews.insert(id.clone(), stranger);
            id
        });
        let values =
            survey.variables.iter().map(|variable| answers.get(&variable.code).cloned().unwrap_or_default());
        let values: Vec<Value> = values.collect();
        let page = match next {
            NextStep::Page(page) => page,
            NextStep::End(state) => {
                let ended = cause::end(&mut world, (&id, state), now, |_, _| Ok(values));
                if let Ok(Some((at, event))) = ended
                    && state == "Completed"
                    && let Some(tenant) = world.tenants.get(at)
                {
                    self.tell(tenant, &event.name, event.watched, &event.entity);
                }
                return Ok(id);
            }
        };
        if let Some(interview) = survey.interviews.get_mut(&id) {
            interview.answers = values;
            interview.state = "InProgress";
            interview.page = page;
            interview.start = interview.start.or(Some(now));
            (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
        }
        Ok(id)
    }
}
