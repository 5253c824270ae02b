//! Transitions, and documents of answers.

use crate::http::{Api, send};
use serde_json::{Value, json};
use sondage_sandbox::{AnswersLink, EffectKind, Profile, Sandbox};

fn go(sandbox: &Sandbox, target: &str) -> Value {
    json!({ "workflow": "SurveyDesign", "surveyId": sandbox.feedback_survey_id(), "targetState": target })
}

fn ways(api: &Api, state: &str) -> Vec<String> {
    let request = json!({ "workflow": "SurveyDesign", "currentState": state });
    let answer = api.ok("ReadWorkflowTransitions", &request);
    let steps = answer["transitions"].as_array().unwrap();
    steps.iter().map(|step| step["newState"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_survey_goes_where_the_transitions_lead_and_nowhere_else() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut state = "Published".to_owned();
    for target in ["Revision", "Published", "Closed", "Published"] {
        assert!(ways(&api, &state).contains(&target.to_owned()), "{state} leads to {target}");
        for other in ["Draft", "Approved", "Nowhere", &state] {
            assert_eq!(
                api.refused("ExecuteWorkflowTransition", &go(&sandbox, other)).1,
                "TransitionImpossible"
            );
        }
        api.ok("ExecuteWorkflowTransition", &go(&sandbox, target));
        target.clone_into(&mut state);
    }
    assert_eq!(sandbox.ledger().count("ExecuteWorkflowTransition", EffectKind::TransitionMade), 4);
    let unknown = json!({ "workflow": "SurveyDesign", "currentState": "Asleep" });
    assert_eq!(api.refused("ReadWorkflowTransitions", &unknown).1, "StateUnknown");
    let nothing = json!({ "workflow": "SurveyDesign", "targetState": "Closed" });
    assert!(api.refused("ExecuteWorkflowTransition", &nothing).2.contains("surveyId is missing"));
}

#[test]
fn a_closed_survey_takes_no_invitations_and_empties_no_interview() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let survey = sandbox.feedback_survey_id();
    let rows = api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
    let first = json!({ "surveyId": survey, "interviewId": rows["interviews"][0]["Id"] });
    api.ok("ResetInterview", &first);
    let now = api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey }));
    assert_eq!(now["interviews"][0]["State"], json!("NotResponded"));
    assert!(now["interviews"][0]["nps"].is_null() && now["interviews"][0]["StartDate"].is_null());
    api.ok("ExecuteWorkflowTransition", &go(&sandbox, "Closed"));
    assert_eq!(api.refused("ResetInterview", &first).1, "SurveyClosed");
    let invitation = json!({
        "surveyId": survey, "panelId": sandbox.panel_id(), "messageTemplateId": sandbox.message_template_id(),
    });
    assert_eq!(api.refused("InviteMembers", &invitation).1, "SurveyNotActive");
    api.ok("DeleteInterview", &first);
    assert_eq!(api.refused("DeleteInterview", &first).1, "InterviewNotFound");
}

#[test]
fn a_scheduled_invitation_can_be_sent_now() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let sent = api.ok(
        "InviteMembers",
        &json!({
            "surveyId": sandbox.survey_id(), "panelId": sandbox.panel_id(), "channel": "Email",
            "messageTemplateId": sandbox.message_template_id(), "scheduleDateTime": "2199-01-01T00:00:00Z",
        }),
    );
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), 0);
    let id = &sent["distributorId"];
    let go = json!({ "workflow": "Distribution", "distributorId": id, "targetState": "Executed" });
    api.ok("ExecuteWorkflowTransition", &go);
    assert!(sandbox.ledger().count("*", EffectKind::MessagesSent) > 0);
    assert_eq!(api.refused("ExecuteWorkflowTransition", &go).1, "TransitionImpossible");
}

#[test]
fn answers_are_a_pdf_behind_a_link_that_ends() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let survey = sandbox.feedback_survey_id();
    let rows = api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey }))["interviews"].clone();
    let find = |state: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["State"] == json!(state)).unwrap();
        json!({ "tenant": "demo", "surveyId": survey, "interviewId": row["Id"] })
    };
    let answer = api.ok("DownloadAnswers", &find("Completed"));
    let link = answer["downloadUrl"].as_str().unwrap();
    let document = send("GET", link, &[], b"").unwrap();
    assert_eq!((document.status, document.header("content-type")), (200, Some("application/pdf")));
    assert!(document.body.starts_with(b"%PDF-") && document.body.ends_with(b"%%EOF\n"));
    sandbox.clock().advance(std::time::Duration::from_secs(901));
    assert_eq!(send("GET", link, &[], b"").unwrap().status, 404);

    let mut half = find("InProgress");
    assert_eq!(api.refused("DownloadAnswers", &half).1, "InterviewNotCompleted");
    half["showPartialCompleted"] = json!(true);
    api.ok("DownloadAnswers", &half);
    half["tenant"] = json!("other");
    assert_eq!(api.refused("DownloadAnswers", &half).1, "TenantMismatch");
}

#[test]
fn public_links_and_printed_pages_end_with_their_survey() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let survey = json!({ "surveyId": sandbox.feedback_survey_id() });
    let links = api.ok("ReadSurveyLinks", &survey)["anonymousList"].clone();
    let languages: Vec<_> = links.as_array().unwrap().iter().map(|link| link["language"].clone()).collect();
    assert_eq!(languages, ["de", "en", "fr", "it"].map(Value::from));
    let link = links[0]["url"].as_str().unwrap().to_owned();
    let rows = api.ok("ReadInterviewListCompact", &survey)["interviews"].clone();
    let answers = format!("{}/answers/{}", sandbox.base_url(), rows[0]["Id"].as_str().unwrap());
    sandbox.change_profile(|profile: &mut Profile| profile.answers_link = AnswersLink::PrintPage);
    let page = send("GET", &answers, &[], b"").unwrap();
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(send("GET", &link, &[], b"").unwrap().status, 200);
    api.ok("DeleteSurvey", &survey);
    assert_eq!(api.refused("ReadSurveyLinks", &survey).1, "SurveyNotFound");
    for gone in [link, answers] {
        assert_eq!(send("GET", &gone, &[], b"").unwrap().status, 404);
    }
}
