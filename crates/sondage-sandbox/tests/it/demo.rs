//! The seed: the real survey, cell by cell, and the people.

use crate::http::{Api, members, send};
use serde_json::{Value, json};
use sondage_sandbox::Sandbox;

const DATA: &str = include_str!("../../data/anes96.csv");

#[test]
fn the_real_survey_is_the_file_cell_by_cell_in_both_forms() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mut lines = DATA.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').map(|name| name.trim_matches('\'')).collect();
    let mut request =
        json!({ "surveyId": sandbox.survey_id(), "fieldsToDownload": header, "loadCodePlan": true });
    let answer = api.ok("ReadInterviewListCompact", &request);
    let rows = answer["interviews"].as_array().unwrap();
    assert_eq!((rows.len(), &answer["totalCount"]), (944, &json!(944)));
    for (row, line) in rows.iter().zip(lines) {
        let cells: Vec<String> = header.iter().map(|name| row[*name].to_string()).collect();
        assert_eq!(cells, line.split('\t').collect::<Vec<_>>());
        assert_eq!(row.as_object().unwrap().len(), header.len(), "only the requested fields");
    }
    let plan = answer["codePlan"].as_array().unwrap();
    let codes: Vec<&str> = plan.iter().map(|entry| entry["code"].as_str().unwrap()).collect();
    assert_eq!(codes, header);
    request["loadCodePlan"] = json!(false);
    let structured = api.ok("ReadInterviewList", &request);
    assert_eq!(structured["codePlan"], json!([]));
    for (flat, row) in rows.iter().zip(structured["interviews"].as_array().unwrap()) {
        let columns = row["columns"].as_array().unwrap();
        assert!(columns.iter().all(|column| flat[column["id"].as_str().unwrap()] == column["value"]));
        assert_eq!(columns.len(), header.len());
    }
}

#[test]
fn two_sandboxes_hold_the_same_and_other_secrets() {
    let (one, two) = (Sandbox::demo_blocking().unwrap(), Sandbox::demo_blocking().unwrap());
    assert_eq!((one.panel_id(), one.survey_id()), (two.panel_id(), two.survey_id()));
    assert_ne!(one.password(), two.password());
    assert_ne!(one.client_secret(), two.client_secret());
    let read = |sandbox: &Sandbox| {
        let request =
            json!({ "surveyId": sandbox.survey_id(), "fieldsToDownload": ["Id", "StartDate", "State"] });
        let people = Api::new(sandbox).ok("ReadMemberList", &members(sandbox));
        (Api::new(sandbox).ok("ReadInterviewListCompact", &request), people)
    };
    assert_eq!(read(&one), read(&two));
}

#[test]
fn members_are_invented_and_full_of_what_real_lists_are_full_of() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let answer = Api::new(&sandbox).ok("ReadMemberList", &members(&sandbox));
    let people = answer["members"].as_array().unwrap();
    assert_eq!(people.len(), 200);
    let values = |name: &str| people.iter().map(|p| p["fields"][name]["value"].clone()).collect::<Vec<_>>();
    for mail in values("Email").iter().filter_map(Value::as_str) {
        assert!(
            [".com", ".org", ".net"].iter().any(|top| mail.ends_with(&format!("@example{top}"))),
            "{mail}"
        );
    }
    for name in ["Email", "FirstName", "LastName", "Language", "Gender", "CellPhoneNumber", "Division"] {
        assert!(values(name).contains(&Value::Null), "some have no {name}");
    }
    assert!(values("Division").contains(&json!("")) && values("Division").contains(&json!("Sales")));
    assert!(values("LastName").iter().filter_map(Value::as_str).any(|name| !name.is_ascii()));
}

#[test]
fn the_lively_survey_has_every_state_and_missing_answers() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let answer = Api::new(&sandbox)
        .ok("ReadInterviewListCompact", &json!({ "surveyId": sandbox.feedback_survey_id() }));
    let rows = answer["interviews"].as_array().unwrap();
    for state in ["NotResponded", "InProgress", "Completed", "Screenout", "Quotafull"] {
        assert!(rows.iter().any(|row| row["State"] == json!(state)), "{state}");
    }
    for row in rows.iter().filter(|row| row["State"] == json!("NotResponded")) {
        assert!(row["StartDate"].is_null() && row["nps"].is_null());
    }
    assert!(rows.iter().any(|row| row["remark"] == json!("Love it 🎉")));
}

#[test]
fn answers_are_compressed_for_those_who_ask() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let url = format!("{}/publicapi/Interview/v3/ReadInterviewListCompact", sandbox.base_url());
    let authorization = format!("Bearer {}", api.token);
    let body = json!({ "surveyId": sandbox.survey_id() }).to_string();
    let mut headers = vec![("authorization", authorization.as_str()), ("content-type", "application/json")];
    let plain = send("POST", &url, &headers, body.as_bytes()).unwrap();
    headers.push(("accept-encoding", "br, gzip;q=0.8"));
    let zipped = send("POST", &url, &headers, body.as_bytes()).unwrap();
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
    assert!(zipped.body.len() * 5 < plain.body.len());
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&zipped.body[..]), &mut text).unwrap();
    assert_eq!(text, plain.body);
}
