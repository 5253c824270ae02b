//! What is done by clicks: a panel, an import with its plan, an invitation of many with its plan, a survey from files.

use crate::console::{open, open_wrong, post, post_to, submit};
use crate::http::{Response, send};
use sondage_sandbox::{EffectKind, Sandbox};

/// Sends a form with files: the name of the field, that of the file, its content. A field without a file has an empty name.
fn upload(sandbox: &Sandbox, page: &str, fields: &[(&str, &str, &str)]) -> Response {
    let mut body = String::new();
    for (name, file, content) in fields {
        let file = if file.is_empty() { String::new() } else { format!("; filename=\"{file}\"") };
        let part = format!(
            "--BOUNDARY\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n"
        );
        body.push_str(&part);
    }
    body.push_str("--BOUNDARY--\r\n");
    let headers =
        [("origin", sandbox.base_url()), ("content-type", "multipart/form-data; boundary=BOUNDARY")];
    send("POST", &format!("{}demo/{page}", sandbox.console()), &headers, body.as_bytes()).unwrap()
}

/// The page to which a form leads.
fn follow(sandbox: &Sandbox, response: &Response) -> String {
    assert_eq!(response.status, 303, "{}", response.text());
    let url = format!("{}{}", sandbox.base_url(), response.header("location").unwrap());
    let page = send("GET", &url, &[], b"").unwrap();
    assert_eq!(page.status, 200, "{}", page.text());
    page.text()
}

/// The value of a hidden field or a button.
fn value_of<'p>(page: &'p str, name: &str) -> &'p str {
    let start =
        page.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_else(|| panic!("{name}: {page}"));
    start.split('"').next().unwrap()
}

#[test]
fn from_a_new_panel_to_messages_by_clicks() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let form = open(&sandbox, "panels/new").text();
    let workspace = value_of(&form, "workspace");
    let wrong = submit(
        &sandbox,
        "panels/new",
        &[("name", "Readers"), ("workspace", workspace), ("fields", "Age: Years")],
    );
    assert_eq!(wrong.status, 400);
    assert!(
        wrong.text().contains("role=\"alert\"")
            && wrong.text().contains("value=\"Readers\"")
            && wrong.text().contains("Age: Years")
    );
    let made = post_to(
        &sandbox,
        "panels/new",
        &[("name", "Readers"), ("workspace", workspace), ("fields", "City\nPoints: number")],
    );
    assert!(
        made.contains("The panel was created") && made.contains("City") && made.contains("Points"),
        "{made}"
    );
    let panel = made.split("Panel ").nth(1).and_then(|rest| rest.split(',').next()).unwrap().to_owned();

    let import = format!("panels/{panel}/import");
    let rows = "Email;Language;City\nada@example.com;en;Bern\ngrace@example.com;de;Basel\n  ;de;Chur\n";
    let plan = follow(
        &sandbox,
        &upload(
            &sandbox,
            &import,
            &[("file", "people.csv", rows), ("key", "", "Email"), ("existing", "", "skip")],
        ),
    );
    for part in [
        "The plan for people.csv",
        "<dt>Rows</dt><dd>3</dd>",
        "<dd class=\"good\">2</dd>",
        "Row 3",
        "Import 2 rows",
        "sondage import",
    ] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    assert_eq!(sandbox.ledger().count("*", EffectKind::MembersCreated), 0, "a plan imports nothing");
    let file = value_of(&plan, "file");
    let fields = [("do", "import"), ("file", file), ("key", "Email"), ("existing", "skip")];
    let imported = post_to(&sandbox, &import, &fields);
    assert!(
        imported.contains("2 of 3 rows imported: 2 were created, 1 was refused, for the reason in the plan.")
            && imported.contains("grace@example.com"),
        "{imported}"
    );
    // Back and reload: the plan of a file that was imported is no plan of 0 rows.
    let back = open(&sandbox, &format!("{import}?file={file}&key=Email&existing=skip")).text();
    assert!(back.contains("was imported before") && !back.contains("The plan for"), "{back}");
    let again = submit(&sandbox, &import, &[("do", "import"), ("file", "gone"), ("key", "Email")]);
    assert!(again.status == 400 && again.text().contains("Choose it again"), "{}", again.text());

    let (survey, template) =
        (sandbox.feedback_survey_id().to_string(), sandbox.message_template_id().to_string());
    let invite = format!("panels/{panel}/invite");
    let plan = open(
        &sandbox,
        &format!("{invite}?survey={survey}&template={template}&where=City%3DBern&channel=Email"),
    )
    .text();
    for part in ["reaches <strong>1</strong> of 1", "Invite 1 member", "sondage invite"] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), 0, "a plan sends nothing");
    let token = value_of(&plan, "token");
    let fields = [
        ("survey", &*survey),
        ("template", &*template),
        ("where", "City=Bern"),
        ("channel", "Email"),
        ("token", token),
    ];
    let stale = submit(&sandbox, &invite, &[&fields[..4], &[("token", "1-other")]].concat());
    assert!(stale.status == 400 && stale.text().contains("nothing was sent"), "{}", stale.text());
    // The page that was refused has its own plan and its own command, whatever other pages are open.
    for part in ["Invite 1 member", &format!("sondage invite {survey} {panel} --template {template} --where")]
    {
        assert!(stale.text().contains(part), "{part}: {}", stale.text());
    }
    // A plan that is refused has the program of its own form.
    let chosen = format!("survey={survey}&template={template}&where=Citty%3DBern&channel=Sms");
    let refused = open_wrong(&sandbox, &format!("{invite}?{chosen}"));
    assert!(
        refused.contains("The filter is not understood: ") && refused.contains("Did you mean City?"),
        "{refused}"
    );
    assert!(!refused.contains("conditions[0]"), "{refused}");
    let command = format!("{survey} {panel} --template {template} --where 'Citty=Bern' --channel Sms");
    assert!(refused.contains("role=\"alert\"") && refused.contains(&command), "{refused}");
    let sent = post_to(&sandbox, &invite, &fields);
    assert!(
        sent.contains("The messages were sent") && sent.contains("From the invitation to the answer"),
        "{sent}"
    );
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), 1);
    assert!(open(&sandbox, "outbox?q=ada@").text().contains("ada@example.com"));
}

#[test]
fn rows_of_a_plan_are_counted_from_1() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let import = format!("panels/{}/import", sandbox.panel_id());
    let plan = |rows: &str| {
        let fields = [("file", "people.csv", rows), ("key", "", "Email"), ("existing", "", "skip")];
        follow(&sandbox, &upload(&sandbox, &import, &fields))
    };
    let twice = plan("Email\none@example.com\ntwo@example.com\nthree@example.com\ntwo@example.com\n");
    for part in [
        "Row 2: row 4 (line 5) has the same key",
        "Row 4: row 2 (line 3) has the same key",
        "Row 1 is the one below",
    ] {
        assert!(twice.contains(part), "{part}: {twice}");
    }
    let none = plan("Email\ntwo@example.com\ntwo@example.com\n");
    assert!(
        none.contains("row 1 (line 2): row 2 (line 3) has the same key") && none.contains("counted from 1"),
        "{none}"
    );
}

#[test]
fn a_plan_gives_the_reason_for_everybody_who_is_left_out() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (survey, template) = (sandbox.feedback_survey_id(), sandbox.message_template_id());
    let page =
        format!("panels/{}/invite?survey={survey}&template={template}&channel=Email", sandbox.panel_id());
    let plan = open(&sandbox, &page).text();
    for part in ["have no address", "opted out", "were invited before", "Members who are left out"] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    let wrong = open_wrong(&sandbox, &format!("{page}&where=Division%3D"));
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("value=\"Division=\""), "{wrong}");
}

#[test]
fn a_survey_is_loaded_from_files() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let plan = r#"[{"code":"taste","dataType":"Number","questionCode":"taste","type":"SingleChoice","question":"Does it taste?",
                    "values":[{"id":"1","value":"Yes"},{"id":"2","value":"No"}]}]"#;
    let answers = "taste\n1\n1\n2\n";
    let loaded = upload(
        &sandbox,
        "surveys/new",
        &[("data", "tasting.csv", answers), ("plan", "plan.json", plan), ("do", "", "data")],
    );
    let page = follow(&sandbox, &loaded);
    assert!(page.contains("The survey was loaded") && page.contains("tasting"), "{page}");
    let survey = loaded
        .header("location")
        .unwrap()
        .split("/surveys/")
        .nth(1)
        .and_then(|rest| rest.split('?').next())
        .unwrap()
        .to_owned();
    let results = open(&sandbox, &format!("surveys/{survey}/results")).text();
    assert!(results.contains(">Yes<") && results.contains(">66.7<"), "{results}");
    let broken = upload(
        &sandbox,
        "surveys/new",
        &[("data", "tasting.csv", "taste\nsweet\n"), ("plan", "plan.json", plan), ("do", "", "data")],
    );
    let text = broken.text();
    assert!(
        broken.status == 400 && text.contains("tasting.csv") && text.contains("Nothing was loaded"),
        "{text}"
    );
    assert!(!text.contains("sondage-console-"), "no path of this machine: {text}");
    let empty = upload(&sandbox, "surveys/new", &[("do", "", "data")]);
    assert!(empty.status == 400 && empty.text().contains("Choose a file"), "{}", empty.text());
}

#[test]
fn a_webhook_is_registered_and_removed() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let wrong = [
        ("event", "SurveyClosed"),
        ("entity", "77"),
        ("url", "http://127.0.0.1:9/a"),
        ("token", "Bearer x1y2z3"),
    ];
    let refused = submit(&sandbox, "webhooks/new", &wrong);
    let text = refused.text();
    assert!(
        refused.status == 400 && text.contains("role=\"alert\"") && text.contains("value=\"77\""),
        "{text}"
    );
    assert!(!text.contains("x1y2z3"), "a token is not sent back");
    let list = post_to(&sandbox, "webhooks/new", &[&wrong[..1], &[("entity", "*")], &wrong[2..]].concat());
    assert!(
        list.contains("The webhook was registered")
            && list.contains("127.0.0.1:9")
            && !list.contains("x1y2z3"),
        "{list}"
    );
    let list = post_to(&sandbox, "webhooks", &[("do", "remove"), ("id", value_of(&list, "id"))]);
    assert!(list.contains("Nobody is told of events yet"), "{list}");
}

#[test]
fn the_answers_of_an_interview_are_a_document() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.feedback_survey_id();
    let list = open(&sandbox, &format!("surveys/{survey}/interviews?State=Completed")).text();
    let id = list
        .split(&format!("/surveys/{survey}/interviews/"))
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    let page = format!("surveys/{survey}/interviews/{id}");
    let interview = open(&sandbox, &page).text();
    assert!(
        interview.contains("Would you recommend the newsletter?")
            && interview.contains("client.read_interview("),
        "{interview}"
    );
    let link = post(&sandbox, &page, &[("do", "pdf")]);
    let url = format!("{}{}", sandbox.base_url(), link.header("location").unwrap());
    assert!(send("GET", &url, &[], b"").unwrap().body.starts_with(b"%PDF"));
}

#[test]
fn nobody_without_an_address_is_offered_an_invitation() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let panel = sandbox.panel_id();
    let list = open(&sandbox, &format!("panels/{panel}?csv=table")).text();
    let without = list.lines().find(|line| line.split(',').nth(2) == Some("")).unwrap();
    let member = without.split(',').next().unwrap();
    let page = open(&sandbox, &format!("panels/{panel}/{member}")).text();
    assert!(page.contains("has no e-mail address") && !page.contains("value=\"invite\""), "{page}");
}
