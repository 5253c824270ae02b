//! The console, as a browser sees it: who may open it, what a form needs, and that texts of respondents are escaped.

use crate::http::{Api, Response, field, members, send};
use serde_json::json;
use sondage_sandbox::{EffectKind, Sandbox};

/// The size of everything that the console sends, in bytes.
const LIMIT: usize = 150 * 1024;

/// The block of the demo's messages.
const BLOCK: &str = "6F1C1F8E-7B0A-4F57-9D2E-2F0C3A5B9E11";

/// The pages of the first account.
const PAGES: [&str; 9] =
    ["", "panels", "surveys", "outbox", "distribution", "webhooks", "ledger", "faults", "clock"];

pub fn open(sandbox: &Sandbox, page: &str) -> Response {
    let response = send("GET", &format!("{}demo/{page}", sandbox.console()), &[], b"").unwrap();
    assert_eq!(response.status, 200, "{page}: {}", response.text());
    response
}

/// A page with a filter that is not accepted: it has the sentence and its form.
pub fn open_wrong(sandbox: &Sandbox, page: &str) -> String {
    let response = send("GET", &format!("{}demo/{page}", sandbox.console()), &[], b"").unwrap();
    assert_eq!(response.status, 400, "{page}: {}", response.text());
    response.text()
}

/// The status of a page that does not open.
pub fn refused(sandbox: &Sandbox, page: &str) -> u16 {
    send("GET", &format!("{}demo/{page}", sandbox.console()), &[], b"").unwrap().status
}

/// Sends a form of a page.
pub fn submit(sandbox: &Sandbox, page: &str, fields: &[(&str, &str)]) -> Response {
    submit_to(sandbox, &format!("{}demo/{page}", sandbox.console()), fields)
}

/// Sends a form of a page, and returns the page to which it leads.
pub fn post_to(sandbox: &Sandbox, page: &str, fields: &[(&str, &str)]) -> String {
    let next = post(sandbox, page, fields);
    let url = format!("{}{}", sandbox.base_url(), next.header("location").unwrap());
    let response = send("GET", &url, &[], b"").unwrap();
    assert_eq!(response.status, 200, "{}", response.text());
    response.text()
}

/// Sends a form as a page of the sandbox does.
pub fn submit_to(sandbox: &Sandbox, url: &str, fields: &[(&str, &str)]) -> Response {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    send("POST", url, &[("origin", sandbox.base_url())], body.as_bytes()).unwrap()
}

pub fn post(sandbox: &Sandbox, page: &str, fields: &[(&str, &str)]) -> Response {
    let response = submit(sandbox, page, fields);
    assert_eq!(response.status, 303, "{page}: {}", response.text());
    response
}

#[test]
fn without_the_key_there_is_nothing_to_see() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let base = sandbox.base_url();
    let key = sandbox.console().trim_end_matches('/').rsplit('/').next().unwrap();
    let nearly = format!("{}x", &key[..key.len() - 1]);
    for path in ["", "/", "/demo/panels", "/x/demo/panels", &format!("/{nearly}/demo/panels")] {
        let response = send("GET", &format!("{base}/console{path}"), &[], b"").unwrap();
        assert_eq!(response.status, 403, "{path}");
        assert!(!response.text().contains(key) && !response.text().contains("panels"), "{path}");
    }
    assert!(open(&sandbox, "").text().contains("Overview"));
    assert_ne!(Sandbox::demo_blocking().unwrap().console().rsplit('/').nth(1), Some(key));
    let ledger = format!("{:?}", sandbox.ledger().requests("*"));
    assert_eq!(ledger, "[]", "the console is not part of the ledger");
    assert!(!format!("{sandbox:?} {:?}", sandbox.facts()).contains(key));
}

/// Security: the link back contains the key, so only visitors from the console see it.
#[test]
fn the_page_of_the_api_leads_back_to_the_console() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (base, console) = (sandbox.base_url(), sandbox.console());
    let key = console.trim_end_matches('/').rsplit('/').next().unwrap();
    let ledger = format!("{console}demo/ledger");
    let other = ledger.replace(key, &format!("x{}", &key[1..]));
    for (from, leads_back) in [
        (Some(ledger.as_str()), true),
        (Some(&*ledger.replace("127.0.0.1", "evil.example")), false),
        (Some(&*other), false),
        (Some(base), false),
        (None, false),
    ] {
        let headers: Vec<(&str, &str)> = from.map(|from| ("referer", from)).into_iter().collect();
        let page = send("GET", &format!("{base}/docs"), &headers, b"").unwrap().text();
        let path = ledger.strip_prefix(base).unwrap();
        assert_eq!(
            page.contains(&format!("<a href=\"{path}\">Back to the console</a>")),
            leads_back,
            "{from:?}"
        );
        assert_eq!(page.contains(key), leads_back, "{from:?}");
    }
}

#[test]
fn a_form_is_taken_from_our_own_pages_only() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let url = format!("{}demo/clock", sandbox.console());
    let before = sandbox.clock().now();
    let own = sandbox.base_url();
    for headers in [
        &[][..],
        &[("origin", "null")],
        &[("origin", "https://evil.example")],
        &[("origin", own), ("sec-fetch-site", "cross-site")],
    ] {
        let response = send("POST", &url, headers, b"advance=86400").unwrap();
        assert_eq!(response.status, 403, "{headers:?}");
    }
    assert!((sandbox.clock().now() - before).num_hours() < 1);
    let response =
        send("POST", &url, &[("origin", own), ("sec-fetch-site", "same-origin")], b"advance=86400");
    assert_eq!(response.unwrap().status, 303);
    assert!((sandbox.clock().now() - before).num_hours() >= 24);
}

#[test]
fn a_name_of_the_web_that_leads_to_this_machine_does_not_open_it() {
    use std::io::{Read as _, Write as _};
    let sandbox = Sandbox::demo_blocking().unwrap();
    let url = url::Url::parse(sandbox.console()).unwrap();
    let (path, here) = (url.path(), format!("127.0.0.1:{}", url.port().unwrap()));
    // RFC 9112, 3.2: a request names one host.
    for (target, hosts, status) in [
        (path.to_owned(), vec!["evil.example"], 403),
        (path.to_owned(), vec![&*here, "evil.example"], 400),
        (path.to_owned(), vec![&*here, &*here], 400),
        (format!("http://evil.example{path}"), vec![&*here], 400),
        (format!("http://evil.example{path}"), vec!["evil.example"], 403),
        (format!("http://{here}{path}"), vec![&*here], 200),
        (path.to_owned(), vec![&*here], 200),
        ("/openid/jwks".to_owned(), vec![&*here, &*here], 400),
    ] {
        let mut stream = std::net::TcpStream::connect(&here).unwrap();
        let hosts = hosts.iter().fold(String::new(), |lines, host| lines + "host: " + host + "\r\n");
        write!(stream, "GET {target} HTTP/1.1\r\n{hosts}connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{target} {hosts}: {answer}");
    }
}

#[test]
fn pages_are_small_and_load_only_our_files() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (panel, survey) = (sandbox.panel_id(), sandbox.feedback_survey_id());
    let member = 500_001;
    let mut pages: Vec<String> = PAGES.map(str::to_owned).to_vec();
    pages.extend([
        format!("panels/{panel}"),
        format!("panels/{panel}/{member}"),
        format!("surveys/{survey}"),
        format!("surveys/{survey}/interviews"),
        format!("surveys/{}/interviews", sandbox.survey_id()),
    ]);
    let files: usize = ["style.css", "console.js"]
        .map(|name| {
            let file = send("GET", &format!("{}/console/{name}", sandbox.base_url()), &[], b"").unwrap();
            assert_eq!(file.status, 200);
            file.body.len()
        })
        .iter()
        .sum();
    for page in pages {
        let response = open(&sandbox, &page);
        let (size, text) = (files + response.body.len(), response.text());
        assert!(size <= LIMIT, "{page}: {size} bytes");
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(text.matches("<script").count(), 1, "{page}");
        assert!(!text.contains(" style=") && !text.contains(" onclick"), "{page}");
        for attribute in ["src=\"", "href=\""] {
            let links = text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next());
            for link in links.filter(|link| !link.starts_with("data:,")) {
                assert!(link.starts_with(['/', '#', '?']), "{page}: {link}");
            }
        }
        for needed in
            ["<html lang=\"en\"", "class=\"skip\"", "<main id=\"main\"", "<h1>", "aria-current=\"page\""]
        {
            assert!(text.contains(needed), "{page}: {needed}");
        }
    }
}

/// A live page used to be sent again each second.
#[test]
fn a_page_that_has_not_changed_is_not_sent_again() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let url = format!("{}demo/ledger", sandbox.console());
    let first = send("GET", &url, &[], b"").unwrap();
    let etag = first.header("etag").unwrap();
    let again = send("GET", &url, &[("if-none-match", etag)], b"").unwrap();
    assert_eq!((again.status, again.body.len()), (304, 0));
    Api::new(&sandbox).ok("ReadSurvey", &json!({ "surveyId": sandbox.survey_id() }));
    let changed = send("GET", &url, &[("if-none-match", etag)], b"").unwrap();
    assert_eq!(changed.status, 200);
    assert!(changed.text().contains("ReadSurvey"));
}

#[test]
fn the_root_leads_browsers_to_the_console_and_programs_see_the_envelope() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let root = format!("{}/", sandbox.base_url());
    let browser =
        send("GET", &root, &[("accept", "text/html,application/xhtml+xml,*/*;q=0.8")], b"").unwrap();
    assert_eq!((browser.status, browser.header("location")), (303, Some("/console")));
    for headers in [&[][..], &[("accept", "*/*")], &[("accept", "application/json")]] {
        let program = send("GET", &root, headers, b"").unwrap();
        assert_eq!((program.status, &program.json()["errorCode"]), (404, &json!("UnknownPath")));
    }
}

#[test]
fn what_people_write_stays_text() {
    const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let fields = json!({
        "Email": field("Email", "String", "evil@example.com"),
        "FirstName": field("FirstName", "String", EVIL),
    });
    let request =
        json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": fields }] });
    let id = api.ok("CreateMembers", &request)["membersIds"][0].as_i64().unwrap();
    let survey = sandbox.feedback_survey_id();
    let link = open(&sandbox, &format!("surveys/{survey}")).text();
    let public = link.split("href=\"/survey/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let public = format!("{}/survey/{public}", sandbox.base_url());
    assert_eq!(submit_to(&sandbox, &public, &[("remark", EVIL), ("do", "send")]).status, 200);
    let unfinished = submit_to(&sandbox, &public, &[("remark", EVIL), ("do", "later")]);
    let again = format!("{}{}", sandbox.base_url(), unfinished.header("location").unwrap());
    let again = send("GET", &again, &[("accept", "text/html")], b"").unwrap();
    for text in [
        open(&sandbox, &format!("panels/{}?page=5", sandbox.panel_id())).text(),
        open(&sandbox, &format!("panels/{}/{id}", sandbox.panel_id())).text(),
        open(&sandbox, &format!("surveys/{survey}/interviews")).text(),
        again.text(),
    ] {
        assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
        assert!(!text.contains("<script>") && !text.contains("<img"), "{text}");
    }
}

#[test]
fn an_interview_has_a_page_with_its_answers() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.feedback_survey_id();
    let table = open(&sandbox, &format!("surveys/{survey}/interviews")).text();
    let link = format!("/demo/surveys/{survey}/interviews/");
    let id = table.split(&link).nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    assert!(
        !table.contains("href=\"/interview/"),
        "its row leads to the answers, not to the respondent's page"
    );
    assert!(sandbox.complete_interview(&id, &[("remark", "short <b>and good</b>".into())]));
    let page = open(&sandbox, &format!("surveys/{survey}/interviews/{id}")).text();
    for part in
        [id.as_str(), "Completed", "short &lt;b&gt;and good", "remark", "Ended", "The respondent's page"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let other = format!("{}demo/surveys/{survey}/interviews/other", sandbox.console());
    assert_eq!(send("GET", &other, &[], b"").unwrap().status, 404);
}

#[test]
fn a_survey_is_closed_after_a_question_and_opened_again() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let page = format!("surveys/{}", sandbox.feedback_survey_id());
    let before = open(&sandbox, &page).text();
    let (asked, rest) = before.split_once("<summary>Close the survey</summary>").expect("a question");
    assert!(!asked.contains("value=\"close\"") && rest.contains("value=\"close\""), "{before}");
    post(&sandbox, &page, &[("do", "close")]);
    let closed = open(&sandbox, &page).text();
    assert!(closed.contains("Open it again") && !closed.contains("Answer it as a respondent"), "{closed}");
    post(&sandbox, &page, &[("do", "open")]);
    assert!(open(&sandbox, &page).text().contains("Answer it as a respondent"));
    let again = submit_to(&sandbox, &format!("{}demo/{page}", sandbox.console()), &[("do", "open")]);
    assert_eq!(again.status, 400, "it is open");
}

#[test]
fn an_invitation_is_read_in_the_outbox_and_answered_behind_its_link() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (panel, survey) = (sandbox.panel_id(), sandbox.feedback_survey_id());
    let completed =
        |text: &str| text.split(" completed").next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let interviews = format!("surveys/{survey}/interviews");
    let before: u32 = completed(&open(&sandbox, &interviews).text()).parse().unwrap();
    let template = sandbox.message_template_id().to_string();
    let member = format!("panels/{panel}/500150");
    let fields = [("do", "invite"), ("survey", &*survey.to_string()), ("template", &*template)];
    let next = post(&sandbox, &member, &fields);
    assert!(next.header("location").unwrap().ends_with("/panels/1002/500150?done=invited"));
    assert_eq!(sandbox.ledger().count("InviteMembers", EffectKind::MessagesSent), 1);
    let outbox = open(&sandbox, "outbox").text();
    let path = outbox.split("/outbox/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let message = open(&sandbox, &format!("outbox/{path}")).text();
    let id = message.split("href=\"/interview/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let link = format!("{}/interview/{id}", sandbox.base_url());
    let browser = [("accept", "text/html")];
    let form = send("GET", &link, &browser, b"").unwrap().text();
    for code in ["nps", "topics_1", "aspects_2", "since", "hours", "remark"] {
        assert!(form.contains(&format!("name=\"{code}\"")), "{code}: {form}");
    }
    let wrong = submit_to(&sandbox, &link, &[("hours", "many"), ("aspects_1", "9")]);
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("a number is needed") && wrong.text().contains("role=\"alert\""));
    let given =
        [("nps", "9"), ("topics_2", "1"), ("aspects_1", "3"), ("since", "2020-02-29"), ("hours", "1.5")];
    let later: Vec<_> = given.into_iter().chain([("do", "later")]).collect();
    assert_eq!(submit_to(&sandbox, &link, &later).status, 303);
    assert!(open(&sandbox, &interviews).text().contains("InProgress"));
    let sent = submit_to(&sandbox, &link, &given);
    assert!(sent.status == 200 && sent.text().contains("Thank you"), "{}", sent.text());
    let table = open(&sandbox, &interviews).text();
    assert_eq!(completed(&table).parse::<u32>().unwrap(), before + 1);
    assert!(table.contains("<td>2020-02-29</td>") && table.contains("<td>Good</td>"));
    let again = submit_to(&sandbox, &link, &given).text();
    assert!(again.contains("already"), "{again}");
    let foreign = send("POST", &link, &[("origin", "https://evil.example")], b"nps=1").unwrap();
    assert_eq!(foreign.status, 403);
    // A program that follows the link gets the same response as without the console.
    let program = send("GET", &link, &[], b"").unwrap();
    assert!(program.text().contains("Completed") && !program.text().contains("<form"));
}

/// The message is shown as it arrives, with the blocks that the caller replaced. Single mails are shown as well.
#[test]
fn the_outbox_shows_text_blocks_and_single_mails() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let block = |text: &str| json!([{ "name": BLOCK, "type": "editarea", "text": [{ "languageCode": "en", "text": text }] }]);
    let invite = json!({
        "surveyId": sandbox.feedback_survey_id(), "panelId": sandbox.panel_id(), "channel": "Email",
        "messageTemplateId": sandbox.message_template_id(), "memberIds": [500_150],
        "textBlocks": block("Words of our own <script>alert(1)</script>: {link}"),
    });
    api.ok("InviteMembers", &invite);
    let mail = json!({ "language": "en", "subject": "News & more", "body": "<p>First line</p><p>Second line</p>",
                       "from": "office@acme.example", "to": "ada@example.com" });
    api.ok("ExecuteSendMail", &mail);
    let template = json!({ "language": "en", "messageTemplateId": sandbox.message_template_id(),
                           "textBlocks": block("A block in a mail"), "from": "office@acme.example", "to": "bob@example.com" });
    api.ok("ExecuteSendMail", &template);
    let outbox = open(&sandbox, "outbox").text();
    assert!(outbox.contains("Messages: 3.") && outbox.contains("News &amp; more"), "{outbox}");
    let paths = outbox.split("/demo/outbox/").skip(1).filter_map(|rest| rest.split('"').next());
    let texts: Vec<String> = paths.map(|path| open(&sandbox, &format!("outbox/{path}")).text()).collect();
    let with = |words: &str| {
        texts.iter().find(|text| text.contains(words)).unwrap_or_else(|| panic!("{words}: {texts:?}"))
    };
    let invited = with("Words of our own alert(1): <a href=\"/interview/");
    assert!(!invited.contains("five minutes"), "{invited}");
    assert!(with("First line\nSecond line").contains("<dd>ada@example.com</dd>"));
    assert!(with("A block in a mail").contains("We would like your opinion"));
    let none = format!("{}demo/outbox/mail/7", sandbox.console());
    assert_eq!(send("GET", &none, &[], b"").unwrap().status, 404);
}

/// No page loads foreign scripts or images, and none can be framed by another site.
#[test]
fn every_page_has_a_policy() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let login = format!("{}/openid/authorize?client_id=x", sandbox.auth_url());
    let docs = format!("{}/docs", sandbox.base_url());
    for url in [sandbox.console(), &docs, &login] {
        let page = send("GET", url, &[("accept", "text/html")], b"").unwrap();
        let policy = page.header("content-security-policy").unwrap_or_default();
        for rule in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(rule), "{url}: {policy}");
        }
        let text = page.text();
        assert!(!text.contains("<script>") && !text.contains("<style") && !text.contains(" style="), "{url}");
    }
    assert!(send("GET", &docs, &[], b"").unwrap().text().contains("href=\"/console/style.css\""));
}

#[test]
fn faults_clock_and_commands() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let empty = open(&sandbox, "ledger").text();
    assert!(empty.contains("No request has arrived yet") && empty.contains("Nothing was changed yet"));
    let all = post(&sandbox, "faults", &[("do", "add"), ("on", "*"), ("kind", "slow"), ("times", "1")]);
    let faults = open(&sandbox, all.header("location").unwrap().split("/demo/").nth(1).unwrap()).text();
    assert!(faults.contains(r#"<th scope="row">every call</th>"#), "{faults}");
    sandbox.clear_faults();
    let api = Api::new(&sandbox);
    post(&sandbox, "ledger", &[("do", "bodies")]);
    post(&sandbox, "faults", &[("do", "add"), ("on", "ReadMemberList"), ("kind", "503"), ("times", "1")]);
    assert_eq!(api.send("ReadMemberList", &members(&sandbox)).unwrap().status, 503);
    api.ok("ReadMemberList", &members(&sandbox));
    let hook = json!({
        "eventType": "InterviewComplete", "entityIdentifier": "*",
        "webHookUrl": "https://hooks.example.com/path?code=hidden-in-url", "securityToken": "hidden-token",
    });
    api.ok("CreateWebHook", &hook);
    let list = open(&sandbox, "ledger").text();
    let numbers = list.split("/demo/ledger/").skip(1).filter_map(|rest| rest.split('"').next());
    let requests: String = numbers.map(|number| open(&sandbox, &format!("ledger/{number}")).text()).collect();
    let ledger = list + &requests;
    assert!(
        ledger.contains(">503<") && ledger.contains("$CLIENT_SECRET") && ledger.contains("Bearer $TOKEN")
    );
    assert!(ledger.contains("&quot;panelId&quot;"), "bodies are shown once they are kept");
    let hooks = open(&sandbox, "webhooks").text();
    assert!(hooks.contains("hooks.example.com"));
    for secret in
        [sandbox.client_secret(), &api.token, "hidden-in-url", "hidden-token", sandbox.control_key()]
    {
        assert!(!ledger.contains(secret) && !hooks.contains(secret), "{secret}");
    }
    let faults = open(&sandbox, "faults").text();
    let number =
        faults.split("name=\"number\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    post(&sandbox, "faults", &[("do", "remove"), ("number", number)]);
    assert!(open(&sandbox, "faults").text().contains("None."));
    post(&sandbox, "clock", &[("set", "2031-02-03T04:05")]);
    assert!(open(&sandbox, "clock").text().contains("2031-02-03 04:05"));
    post(&sandbox, "clock", &[("reset", "yes")]);
    for (page, fields) in
        [("clock", [("set", "soon")]), ("faults", [("on", "Weather")]), ("panels/1/2", [("do", "invite")])]
    {
        let refused = submit_to(&sandbox, &format!("{}demo/{page}", sandbox.console()), &fields);
        assert!(refused.status >= 400 && refused.text().contains("role=\"alert\""), "{page}");
    }
}
