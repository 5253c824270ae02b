//! What the console shows of answers and requests: results as bars, tables that can be searched, and the story of a request.

use crate::console::{open, open_wrong, post, refused};
use crate::http::{Api, field, send};
use serde_json::json;
use sondage_sandbox::{Cause, Content, Sandbox};
use sondage_testserver::Server;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

/// The largest page, in bytes, and the longest time that it may take.
const LARGEST: usize = 200_000;
const LONGEST: Duration = Duration::from_secs(1);

#[test]
fn results_are_counted_as_a_program_counts_them() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let results = format!("surveys/{}/results", sandbox.survey_id());
    let one = open(&sandbox, &format!("{results}?question=vote")).text();
    for part in [">Clinton<", ">551<", ">58.4<", ">393<", "width=\"58.4%\"", "944 of 944 rows have an answer"]
    {
        assert!(one.contains(part), "{part}: {one}");
    }
    assert!(
        one.contains("sondage results 1004 vote")
            && one.contains("client.interviews(1004).frequencies(&quot;vote&quot;)")
    );
    let by = open(&sandbox, &format!("{results}?question=vote&by=PID")).text();
    for part in [
        ">98.5<",
        ">95.4<",
        "chi-square 637.17",
        "results.svg?by=PID&amp;question=vote",
        "crosstab(&quot;vote&quot;, by=&quot;PID&quot;)",
    ] {
        assert!(by.contains(part), "{part}: {by}");
    }
    let number = open(&sandbox, &format!("{results}?question=age&by=PID")).text();
    // The mean of each group: the 37 independents are 47.3 years old on average.
    for part in [
        "age by PID",
        ">Strong Democrat<",
        ">mean<",
        ">Independent<",
        ">37<",
        ">47.3<",
        "groupby(&quot;PID&quot;",
        "All interviews together",
    ] {
        assert!(number.contains(part), "{part}: {number}");
    }
    let open_answers =
        open(&sandbox, &format!("surveys/{}/results?question=remark&by=nps", sandbox.feedback_survey_id()));
    assert!(open_answers.text().contains("only counted"), "{}", open_answers.text());
    let svg = send("GET", &format!("{}demo/{results}.svg?question=vote&by=PID", sandbox.console()), &[], b"")
        .unwrap();
    assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")));
    assert!(svg.text().starts_with("<svg") && !svg.text().contains("<script"));
    let some = open(&sandbox, &format!("{results}?question=vote&where=PID%3D3")).text();
    assert!(some.contains("37 of 37 rows") && some.contains(">26<"), "{some}");
    let wrong = open_wrong(&sandbox, &format!("{results}?question=vote&where=PID%3D"));
    assert!(
        wrong.contains("role=\"alert\"") && wrong.contains("value=\"PID=\""),
        "the input is kept: {wrong}"
    );
    let file = open(&sandbox, &format!("{results}?question=vote&csv=results"));
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(file.text().contains("Clinton,551,58.4"), "{}", file.text());
    let file = open(&sandbox, &format!("{results}?question=vote&by=PID&csv=results")).text();
    assert!(file.contains("Clinton,n,") && file.contains(",col%,"), "{file}");
    for page in ["question=nope", "question=nope&csv=results"] {
        assert_eq!(refused(&sandbox, &format!("{results}?{page}")), 404, "{page}");
    }
}

/// A row of a matrix of choices is one question, as for a program.
#[test]
fn rows_of_choices_are_counted_together() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let results = format!("surveys/{}/results", sandbox.survey_id());
    let one = open(&sandbox, &format!("{results}?question=services_1")).text();
    for part in ["aria-label=\"services_1\"", "% of answers", "services_1: ", "&quot;services_1&quot;"] {
        assert!(one.contains(part), "{part}: {one}");
    }
    assert_eq!(refused(&sandbox, &format!("{results}?question=services_1_1")), 404);
}

#[test]
fn a_filter_of_members_tells_what_was_meant() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let page = open_wrong(&sandbox, &format!("panels/{}?where=Divison%3DSales", sandbox.panel_id()));
    assert!(page.contains("Did you mean Division?") && !page.contains("conditions[0]"), "{page}");
}

#[test]
fn every_question_of_a_survey_has_a_place_on_the_pages_of_results() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let results = open(&sandbox, &format!("surveys/{}/results", sandbox.feedback_survey_id())).text();
    // A question with several choices is one question.
    for part in [
        "aria-label=\"nps\"",
        "aria-label=\"topics\"",
        "aria-label=\"aspects_1\"",
        "% of answers",
        "Several choices",
    ] {
        assert!(results.contains(part), "{part}: {results}");
    }
    assert!(!results.contains("aria-label=\"topics_1\""));
}

#[test]
fn a_table_is_searched_sorted_filtered_and_downloaded() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let panel = format!("panels/{}", sandbox.panel_id());
    let order = |text: &str| -> Vec<String> {
        let path = format!("/demo/{panel}/");
        let rows = text.split(&*path).skip(1);
        rows.map(|rest| rest.split('"').next().unwrap().to_owned())
            .filter(|id| id.starts_with("500"))
            .collect()
    };
    let found = open(&sandbox, &format!("{panel}?q=ruth.weiss"));
    assert!(order(&found.text()).len() < 50 && found.text().contains("ruth.weiss"), "{}", found.text());
    let up = order(&open(&sandbox, &format!("{panel}?sort=Member")).text());
    let down = order(&open(&sandbox, &format!("{panel}?sort=-Member")).text());
    assert_eq!((up[0].as_str(), down[0].as_str()), ("500001", "500200"));
    let last = open(&sandbox, &format!("{panel}?page=4")).text();
    assert!(last.contains("Page 4 of 4 (151 to 200 of 200)"), "{last}");
    let german = open(&sandbox, &format!("{panel}?where=Language%3Dde&csv=table"));
    let mut lines = german.text().lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(lines.remove(0).starts_with("\u{feff}Member,Interviews,Email"), "{lines:?}");
    assert!(!lines.is_empty() && lines.iter().all(|line| line.contains(",de,")), "{lines:?}");
    assert!(german.header("content-disposition").unwrap().contains("members.csv"));
    let few = open(&sandbox, "panels").text();
    assert!(
        few.contains("?csv=table") && !few.contains("type=\"search\""),
        "a small table is downloaded, too: {few}"
    );
    let nobody = open(&sandbox, &format!("{panel}?q=nobody-at-all")).text();
    assert!(nobody.contains("Nothing matches.") && nobody.contains("0 of 200"), "{nobody}");
    let wrong = open_wrong(&sandbox, &format!("{panel}?where=Division"));
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("value=\"Division\""), "{wrong}");
}

/// 10,000 members and 200 questions: pages stay small and quick.
#[test]
fn large_accounts_stay_usable() {
    let sandbox =
        Sandbox::builder().extra_members(10_000).generated_survey(2_000, 200).start_blocking().unwrap();
    let survey = sandbox.generated_survey_id().unwrap();
    let panel = format!("panels/{}", sandbox.panel_id());
    // Debug builds are many times slower than what is shipped.
    let longest = if cfg!(debug_assertions) { 10 * LONGEST } else { LONGEST };
    for page in [
        panel.clone(),
        format!("{panel}?q=ruth&sort=-Email"),
        format!("{panel}?page=204"),
        format!("surveys/{survey}"),
        format!("surveys/{survey}/results"),
        format!("surveys/{survey}/interviews"),
        format!("surveys/{survey}/interviews?columns=161"),
    ] {
        let begun = Instant::now();
        let response = open(&sandbox, &page);
        let (took, size) = (begun.elapsed(), response.body.len());
        println!("{page}: {size} bytes, {took:?}");
        assert!(size <= LARGEST, "{page}: {size} bytes");
        assert!(took <= longest, "{page}: {took:?}");
    }
}

#[test]
fn a_request_has_a_page_with_its_story() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    post(&sandbox, "ledger", &[("do", "bodies")]);
    let api = Api::new(&sandbox);
    let fields = json!({ "Email": field("Email", "String", "story@example.com") });
    let request =
        json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [{ "fields": fields }] });
    api.ok("CreateMembers", &request);
    let ledger = open(&sandbox, "ledger?Operation=CreateMembers").text();
    let number = ledger.split("/demo/ledger/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let page = open(&sandbox, &format!("ledger/{number}")).text();
    for part in [
        "200 OK",
        "MembersCreated: 1",
        "story@example.com",
        "membersIds",
        "Took",
        "curl -X POST",
        "sondage call CreateMembers",
        "client.raw(",
        "await client.createMembers(",
        "create",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let hook = json!({
        "eventType": "SurveyClosed", "entityIdentifier": "*", "webHookUrl": "http://127.0.0.1:9/in",
        "securityToken": "Bearer never-shown",
    });
    api.ok("CreateWebHook", &hook);
    let ledger = open(&sandbox, "ledger?Operation=CreateWebHook").text();
    let number = ledger.split("/demo/ledger/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let page = open(&sandbox, &format!("ledger/{number}")).text();
    assert!(
        page.contains("SurveyClosed") && !page.contains("never-shown") && !page.contains(":9/in"),
        "{page}"
    );
    assert_eq!(refused(&sandbox, "ledger/9999"), 404);
}

#[test]
fn a_delivery_has_a_page_and_is_sent_again() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let receiver = Server::start(|mut stream| {
        let mut request = [0; 4096];
        let _ = stream.read(&mut request);
        let _ = stream.write_all(b"HTTP/1.1 418 I'm a teapot\r\ncontent-length: 13\r\n\r\nno <b>tea</b>");
    });
    let fields = [
        ("event", "SurveyClosed"),
        ("entity", "*"),
        ("url", &format!("{}/hook", receiver.url())),
        ("token", ""),
    ];
    post(&sandbox, "webhooks/new", &fields);
    let nobody =
        [("event", "SurveyClosed"), ("entity", "*"), ("url", "http://127.0.0.1:9/hook"), ("token", "")];
    post(&sandbox, "webhooks/new", &nobody);
    sandbox.emit(Cause::CloseSurvey { survey_id: sandbox.feedback_survey_id() });
    assert!(sandbox.deliveries().settle(Duration::from_secs(30)));
    let of = |result: &str| {
        let list = open(&sandbox, &format!("webhooks?Result={result}")).text();
        let number = list.split("/demo/webhooks/attempts/").nth(1).and_then(|rest| rest.split('"').next());
        number.unwrap_or_else(|| panic!("{result}: {list}")).to_owned()
    };
    let (taken, failed) = (of("Refused+418"), of("Failed"));
    let page = open(&sandbox, &format!("webhooks/attempts/{taken}")).text();
    for part in ["Refused 418", "no &lt;b&gt;tea", "SurveyClosed", "another status than 200", "Send it again"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page = open(&sandbox, &format!("webhooks/attempts/{failed}")).text();
    assert!(page.contains("no program listens there"), "{page}");
    let (before, first) =
        (sandbox.deliveries().log().len(), &sandbox.deliveries().log()[taken.parse::<usize>().unwrap()]);
    post(&sandbox, &format!("webhooks/attempts/{taken}"), &[("do", "again")]);
    assert!(sandbox.deliveries().settle(Duration::from_secs(30)));
    let log = sandbox.deliveries().log();
    let last = log.last().unwrap();
    assert_eq!((log.len(), last.event, last.attempt), (before + 1, first.event, 1), "{log:?}");
    assert_eq!(refused(&sandbox, "webhooks/attempts/9999"), 404);
}
