//! A PDF of the answers of one interview, behind a link that expires.

use super::{ApiCall, Handler, ResponseText, links, succeed};
use crate::random;
use crate::refusal::Refusal;
use crate::world::Download;
use chrono::TimeDelta;
use serde_json::json;
use sondage::model::DownloadAnswersRequest;
use sondage::operations::DownloadAnswers;

impl Handler for DownloadAnswers {
    fn handle(call: &ApiCall<'_>, request: DownloadAnswersRequest) -> Result<ResponseText, Refusal> {
        let (survey_id, interview) = (request.survey_id, request.interview_id);
        let lifetime = TimeDelta::seconds(call.profile.download_link_seconds.into());
        let token = random::guid();
        call.change(|tenant, _| {
            let requested = tenant.survey(survey_id)?.interview(&interview)?;
            if requested.state != "Completed" && request.show_partial_completed != Some(true) {
                let why = format!(
                    "The interview {interview} is {}: ask for it with showPartialCompleted.",
                    requested.state
                );
                return Err(Refusal::invalid(why).with_code("InterviewNotCompleted"));
            }
            tenant.downloads.retain(|_, download| download.until > call.now);
            let download = Download { survey_id, interview, until: call.now + lifetime };
            tenant.downloads.insert(token.clone(), download);
            Ok(())
        })?;
        let base = &call.shared.address(call.data_center).api;
        succeed(json!({ "downloadUrl": links::download(base, &token) }))
    }
}
