//! Models on the wire: they survive a round trip, and report clearly what they do not accept.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::internals::schema::{Kind, ModelSchema, Type};
use sondage::model::*;
use sondage::operation::Request;
use sondage::operations;

fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn write<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

fn why<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

/// The member of the specification, with all variations that it allows.
const MEMBER: &str = r#"{"id":9007199254740993,"fields":{
    "Email":{"name":"Email","fieldType":"String","value":"jürg@example.ch"},
    "Emoji":{"name":"Emoji","fieldType":"String","value":"😀"},
    "Empty":{"name":"Empty","fieldType":"String","value":""},
    "Absent":{"name":"Absent","fieldType":"Number"},
    "Gender":{"name":"Gender","fieldType":"Number","value":2},
    "Height":{"name":"Height","fieldType":"Real","value":1.78},
    "Big":{"name":"Big","fieldType":"Number","value":123456789012345678901234567890},
    "Flag":{"name":"Flag","fieldType":"String","value":true},
    "List":{"name":"List","fieldType":"Hologram","value":[1,"2"]}
},"createdAt":"2024-05-01T12:30:00Z","createdBy":"api","updatedAt":null,"updatedBy":null,"interviews":null}"#;

#[test]
fn a_member_arrives_whole() {
    let member: Member = read(MEMBER);
    assert_eq!(member.id, 9_007_199_254_740_993);
    assert_eq!(member.fields.keys().next().map(String::as_str), Some("Email"), "the order is kept");
    let value = |name: &str| member.fields[name].value.clone();
    assert_eq!(value("Email"), "jürg@example.ch".into());
    assert_eq!(value("Emoji"), "😀".into());
    assert_eq!(value("Empty"), "".into());
    assert_eq!(value("Absent"), FieldValue::Null);
    assert_eq!(value("Gender"), 2.into());
    assert_eq!(value("Height"), 1.78.into());
    assert_eq!(value("Flag"), true.into());
    assert!(
        matches!(value("Big"), FieldValue::Json(json) if json.as_str() == "123456789012345678901234567890")
    );
    assert!(matches!(value("List"), FieldValue::Json(json) if json.as_str() == r#"[1,"2"]"#));
    assert_eq!(member.fields["List"].field_type, VariableType::Unknown("Hologram".into()));
    assert_eq!(member.created_at.to_string(), "2024-05-01T12:30:00Z");
    assert!(member.interviews.is_empty() && member.updated_at.is_none());
    assert_eq!(read::<Member>(&write(&member)), member);
}

#[test]
fn unknown_fields_are_kept_reachable_and_sent_back() {
    let text = r#"{"name":"A","fieldType":"String","value":"x","colour":"red","nested":{"deep":[1.10,12345678901234567890]}}"#;
    let field: MemberField = read(text);
    assert_eq!(field.extra.get("colour").map(Json::as_str), Some(r#""red""#));
    assert_eq!(write(&field), text, "not a digit is lost");
    let list: ReadMemberListResponse = read(
        r#"{"members":[],"totalCount":0,"isSuccess":true,"errorCode":null,"errorMessage":null,"next":"t"}"#,
    );
    assert_eq!(list.extra.iter().count(), 1, "the envelope is not an unknown field");
    assert_eq!(list.extra.get("next").map(Json::as_str), Some(r#""t""#));
}

#[test]
fn unknown_words_of_open_sets_are_kept() {
    let field: MemberField = read(r#"{"name":"A","fieldType":"Hologram","value":1}"#);
    assert_eq!(field.field_type.as_str(), "Hologram");
    assert!(write(&field).contains(r#""fieldType":"Hologram""#));
    // The zero value of the service's own types is read like any other.
    let invalid: MemberField = read(r#"{"name":"A","fieldType":"Invalid","value":1}"#);
    assert_eq!(invalid.field_type, VariableType::Unknown("Invalid".into()));
    assert!(!VariableType::KNOWN.contains(&"Invalid"));
}

#[test]
fn lists_that_are_null_or_absent_are_empty() {
    for text in [r#"{"members":null,"totalCount":null}"#, "{}"] {
        let list: ReadMemberListResponse = read(text);
        assert!(list.members.is_empty() && list.total_count.is_none());
    }
    let made: CreateMembersResponse = read(r#"{"membersIds":[1,null,0],"validationIssues":null}"#);
    assert_eq!(made.members_ids, [Some(1), None, None]);
    let panel: PanelDefinition = read(r#"{"groups":null}"#);
    assert!(panel.groups.is_empty());
}

#[test]
fn numbers_lose_no_digit() {
    for text in ["9223372036854775807", "-9223372036854775808", "0", "0.1", "5e-324", "123456789.12345678"] {
        let value: FieldValue = read(text);
        assert!(!matches!(value, FieldValue::Json(_)), "{text}");
        assert_eq!(read::<FieldValue>(&write(&value)), value, "{text}");
    }
    for text in ["9223372036854775808", "0.12345678901234567890123", "1e400"] {
        let value: FieldValue = read(text);
        assert_eq!(write(&value), text, "kept as it came");
    }
    assert_eq!(read::<Interview>(r#"{"columns":[{"id":"Id"}]}"#).columns[0].value, FieldValue::Null);
}

#[test]
fn the_deprecated_token_call_answers_in_two_ways() {
    for text in [r#"{"accessToken":"geheim","isSuccess":true,"errorMessage":""}"#, r#""geheim""#] {
        let token: GetApiTokenResponse = read(text);
        assert_eq!(token.access_token.reveal(), "geheim");
    }
}

#[test]
fn secrets_are_sent_and_not_shown() {
    let request = GetApiTokenRequest::new("ann", "hunter2");
    assert!(write(&request).contains("hunter2"));
    let token: GetApiTokenResponse = read(r#""tok-123""#);
    let hook = CreateWebHookRequest::new(EventType::HardBounce, "*", "https://hook.example")
        .security_token("Bearer tok-123");
    for shown in [format!("{request:?}"), format!("{token:?}"), format!("{hook:#?}")] {
        assert!(!shown.contains("hunter2") && !shown.contains("tok-123"), "{shown}");
    }
    assert_eq!(request.password.to_string(), "***");
}

#[test]
fn a_request_sends_what_was_given_and_nothing_else() {
    assert_eq!(write(&ReadMemberListRequest::new(5)), r#"{"panelId":5}"#);
    let mut request = ReadMemberListRequest::new(5).fields_to_download(["Email"]).paging(Paging::new(100, 1));
    request.apply_defaults("acme");
    assert_eq!(
        write(&request),
        r#"{"tenant":"acme","panelId":5,"interviewsRequired":false,"fieldsToDownload":["Email"],"paging":{"pageSize":100,"page":1}}"#
    );
    // The caller's value is kept.
    let mut own = ReadMemberListRequest::new(5).tenant("other").interviews_required(true);
    own.apply_defaults("acme");
    assert!(
        write(&own).contains(r#""tenant":"other""#) && write(&own).contains(r#""interviewsRequired":true"#)
    );
    // An operation without a tenant field gets none.
    let mut invite = InviteMembersRequest::new(1, 2, 3);
    invite.apply_defaults("acme");
    assert_eq!(write(&invite), r#"{"surveyId":1,"panelId":2,"messageTemplateId":3}"#);
}

#[test]
fn a_request_takes_no_field_that_it_does_not_know() {
    let text = why::<ReadMemberListRequest>(r#"{"panelId":5,"panelID":6}"#);
    assert!(text.contains("unknown field `panelID`"), "{text}");
    let text = why::<ReadMemberListRequest>(r#"{"tenant":"acme"}"#);
    assert!(text.contains("missing field `panelId`"), "{text}");
    why::<ReadMemberListRequest>(r#"{"panelId":"5"}"#);
    why::<ReadMemberListRequest>(r#"{"panelId":5.5}"#);
}

#[test]
fn times_are_read_in_every_iso_form_and_written_in_one() {
    for (text, same) in [
        ("2024-05-01T12:30:00Z", "2024-05-01T12:30:00Z"),
        ("2024-05-01T14:30:00+02:00", "2024-05-01T12:30:00Z"),
        ("2024-05-01T12:30:00.125", "2024-05-01T12:30:00.125Z"),
        ("2024-05-01 12:30:00", "2024-05-01T12:30:00Z"),
        ("2024-05-01", "2024-05-01T00:00:00Z"),
    ] {
        assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), same, "{text}");
    }
    assert!(why::<Timestamp>(r#""2024-13-01""#).contains("`2024-13-01`"));
    // Text that does not look like a time may be a misplaced secret.
    assert!(why::<Timestamp>(r#""yesterday""#).contains("a text of 9 characters"));
}

#[test]
fn fields_come_in_any_order_and_a_repeated_one_does_no_harm() {
    let field: MemberField = read(r#"{"value":1,"value":2,"fieldType":"Number","name":"A"}"#);
    assert_eq!(field.value, 2.into());
}

/// Every model of the table, by name.
fn models() -> Vec<&'static ModelSchema> {
    fn add(model: &'static ModelSchema, all: &mut Vec<&'static ModelSchema>) {
        if all.iter().any(|known| known.name == model.name) {
            return;
        }
        all.push(model);
        for field in model.fields {
            inside(field.ty, all);
        }
    }
    fn inside(ty: &'static Type, all: &mut Vec<&'static ModelSchema>) {
        match ty {
            Type::Optional(inner) | Type::List(inner) | Type::Map(inner) => inside(inner, all),
            Type::Model(model) => add(model(), all),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for row in operations::ALL {
        add(row.request, &mut all);
        add(row.response, &mut all);
    }
    all
}

#[test]
fn names_are_camel_case_on_the_wire() {
    for model in models() {
        for field in model.fields {
            let camel = field.name.split('_').enumerate().map(|(i, word)| {
                if i == 0 { word.to_owned() } else { word[..1].to_uppercase() + &word[1..] }
            });
            // `type` is a Rust keyword: such a field has another name here.
            let expected = if field.wire == "type" { "type".to_owned() } else { camel.collect() };
            assert_eq!(field.wire, expected, "{}.{}", model.name, field.name);
        }
    }
}

/// A response never fails because of an absent field: a service may omit empty values.
#[test]
fn an_empty_answer_can_be_read() {
    for model in models()
        .into_iter()
        .filter(|model| model.kind == Kind::Response && model.name != "GetApiTokenResponse")
    {
        let required: Vec<_> =
            model.fields.iter().filter(|field| field.required).map(|field| field.wire).collect();
        assert_eq!(required, [""; 0], "{}", model.name);
    }
}

/// Anyone who has such a link can read or give the answers of a person.
#[test]
fn links_to_answers_are_not_shown() {
    let document: DownloadAnswersResponse = read(r#"{"downloadUrl":"https://example.com/download/218"}"#);
    let interview: MemberInterview = read(
        r#"{"id":"a","answersLink":"https://example.com/answers/a","interviewLink":"https://example.com/interview/a"}"#,
    );
    for shown in [format!("{document:?}"), format!("{interview:?}")] {
        assert!(!shown.contains("example.com"), "{shown}");
    }
    assert!(write(&document).contains("/download/218"));
}

/// The service's default for interviews is not published: there is no default here.
#[test]
fn what_a_deletion_takes_along_must_be_said() {
    for (text, wanted) in [
        (r#"{"panelId":5,"panelMembersIds":[1]}"#, false),
        (r#"{"panelId":5,"panelMembersIds":[1],"keepInterviews":true}"#, true),
    ] {
        assert_eq!(serde_json::from_str::<DeleteMembersRequest>(text).is_ok(), wanted, "{text}");
    }
    assert!(serde_json::from_str::<DeletePanelRequest>(r#"{"panelId":5}"#).is_err());
    assert!(serde_json::from_str::<DeleteDistributorRequest>(r#"{"distributorId":5}"#).is_err());
    assert!(serde_json::from_str::<DeleteSamplingProjectRequest>(r#"{"samplingProjectId":5}"#).is_err());
}
