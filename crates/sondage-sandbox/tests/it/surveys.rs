//! The life of a questionnaire: created, refused if inconsistent, published, answered, changed.

use crate::http::Api;
use serde_json::{Value, json};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage_sandbox::{Cause, EffectKind, Sandbox};

fn yes_no() -> [sondage::model::Choice; 2] {
    [ask::choice("1", [("en", "Yes"), ("de", "Ja")]), ask::choice("2", [("en", "No"), ("de", "Nein")])]
}

fn definition() -> Value {
    let section = [
        ask::single_choice("back", [("en", "Will you come back?"), ("de", "Kommen Sie wieder?")], yes_no()),
        ask::page_break(),
        ask::multiple_choice("seen", [("en", "What did you see?")], yes_no()),
        ask::matrix("rate", [("en", "How was it?")], yes_no(), yes_no()),
        ask::nps("nps", [("en", "Would you recommend us?")]),
        ask::slider("hours", [("en", "How many hours?")], 0, 8),
        ask::open_question("why", [("en", "Why?")]),
        ask::text_block([("en", "Thank you.")]),
    ];
    json!(Questionnaire::new(["en", "de"]).section("Visit", section).end([("en", "Bye")]).definition())
}

fn create(sandbox: &Sandbox, api: &Api, definition: &Value) -> Value {
    let request =
        json!({ "workspaceId": sandbox.workspace_id(), "name": "Visitors", "surveyDefinition": definition });
    api.ok("CreateSurvey", &request)["surveyId"].clone()
}

fn go(api: &Api, survey: &Value, target: &str) {
    let go = json!({ "workflow": "SurveyDesign", "surveyId": survey, "targetState": target });
    api.ok("ExecuteWorkflowTransition", &go);
}

#[test]
fn a_survey_is_created_published_answered_and_read() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let id = create(&sandbox, &api, &definition());
    let read = |id: &Value| api.ok("ReadSurvey", &json!({ "surveyId": id }));
    assert_eq!(read(&id)["survey"], definition(), "it is returned as it was sent");
    assert_eq!(read(&id)["surveyState"], json!("Draft"));
    let number = id.as_i64().unwrap();
    assert!(!sandbox.emit(Cause::Fill { survey_id: number, people: 1 }), "nobody answers a draft");
    let before = read(&id)["surveyVersion"].as_i64().unwrap();
    go(&api, &id, "Published");
    assert_eq!(read(&id)["surveyVersion"], json!(before + 1));
    assert!(sandbox.emit(Cause::Fill { survey_id: number, people: 7 }));
    let answer = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id, "loadCodePlan": true }));
    let codes: Vec<_> = answer["codePlan"].as_array().unwrap().iter().map(|entry| &entry["code"]).collect();
    assert_eq!(codes, ["back", "seen_1", "seen_2", "seen__count", "rate_1", "rate_2", "nps", "hours", "why"]);
    let rows = answer["interviews"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    for row in rows {
        assert_eq!(row["State"], json!("Completed"));
        assert!([json!(1), json!(2), json!(null)].contains(&row["back"]));
        assert!(row["why"].is_string() || row["why"].is_null());
        assert!(row["nps"].is_null() || (0..=10).contains(&row["nps"].as_i64().unwrap()));
    }
    let one = json!({
        "tenant": "demo", "surveyId": id, "interviewId": rows[0]["Id"], "loadSurveyDefinition": true,
    });
    let one = api.ok("ReadInterview", &one);
    assert_eq!((&one["responseData"], &one["surveyDefinition"]), (&rows[0], &definition()));
    let listed = api.ok("ReadSurveyList", &json!({ "workspaceId": sandbox.workspace_id() }));
    let listed = listed["surveys"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone();
    assert_eq!((&listed["status"], &listed["answers"]), (&json!("Active"), &json!(7)));
}

#[test]
fn a_published_survey_is_changed_in_revision_and_keeps_its_answers() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let id = create(&sandbox, &api, &definition());
    go(&api, &id, "Published");
    sandbox.emit(Cause::Fill { survey_id: id.as_i64().unwrap(), people: 3 });
    let rows = || api.ok("ReadInterviewListCompact", &json!({ "surveyId": id }))["interviews"].clone();
    let before = rows();
    let mut changed = definition();
    let elements = changed["sections"][0]["elements"].as_array_mut().unwrap();
    elements.remove(0);
    elements.reverse();
    let update = json!({ "surveyId": id, "surveyName": "Guests", "surveyDefinition": changed });
    assert_eq!(api.refused("UpdateSurvey", &update).1, "SurveyNotEditable");
    assert_eq!(sandbox.ledger().count("UpdateSurvey", EffectKind::SurveyUpdated), 0);
    go(&api, &id, "Revision");
    api.ok("UpdateSurvey", &update);
    let after = rows();
    for (old, new) in before.as_array().unwrap().iter().zip(after.as_array().unwrap()) {
        assert!(new.get("back").is_none());
        assert_eq!((&old["nps"], &old["why"]), (&new["nps"], &new["why"]));
    }
    assert_eq!(api.ok("ReadSurvey", &json!({ "surveyId": id }))["surveyName"], json!("Guests"));
}

#[test]
fn a_questionnaire_that_contradicts_itself_is_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let refused = |pointer: &str, value: Value| {
        let mut definition = definition();
        *definition.pointer_mut(pointer).unwrap() = value;
        let request =
            json!({ "workspaceId": sandbox.workspace_id(), "name": "x", "surveyDefinition": definition });
        let (_, code, message) = api.refused("CreateSurvey", &request);
        assert_eq!(code, "SurveyDefinitionInvalid", "{pointer}: {message}");
        message
    };
    assert!(refused("/defaultLanguage", json!("it")).contains("defaultLanguage"));
    assert!(refused("/sections/0/elements/5/code", json!("back")).contains("elements[5].code"));
    assert!(refused("/sections/0/elements/5/id", json!(2)).contains("elements[5].id"));
    assert!(refused("/sections/0/elements/0/choices", json!([])).contains("no choices"));
    assert!(refused("/sections/0/elements/0/choices/0/code", json!("2")).contains("same code"));
    assert!(refused("/sections/0/elements/3/columnGroups", json!([])).contains("matrix"));
    assert_eq!(sandbox.ledger().count("CreateSurvey", EffectKind::SurveyCreated), 0);
    let empty = create(&sandbox, &api, &json!(Questionnaire::new(["en"]).definition()));
    let publish = json!({ "workflow": "SurveyDesign", "surveyId": empty, "targetState": "Published" });
    assert_eq!(api.refused("ExecuteWorkflowTransition", &publish).1, "ConditionNotMet");
}

#[test]
fn the_seeds_surveys_have_questionnaires_that_could_have_made_them() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let known = json!({ "surveyId": sandbox.feedback_survey_id(), "loadCodePlan": true });
    let read = api.ok("ReadSurvey", &json!({ "surveyId": sandbox.feedback_survey_id() }));
    let copy = create(&sandbox, &api, &read["survey"]);
    // The seed's survey was made without the column of counts.
    sandbox.change_profile(|profile| profile.count_columns = false);
    let codes = |request: &Value| {
        let plan = api.ok("ReadInterviewListCompact", request)["codePlan"].clone();
        let codes = plan.as_array().unwrap().iter().map(|entry| entry["code"].clone());
        codes.collect::<Vec<_>>()
    };
    assert_eq!(codes(&json!({ "surveyId": copy, "loadCodePlan": true })), codes(&known));
}
