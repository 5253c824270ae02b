//! People who answer a survey, with answers to its own questions.

use super::entity;
use crate::random::{self, SeededRng};
use crate::state::ServerState;
use crate::world::{Interview, PlatformState, questionnaire};
use chrono::{DateTime, TimeDelta, Utc};

/// `false` if there is no such survey, or it cannot be answered.
pub(super) fn fill(
    shared: &ServerState,
    world: &mut PlatformState,
    id: i64,
    people: usize,
    now: DateTime<Utc>,
) -> bool {
    let Some(tenant) = world.tenants.iter_mut().find(|tenant| tenant.surveys.contains_key(&id)) else {
        return false;
    };
    let Some(survey) = tenant.surveys.get_mut(&id).filter(|survey| survey.status == "Active") else {
        return false;
    };
    let invited = survey.interviews.values().filter(|interview| interview.state == "NotResponded");
    let mut ids: Vec<String> = invited.take(people).map(|interview| interview.id.clone()).collect();
    while ids.len() < people {
        let stranger = Interview::new(random::guid(), now, "survey");
        ids.push(stranger.id.clone());
        survey.interviews.insert(stranger.id.clone(), stranger);
    }
    let languages = survey.languages.clone();
    for (number, id) in ids.iter().enumerate() {
        let mut rng = SeededRng::for_item(survey.id.unsigned_abs(), (survey.completed() + number) as u64);
        let answers = questionnaire::answers(&survey.variables, &mut rng);
        if let Some(interview) = survey.interviews.get_mut(id) {
            interview.answers = answers;
            interview.state = "Completed";
            interview.language = languages.get(number % languages.len().max(1)).cloned();
            (interview.start, interview.end) = (Some(now - TimeDelta::minutes(4)), Some(now));
            (interview.updated_at, interview.updated_by) = (Some(now), Some("survey".to_owned()));
        }
    }
    if let Some(survey) = tenant.surveys.get(&id) {
        for interview in ids.iter().filter_map(|id| survey.interviews.get(id)) {
            shared.tell(tenant, "InterviewComplete", Some(id), &entity::interview(survey, interview));
        }
    }
    true
}
