//! `sondage mcp` as a program: its standard input and output, as an assistant uses them.
#![cfg(feature = "mcp")]

#[path = "mcp/careless.rs"]
mod careless;
#[path = "mcp/protocol.rs"]
mod protocol;
#[path = "mcp/session.rs"]
mod session;

use serde_json::{Value, json};
use session::Session;
use sondage_sandbox::{EffectKind, Fault, FaultAction, Sandbox};

fn tools(session: &mut Session) -> Vec<Value> {
    session.request("tools/list", &json!({}))["tools"].as_array().expect("a list").clone()
}

#[test]
fn by_default_only_reading_tools_exist() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let tools = tools(&mut session);
    let reads = sondage::operations::ALL.iter().filter(|row| row.effect == sondage::Effect::Read);
    assert_eq!(tools.len(), reads.count());
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
    assert!(tools.iter().any(|tool| tool["name"] == "ReadMemberList"));

    // A tool that is not listed cannot be called either.
    for (tool, arguments) in [
        ("DeletePanel", json!({ "panelId": sandbox.panel_id() })),
        ("GetApiToken", json!({})),
        ("plan_write", json!({ "operation": "DeletePanel", "arguments": { "panelId": sandbox.panel_id() } })),
        ("confirm_write", json!({ "token": "write-1" })),
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
        session.call("ReadMemberList", &page)["structuredContent"].clone()
    });
    let rows = |answer: &Value| answer["data"]["members"].as_array().expect("members").clone();
    let email = |row: &Value| row["fields"]["Email"]["value"].as_str().expect("a text").to_owned();
    assert_eq!((rows(&hidden).len(), rows(&open).len()), (3, 3));
    for (hidden_row, open_row) in rows(&hidden).iter().zip(rows(&open)) {
        assert_eq!(hidden_row["id"], open_row["id"]);
        assert!(email(&open_row).contains('@') && email(hidden_row).starts_with("[hidden"), "{hidden_row}");
        assert!(!hidden.to_string().contains(&email(&open_row)));
    }
    assert!(hidden["notes"][0].as_str().unwrap().contains("values are hidden"), "{hidden}");
    assert_eq!(open["notes"], json!([]));
}

#[test]
fn a_long_result_is_cut_and_says_how_to_read_the_rest() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--personal-data"]);
    let answer =
        session.call("ReadMemberList", &json!({ "panelId": sandbox.panel_id() }))["structuredContent"]
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
    assert!(names.contains(&"plan_write".into()) && !names.contains(&"InviteMembers".into()), "{names:?}");
    let invite = json!({ "surveyId": sandbox.survey_id(), "panelId": sandbox.panel_id(),
                         "messageTemplateId": sandbox.message_template_id(),
                         "where": null });
    let plan = session.call("plan_write", &json!({ "operation": "InviteMembers", "arguments": invite }));
    let plan = &plan["structuredContent"];
    let (text, token) = (plan["plan"].as_str().unwrap_or_default(), plan["token"].clone());
    assert!(text.contains(" reaches ") && plan["effect"] == "send" && token.is_string(), "{plan}");
    assert!(sandbox.ledger().effects("*").is_empty());

    let first = session.call("confirm_write", &json!({ "token": token }));
    let second = session.call("confirm_write", &json!({ "token": token }));
    assert!(first["isError"] != true && first == second, "{first} {second}");
    let sent = sandbox.ledger().count("*", EffectKind::MessagesSent);
    assert!(sent > 0 && first["structuredContent"]["done"] == sent, "{first}");
    assert_eq!(sandbox.ledger().requests("InviteMembers").len(), 1);

    // The same write cannot be planned again by mistake, and a modified token confirms nothing.
    let again = session.call("plan_write", &json!({ "operation": "InviteMembers", "arguments": invite }));
    assert!(session::said(&again).contains("was made in this session"), "{again}");
    let altered = token.as_str().unwrap().replace("write-", "write-0");
    let refused = session.call("confirm_write", &json!({ "token": altered }));
    assert!(session::said(&refused).contains("Call plan_write"), "{refused}");
    let other = session.call("plan_write", &json!({ "operation": "DeletePanel", "arguments": {} }));
    assert!(session::said(&other).contains("--allow DeletePanel"), "{other}");
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), sent);
}

#[test]
fn every_write_can_be_described_and_slips_are_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &["--allow-writes"]);
    let described = session.call("plan_write", &json!({ "operation": "InviteMembers" }));
    let names = &described["structuredContent"]["arguments"];
    assert!(names["surveyId"]["required"] == true && names.get("journal").is_none(), "{described}");
    let described = session.call("plan_write", &json!({ "operation": "CreateMembers" }));
    assert!(described["structuredContent"]["arguments"]["properties"]["members"].is_object(), "{described}");
    for (operation, arguments, words) in [
        ("CreatePanel", json!({ "nmae": "x" }), "has no argument `nmae`"),
        ("CreatePanel", json!([]), "is not an object"),
        ("InviteMembers", json!({ "surveyId": 1 }), "do not fit InviteMembers"),
        ("InviteMembers", json!({ "journal": "/tmp/file" }), "`journal` cannot be given here"),
        ("CreateAndInviteMembers", json!({ "rows": { "path": "/etc/passwd" } }), "cannot name a file"),
        ("ReadPanel", json!({}), "is not allowed here"),
    ] {
        let refused = session.call("plan_write", &json!({ "operation": operation, "arguments": arguments }));
        assert!(session::said(&refused).contains(words), "{operation}: {refused}");
    }
    assert!(sandbox.ledger().effects("*").is_empty());
}

#[test]
fn it_practises_in_a_sandbox_of_its_own() {
    let mut session =
        Session::with(std::process::Command::new(env!("CARGO_BIN_EXE_sondage")), &["--sandbox"]);
    let answer = session.call("ReadWorkspaceList", &json!({}));
    assert!(answer["isError"] != true && answer["structuredContent"]["data"].is_object(), "{answer}");
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
        let mut said = vec![session.call("ReadPanel", &json!({ "panelId": sandbox.panel_id() }))];
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
            let planned = session.call("plan_write", &plan)["structuredContent"].clone();
            let token = &planned["token"];
            assert!(token.is_string(), "{planned}");
            refuse(operation);
            said.push(session.call("confirm_write", &json!({ "token": token })));
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
    assert!(session.call("ReadPanel", &panel)["isError"] != true);
    assert!(session::said(&session.call("ReadMemberList", &panel)).contains("`operations` forbids it"));
    let plan = session.call("plan_write", &json!({ "operation": "DeletePanel", "arguments": deletion }));
    let token = &plan["structuredContent"]["token"];
    let refused = session::said(&session.call("confirm_write", &json!({ "token": token })));
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
    let answers: Vec<Value> = (0..4).map(|_| session.call("ReadPanel", &panel)).collect();
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
