//! Six real questionnaires: what they have, and what the answers of 300 people in the sandbox have of it. `cargo test -p sondage-sandbox
//! fidelity -- --nocapture` prints the table.

use crate::features::{Counts, NOT_AVAILABLE, list, objects};
use crate::http::{Api, send};
use serde_json::{Map, Value, json};
use sondage::internals::hex::sha256;
use sondage_sandbox::{Fill, GivenRows, Sandbox};
use std::path::PathBuf;

const SHAPES: [u32; 6] = [1, 2, 3, 5, 6, 8];
const PEOPLE: usize = 300;

fn path(shape: u32) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/shapes/survey-{shape}.json"))
}

/// A sandbox with a survey of this shape, as the only survey of its user.
fn sandbox(shape: u32) -> Sandbox {
    Sandbox::builder().survey(path(shape)).start_blocking().expect("a sandbox")
}

#[test]
fn the_data_have_what_real_questionnaires_have() {
    let mut counts = Counts::default();
    for number in SHAPES {
        let shape: Value = serde_json::from_str(&std::fs::read_to_string(path(number)).unwrap()).unwrap();
        let sandbox = sandbox(number);
        let api = Api::new(&sandbox);
        let id = sandbox.survey_id();
        assert_eq!(sandbox.survey_ids().values().collect::<Vec<_>>(), [&id]);
        assert_eq!(sandbox.fill(&Fill::new(id).people(PEOPLE).seed(7)).unwrap().len(), PEOPLE);
        counts.add(&api, id, &shape);
        let whole = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id }));
        let rows = list(&whole, "interviews");
        assert_eq!(rows.len(), PEOPLE);
        // The other form has the same values.
        let structured = api.ok("ReadInterviewList", &json!({ "surveyId": id }));
        for (row, other) in rows.iter().zip(list(&structured, "interviews")) {
            let columns = list(other, "columns").iter();
            let columns: Map<String, Value> = columns
                .map(|column| (column["id"].as_str().unwrap().to_owned(), column["value"].clone()))
                .collect();
            assert_eq!(row.as_object().unwrap(), &columns);
        }
    }
    println!("| feature | in six questionnaires | in the data |\n|---|--:|--:|");
    for (feature, shapes, data) in counts.iter() {
        println!("| {feature} | {shapes} | {data} |");
    }
    for (feature, shapes, data) in counts.iter() {
        assert_eq!(shapes > 0, data > 0, "{feature}: {shapes} in the questionnaires, {data} in the data");
    }
}

/// What the API shows of a survey is accepted as a new survey and as a change, and is then shown unchanged.
#[test]
fn what_was_read_can_be_sent_back() {
    for number in SHAPES {
        let sandbox = sandbox(number);
        let api = Api::new(&sandbox);
        let read = |id: &Value| api.ok("ReadSurvey", &json!({ "surveyId": id }))["survey"].clone();
        let definition = read(&json!(sandbox.survey_id()));
        let create =
            json!({ "workspaceId": sandbox.workspace_id(), "name": "Copy", "surveyDefinition": definition });
        let copy = api.ok("CreateSurvey", &create)["surveyId"].clone();
        assert_eq!(read(&copy), definition, "shape {number}");
        api.ok("UpdateSurvey", &json!({ "surveyId": copy, "surveyDefinition": definition }));
        assert_eq!(read(&copy), definition, "shape {number}");
    }
}

/// The editor's own fields are for its exports only.
#[test]
fn the_api_refuses_the_fields_of_the_editor() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let shape: Value = serde_json::from_str(&std::fs::read_to_string(path(1)).unwrap()).unwrap();
    let create = json!({ "workspaceId": sandbox.workspace_id(), "name": "x", "surveyDefinition": shape });
    let (_, _, message) = Api::new(&sandbox).refused("CreateSurvey", &create);
    assert!(message.contains("enableAutoNextPage is not a field"), "{message}");
}

/// The digest was computed on another machine: it changes only with what is invented.
#[test]
fn the_same_seed_survey_and_time_make_the_same_bytes_on_every_machine() {
    let mut answers = String::new();
    for number in SHAPES {
        let sandbox = sandbox(number);
        sandbox.clock().freeze("2026-03-02T09:00:00Z".parse().unwrap());
        for _ in 0..2 {
            sandbox.fill(&Fill::new(sandbox.survey_id()).people(25).seed(7)).unwrap();
        }
        let rows = Api::new(&sandbox)
            .ok("ReadInterviewListCompact", &json!({ "surveyId": sandbox.survey_id() }))["interviews"]
            .clone();
        assert_eq!(list(&json!({ "rows": rows }), "rows").len(), 50, "the second half are other people");
        // The port of the links is a free one.
        answers += &rows.to_string().replace(sandbox.base_url(), "");
    }
    assert_eq!(
        sha256(answers.as_bytes()),
        "fc3a70aefbd33231e63c789509c0b2b8ec4c37a63ce59d9532c9eb53909a52c4"
    );
}

/// A page behind the public link, for each shape: every column that is asked without conditions has a field.
#[test]
fn a_respondent_can_answer_real_questionnaires() {
    for number in SHAPES {
        let sandbox = sandbox(number);
        let api = Api::new(&sandbox);
        let links = api.ok("ReadSurveyLinks", &json!({ "surveyId": sandbox.survey_id() }));
        let mut url = None;
        objects(&links, &mut |part| {
            url = url.take().or_else(|| {
                part.values().find_map(|value| value.as_str().filter(|text| text.contains("/survey/")))
            });
        });
        let url = url.expect("a public link");
        let mark = if url.contains('?') { '&' } else { '?' };
        let read = |page: usize| {
            let page =
                send("GET", &format!("{url}{mark}page={page}"), &[("accept", "text/html")], b"").unwrap();
            assert_eq!(page.status, 200);
            page.text()
        };
        let first = read(1);
        let count = first.split("Page 1 of ").nth(1).and_then(|rest| rest.split('<').next()?.parse().ok());
        let page: String = (1..=count.unwrap_or(1)).map(read).collect();
        assert!(page.contains("class=\"grid\"") || number == 2, "shape {number} has matrices");
        assert!(
            !page.contains("&lt;strong&gt;") && !page.contains("&amp;nbsp;"),
            "shape {number} shows markup"
        );
    }
}

/// A long questionnaire has pages, and each is saved before the next.
#[test]
fn a_respondent_goes_from_page_to_page() {
    let sandbox = Sandbox::builder().generated_survey(1, 40).start_blocking().unwrap();
    let survey = sandbox.generated_survey_id().unwrap();
    let links = Api::new(&sandbox).ok("ReadSurveyLinks", &json!({ "surveyId": survey })).to_string();
    let path = links.split("/survey/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let public = format!("{}/survey/{path}", sandbox.base_url());
    let open = |url: &str| send("GET", url, &[("accept", "text/html")], b"").unwrap().text();
    let post = |url: &str, form: &str| {
        let answer = send("POST", url, &[("origin", sandbox.base_url())], form.as_bytes()).unwrap();
        let next = answer.header("location").map(|path| format!("{}{path}", sandbox.base_url()));
        next.ok_or_else(|| answer.text())
    };
    let first = open(&public);
    let field = first.split("<input type=\"radio\" name=\"").nth(1).unwrap();
    let (name, rest) = field.split_once("\" value=\"").unwrap();
    let value = rest.split('"').next().unwrap();
    assert!(
        first.contains("Page 1 of 4")
            && first.contains("value=\"next\"")
            && !first.contains("value=\"back\""),
        "{first}"
    );
    let second = post(&public, &format!("{name}={value}&do=next")).unwrap();
    assert!(second.ends_with("page=2"), "{second}");
    let page = open(&second);
    assert!(page.contains("Page 2 of 4") && !page.contains(&format!("name=\"{name}\"")), "{page}");
    let back = post(&second, "do=back").unwrap();
    let again = open(&back);
    assert!(
        again.contains(&format!("name=\"{name}\" value=\"{value}\" checked")),
        "the answer was saved: {again}"
    );
    let mut url = post(&back, &format!("{name}={value}&do=next")).unwrap();
    for page in [3, 4] {
        url = post(&url, "do=next").unwrap();
        assert!(url.ends_with(&format!("page={page}")), "{url}");
    }
    assert!(open(&url).contains("value=\"send\""));
    let saved = post(&url, "do=later").unwrap();
    assert!(open(&saved).contains("go on where you stopped"));
    let end = post(&url, "do=send").unwrap_err();
    assert!(end.contains("Thank you"), "{end}");
    let request = json!({ "surveyId": survey, "fieldsToDownload": ["State", name] });
    let rows = Api::new(&sandbox).ok("ReadInterviewListCompact", &request)["interviews"].clone();
    let last = rows.as_array().and_then(|rows| rows.last()).unwrap();
    assert_eq!(last["State"], "Completed");
    assert_eq!(last[name].to_string().trim_matches('"'), value, "{last}");
}

#[test]
fn not_available_is_a_setting() {
    let sandbox = sandbox(3);
    let api = Api::new(&sandbox);
    let id = sandbox.survey_id();
    let read = || api.ok("ReadInterviewListCompact", &json!({ "surveyId": id, "loadCodePlan": true }));
    let codes = |whole: &Value, code: &str| {
        let values = list(whole, "codePlan").iter().flat_map(|entry| list(entry, "values"));
        values.filter(|value| value["id"] == code).count()
    };
    let count = |whole: &Value, code: i64| {
        let rows = list(whole, "interviews").iter();
        rows.flat_map(|row| row.as_object().unwrap().values()).filter(|answer| **answer == code).count()
    };
    sandbox.fill(&Fill::new(id).people(20).seed(1)).unwrap();
    let by_default = read();
    assert!(codes(&by_default, "9999999") > 50 && count(&by_default, NOT_AVAILABLE) > 0);
    sandbox.change_profile(|profile| profile.not_available_in_code_plan = false);
    assert_eq!(codes(&read(), "9999999"), 0);
    sandbox.change_profile(|profile| {
        (profile.not_available_in_code_plan, profile.not_available) = (true, Some(-77));
    });
    sandbox.fill(&Fill::new(id).people(20).seed(2)).unwrap();
    assert!(count(&read(), -77) > 0 && codes(&read(), "-77") > 50);
    let before = count(&read(), -77) + count(&read(), NOT_AVAILABLE);
    sandbox.change_profile(|profile| profile.not_available = None);
    sandbox.fill(&Fill::new(id).people(20).seed(3)).unwrap();
    assert_eq!((count(&read(), -77) + count(&read(), NOT_AVAILABLE), codes(&read(), "9999999")), (before, 0));
}

/// A question that is asked of some only, after one that everybody is asked.
#[test]
fn answers_that_lead_further_show_the_page_again() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let text = |text: &str| json!([{ "languageCode": "en", "text": text }]);
    let choice = |id: i64, label: &str| {
        json!({ "id": id, "code": id.to_string(), "text": text(label), "allowTextEntry": id == 2, "forceInput": id == 2,
                "autocomplete": false, "exclusive": false })
    };
    let condition = json!({ "conditionAction": "Passes", "elements": [{ "conjunction": "And", "conditionType": "Question",
        "identifier": "visits", "conditionOperator": "AnyIsEqual", "value": "2,9999999" }] });
    let elements = json!([
        { "id": 1, "elementType": "SingleChoice", "code": "visits", "text": text("<b>Visits</b>"), "forceResponse": true,
          "hasNotAvailableChoice": true, "notAvailableChoiceText": text("No idea"), "choices": [choice(1, "One"), choice(2, "Others")] },
        { "id": 2, "elementType": "OpenQuestion", "code": "why", "text": text("Why?"), "condition": condition, "forceResponse": true },
    ]);
    let definition = json!({
        "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false, "codeAccessMode": "None",
        "defaultLanguage": "en", "languages": ["EN"], "customVariables": [], "surveyEndText": text("Bye"),
        "sections": [{ "id": 1, "name": "Visits", "randomizePages": false, "excludeFromRandomization": false, "elements": elements }],
    });
    let create =
        json!({ "workspaceId": sandbox.workspace_id(), "name": "Visits", "surveyDefinition": definition });
    let id = api.ok("CreateSurvey", &create)["surveyId"].clone();
    let publish = json!({ "workflow": "SurveyDesign", "surveyId": id, "targetState": "Published" });
    api.ok("ExecuteWorkflowTransition", &publish);
    let mut link = None;
    objects(&api.ok("ReadSurveyLinks", &json!({ "surveyId": id })), &mut |part| {
        let texts = part.values().filter_map(Value::as_str);
        link =
            link.take().or_else(|| texts.filter(|text| text.contains("/survey/")).map(str::to_owned).next());
    });
    let link = link.unwrap();
    let submit = |url: &str, fields: &[(&str, &str)]| {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let origin = sandbox.base_url();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("accept", "text/html"),
            ("origin", origin),
        ];
        send("POST", url, &headers, body.as_bytes()).unwrap()
    };
    let first = send("GET", &link, &[("accept", "text/html")], b"").unwrap().text();
    assert!(
        first.contains("No idea")
            && first.contains("name=\"visits_2_text\"")
            && !first.contains("name=\"why\""),
        "{first}"
    );
    assert!(first.contains("Visits <abbr"), "the label has no markup: {first}");
    let empty = submit(&link, &[("do", "send")]);
    assert!(
        empty.status == 400 && empty.text().contains("Visits: an answer is required"),
        "{}",
        empty.text()
    );
    let unwritten = submit(&link, &[("visits", "2"), ("do", "send")]);
    assert!(
        unwritten.status == 400 && unwritten.text().contains("an answer is required"),
        "{}",
        unwritten.text()
    );
    let led = submit(&link, &[("visits", "2"), ("visits_2_text", "seven"), ("do", "send")]);
    assert_eq!(led.status, 303);
    let next = format!("{}{}", sandbox.base_url(), led.header("location").unwrap());
    let page = send("GET", &next, &[("accept", "text/html")], b"").unwrap().text();
    assert!(
        page.contains("lead to further questions")
            && page.contains("name=\"why\"")
            && page.contains("value=\"seven\""),
        "{page}"
    );
    let given = [("visits", "9999999"), ("visits_2_text", "seven"), ("why", "because"), ("do", "send")];
    let refused = submit(&next, &given);
    assert!(
        refused.status == 400 && refused.text().contains("a text beside a choice that was not taken"),
        "{}",
        refused.text()
    );
    let given = [("visits", "9999999"), ("why", "because"), ("do", "send")];
    assert!(submit(&next, &given).text().contains("Thank you"));
    let row = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id }))["interviews"][0].clone();
    assert_eq!(
        (&row["visits"], &row["why"], &row["State"]),
        (&json!(NOT_AVAILABLE), &json!("because"), &json!("Completed"))
    );
    // Nobody is asked why after one visit, and an answer to it does not count.
    let other = submit(&link, &[("visits", "1"), ("why", "smuggled"), ("do", "send")]);
    assert!(other.text().contains("Thank you"), "{}", other.text());
    let rows = api.ok("ReadInterviewListCompact", &json!({ "surveyId": id }))["interviews"].clone();
    assert_eq!((&rows[1]["visits"], &rows[1]["why"]), (&json!(1), &Value::Null));
}

/// What people were let answer is accepted as answers, row by row.
#[test]
fn answers_that_were_filled_in_can_be_given() {
    for number in SHAPES {
        let sandbox = sandbox(number);
        let id = sandbox.survey_id();
        sandbox.fill(&Fill::new(id).people(200).seed(5)).unwrap();
        let whole = Api::new(&sandbox)
            .ok("ReadInterviewListCompact", &json!({ "surveyId": id, "loadCodePlan": true }));
        let codes: Vec<&str> =
            list(&whole, "codePlan").iter().filter_map(|entry| entry["code"].as_str()).collect();
        let rows = list(&whole, "interviews").iter();
        let rows = rows
            .map(|row| codes.iter().map(|code| ((*code).to_owned(), row[*code].clone())).collect())
            .collect();
        let given = GivenRows { survey_id: id, rows };
        assert_eq!(sandbox.answer(&given).expect("accepted").len(), 200, "shape {number}");
    }
}
