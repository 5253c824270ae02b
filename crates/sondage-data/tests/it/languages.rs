//! Languages of a questionnaire, kinds of missing answers, states, and questions with the names of the service's columns:
//! over HTTP, from a survey that is created, published and answered.

use crate::support;
use indexmap::IndexMap;
use sondage::arguments::{AnswerCode, InterviewState};
use sondage::condition::{Expression, field, question};
use sondage::model::{
    CreateMembersRequest, CreatePanelRequest, CreateSurveyRequest, ExecuteWorkflowTransitionRequest,
    InviteMembersRequest, NewMember, PanelModelType, SurveyDefinition, SurveyElement, WorkflowType,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::{Client, ErrorKind};
use sondage_data::{FileFormat, Labels, MissingShown, Table, Tables};
use sondage_sandbox::Sandbox;

/// The demo's survey of feedback in two languages.
async fn survey(sandbox: &Sandbox, client: &Client, elements: Vec<SurveyElement>) -> i64 {
    let definition: SurveyDefinition = Questionnaire::new(["en", "de"])
        .section("S", elements)
        .end([("en", "Thanks"), ("de", "Danke")])
        .definition();
    let made =
        client.create_survey(CreateSurveyRequest::new(sandbox.workspace_id(), "Visit", definition)).await;
    made.expect("created").survey_id.expect("an id")
}

fn both(en: &'static str, de: &'static str) -> [(&'static str, &'static str); 2] {
    [("en", en), ("de", de)]
}

fn values(table: &Table, column: &str) -> Vec<String> {
    support::texts(table, column).into_iter().map(|text| text.unwrap_or_else(|| "null".to_owned())).collect()
}

fn labels(table: &Table, column: &str) -> Vec<String> {
    table.values(column).expect("a column").pairs().iter().map(|(_, label)| label.clone()).collect()
}

/// Requests for interviews and for questionnaires.
fn requests(sandbox: &Sandbox) -> (usize, usize) {
    let ledger = sandbox.ledger();
    (ledger.requests("ReadInterviewListCompact").len(), ledger.requests("ReadSurvey").len())
}

fn codes(of: &[(&str, i64)]) -> IndexMap<String, Vec<AnswerCode>> {
    of.iter().map(|(column, code)| ((*column).to_owned(), vec![AnswerCode::Integer(*code)])).collect()
}

/// An interview for each of these answers, `None` for nobody who has begun.
async fn answered(
    sandbox: &Sandbox,
    client: &Client,
    survey_id: i64,
    answers: &[Option<&[(&str, serde_json::Value)]>],
) {
    let go =
        ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, "Published").survey_id(survey_id);
    client.execute_workflow_transition(go).await.expect("published");
    let panel = CreatePanelRequest::new(sandbox.workspace_id(), "Visitors", PanelModelType::Basic);
    let panel_id = client.create_panel(panel).await.expect("created").id.expect("an id");
    let people = (0..answers.len())
        .map(|i| NewMember::of([("Email", format!("p{i}@example.com"))]))
        .collect::<Vec<_>>();
    let people = CreateMembersRequest::new(panel_id, people);
    client.create_members(people).await.expect("created");
    let invitation = InviteMembersRequest::new(survey_id, panel_id, sandbox.message_template_id());
    client.invite_members(invitation.channel("Email")).await.expect("invited");
    let all = client.interviews(survey_id).structured().fields(["Id"]).table().await.expect("interviews");
    for (id, answers) in values(&all, "Id").iter().zip(answers) {
        if let Some(answers) = answers {
            assert!(sandbox.complete_interview(id, answers));
        }
    }
}

fn visit() -> Vec<SurveyElement> {
    vec![
        ask::single_choice(
            "again",
            both("Again?", "Wieder?"),
            [
                ask::choice("1", both("Yes", "Ja")),
                ask::choice("2", both("No", "Nein")),
                ask::choice("99", both("Refused", "Keine Angabe")),
            ],
        )
        .force_response(true),
        ask::multiple_choice(
            "topics",
            both("Which?", "Welche?"),
            [ask::choice("a", both("Food", "Essen")), ask::choice("b", both("Music", "Musik"))],
        ),
        ask::matrix(
            "rooms",
            both("How were", "Wie waren"),
            [ask::choice("x", both("Beds", "Betten")), ask::choice("y", both("Baths", "Bäder"))],
            [ask::choice("1", both("Good", "Gut")), ask::choice("2", both("Bad", "Schlecht"))],
        ),
        ask::open_question("why", both("Why?", "Warum?")),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_and_labels_speak_every_language_of_the_survey() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = support::service::client(&sandbox, 100);
    let id = survey(&sandbox, &client, visit()).await;
    let one = [("again", 1.into()), ("topics_a", 1.into()), ("topics_b", 0.into()), ("rooms_x", 2.into())];
    answered(&sandbox, &client, id, &[Some(&one[..]), None]).await;
    let fields = ["again", "topics", "rooms"];

    let table = client.interviews(id).fields(fields).language("DE").table().await.expect("a table");
    assert_eq!(labels(&table, "again"), ["Ja", "Nein", "Keine Angabe"]);
    assert_eq!(labels(&table, "rooms_x"), ["Gut", "Schlecht"]);
    assert_eq!(table.languages(), ["en", "de"]);
    let label =
        |table: &Table, column| table.field(column).expect("a column").metadata()["sondage.label"].clone();
    assert_eq!(label(&table, "rooms_y"), "Wie waren – Bäder");
    assert_eq!(values(&table.with_labels(Labels::Labels), "again")[0], "Ja");
    let lists = table.with_lists().with_labels(Labels::Labels);
    assert_eq!(labels(&lists, "topics"), ["Essen", "Musik"]);
    // Switched without a download, also as lists, and as bytes.
    let calls = requests(&sandbox);
    let english = Table::from_bytes(lists.to_bytes().expect("bytes")).expect("the same").in_language("en");
    let english = english.expect("English");
    assert_eq!(labels(&english, "topics"), ["Food", "Music"]);
    assert_eq!(label(&english, "again"), "Again?");
    assert!(english.codebook().to_markdown().contains("Refused"));
    assert_eq!(requests(&sandbox), calls);

    // Files, pages and empty tables too.
    let file = std::env::temp_dir().join(format!("sondage-languages-{}.csv", std::process::id()));
    let query = client.interviews(id).fields(fields).language("de");
    query.export(&file).format(FileFormat::Csv).labels(Labels::Labels).run().await.expect("a file");
    assert!(std::fs::read_to_string(&file).expect("text").contains("Ja,"));
    std::fs::remove_file(&file).expect("removed");
    let nobody = query.clone().filter(question("again").is_equal_to(7)).table().await.expect("a table");
    assert_eq!((nobody.num_rows(), labels(&nobody, "again")), (0, labels(&table, "again")));
    let plain = client.interviews(id).fields(fields).estimate().await.expect("an estimate").calls;
    let cost = query.estimate().await.expect("an estimate").calls;
    assert_eq!(cost, plain.map(|calls| calls + 1), "one for the questionnaire");

    let calls = requests(&sandbox);
    let wrong = client.interviews(id).language("it").table().await.expect_err("no such language");
    assert_eq!(wrong.kind(), ErrorKind::InvalidArgument);
    assert!(wrong.to_string().contains("there is no language \"it\"; there is en, de"), "{wrong}");
    assert_eq!(requests(&sandbox), (calls.0, calls.1 + 1), "no interview was read");
    let wrong = table.in_language("it").expect_err("no such language");
    assert!(wrong.to_string().contains("there is en, de"), "{wrong}");
    let plain = client.interviews(id).fields(fields).table().await.expect("a table");
    assert!(plain.in_language("de").expect_err("one language").to_string().contains("`language`"));
    assert!(plain.languages().is_empty());
    let without = client.interviews(id).language("de").without_code_plan().table().await;
    assert!(without.expect_err("no plan").to_string().contains("`language` needs the code plan"));
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_answers_have_their_reasons() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = support::service::client(&sandbox, 100);
    let id = survey(&sandbox, &client, visit()).await;
    let refused = [("again", 99.into()), ("topics_a", 1.into()), ("rooms_x", 2.into()), ("why", "so".into())];
    let skipped = [("topics_a", 0.into()), ("topics_b", 0.into())];
    let rows: [Option<&[(&str, serde_json::Value)]>; 3] = [Some(&refused), Some(&skipped), None];
    answered(&sandbox, &client, id, &rows).await;
    let fields = ["State", "again", "topics", "rooms", "why"];
    let table = client.interviews(id).fields(fields).language("en").table().await.expect("a table");

    let declared = codes(&[("again", 99), ("rooms", 2)]);
    let gone = table.with_missing(&declared, MissingShown::Null).expect("a view");
    assert_eq!(values(&gone, "again")[0], "null");
    assert_eq!(values(&gone, "rooms_x")[0], "null");
    assert_eq!(labels(&gone, "again"), ["Yes", "No"], "a code for a missing answer is no category");
    assert_eq!(labels(&gone.in_language("de").expect("German"), "again"), ["Ja", "Nein"]);
    let declaration = gone.field("again").expect("a column").metadata()["sondage.missing"].clone();
    assert_eq!(declaration, r#"[{"id":"99","value":"Refused"}]"#);

    let kept = table.with_missing(&declared, MissingShown::Code).expect("a view");
    assert_eq!((values(&kept, "again"), labels(&kept, "again").len()), (values(&table, "again"), 3));

    let why = table.with_missing(&declared, MissingShown::Reason).expect("a view");
    assert_eq!(values(&why, "again_missing"), ["Refused", "not_asked", "not_asked"], "it had to be answered");
    assert_eq!(values(&why, "topics_a_missing"), ["null", "null", "not_asked"]);
    assert_eq!(values(&why, "topics_b_missing"), ["no_answer", "null", "not_asked"]);
    assert_eq!(values(&why, "rooms_x_missing"), ["Bad", "unknown", "not_asked"]);
    assert_eq!(values(&why, "rooms_y_missing"), ["no_answer", "unknown", "not_asked"]);
    assert_eq!(values(&why, "why_missing"), ["null", "unknown", "not_asked"]);
    assert_eq!(support::names(&why)[..3], ["State", "again", "again_missing"]);
    let same = Table::from_bytes(why.to_bytes().expect("bytes")).expect("a table");
    assert_eq!(values(&same, "rooms_x_missing"), values(&why, "rooms_x_missing"));

    let unused = table.with_missing(codes(&[("again", 98)]), MissingShown::Null).expect("a view");
    assert!(support::warnings(&unused).iter().any(|warning| warning.contains("no answer has the code 98")));
    let wrong = table.with_missing(codes(&[("agian", 99)]), MissingShown::Null).expect_err("no such column");
    assert!(wrong.to_string().contains("\"agian\""), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_with_the_name_of_a_column_of_the_service_hides_nothing() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = support::service::client(&sandbox, 2);
    let questions = vec![
        ask::single_choice("Id", both("Card?", "Ausweis?"), [ask::choice("7", both("Seven", "Sieben"))]),
        ask::open_question("why", both("Why?", "Warum?")),
    ];
    let id = survey(&sandbox, &client, questions).await;
    let card: [(&str, serde_json::Value); 2] = [("Id", 7.into()), ("why", "so".into())];
    answered(&sandbox, &client, id, &[Some(&card), Some(&card), Some(&card), None, None]).await;
    for structured in [false, true] {
        let query = || if structured { client.interviews(id).structured() } else { client.interviews(id) };
        let table = query()
            .fields(["why", "Id"])
            .table()
            .await
            .expect("complete, although three answers are the same");
        assert_eq!(support::names(&table), ["why", "Id", "answers.Id"]);
        assert_eq!(table.num_rows(), 5);
        assert!(values(&table, "Id").iter().all(|id| id.len() == 36), "the service's own");
        assert_eq!(values(&table, "answers.Id")[..4], ["7", "7", "7", "null"]);
        assert_eq!(labels(&table, "answers.Id"), ["Seven"]);
        assert!(support::warnings(&table).is_empty());
        let nobody =
            query().fields(["why", "Id"]).state(InterviewState::Screenout).table().await.expect("a table");
        assert_eq!(support::names(&nobody), support::names(&table));
        let why = query().fields(["why"]).table().await.expect("a table");
        assert_eq!(support::names(&why), ["why"]);
        let all = query().table().await.expect("a table");
        assert!(support::names(&all).contains(&"answers.Id".to_owned()));
        assert!(values(&all, "Id").iter().all(|id| id.len() == 36));
    }
    let file = std::env::temp_dir().join(format!("sondage-card-{}.csv", std::process::id()));
    client.interviews(id).fields(["Id"]).export(&file).run().await.expect("a file");
    assert!(std::fs::read_to_string(&file).expect("text").starts_with("Id,answers.Id\n"));
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn a_response_with_one_of_the_two_says_so() {
    let plan = r#"[{"code":"Id","dataType":"Number","question":"Card?"}]"#;
    let table = support::planned(r#"{"Id":7},{"Id":7}"#, plan);
    assert!(support::warnings(&table)[0].contains("only one of the two"), "{:?}", support::warnings(&table));
}

#[test]
fn a_state_that_no_interview_has_is_refused() {
    let error = "Complete".parse::<InterviewState>().expect_err("no state").to_string();
    assert!(error.contains("did you mean Completed?") && error.contains("Screenout"), "{error}");
    assert!(
        "nothing at all"
            .parse::<InterviewState>()
            .expect_err("no state")
            .to_string()
            .contains("NotResponded,")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_of_a_request_are_a_filter_that_can_be_read() {
    let filter = (field("Division").is_equal_to("Sales") | question("NPS").is_less_than(7))
        & field("Language").is_in(["de", "at"])
        & !sondage::condition::column("State").is_empty();
    let text = "(Division = \"Sales\" or question(NPS) < 7) and Language in [\"de\", \"at\"] and not (column(State) is empty)";
    assert_eq!(filter.to_string(), text);
    let conditions = filter.compile().expect("conditions");
    let again = Expression::try_from(conditions.clone()).expect("a filter");
    assert_eq!(again.compile().expect("conditions"), conditions);
    let read: Expression =
        serde_json::from_value(serde_json::to_value(&conditions).expect("JSON")).expect("a filter");
    assert_eq!(read, again);
    let empty: Expression = serde_json::from_str("[]").expect("a list");
    assert!(empty.compile().is_err(), "an empty list is no filter");

    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let client = support::service::client(&sandbox, 100);
    let german = field("Language").is_equal_to("de");
    let count = async |filter: Expression| {
        let members = client.members(sandbox.panel_id()).filter(filter);
        client.member_table(members).table().await.expect("members").num_rows()
    };
    let by_conditions = Expression::try_from(german.compile().expect("conditions")).expect("a filter");
    let expected = count(german).await;
    assert!(expected > 0);
    assert_eq!(count(by_conditions).await, expected);
}
