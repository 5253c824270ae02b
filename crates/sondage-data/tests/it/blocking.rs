//! Tables of the blocking client, over HTTP against the sandbox.

use crate::support;
use crate::support::service::client;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray};
use sondage::ErrorKind;
use sondage::arguments::{DeltaOptions, ExportOptions, InterviewsOptions, MembersOptions, PageOptions};
use sondage::blocking::Client;
use sondage::condition::{column, field};
use sondage_data::blocking::Tables;
use sondage_data::{ColumnCode, Labels};
use sondage_jobs::RowStatus;
use sondage_jobs::options::{CreateOptions, UpdateOptions};
use sondage_sandbox::{Fault, FaultAction, Sandbox, TotalCount};
use std::path::PathBuf;
use std::sync::Arc;

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

#[test]
fn rows_are_counted_and_the_first_are_read_without_the_others() {
    let (sandbox, client) = demo();
    let calls = || sandbox.ledger().requests("ReadInterviewListCompact").len();
    let query =
        client.interviews(InterviewsOptions::new(sandbox.survey_id()).page_size(400)).expect("a query");
    let before = calls();
    assert_eq!(query.count().expect("a count"), 944);
    assert_eq!(calls() - before, 1, "one call, in place of all pages");
    let before = calls();
    assert_eq!(query.head(3).expect("rows").num_rows(), 3);
    assert_eq!(calls() - before, 1);

    // A count that cannot be right is not believed: the rows are counted.
    let wrong = FaultAction::TotalCount { value: -1 };
    sandbox.fault(Fault::on("ReadInterviewListCompact").action(wrong).every());
    assert_eq!(query.count().expect("a count"), 944);

    // Nor is the count of a page.
    sandbox.change_profile(|profile| profile.total_count = TotalCount::Page);
    let members = client.member_table(MembersOptions::new(sandbox.panel_id())).expect("a query");
    assert_eq!(members.count().expect("a count"), 200);
}

/// A night without rows must not change the columns of a job.
#[test]
fn a_table_without_rows_has_the_columns_and_types_of_a_full_one() {
    let (sandbox, client) = demo();
    let interviews = || InterviewsOptions::new(sandbox.survey_id());
    let members = || MembersOptions::new(sandbox.panel_id());
    let (never, nobody) =
        (|| column("State").is_equal_to("NoSuchState"), || field("Email").is_equal_to("nobody"));
    for fields in [None, Some(["age", "vote", "State"])] {
        let asked = fields.map_or_else(interviews, |fields| interviews().fields(fields));
        let full = client.interviews(asked.clone()).expect("a query").table().expect("a table");
        let empty = client.interviews(asked.filter(never())).expect("a query");
        let read = empty.table().expect("a table");
        assert!(full.num_rows() > 0 && read.num_rows() == 0);
        assert_eq!(support::kinds(&read), support::kinds(&full));
        assert_eq!(
            empty.batches().expect("pages").map(|page| page.expect("a page").num_rows()).sum::<usize>(),
            0
        );
    }
    let full = client.member_table(members()).expect("a query").table().expect("a table");
    let empty = client.member_table(members().filter(nobody())).expect("a query").table().expect("a table");
    assert!(full.num_rows() > 0 && empty.num_rows() == 0);
    assert_eq!(empty.schema(), full.schema());
}

#[test]
fn the_codes_of_a_column_have_their_labels_in_order() {
    let (sandbox, client) = demo();
    let options = InterviewsOptions::new(sandbox.survey_id()).fields(["vote", "age"]);
    let table = client.interviews(options).expect("a query").table().expect("a table");
    for view in [table.clone(), table.with_labels(Labels::Labels)] {
        let values = view.values("vote").expect("a column");
        let shown: Vec<&str> = values.pairs().iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(shown, ["Clinton", "Dole"]);
        assert_eq!(values.pairs()[0].0, ColumnCode::Integer(0));
    }
    assert!(table.values("age").expect("a column").pairs().is_empty(), "ages have no labels");
    assert!(table.values("nobody").is_err());
}
