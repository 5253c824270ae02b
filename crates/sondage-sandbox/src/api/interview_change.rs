//! Deleting and resetting interviews.

use super::{ApiCall, Handler, ResponseText, succeed};
use crate::ledger::EffectKind;
use crate::refusal::Refusal;
use serde_json::json;
use sondage::model::{DeleteInterviewRequest, ResetInterviewRequest};
use sondage::operations::{DeleteInterview, ResetInterview};

impl Handler for DeleteInterview {
    fn handle(call: &ApiCall<'_>, request: DeleteInterviewRequest) -> Result<ResponseText, Refusal> {
        let id = request.interview_id;
        call.change(|tenant, _| {
            let survey = tenant.survey_mut(request.survey_id)?;
            survey.interview(&id)?;
            survey.interviews.shift_remove(&id);
            tenant.forget_participations(|_, interview| interview == id);
            Ok(())
        })?;
        call.note(EffectKind::InterviewDeleted, vec![id]);
        succeed(json!({}))
    }
}

impl Handler for ResetInterview {
    fn handle(call: &ApiCall<'_>, request: ResetInterviewRequest) -> Result<ResponseText, Refusal> {
        let id = request.interview_id;
        call.change(|tenant, _| {
            let survey = tenant.survey_mut(request.survey_id)?;
            if survey.status == "Closed" {
                let why = format!("The survey {} is closed, so nobody can answer again.", survey.id);
                return Err(Refusal::invalid(why).with_code("SurveyClosed"));
            }
            survey.interview(&id)?;
            if let Some(interview) = survey.interviews.get_mut(&id) {
                interview.reset(call.now, &call.actor());
            }
            Ok(())
        })?;
        call.note(EffectKind::InterviewReset, vec![id]);
        succeed(json!({}))
    }
}
