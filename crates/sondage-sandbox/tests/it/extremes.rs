//! Well-formed but unreasonable requests: ids of other accounts, empty lists, huge lists. New rows of the table are
//! tested automatically.

use crate::http::Api;
use crate::known::Known;
use serde_json::{Value, json};
use sondage::internals::schema::Type;
use sondage::operation::{Effect, OperationInfo, RequestLocation};
use sondage::operations::ALL;
use sondage_sandbox::Sandbox;

fn rows() -> impl Iterator<Item = &'static OperationInfo> {
    ALL.iter().copied().filter(|row| row.effect != Effect::Token)
}

/// Fields that identify an object. The elements of a list of ids are checked one by one, if the response reports them one
/// by one.
fn is_id(wire: &str) -> bool {
    wire.ends_with("Id")
}

#[test]
fn ids_of_another_account_do_not_exist() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let mine = Known::of(sandbox.account(), sandbox.feedback_survey_id(), &api);
    let other = sandbox.account_of("other").unwrap();
    let theirs = Known::of(other, other.survey_id, &Api::of(other));
    let mut tried = 0;
    for row in rows() {
        for field in row.request.fields.iter().filter(|field| is_id(field.wire)) {
            let Some(foreign) = theirs.value(field.wire) else { continue };
            assert_ne!(Some(foreign), mine.value(field.wire), "{}: nothing would be shown", field.wire);
            let mut request = mine.request(&api, row);
            if row.name == "WriteOptOutList" {
                // The operation takes one scope only.
                request = json!({ "emails": request["emails"] });
            }
            request[field.wire] = foreign.clone();
            sandbox.ledger().clear();
            let (status, code, message) = api.refused(row.name, &request);
            let found = (status, code.ends_with("NotFound"), message.contains(&plain(foreign)));
            assert_eq!(found, (404, true, true), "{}.{}: {code} {message}", row.name, field.wire);
            assert_eq!(sandbox.ledger().effects("*"), [], "{}.{}", row.name, field.wire);
            tried += 1;
        }
    }
    assert!(tried > 40, "only {tried} ids were tried");
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// An account that is recreated whenever something has changed in it.
#[derive(Default)]
struct World(Option<(Sandbox, Api, Known)>);

impl World {
    /// Replaces a field, and checks that the sandbox either executes the call or says why not.
    fn answered(&mut self, row: &OperationInfo, wire: &str, value: Value) {
        let (sandbox, api, known) = self.0.get_or_insert_with(|| {
            let sandbox = Sandbox::demo_blocking().unwrap();
            let api = Api::new(&sandbox);
            let known = Known::of(sandbox.account(), sandbox.feedback_survey_id(), &api);
            (sandbox, api, known)
        });
        let mut request = known.request(api, row);
        request[wire] = value;
        sandbox.ledger().clear();
        let (status, answer) = api.call(row.name, &request);
        let good = answer["isSuccess"] == json!(status == 200);
        assert!(
            good && (status == 200 || (400..500).contains(&status)),
            "{}.{wire}: {status} {answer}",
            row.name
        );
        if status != 200 {
            assert!(
                answer["errorMessage"].as_str().is_some_and(|why| !why.is_empty()),
                "{}.{wire}",
                row.name
            );
            assert_eq!(sandbox.ledger().effects("*"), [], "{}.{wire} was refused", row.name);
        } else if row.effect != Effect::Read {
            self.0 = None;
        }
    }
}

/// A list with this many equal elements.
fn many(ty: &Type, count: usize) -> Option<Value> {
    let item = match ty {
        Type::Optional(inner) => return many(inner, count),
        Type::List(Type::Int) => json!(500_001),
        Type::List(Type::Text) => json!("Email"),
        Type::List(Type::Model(schema)) if schema().name == "Condition" => json!({
            "conjunction": "And", "conditionType": "SQL", "identifier": "Id",
            "conditionOperator": "IsEqualTo", "value": "1",
        }),
        Type::List(Type::Model(schema)) if schema().name == "NewMember" => json!({ "fields": {} }),
        Type::List(Type::Model(schema)) if schema().name == "MemberChange" => {
            json!({ "id": 500_001, "fields": {} })
        }
        Type::List(_) => json!({}),
        _ => return None,
    };
    Some(vec![item; count].into())
}

#[test]
fn empty_and_huge_lists_are_done_or_refused() {
    let (mut world, mut tried) = (World::default(), 0);
    for row in rows().filter(|row| row.location == RequestLocation::Body) {
        for field in row.request.fields {
            for count in [0, 1, 20_000] {
                let Some(list) = many(field.ty, count) else { continue };
                world.answered(row, field.wire, list);
                tried += 1;
            }
        }
    }
    assert!(tried > 60, "only {tried} lists were tried");
}

#[test]
fn empty_and_huge_texts_are_done_or_refused() {
    let (mut world, mut tried) = (World::default(), 0);
    for row in rows().filter(|row| row.location == RequestLocation::Body) {
        for field in row.request.fields {
            let text = matches!(field.ty, Type::Text | Type::Optional(Type::Text));
            for value in ["", " ", "\0", "\u{202e}🙂", &"x".repeat(1 << 20)] {
                if text {
                    world.answered(row, field.wire, json!(value));
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 100, "only {tried} texts were tried");
}

#[test]
fn the_ends_of_numbers_are_done_or_refused() {
    let mut world = World::default();
    for row in rows().filter(|row| row.location == RequestLocation::Body) {
        for field in row.request.fields {
            if matches!(field.ty, Type::Int | Type::Optional(Type::Int)) {
                for value in [i64::MIN, -1, 0, i64::MAX] {
                    world.answered(row, field.wire, json!(value));
                }
            }
        }
    }
}

#[test]
fn a_field_that_is_asked_for_twice_comes_once() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let members = json!({
        "tenant": "demo", "panelId": sandbox.panel_id(), "fieldsToDownload": ["Email", "Division", "Email"], "paging": { "page": 1, "pageSize": 1 },
    });
    let interviews = json!({
        "surveyId": sandbox.feedback_survey_id(), "fieldsToDownload": ["Id", "nps", "Id"],
        "paging": { "page": 1, "pageSize": 1 },
    });
    for (operation, request, name) in [
        ("ReadMemberList", &members, "\"Email\":{"),
        ("ReadInterviewListCompact", &interviews, "\"Id\":"),
        ("ReadInterviewList", &interviews, "\"id\":\"Id\""),
    ] {
        let text = api.send(operation, request).unwrap().text();
        assert_eq!(text.matches(name).count(), 1, "{operation}: {text}");
    }
}
