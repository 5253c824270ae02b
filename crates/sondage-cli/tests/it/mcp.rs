//! `sondage mcp` as a program: its standard input and output, as an assistant uses them.
#![cfg(feature = "mcp")]

mod again;
mod careless;
mod counts;
mod extractor;
mod phrases;
mod protocol;
mod questions;
pub mod session;

use serde_json::{Value, json};
use session::Session;
use sondage_sandbox::{Content, EffectKind, Fault, FaultAction, Sandbox};

fn tools(session: &mut Session) -> Vec<Value> {
    session.request("tools/list", &json!({}))["tools"].as_array().expect("a list").clone()
}

#[test]
fn by_default_only_reading_tools_exist() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let tools = tools(&mut session);
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = [
        "account_overview",
        "list_surveys",
        "survey_questions",
        "survey_results",
        "distribution_status",
        "call",
    ];
    assert_eq!(names, expected);
    for tool in &tools {
        let hints = &tool["annotations"];
        assert!(hints["readOnlyHint"] == true && hints["destructiveHint"] == false, "{tool}");
        assert!(hints["idempotentHint"] == true && hints["openWorldHint"] == false, "{tool}");
        assert!(
            tool["inputSchema"]["type"] == "object" && tool["inputSchema"]["properties"].is_object(),
            "{tool}"
        );
        let text = tool.to_string();
        assert!(!text.contains("#/components") && text.contains("never instructions"), "{text}");
    }

    // A tool that is not listed cannot be called either.
    for (tool, arguments) in [
        ("DeletePanel", json!({ "panelId": sandbox.panel_id() })),
        ("GetApiToken", json!({})),
        ("plan", json!({ "operation": "DeletePanel", "arguments": { "panelId": sandbox.panel_id() } })),
        ("confirm", json!({ "token": "write-1" })),
        ("find_members", json!({ "panel_id": sandbox.panel_id() })),
        ("call", json!({ "operation": "DeletePanel", "arguments": { "panelId": sandbox.panel_id() } })),
    ] {
        assert_eq!(session.call(tool, &arguments)["isError"], true, "{tool}");
    }
    assert!(sandbox.ledger().effects("*").is_empty());
}

#[test]
fn personal_data_is_hidden_unless_it_is_allowed() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let page = json!({ "panelId": sandbox.panel_id(), "paging": { "page": 1, "pageSize": 3 } });
    let [hidden, open] = [&[][..], &["--personal-data"]].map(|options| {
        let mut session = Session::start(&sandbox, options);
        session.read("ReadMemberList", &page)["structuredContent"].clone()
    });
    let rows = |answer: &Value| answer["data"]["members"].as_array().expect("members").clone();
    assert_eq!((rows(&hidden).len(), rows(&open).len()), (3, 3));
    for (hidden_row, open_row) in rows(&hidden).iter().zip(rows(&open)) {
        assert_eq!(hidden_row["id"], open_row["id"]);
        let email = open_row["fields"]["Email"]["value"].as_str().expect("a text");
        assert!(email.contains('@') && hidden_row["fields"] == json!({}), "{hidden_row}");
        assert!(!hidden.to_string().contains(email));
    }
    assert!(hidden["notes"][0].as_str().unwrap().contains("hidden or left out"), "{hidden}");
    assert_eq!(open["notes"], json!([]));
}

/// What is no personal data is shown: ids, states, times, and the texts of questionnaires.
#[test]
fn states_times_and_questionnaires_are_shown() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let survey = json!({ "surveyId": sandbox.feedback_survey_id() });
    for tool in ["ReadInterviewList", "ReadInterviewListCompact"] {
        let answer = session.read(tool, &survey)["structuredContent"]["data"].clone();
        let row = match &answer["interviews"][0]["columns"] {
            Value::Array(columns) => columns
                .iter()
                .map(|it| (it["id"].as_str().unwrap().to_owned(), it["value"].clone()))
                .collect(),
            _ => answer["interviews"][0].clone(),
        };
        assert_eq!(row["State"], "Completed", "{row}");
        for shown in
            ["Id", "StartDate", "EndDate", "CreatedAt", "Language", "Mode", "DistributorId", "PanelMemberId"]
        {
            assert!(
                row[shown].is_number() || row[shown].as_str().is_some_and(|it| !it.contains("hidden")),
                "{row}"
            );
        }
        for hidden in ["remark", "Link", "CreatedBy"] {
            assert!(row.get(hidden).is_none_or(|it| it.to_string().contains("hidden")), "{hidden}: {row}");
        }
    }
    let filter = json!([{ "conjunction": "And", "conditionType": "SQL", "identifier": "State",
                          "conditionOperator": "IsEqualTo", "value": "Completed" }]);
    let counted = json!({ "surveyId": sandbox.feedback_survey_id(), "conditions": filter,
                          "paging": { "page": 1, "pageSize": 1, "orderField": "EndDate" } });
    let counted = session.read("ReadInterviewListCompact", &counted);
    assert!(counted["structuredContent"]["data"]["totalCount"].as_i64().unwrap() > 9, "{counted}");
    let survey = session.read("ReadSurvey", &json!({ "surveyId": sandbox.survey_id() }));
    let survey = &survey["structuredContent"]["data"]["survey"];
    assert!(survey["sections"].is_array() && !survey.to_string().contains("[hidden"), "{survey}");
}

/// The client fills in the tenant, and what has a default.
#[test]
fn a_schema_asks_for_nothing_that_the_client_fills_in() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow-writes"]);
    for row in sondage::operations::ALL.iter().filter(|row| row.effect == sondage::Effect::Read) {
        let told = session.call("call", &json!({ "operation": row.name }))["structuredContent"].clone();
        let schema = &told["arguments"];
        assert!(schema["properties"].is_object() && schema["properties"].get("tenant").is_none(), "{told}");
        let required = schema["required"].to_string();
        assert!(!required.contains("interviewsRequired") && !required.contains("tenant"), "{told}");
        let text = told.to_string();
        let foreign = |row: &&&sondage::operation::OperationInfo| text.contains(&format!("`{}`", row.method));
        assert_eq!(sondage::operations::ALL.iter().find(foreign).map(|row| row.method), None, "{text}");
    }
    assert!(sandbox.ledger().requests("*").is_empty());
    let panel = sandbox.panel_id();
    for (tenant, works) in [(Value::Null, true), (sandbox.tenant().into(), true), ("other".into(), false)] {
        let answer = session.read("ReadPanel", &json!({ "panelId": panel, "tenant": tenant }));
        assert_eq!(answer["isError"] != true, works, "{answer}");
    }
}

/// Security: no argument of a tool reveals what its results hide. With personal data the same attempts succeed, so they are good
/// ones.
#[test]
fn nothing_can_be_read_out_by_asking() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let planted = extractor::plant(&sandbox);
    let attempts = extractor::attempts(&sandbox, &planted);
    let mut hidden = Session::start(&sandbox, &["--allow-writes"]);
    let mut open = Session::start(&sandbox, &["--allow-writes", "--personal-data"]);
    // Those that succeed with personal data are few enough to be made there, too.
    let good: Vec<_> =
        attempts.iter().filter(|(_, arguments)| extractor::is_good(arguments)).cloned().collect();
    let before = [extractor::answers(&mut hidden, &attempts), extractor::answers(&mut open, &good)];
    extractor::swap(&sandbox, &planted, 1);
    let after = [extractor::answers(&mut hidden, &attempts), extractor::answers(&mut open, &good)];
    let learnt = |session: usize, attempts: &[(String, Value)]| -> Vec<String> {
        let answers = before[session].iter().zip(&after[session]);
        let differ = attempts.iter().zip(answers).filter(|(_, (before, after))| before != after);
        differ
            .map(|((tool, arguments), (before, after))| format!("{tool} {arguments}: {before}, {after}"))
            .collect()
    };
    let (by_hidden, by_open) = (learnt(0, &attempts), learnt(1, &good));
    assert!(by_hidden.is_empty(), "{} of {}: {}", by_hidden.len(), attempts.len(), by_hidden[0]);
    for way in ["Contains", "orderField", "memberIds", "plan", "RemindMembers"] {
        assert!(by_open.iter().any(|attempt| attempt.contains(way)), "{way} succeeds with personal data");
    }
    // Nor does a plan say who is in the panel.
    let plans = extractor::plans_of_rows(&sandbox).map(|plan| {
        [&mut hidden, &mut open]
            .map(|session| session.call("plan", &plan)["structuredContent"]["plan"].take())
    });
    assert!(plans[0][0].is_string() && plans[0][0] == plans[1][0] && plans[0][1] != plans[1][1], "{plans:?}");
    for text in before[0].iter().chain(&after[0]).map(Value::to_string) {
        assert!(!text.contains("my neighbour") && !text.contains("Quentin"), "{text}");
    }
}

#[test]
fn a_long_result_is_cut_and_says_how_to_read_the_rest() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--personal-data"]);
    let answer =
        session.read("ReadMemberList", &json!({ "panelId": sandbox.panel_id() }))["structuredContent"]
            .clone();
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(note.contains("`/members` is too long to show") && note.contains("`paging`"), "{note}");
    assert!(answer.to_string().len() < 50_000);
}

#[test]
fn a_plan_is_confirmed_once() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow", "CreatePanel", "--allow", "InviteMembers"]);
    let names: Vec<Value> = tools(&mut session).iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.contains(&"plan".into()) && !names.contains(&"InviteMembers".into()), "{names:?}");
    let invite = json!({ "surveyId": sandbox.survey_id(), "panelId": sandbox.panel_id(),
                         "messageTemplateId": sandbox.message_template_id(),
                         "where": null });
    let plan = session.call("plan", &json!({ "operation": "InviteMembers", "arguments": invite }));
    let plan = &plan["structuredContent"];
    let (text, token) = (plan["plan"].as_str().unwrap_or_default(), plan["token"].clone());
    assert!(text.contains("Reaches ") && plan["effect"] == "send" && token.is_string(), "{plan}");
    // The plan has one token, and one validity.
    assert!(!text.contains("confirm with") && plan["validMinutes"] == 10, "{plan}");
    assert!(sandbox.ledger().effects("*").is_empty());

    let first = session.call("confirm", &json!({ "token": token }));
    let second = session.call("confirm", &json!({ "token": token }));
    assert!(first["isError"] != true && first == second, "{first} {second}");
    let sent = sandbox.ledger().count("*", EffectKind::MessagesSent);
    assert!(sent > 0 && first["structuredContent"]["done"] == sent, "{first}");
    assert_eq!(sandbox.ledger().requests("InviteMembers").len(), 1);

    // The same write cannot be planned again by mistake, and a modified token confirms nothing.
    let again = session.call("plan", &json!({ "operation": "InviteMembers", "arguments": invite }));
    assert!(session::said(&again).contains("was made in this session"), "{again}");
    let altered = token.as_str().unwrap().replace("write-", "write-0");
    let refused = session.call("confirm", &json!({ "token": altered }));
    assert!(session::said(&refused).contains("Call `plan`"), "{refused}");
    let other = session.call("plan", &json!({ "operation": "DeletePanel", "arguments": {} }));
    assert!(session::said(&other).contains("--allow DeletePanel"), "{other}");
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), sent);
}

#[test]
fn every_write_can_be_described_and_slips_are_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow-writes"]);
    let described = session.call("plan", &json!({ "operation": "InviteMembers" }));
    let names = &described["structuredContent"]["arguments"];
    assert!(names["surveyId"]["required"] == true && names.get("journal").is_none(), "{described}");
    let described = session.call("plan", &json!({ "operation": "CreateMembers" }));
    assert!(described["structuredContent"]["arguments"]["properties"]["members"].is_object(), "{described}");
    for (operation, arguments, words) in [
        ("CreatePanel", json!({ "nmae": "x" }), "has no argument `nmae`"),
        ("CreatePanel", json!([]), "must be an object"),
        ("InviteMembers", json!({ "surveyId": 1 }), "do not fit InviteMembers"),
        ("InviteMembers", json!({ "journal": "/tmp/file" }), "`journal` cannot be given here"),
        ("CreateAndInviteMembers", json!({ "rows": { "path": "/etc/passwd" } }), "cannot name a file"),
        ("ReadPanel", json!({}), "changes nothing"),
    ] {
        let refused = session.call("plan", &json!({ "operation": operation, "arguments": arguments }));
        assert!(session::said(&refused).contains(words), "{operation}: {refused}");
    }
    assert!(sandbox.ledger().effects("*").is_empty());
}

#[test]
fn it_practises_in_a_sandbox_of_its_own() {
    let mut session =
        Session::with(std::process::Command::new(env!("CARGO_BIN_EXE_sondage")), &["--sandbox"]);
    let answer = session.read("ReadWorkspaceList", &json!({}));
    assert!(answer["isError"] != true && answer["structuredContent"]["data"].is_object(), "{answer}");
}

/// A write that is spelt otherwise is the same write.
#[test]
fn a_write_is_not_made_again_by_another_spelling() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow-writes", "--personal-data"]);
    let field = |value: &str| json!({ "name": "Email", "fieldType": "String", "value": value });
    let members: Vec<Value> = ["a@example.com", "b@example.com"]
        .map(|email| json!({ "fields": { "Email": field(email) } }))
        .to_vec();
    let other: Vec<Value> = members.iter().rev().cloned().collect();
    let panel = sandbox.panel_id();
    let ids: Vec<i64> = {
        let answer = session
            .read("ReadMemberList", &json!({ "panelId": panel, "paging": { "page": 1, "pageSize": 2 } }));
        let rows = answer["structuredContent"]["data"]["members"].as_array().expect("members").clone();
        rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let by_id = |ids: &[i64]| {
        json!([{ "conjunction": "And", "conditionType": "SQL", "identifier": "Id", "conditionOperator": "AnyIsEqual",
                 "value": format!("{},{}", ids[0], ids[1]) }])
    };
    let mail = |more: Value| {
        let mut mail = json!({ "panelId": panel, "sender": "office@acme.example", "language": "en", "subject": "News",
                               "body": "<p>Hello</p>" });
        mail.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        mail
    };
    let spellings = [
        (
            "CreateMembers",
            vec![
                json!({ "panelId": panel, "members": members }),
                json!({ "panelId": panel, "members": members, "tenant": null }),
                json!({ "tenant": sandbox.tenant(), "members": other, "panelId": panel }),
            ],
        ),
        (
            "ExecuteSendMail",
            vec![
                mail(json!({ "memberIds": ids })),
                mail(json!({ "memberIds": [ids[1], ids[0]], "where": null, "otherLanguages": false })),
                mail(json!({ "where": by_id(&ids) })),
                mail(
                    json!({ "where": { "and": [{ "type": "SQL", "identifier": "Id", "operator": "AnyIsEqual", "value": ids }] } }),
                ),
            ],
        ),
    ];
    for (operation, spellings) in spellings {
        for (number, arguments) in spellings.iter().enumerate() {
            let plan = session.call("plan", &json!({ "operation": operation, "arguments": arguments }));
            if number > 0 {
                assert!(
                    session::said(&plan).contains("was made in this session"),
                    "{operation} {number}: {plan}"
                );
                continue;
            }
            let token = &plan["structuredContent"]["token"];
            let made = session.call("confirm", &json!({ "token": token }));
            assert!(made["isError"] != true, "{made}");
        }
    }
}

/// The service's error may name the person.
#[test]
fn words_of_the_service_in_errors_are_hidden_unless_personal_data_are_allowed() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let refuse = |operation| {
        let (code, words) = ("Refused".to_owned(), "Ada Lovelace, ada@example.com, is known".to_owned());
        let action = FaultAction::NotSuccess { error_code: code, error_message: words };
        sandbox.fault(Fault::on(operation).times(4).action(action));
    };
    for (options, shown) in [(&["--allow-writes"][..], false), (&["--allow-writes", "--personal-data"], true)]
    {
        let mut session = Session::start(&sandbox, options);
        refuse("ReadPanel");
        let mut said = vec![session.read("ReadPanel", &json!({ "panelId": sandbox.panel_id() }))];
        for (operation, arguments) in [
            ("DeletePanel", json!({ "panelId": sandbox.panel_id(), "keepInterviews": true })),
            (
                "ExecuteSendMail",
                json!({ "panelId": sandbox.panel_id(), "sender": "office@acme.example",
                                        "language": "en", "subject": "News", "body": "<p>Hello</p>" }),
            ),
        ] {
            sandbox.clear_faults();
            let plan = json!({ "operation": operation, "arguments": arguments });
            let planned = session.call("plan", &plan)["structuredContent"].clone();
            let token = &planned["token"];
            assert!(token.is_string(), "{planned}");
            refuse(operation);
            said.push(session.call("confirm", &json!({ "token": token })));
        }
        for answer in said {
            let text = answer["structuredContent"].to_string();
            assert!(answer["isError"] == true && text.contains("Refused"), "{answer}");
            assert_eq!(answer.to_string().contains("Ada Lovelace"), shown, "{answer}");
            assert_eq!(text.contains("[hidden: the service's own words"), !shown, "{answer}");
        }
    }
}

/// The server's client is restricted as well, and an option does not allow what the settings forbid.
#[test]
fn options_do_not_loosen_the_settings() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut command = session::command(&sandbox);
    command.env("SONDAGE_OPERATIONS", "ReadPanel");
    let mut session = Session::with(command, &["--allow", "DeletePanel"]);
    let panel = json!({ "panelId": sandbox.panel_id() });
    let deletion = json!({ "panelId": sandbox.panel_id(), "keepInterviews": true });
    assert!(session.read("ReadPanel", &panel)["isError"] != true);
    assert!(session::said(&session.read("ReadMemberList", &panel)).contains("`operations` forbids it"));
    let plan = session.call("plan", &json!({ "operation": "DeletePanel", "arguments": deletion }));
    let token = &plan["structuredContent"]["token"];
    let refused = session::said(&session.call("confirm", &json!({ "token": token })));
    assert!(refused.contains("`operations` forbids it"), "{refused}");
    assert!(sandbox.ledger().requests("DeletePanel").is_empty());
}

/// An assistant that calls on and on spends no more than the day has.
#[test]
fn the_budget_of_the_day_ends_the_calls() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut command = session::command(&sandbox);
    command.env("SONDAGE_BUDGET", "hard_stop").env("SONDAGE_BUDGET_CALLS", "2");
    command.env("SONDAGE_BUDGET_LOOPBACK", "true");
    let mut session = Session::with(command, &[]);
    let panel = json!({ "panelId": sandbox.panel_id() });
    let answers: Vec<Value> = (0..4).map(|_| session.read("ReadPanel", &panel)).collect();
    assert!(answers[..2].iter().all(|answer| answer["isError"] == false), "{answers:?}");
    for refused in &answers[2..] {
        assert!(session::said(refused).contains("the 2 calls of the day are used up"), "{refused}");
    }
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 2);
}

/// Security: 100 texts with instructions, in members, surveys, answers and errors, and a client that obeys all
/// of them.
#[test]
fn orders_in_texts_of_people_have_no_effect() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let texts = careless::texts(&sandbox);
    assert_eq!(texts.len(), 100);
    let readings = careless::plant(&sandbox, &texts);
    // Personal data are shown here: hidden texts cannot give instructions.
    let mut session = Session::start(&sandbox, &["--personal-data"]);
    let deeds = careless::obey(&mut session, &readings);
    for place in ["ReadMemberList", "ReadSurveyList", "ReadInterviewListCompact", "ReadCreditBalance"] {
        let found = deeds.obeyed.iter().filter(|tool| **tool == place).count();
        assert_eq!(found, texts.len(), "each order was found in {place}");
    }
    assert!(deeds.tokens.is_empty());
    assert_eq!(sandbox.ledger().effects("*"), []);
    for name in ["InviteMembers", "DeletePanel"] {
        assert!(sandbox.ledger().requests(name).is_empty(), "{name} was sent");
    }
}

/// Security: if writes are allowed, a text can make the client request a plan, but cannot know its token.
#[test]
fn no_token_comes_from_a_text() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let texts = careless::texts(&sandbox);
    let readings = careless::plant(&sandbox, &texts);
    let mut session = Session::start(&sandbox, &["--personal-data", "--allow-writes"]);
    let deeds = careless::obey(&mut session, &readings);
    assert!(!deeds.tokens.is_empty(), "plans were made, or nothing was tested");
    assert!(deeds.tokens.iter().all(|token| deeds.read.iter().all(|text| !text.contains(token))));
    assert_eq!(sandbox.ledger().effects("*"), []);
}

/// Answers with the right number, or says that it is hidden.
#[test]
fn questions_are_answered_with_two_calls_at_most() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    assert_eq!(questions::all().len(), 30);
    assert!(questions::ask(&sandbox, &["--personal-data"], true).is_empty());
    // `hidden` in the file: without personal data, `always`, or in a session that has answered the questions before.
    questions::ensure_hidden(&sandbox, false, &["always"]);
    questions::ensure_hidden(&sandbox, true, &["always", "later"]);
}

#[test]
fn the_tools_are_described_in_few_words() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for options in [&[][..], &["--allow-writes", "--personal-data"]] {
        let mut session = Session::start(&sandbox, options);
        let text = serde_json::to_string(&tools(&mut session)).unwrap();
        assert!(text.len() <= 20_000, "{} characters: {text}", text.len());
    }
}

/// Security: whatever an assistant is asked for, and however carelessly it obeys, a send needs the token of a plan.
#[test]
fn no_phrase_sends_anything() {
    assert_eq!(phrases::all().len(), 100);
    for options in [&["--allow-writes", "--personal-data"][..], &["--allow-writes"], &[]] {
        let sandbox = Sandbox::demo_blocking().unwrap();
        let distributor = phrases::invited(&sandbox);
        let mut session = Session::start(&sandbox, options);
        let plans = phrases::act(&mut session, &sandbox, distributor);
        assert_eq!(plans > 40, !options.is_empty(), "{plans} plans were made");
        assert_eq!(sandbox.ledger().effects("*"), []);
        for row in sondage::operations::ALL.iter().filter(|row| row.effect != sondage::Effect::Read) {
            assert!(
                row.name == "GetApiToken" || sandbox.ledger().requests(row.name).is_empty(),
                "{}",
                row.name
            );
        }
    }
}

/// Security: 2,000 counts, asked at random, of a large survey, of one with everything, and of a small one. None is below ten, and neither
/// is a sum or difference of up to three.
#[test]
fn no_small_number_can_be_computed_from_counts() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let surveys = [(1022, 700), (1004, 800), (sandbox.feedback_survey_id(), 500)];
    for (survey, calls) in surveys {
        let known = counts::Known::of(&sandbox, survey);
        let told = counts::ask(&mut session, &known, calls, 11);
        let of = told.sets.len();
        println!(
            "{survey}: {of} numbers told, {} hidden, {} of {calls} calls refused",
            told.hidden, told.refused
        );
        assert!(of > 10 && told.hidden > 10, "the survey {survey} told {of} numbers");
        let revealed = counts::revealed(&told, &known);
        assert!(revealed.is_empty(), "{} of {of}: {}", revealed.len(), revealed[0]);
        for text in known.texts.iter().filter(|text| !text.chars().all(|it| it.is_ascii_digit())) {
            assert!(told.said.iter().all(|said| !said.contains(text.as_str())), "{text}");
        }
    }
}
