//! Tables of the blocking client, over HTTP against the sandbox.

mod support;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray};
use sondage::ErrorKind;
use sondage::arguments::{
    CreateOptions, DeltaOptions, ExportOptions, InterviewsOptions, MembersOptions, PageOptions, UpdateOptions,
};
use sondage::blocking::Client;
use sondage::jobs::RowStatus;
use sondage_data::blocking::Tables;
use sondage_sandbox::Sandbox;
use std::path::PathBuf;
use std::sync::Arc;
use support::service::client;

fn demo() -> (Sandbox, Client) {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let client = Client::from(client(&sandbox, 400));
    (sandbox, client)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sondage-blocking-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn rows(columns: Vec<(&str, Vec<&str>)>) -> impl RecordBatchReader + Send + use<> {
    let columns =
        columns.into_iter().map(|(name, cells)| (name, Arc::new(StringArray::from(cells)) as ArrayRef));
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let schema = batch.schema();
    RecordBatchIterator::new(vec![Ok(batch)], schema)
}

#[test]
fn interviews_become_a_table_pages_a_file_and_a_load() {
    let (sandbox, client) = demo();
    let options = InterviewsOptions::new(sandbox.survey_id()).page_size(400);
    let query = client.interviews(options.clone()).expect("a query");
    let table = query.table().expect("a table");
    assert_eq!(table.num_rows(), 944);
    let pages: Vec<usize> =
        query.batches().expect("pages").map(|page| page.expect("a page").num_rows()).collect();
    assert_eq!(pages, [400, 400, 144]);
    assert_eq!(query.estimate().expect("an estimate").rows, Some(944));
    let (page, count) = query.page(PageOptions::new(2, 10)).expect("a page");
    assert_eq!((page.num_rows(), count), (10, Some(944)));

    let folder = folder("interviews");
    let file = folder.join("all.csv");
    let done = query.export(ExportOptions::new(file.as_path()).labels("both")).expect("a file");
    assert_eq!((done.rows, done.path), (944, file));
    let wrong = query.export(ExportOptions::new(folder.join("all.csv")).labels("some")).expect_err("labels");
    assert!(wrong.kind() == ErrorKind::InvalidArgument && wrong.to_string().contains("labels"), "{wrong}");

    let state = folder.join("state");
    let load = || query.delta(DeltaOptions::new(state.as_path()).removed(true)).expect("a load");
    let first = load();
    assert_eq!(first.table.num_rows(), 944);
    first.commit().expect("a state");
    assert_eq!(load().table.num_rows(), 0);
    std::fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn members_are_created_planned_changed_and_read() {
    let (sandbox, client) = demo();
    let panel = sandbox.panel_id();
    let created = client
        .create_members_from(
            CreateOptions::new(panel).chunk_size(1),
            rows(vec![("Email", vec!["a@b.example", "c@d.example"])]),
        )
        .expect("members");
    assert_eq!((created.len(), created.count(RowStatus::Created)), (2, 2));
    let plan = client
        .plan_update(
            UpdateOptions::new(panel, "Email").ignore_case(true),
            rows(vec![("Email", vec!["A@B.example"]), ("Division", vec!["Moon"])]),
        )
        .expect("a plan");
    assert_eq!(plan.plan().members(), 1);
    assert_eq!(plan.apply().expect("a report").applied.len(), 1);
    let members =
        client.member_table(MembersOptions::new(panel).fields(["Email", "Division"])).expect("a query");
    let table = members.table().expect("a table");
    assert_eq!(table.num_rows(), 202);
    assert!(support::texts(&table, "Division").contains(&Some("Moon".to_owned())));
    let wrong = members.page(PageOptions::new(1, 1)).expect_err("members have no such page");
    assert_eq!(wrong.kind(), ErrorKind::InvalidArgument);
}
