//! Tries to find out which of two members has which values: by every tool that a session offers, with every way to filter, to
//! sort, to page and to plan. The members swap their values between two runs, so that every number of people stays the same; a
//! session that hides personal data must answer both runs alike.

use super::session::Session;
use serde_json::{Map, Value, json};
use sondage::blocking::Client;
use sondage::model::{CreateMembersRequest, InviteMembersRequest, NewMember, ReadInterviewListRequest};
use sondage_sandbox::{Cause, Sandbox};

/// Values that must not be found out. The first member's are those of the first row, until they are swapped.
const VALUES: [[(&str, &str); 4]; 2] = [
    [
        ("Email", "xanthippe@example.com"),
        ("FirstName", "Xanthippe"),
        ("Language", "en"),
        ("Division", "Sales"),
    ],
    [("Email", ""), ("FirstName", "Quentin"), ("Language", "fi"), ("Division", "")],
];
const REMARKS: [&str; 2] = ["my neighbour is Xanthippe", ""];

const OPERATORS: [&str; 18] = [
    "IsLessThan",
    "IsLessThanOrEqualTo",
    "IsGreaterThan",
    "IsGreaterThanOrEqualTo",
    "IsEqualTo",
    "IsNotEqualTo",
    "IsEmpty",
    "IsNotEmpty",
    "Contains",
    "DoesNotContain",
    "MatchRegex",
    "DoesNotMatchRegex",
    "AnyIsEqual",
    "AnyIsNotEqual",
    "AnyIsEmpty",
    "AnyIsNotEmpty",
    "AnyMatchRegex",
    "AnyDoesNotMatchRegex",
];

/// What could be filtered or sorted by: fields of members, answers, and hidden columns of lists.
const HIDDEN: [(&str, &str); 12] = [
    ("Panel", "Email"),
    ("Panel", "member.Email"),
    ("Panel", "Language"),
    ("Panel", "FirstName"),
    ("SQL", "Email"),
    ("SQL", "OptOutBy"),
    ("SQL", "UpdatedBy"),
    ("Question", "remark"),
    ("CustomVariable", "custom.Wave"),
    ("UrlVariable", "utm_source"),
    ("Language", "Language"),
    ("SQL", "Description"),
];

/// Two members, who were invited, and two interviews.
pub struct Planted {
    members: [i64; 2],
    interviews: [String; 2],
    distributor: i64,
}

/// Creates the members, and invites them.
pub fn plant(sandbox: &Sandbox) -> Planted {
    let client = client(sandbox);
    let new = ["first@example.com", "second@example.com"].map(|email| NewMember::of([("Email", email)]));
    let created = client.create_members(CreateMembersRequest::new(sandbox.panel_id(), new)).unwrap();
    let members: Vec<i64> = created.members_ids.into_iter().flatten().collect();
    let mut invite =
        InviteMembersRequest::new(sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id());
    invite.member_ids = Some(members.clone());
    let distributor = client.invite_members(invite).unwrap().distributor_id.unwrap();
    let request =
        ReadInterviewListRequest::new(sandbox.feedback_survey_id()).fields_to_download(vec!["Id".to_owned()]);
    let rows = client.read_interview_list_compact(request).unwrap().interviews;
    let ids: Vec<String> = rows[..2].iter().map(|row| row["Id"].as_str().unwrap().to_owned()).collect();
    let planted =
        Planted { members: members.try_into().unwrap(), interviews: ids.try_into().unwrap(), distributor };
    // The second one has no address, and has opted out.
    swap(sandbox, &planted, 0);
    planted
}

/// Gives the members and the interviews their values: 0 or 1 says who has which.
pub fn swap(sandbox: &Sandbox, planted: &Planted, turn: usize) {
    for at in 0..2 {
        let (member, row) = (planted.members[at], (at + turn) % 2);
        let fields = VALUES[row].iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        assert!(sandbox.emit(Cause::UpdateMember { member_id: member, fields }));
        let cause =
            if row == 1 { Cause::OptOut { member_id: member } } else { Cause::OptIn { member_id: member } };
        assert!(sandbox.emit(cause));
        assert!(sandbox.complete_interview(&planted.interviews[at], &[("remark", REMARKS[row].into())]));
    }
}

fn client(sandbox: &Sandbox) -> Client {
    sandbox.client().build_blocking().unwrap()
}

/// All calls that an extractor could think of.
pub fn attempts(sandbox: &Sandbox, planted: &Planted) -> Vec<(String, Value)> {
    let mut calls = Vec::new();
    let id = |at: usize| planted.members[at];
    for row in sondage::operations::ALL.iter().filter(|row| row.effect == sondage::Effect::Read) {
        let mut base = required(sandbox, row.name);
        base.insert("interviewId".to_owned(), planted.interviews[0].as_str().into());
        base.retain(|name, _| row.request.fields.iter().any(|field| field.wire == name));
        let takes = |name: &str| row.request.fields.iter().any(|field| field.wire == name);
        let mut with = |more: Value| {
            let mut request = base.clone();
            request.extend(more.as_object().unwrap().clone());
            calls.push((row.name.to_owned(), request.into()));
        };
        with(json!({}));
        if takes("fieldsToDownload") {
            for fields in [["Email"], ["Language"], ["remark"], ["Division"]] {
                with(json!({ "fieldsToDownload": fields, "interviewsRequired": true }));
            }
        }
        if !takes("conditions") {
            continue;
        }
        for (number, (kind, name)) in HIDDEN.iter().enumerate() {
            for (direction, size) in [("Ascending", 1), ("Descending", 300)] {
                let name = name.trim_start_matches("member.");
                let paging =
                    json!({ "page": 1, "pageSize": size, "orderField": name, "orderDirection": direction });
                with(json!({ "paging": paging }));
            }
            for operator in OPERATORS {
                let value = if number % 2 == 0 { VALUES[0][0].1 } else { "x" };
                let hidden = condition("And", kind, name, operator, value);
                with(json!({ "conditions": [hidden], "paging": { "page": 1, "pageSize": 1 } }));
                if !["Contains", "IsEqualTo"].contains(&operator) {
                    continue;
                }
                // Beside a condition that is allowed, so that one person is left.
                let one = condition("And", "SQL", "Id", "IsEqualTo", &id(0).to_string());
                with(json!({ "conditions": [one, hidden] }));
            }
        }
        let mut path = condition("And", "Panel", "Email", "IsNotEmpty", "");
        path["jsonPath"] = "$".into();
        with(json!({ "conditions": [path] }));
    }
    calls.extend(plans(sandbox, planted).into_iter().map(|plan| ("plan".to_owned(), plan)));
    calls
}

/// Plans with every way to choose people, on their own and among others.
fn plans(sandbox: &Sandbox, planted: &Planted) -> Vec<Value> {
    let [first, second] = planted.members;
    let all: Vec<i64> =
        client(sandbox).members(sandbox.panel_id()).into_iter().map(|it| it.unwrap().id).collect();
    let many = |with: &[i64]| -> Vec<i64> { all[..30].iter().chain(with).copied().collect() };
    let by_id = |ids: &[i64]| {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        json!([condition("And", "SQL", "Id", "AnyIsEqual", &ids.join(","))])
    };
    let mut choices = Vec::new();
    for ids in [vec![first], vec![second], many(&[first]), many(&[second])] {
        choices.push(json!({ "memberIds": ids }));
        choices.push(json!({ "where": by_id(&ids) }));
        choices.push(json!({ "where": by_id(&ids), "cap": 1 }));
        choices.push(json!({ "where": by_id(&ids), "otherLanguages": true }));
    }
    for (kind, name) in HIDDEN {
        for operator in OPERATORS {
            choices.push(json!({ "where": [condition("And", kind, name, operator, VALUES[0][0].1)] }));
        }
    }
    let test = json!({ "type": "Panel", "identifier": "Email", "operator": "Contains", "value": "xan" });
    choices.push(json!({ "where": { "not": { "and": [test] } } }));
    choices.push(json!({}));
    let (panel, survey, template) = (sandbox.panel_id(), sandbox.survey_id(), sandbox.message_template_id());
    let kinds = [
        (
            "InviteMembers",
            json!({ "panelId": panel, "surveyId": survey, "messageTemplateId": template, "again": true }),
        ),
        (
            "SendMail",
            json!({ "panelId": panel, "sender": "office@acme.example", "messageTemplateId": template }),
        ),
        ("RemindMembers", json!({ "distributorId": planted.distributor, "messageTemplateId": template })),
    ];
    let mut plans = Vec::new();
    for (operation, base) in kinds {
        let operation = if operation == "SendMail" { "ExecuteSendMail" } else { operation };
        for choice in &choices {
            let mut arguments = base.clone();
            for (name, value) in choice.as_object().unwrap() {
                // A reminder is for the people of a distributor.
                if operation != "RemindMembers" || name != "memberIds" {
                    arguments[name] = value.clone();
                }
            }
            plans.push(json!({ "operation": operation, "arguments": arguments }));
        }
    }
    plans
}

/// Plans that create and invite a person who is in the panel, and one who is not.
pub fn plans_of_rows(sandbox: &Sandbox) -> [Value; 2] {
    [VALUES[0][0].1, "stranger@example.com"].map(|email| {
        let rows = json!({ "objects": [{ "Email": email, "Language": "en" }] });
        let arguments = json!({ "surveyId": sandbox.survey_id(), "panelId": sandbox.panel_id(), "key": "Email",
                                "messageTemplateId": sandbox.message_template_id(), "rows": rows });
        json!({ "operation": "CreateAndInviteMembers", "arguments": arguments })
    })
}

fn condition(conjunction: &str, kind: &str, name: &str, operator: &str, value: &str) -> Value {
    json!({ "conjunction": conjunction, "conditionType": kind, "identifier": name, "conditionOperator": operator,
            "value": value })
}

fn required(sandbox: &Sandbox, operation: &str) -> Map<String, Value> {
    let survey = if operation.contains("Interview") || operation == "DownloadAnswers" {
        sandbox.feedback_survey_id()
    } else {
        sandbox.survey_id()
    };
    let all = json!({ "panelId": sandbox.panel_id(), "surveyId": survey, "workspaceId": sandbox.workspace_id(),
                      "language": "en", "workflow": "SurveyDesign", "currentState": "Published", "samplingProjectId": 1 });
    let Value::Object(mut all) = all else { unreachable!("an object") };
    match operation {
        // One of two.
        "ReadOptOutList" => drop(all.remove("workspaceId")),
        "ReadDistributorList" | "ReadBounceList" => drop(all.remove("panelId")),
        _ => {}
    }
    all
}

/// Whether an attempt is one of those that tell something in a session with personal data.
pub fn is_good(arguments: &Value) -> bool {
    let text = arguments.to_string();
    let all = |words: &[&str]| words.iter().all(|word| text.contains(word));
    all(&["\"Email\"", "\"Contains\"", "pageSize"])
        || all(&["\"orderField\":\"Email\"", "Descending"])
        || all(&["memberIds"])
        || all(&["RemindMembers", "otherLanguages"])
}

/// The answers to all attempts, without times, tokens and ids of requests.
pub fn answers(session: &mut Session, attempts: &[(String, Value)]) -> Vec<Value> {
    let answer = |(tool, arguments): &(String, Value)| {
        let mut answer =
            if tool == "plan" { session.call(tool, arguments) } else { session.read(tool, arguments) };
        let mut content = answer["structuredContent"].take();
        without_times(&mut content);
        if let Some(token) = content.get_mut("token") {
            token.take();
        }
        content
    };
    attempts.iter().map(answer).collect()
}

fn without_times(value: &mut Value) {
    match value {
        Value::String(text) if text.starts_with("20") && text.contains('T') && text.contains(':') => {
            "a time".clone_into(text);
        }
        Value::String(text) if text.contains(", request ") => {
            let end = text.find(", request ").unwrap_or_default();
            text.truncate(end);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        Value::Object(fields) => fields.values_mut().for_each(without_times),
        _ => {}
    }
}
