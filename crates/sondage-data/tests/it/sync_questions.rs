//! A store follows the questionnaire: labels that are corrected, and questions that are removed.

use crate::folder::Folder;
use crate::support::service::{client, wait};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::json;
use sondage::Client;
use sondage::model::{
    CreateSurveyRequest, ExecuteWorkflowTransitionRequest, SurveyElement, UpdateSurveyRequest, WorkflowType,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use sondage::reports::SyncReport;
use sondage_data::{ParquetFile, Tables};
use sondage_sandbox::{GivenRows, Sandbox};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

fn questions(always: &'static str) -> Vec<SurveyElement> {
    let labels = [("1", "never"), ("2", always)];
    let choices = labels.map(|(code, label)| ask::choice(code, [("en", label)]));
    let topics = ["1", "2"].map(|code| ask::choice(code, [("en", "a topic")]));
    vec![
        ask::single_choice("often", [("en", "How often?")], choices),
        ask::multiple_choice("topics", [("en", "Which?")], topics),
    ]
}

fn definition(elements: Vec<SurveyElement>) -> Questionnaire {
    Questionnaire::new(["en"]).section("S", elements).end([("en", "Thanks")])
}

fn go(client: &Client, survey_id: i64, state: &str) {
    let go = ExecuteWorkflowTransitionRequest::new(WorkflowType::SurveyDesign, state).survey_id(survey_id);
    let client = client.clone();
    wait(async move { client.execute_workflow_transition(go).await }).expect(state);
}

/// A published survey with one answer.
fn survey(sandbox: &Sandbox, client: &Client) -> i64 {
    let definition = definition(questions("allways")).definition();
    let request = CreateSurveyRequest::new(sandbox.workspace_id(), "Reading", definition);
    let creator = client.clone();
    let made = wait(async move { creator.create_survey(request).await });
    let survey_id = made.expect("created").survey_id.expect("an id");
    go(client, survey_id, "Published");
    answer(sandbox, survey_id, &json!({ "often": 2, "topics_1": 1 }));
    survey_id
}

fn answer(sandbox: &Sandbox, survey_id: i64, row: &serde_json::Value) {
    let rows = vec![row.as_object().expect("a row").clone()];
    sandbox.answer(&GivenRows { survey_id, rows }).expect("accepted");
    // The service's clock has seconds: an answer of this one could be ahead of it.
    sandbox.clock().advance(Duration::from_secs(60));
}

fn revise(client: &Client, survey_id: i64, elements: Vec<SurveyElement>) {
    go(client, survey_id, "Revision");
    let change = UpdateSurveyRequest::new(survey_id, definition(elements).definition());
    let editor = client.clone();
    wait(async move { editor.update_survey(change).await }).expect("updated");
    go(client, survey_id, "Published");
}

fn sync(client: &Client, survey_id: i64, path: &Path, evolve: bool) -> Result<SyncReport, sondage::Error> {
    let sync = client.interviews(survey_id).sync(ParquetFile::new(path)).evolve(evolve);
    wait(async move { sync.run().await })
}

/// The columns of a file, with the codes and labels that it says of them.
fn columns(path: &Path) -> Vec<(String, String)> {
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file")).expect("Parquet");
    let fields = reader.schema().fields().iter();
    fields
        .map(|field| {
            (field.name().clone(), field.metadata().get("sondage.values").cloned().unwrap_or_default())
        })
        .collect()
}

fn values(path: &Path, column: &str) -> String {
    columns(path).into_iter().find(|(name, _)| name == column).expect("the column").1
}

#[test]
fn a_label_that_was_corrected_is_in_the_store_after_the_next_sync() {
    let (sandbox, folder) = (Sandbox::demo_blocking().expect("a sandbox"), Folder::new("sync-labels"));
    let (client, path) = (client(&sandbox, 20), folder.0.join("s.parquet"));
    let survey_id = survey(&sandbox, &client);
    sync(&client, survey_id, &path, false).expect("a sync");
    assert!(values(&path, "often").contains("allways"));

    revise(&client, survey_id, questions("always"));
    let report = sync(&client, survey_id, &path, false).expect("a sync");
    assert_eq!((report.added, report.changed, report.complete), (0, 0, false), "{report:?}");
    assert_eq!(report.columns_relabelled, ["often"]);
    let shown = values(&path, "often");
    assert!(shown.contains("\"always\"") && !shown.contains("allways"), "{shown}");
    let again = sync(&client, survey_id, &path, false).expect("a sync");
    assert!(again.columns_relabelled.is_empty(), "{again:?}");
}

#[test]
fn a_question_that_was_removed_stays_away() {
    let (sandbox, folder) = (Sandbox::demo_blocking().expect("a sandbox"), Folder::new("sync-removed"));
    let (client, path) = (client(&sandbox, 20), folder.0.join("s.parquet"));
    let survey_id = survey(&sandbox, &client);
    sync(&client, survey_id, &path, false).expect("a sync");
    let of_topics =
        || columns(&path).into_iter().filter(|(name, _)| name.starts_with("topics")).collect::<Vec<_>>();
    assert!(!of_topics().is_empty());

    revise(&client, survey_id, questions("allways").into_iter().take(1).collect());
    let stopped = sync(&client, survey_id, &path, false).expect_err("a column is gone").to_string();
    assert!(stopped.contains("gone: `topics_1`"), "{stopped}");
    assert!(!of_topics().is_empty(), "nothing was changed");
    let report = sync(&client, survey_id, &path, true).expect("a sync");
    assert!(report.columns_removed.contains(&"topics_1".to_owned()), "{report:?}");
    assert_eq!(of_topics(), []);
    answer(&sandbox, survey_id, &json!({ "often": 1 }));
    let next = sync(&client, survey_id, &path, false).expect("a sync");
    assert_eq!((next.added, next.columns_added, of_topics()), (1, vec![], vec![]));
}
