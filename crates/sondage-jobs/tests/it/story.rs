//! The life of a survey, using the public API only, and what is retried after a cut connection. Only the respondents are
//! simulated by the sandbox.

use crate::support::sandbox::client;
use sondage::model::{
    CreateMembersRequest, CreatePanelRequest, CreateSurveyRequest, DeleteSurveyRequest,
    DownloadAnswersRequest, ExecuteWorkflowTransitionRequest, InviteMembersRequest, NewMember,
    PanelModelType, ReadIncentiveListRequest, ReadInterviewListRequest, ReadSurveyRequest,
    ReadWorkflowTransitionsRequest, RedeemIncentiveCodeRequest, RemindMembersRequest, WorkflowType,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::{Client, ErrorKind};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ArchiveOptions;
use sondage_sandbox::{Cause, CutPoint, EffectKind, Fault, FaultAction, Sandbox};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

fn survey(sandbox: &Sandbox) -> CreateSurveyRequest {
    let answers = [ask::choice("1", [("en", "Yes")]), ask::choice("2", [("en", "No")])];
    let questions = [
        ask::single_choice("back", [("en", "Will you come back?")], answers),
        ask::open_question("why", [("en", "Why?")]),
    ];
    let definition = Questionnaire::new(["en"]).section("Visit", questions).definition();
    CreateSurveyRequest::new(sandbox.workspace_id(), "Visitors", definition)
}

async fn go(client: &Client, survey: i64, target: &str) {
    let state = client.read_survey(ReadSurveyRequest::new(survey)).await.unwrap().survey_state.unwrap();
    let ways = ReadWorkflowTransitionsRequest::new(WorkflowType::SurveyDesign, state);
    let ways = client.read_workflow_transitions(ways).await.unwrap().transitions;
    assert!(ways.iter().any(|way| way.new_state.as_deref() == Some(target)), "{ways:?}");
    let request = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, target).survey_id(survey);
    client.execute_workflow_transition(request).await.unwrap();
}

/// What a browser receives, including the head.
fn fetch(link: &str) -> String {
    let url = url::Url::parse(link).unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).unwrap();
    let (path, host) = (url.path(), url.authority());
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_life_of_a_survey() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    let survey_id = client.create_survey(survey(&sandbox)).await.unwrap().survey_id.unwrap();
    go(&client, survey_id, "Published").await;

    let panel = CreatePanelRequest::new(sandbox.workspace_id(), "Visitors", PanelModelType::Basic);
    let panel_id = client.create_panel(panel).await.unwrap().id.unwrap();
    let people =
        ["ada", "alan", "grace"].map(|name| NewMember::of([("Email", format!("{name}@example.com"))]));
    let created = client.create_members(CreateMembersRequest::new(panel_id, people)).await.unwrap();
    assert!(created.validation_issues.is_empty());

    let template = sandbox.message_template_id();
    let invitation = InviteMembersRequest::new(survey_id, panel_id, template).channel("Email");
    let distributor = client.invite_members(invitation).await.unwrap().distributor_id.unwrap();
    assert_eq!(sandbox.ledger().count("InviteMembers", EffectKind::MessagesSent), 3);
    assert!(sandbox.emit(Cause::Fill { survey_id, people: 1 }));
    client.remind_members(RemindMembersRequest::new(distributor, template)).await.unwrap();
    assert_eq!(sandbox.ledger().count("RemindMembers", EffectKind::MessagesSent), 2, "not who has answered");

    let wanted = ["Id", "State", "back"].map(str::to_owned);
    let list = ReadInterviewListRequest::new(survey_id).fields_to_download(wanted);
    let rows = client.read_interview_list_compact(list).await.unwrap().interviews;
    assert_eq!(rows.len(), 3);
    let done = rows.iter().find(|row| row["State"].as_str() == Some("Completed")).unwrap();
    let document = DownloadAnswersRequest::new(survey_id, done["Id"].as_str().unwrap());
    let link = client.download_answers(document).await.unwrap().download_url.unwrap();
    assert!(!format!("{link:?} {link}").contains("http"), "whoever has the link can read the answers");
    let link = link.reveal();
    assert!(fetch(link).contains("application/pdf") && fetch(link).contains("%PDF-"));

    let folder = std::env::temp_dir().join(format!("sondage-story-{}", std::process::id()));
    let archived = client.archive_answers(ArchiveOptions::new(survey_id, &folder)).run().await.unwrap();
    assert_eq!((archived.progress.stored, archived.failed.len()), (1, 0));
    assert!(
        fs::read(folder.join(format!("{}.pdf", done["Id"].as_str().unwrap()))).unwrap().starts_with(b"%PDF")
    );
    fs::remove_dir_all(&folder).unwrap();

    go(&client, survey_id, "Closed").await;
    client.delete_survey(DeleteSurveyRequest::new(survey_id)).await.unwrap();
    assert!(fetch(link).starts_with("HTTP/1.1 404"), "the link stops working when the survey closes");
    let gone = client.read_survey(ReadSurveyRequest::new(survey_id)).await.unwrap_err();
    assert_eq!(gone.error_code(), Some("SurveyNotFound"));
}

fn cut(operation: &str) -> Fault {
    Fault::on(operation).action(FaultAction::Cut { at: CutPoint::AfterEffect, reset: false })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_creates_and_spends_once_and_deletes_all_the_same() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = client(&sandbox, 100);
    sandbox.fault(cut("CreateSurvey"));
    let error = client.create_survey(survey(&sandbox)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert_eq!(sandbox.ledger().count("CreateSurvey", EffectKind::SurveyCreated), 1);

    let offers = client.read_incentive_list(ReadIncentiveListRequest::new()).await.unwrap().panel_incentives;
    sandbox.fault(cut("RedeemIncentiveCode"));
    let request = RedeemIncentiveCodeRequest::new(offers[0].id);
    let error = client.redeem_incentive_code(request).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    assert_eq!(sandbox.ledger().count("*", EffectKind::IncentiveRedeemed), 1, "one voucher, not two");

    sandbox.fault(cut("DeleteSurvey"));
    let request = DeleteSurveyRequest::new(sandbox.feedback_survey_id());
    client.delete_survey(request).await.unwrap();
    assert_eq!(sandbox.ledger().requests("DeleteSurvey").len(), 2, "asked again");
    assert_eq!(sandbox.ledger().count("DeleteSurvey", EffectKind::SurveyDeleted), 1, "one effect");
}
