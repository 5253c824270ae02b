//! Updates of members from Arrow tables, over HTTP against the sandbox.

use crate::support;
use crate::support::service::{client, wait};
use crate::support::texts;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch,
    RecordBatchIterator, RecordBatchReader, StringArray,
};
use sondage::ErrorKind;
use sondage_data::{PlanFrom, Tables, changes};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::UpdateOptions;
use sondage_jobs::{Update, UpdatePlan};
use sondage_sandbox::Sandbox;
use std::sync::Arc;

fn reader(columns: Vec<(&str, ArrayRef)>) -> impl RecordBatchReader + Send + use<> {
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let schema = batch.schema();
    RecordBatchIterator::new(vec![Ok(batch)], schema)
}

fn plan(update: Update, rows: impl RecordBatchReader + Send + 'static) -> sondage::Result<UpdatePlan> {
    wait(async move { update.plan_from(rows).await })
}

#[test]
fn a_frame_of_every_type_changes_fields_of_every_type() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let (client, panel) = (client(&sandbox, 100), sandbox.customer_panel_id());
    let members = client.member_table(client.members(panel).fields(["CustomerNumber"]));
    let numbers = wait(async move { members.table().await }).expect("members");
    let customers: Vec<i64> = support::values(&numbers, "CustomerNumber")[..3]
        .iter()
        .map(|number| number.parse().expect("a number"))
        .collect();
    let rows = || {
        let lists = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([
            Some([Some(1)]),
            None,
            None,
        ]);
        reader(vec![
            ("CustomerNumber", Arc::new(Int64Array::from(customers.clone())) as ArrayRef),
            ("Since", Arc::new(Date32Array::from(vec![Some(19_782), None, Some(19_783)]))),
            ("Revenue", Arc::new(Float64Array::from(vec![Some(12.5), Some(3.0), None]))),
            ("Language", Arc::new(StringArray::from(vec![None, Some("rm"), Some("pt")]))),
            ("Tags", Arc::new(lists)),
        ])
    };
    let by = || UpdateOptions::new(panel, "CustomerNumber");
    let error = plan(client.update_members_by(by()), rows()).expect_err("a list");
    assert!(error.kind() == ErrorKind::InvalidArgument && error.to_string().contains("Tags"), "{error}");
    let fields = ["Since", "Revenue", "Language"].map(str::to_owned);
    let by = || client.update_members_by(by().fields(fields.to_vec()));
    let planned = plan(by(), rows()).expect("a plan");
    let shown = changes(&planned).expect("a table");
    let rows_of = |column: &str| support::values(&shown, column);
    assert_eq!(rows_of("field"), ["Since", "Revenue", "Revenue", "Language", "Since", "Language"]);
    assert_eq!(rows_of("new"), ["2024-02-29", "12.5", "3", "rm", "2024-03-01", "pt"]);
    assert_eq!(rows_of("row"), ["0", "0", "1", "1", "2", "2"]);
    assert_eq!(texts(&shown, "old").len(), 6);
    let report = wait(async move { Ok(planned.apply().await) }).expect("a report");
    assert!(report.applied.len() == 3 && report.stopped.is_none(), "{report:?}");
    let again = plan(by(), rows()).expect("a plan");
    assert!(again.is_empty() && again.unchanged == 3, "{again}");
    assert_eq!(changes(&again).expect("a table").num_rows(), 0);
}

#[test]
fn a_csv_file_is_planned_too() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let (client, panel) = (client(&sandbox, 100), sandbox.panel_id());
    let members = client.members(panel);
    let member = wait(async move { members.collect_all().await }).expect("members").swap_remove(0);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("changes.csv");
    let phone = "41790000001";
    let email = member.text("Email").expect("an address");
    let text = format!("Email,CellPhoneNumber,Division\n{email},{phone},\nnobody@example.org,{phone},x\n");
    std::fs::write(&path, text).expect("written");
    let rows = sondage_data::csv_rows(&path).expect("a file");
    let planned = plan(client.update_members_by(UpdateOptions::new(panel, "Email")), rows).expect("a plan");
    assert_eq!((planned.changes.len(), planned.skipped.len()), (1, 1), "an empty cell keeps the division");
    assert_eq!(planned.changes[0].new.as_i64(), Some(41_790_000_001));
}

#[test]
fn a_truth_value_is_no_text() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let emails: ArrayRef = Arc::new(StringArray::from(vec!["a@example.org"]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let update = client(&sandbox, 100).update_members_by(UpdateOptions::new(sandbox.panel_id(), "Email"));
    let error = plan(update, reader(vec![("Email", emails), ("Division", flags)])).expect_err("no text");
    assert!(error.to_string().contains("the field holds a text"), "{error}");
    assert!(sandbox.ledger().requests("UpdateMembers").is_empty());
}
