//! Members from tables, over HTTP against the sandbox: each row is sent at most once, whatever happens.

use crate::support;
use crate::support::service::{client, wait};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array, ListArray,
    NullArray, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray, StringViewArray,
    TimestampMillisecondArray,
};
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use sondage::ErrorKind;
use sondage::condition::field;
use sondage::model::FieldValue;
use sondage_data::{Tables, ipc_rows, object_rows};
use sondage_jobs::{ImportReport, RowStatus, Rows};
use sondage_sandbox::{Fault, Sandbox};
use std::sync::Arc;

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

fn reader(columns: Vec<(&str, ArrayRef)>, batch_rows: usize) -> impl RecordBatchReader + Send + use<> {
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let cuts = (0..batch.num_rows()).step_by(batch_rows);
    let parts: Vec<_> =
        cuts.map(|from| Ok(batch.slice(from, batch_rows.min(batch.num_rows() - from)))).collect();
    RecordBatchIterator::new(parts, batch.schema())
}

/// Members 0, 1, 2, ... in batches of 7 rows.
fn people(count: usize) -> impl RecordBatchReader + Send + use<> {
    let emails: StringArray = (0..count).map(|i| Some(format!("person{i}@example.org"))).collect();
    let names: StringViewArray = (0..count).map(|i| (i % 3 > 0).then(|| format!("Zoë \"{i}\""))).collect();
    let phones: Int64Array = (0..count).map(|i| Some(41_791_230_000 + i64::try_from(i).unwrap())).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("Email", Arc::new(emails)),
        ("FirstName", Arc::new(names)),
        ("CellPhoneNumber", Arc::new(phones)),
    ];
    reader(columns, 7)
}

fn create(
    sandbox: &Sandbox,
    chunk_size: usize,
    rows: impl RecordBatchReader + Send + 'static,
) -> sondage::Result<ImportReport> {
    let creation = client(sandbox, 100).create_members_from(sandbox.panel_id()).chunk_size(chunk_size);
    wait(async move { creation.run(rows).await })
}

fn created(report: &ImportReport) -> usize {
    report.count(RowStatus::Created)
}

#[test]
fn rows_become_members_in_their_order() {
    let sandbox = sandbox();
    let report = create(&sandbox, 10, people(25)).expect("a report");
    assert!(report.stopped.is_none() && created(&report) == 25);
    assert_eq!(sandbox.ledger().requests("CreateMembers").len(), 3, "chunks of 10, 10 and 5 rows");
    let id = report.row(14).expect("a row").id.expect("an id");
    let members = client(&sandbox, 100)
        .members(sandbox.panel_id())
        .filter(field("Email").is_equal_to("person14@example.org"));
    let found = wait(async move { members.collect_all().await }).expect("members");
    assert_eq!((found.len(), found[0].id), (1, id));
    assert_eq!(found[0].text("FirstName"), Some("Zoë \"14\""));
    assert_eq!(found[0].fields["CellPhoneNumber"].value.as_i64(), Some(41_791_230_014));
}

#[test]
fn bodies_can_be_looked_at_before_they_are_sent() {
    let sandbox = sandbox();
    sandbox.change_profile(|profile| profile.keep_bodies = true);
    let creation = client(&sandbox, 100).create_members_from(sandbox.panel_id()).chunk_size(10);
    let bodies: Vec<Vec<u8>> =
        creation.bodies(people(25)).expect("bodies").collect::<sondage::Result<_>>().expect("bodies");
    assert!(sandbox.ledger().requests("CreateMembers").is_empty(), "nothing was sent");
    create(&sandbox, 10, people(25)).expect("a report");
    let sent = sandbox.ledger().requests("CreateMembers").into_iter().map(|sent| sent.body.expect("kept"));
    assert_eq!(
        bodies.into_iter().map(|body| String::from_utf8(body).expect("text")).collect::<Vec<_>>(),
        sent.collect::<Vec<_>>()
    );
}

#[test]
fn every_type_of_a_frame() {
    let sandbox = sandbox();
    sandbox.change_profile(|profile| profile.keep_bodies = true);
    let dictionary: DictionaryArray<arrow_array::types::UInt32Type> =
        [Some("a"), None, Some("b")].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("Email", Arc::new(StringArray::from(vec!["a@example.org", "b@example.org", "c@example.org"]))),
        ("Small", Arc::new(Int32Array::from(vec![Some(1), None, Some(-3)]))),
        ("Float", Arc::new(Float64Array::from(vec![Some(1.0), Some(2.5), None]))),
        ("Flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("Day", Arc::new(Date32Array::from(vec![Some(19_782), None, None]))),
        ("At", Arc::new(TimestampMillisecondArray::from(vec![Some(1_709_208_000_500), None, None]))),
        ("Choice", Arc::new(dictionary)),
        ("Nothing", Arc::new(NullArray::new(3))),
    ];
    // The sandbox does not have these fields, so the test checks what was sent.
    let report = create(&sandbox, 10, reader(columns, 2)).expect("a report");
    assert_eq!(report.len(), 3);
    let sent = sandbox.ledger().requests("CreateMembers");
    let body: serde_json::Value =
        serde_json::from_str(sent[0].body.as_deref().expect("a body")).expect("JSON");
    let value = |row: usize, name: &str| body["members"][row]["fields"][name]["value"].clone();
    let first: Vec<_> =
        ["Small", "Float", "Flag", "Day", "At", "Choice"].iter().map(|name| value(0, name)).collect();
    assert_eq!(
        serde_json::Value::from(first),
        serde_json::json!([1, 1, true, "2024-02-29", "2024-02-29T12:00:00.500Z", "a"])
    );
    assert_eq!((value(1, "Float"), value(2, "Choice")), (2.5.into(), "b".into()));
    assert_eq!(body["members"][1]["fields"].as_object().expect("fields").len(), 2, "nulls are left out");
    assert_eq!(body["members"][0]["fields"]["Small"]["fieldType"], "Number");
}

#[test]
fn an_unknown_outcome_is_not_sent_again_and_nothing_after_it() {
    let sandbox = sandbox();
    sandbox.fault(Fault::on("CreateMembers").skip(1).cut_after_effect());
    let report = create(&sandbox, 10, people(40)).expect("a report");
    let stopped = report.stopped.as_ref().expect("an error");
    assert_eq!(stopped.kind(), ErrorKind::OutcomeUnknown);
    let unknown = report.rows().filter(|row| row.status == RowStatus::Unknown).map(|row| row.row);
    assert_eq!(unknown.collect::<Vec<_>>(), (10..20).collect::<Vec<_>>());
    assert_eq!((report.len(), report.count(RowStatus::NotSent)), (40, 20), "a status for each row");
    assert!(
        report.to_string().ends_with("look in the panel for the unknown ones before any row is sent again")
    );
    assert_eq!(created(&report), 10, "those whose outcome is known");
    let arrived = sandbox.ledger().requests("CreateMembers");
    assert_eq!(arrived.len(), 2, "each chunk once, and none after the unknown outcome");
}

/// Such rows were sent: they used to be reported as not sent.
#[test]
fn rows_of_a_chunk_that_the_service_refuses_are_refused_and_those_after_it_were_not_sent() {
    for (status, words) in [(400, "HTTP 400"), (403, "does not allow this"), (429, "too many calls")] {
        let sandbox = sandbox();
        sandbox.fault(Fault::on("CreateMembers").skip(1).every().status(status));
        let report = create(&sandbox, 10, people(40)).expect("a report");
        let count = |status| report.count(status);
        assert_eq!((created(&report), count(RowStatus::Refused), count(RowStatus::NotSent)), (10, 10, 20));
        let refused = report.row(10).expect("a row");
        assert_eq!((refused.status, refused.id), (RowStatus::Refused, None));
        let reason = refused.reason.expect("a reason");
        assert!(reason.starts_with("its chunk was refused: ") && reason.contains(words), "{reason}");
        assert!(!report.is_complete() && report.stopped.is_some(), "{report}");
    }
    // The last chunk: nothing is left, and yet the run was stopped.
    let sandbox = sandbox();
    sandbox.fault(Fault::on("CreateMembers").every().status(400));
    let report = create(&sandbox, 10, people(10)).expect("a report");
    assert_eq!((report.count(RowStatus::Refused), report.is_complete()), (10, false), "{report}");
}

#[test]
fn a_row_that_the_service_refuses_is_in_the_report() {
    let sandbox = sandbox();
    let emails = StringArray::from(vec!["fine@example.org", "not an address", "also@example.org"]);
    let report = create(&sandbox, 2, reader(vec![("Email", Arc::new(emails))], 3)).expect("a report");
    assert_eq!((report.len(), created(&report)), (3, 2));
    let refused = report.row(1).expect("a row");
    assert_eq!((refused.status, refused.id), (RowStatus::Refused, None));
    assert!(refused.reason.expect("a reason").contains("not an address"));
    assert!(report.stopped.is_none() && report.is_complete());
}

#[test]
fn what_no_member_can_have_is_said_before_anything_is_sent() {
    let sandbox = sandbox();
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
    let error = create(&sandbox, 10, reader(vec![("Tags", Arc::new(lists))], 1)).expect_err("a list");
    assert!(error.kind() == ErrorKind::InvalidArgument && error.to_string().contains("Tags"), "{error}");
    let floats = Float64Array::from(vec![f64::INFINITY]);
    let error = create(&sandbox, 10, reader(vec![("Score", Arc::new(floats))], 1)).expect_err("no number");
    assert!(error.to_string().contains("not finite"), "{error}");
    assert!(sandbox.ledger().requests("CreateMembers").is_empty());
}

#[test]
fn chunks_of_no_members_are_refused_before_anything_is_sent() {
    let sandbox = sandbox();
    let error = create(&sandbox, 0, people(3)).expect_err("no chunk");
    assert!(error.kind() == ErrorKind::InvalidArgument && error.what().contains("chunk_size"), "{error}");
    let creation = client(&sandbox, 100).create_members_from(sandbox.panel_id()).chunk_size(0);
    assert!(creation.bodies(people(3)).is_err());
    assert!(sandbox.ledger().requests("CreateMembers").is_empty());
}

#[test]
fn ids_that_have_no_place_are_in_the_report_without_their_rows() {
    let sandbox = sandbox();
    let answer =
        r#"{"isSuccess":true,"membersIds":[7001],"validationIssues":[{"errorMessage":"one is too many"}]}"#;
    sandbox.fault(
        Fault::on("CreateMembers").status(200).header("content-type", "application/json").body(answer),
    );
    let report = create(&sandbox, 10, people(2)).expect("a report");
    assert_eq!((created(&report), report.count(RowStatus::Unknown)), (0, 2));
    assert_eq!(report.unattributed, [7001]);
}

#[test]
fn a_row_that_cannot_be_sent_ends_the_work_and_the_rest_is_counted() {
    let sandbox = sandbox();
    let phone = |i: u32| if i == 12 { f64::INFINITY } else { 41_791_230_000.0 + f64::from(i) };
    let scores: Float64Array = (0..30).map(|i| Some(phone(i))).collect();
    let emails: StringArray = (0..30).map(|i| Some(format!("score{i}@example.org"))).collect();
    let rows = reader(vec![("Email", Arc::new(emails)), ("CellPhoneNumber", Arc::new(scores))], 4);
    let report = create(&sandbox, 5, rows).expect("a report");
    assert_eq!(report.stopped.as_ref().map(sondage::Error::kind), Some(ErrorKind::InvalidArgument));
    assert_eq!((created(&report), report.count(RowStatus::NotSent), report.len()), (10, 20, 30));
}

#[test]
fn a_csv_file_keeps_every_digit() {
    let sandbox = sandbox();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("people.csv");
    std::fs::write(&path, "\u{feff}Email,FirstName\ncsv@example.org,007\n\"quoted@example.org\",\n")
        .expect("written");
    let rows = sondage_data::csv_rows(&path).expect("a file");
    let report = create(&sandbox, 10, rows).expect("a report");
    assert_eq!(created(&report), 2);
    let members = client(&sandbox, 100)
        .members(sandbox.panel_id())
        .filter(field("Email").is_equal_to("csv@example.org"));
    let found = wait(async move { members.collect_all().await }).expect("members");
    assert_eq!(found[0].text("FirstName"), Some("007"));
    std::fs::write(&path, "Email,FirstName\na@example.org\n").expect("written");
    let error =
        create(&sandbox, 10, sondage_data::csv_rows(&path).expect("a file")).expect_err("a short line");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_rows() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("quotes.csv");
    let count = |text: &str| {
        std::fs::write(&path, format!("\u{feff}Email,FirstName\n{text}")).expect("written");
        let batches: Result<Vec<_>, _> = sondage_data::csv_rows(&path).expect("a file").collect();
        batches.map(|batches| batches.iter().map(RecordBatch::num_rows).sum::<usize>())
    };
    for (rows, text) in [
        (2, "a@example.org,\"A \"\"B\"\"\"\nb@example.org,\"C\"\n"),
        (2, "a@example.org,\"A\nB\"\r\nb@example.org,\"\""),
        (2, "a@example.org,5\" tape\n\"b@example.org\",\"A\" \n"),
        (1, "a@example.org,\"A\"\n\n\n"),
    ] {
        assert_eq!(count(text).expect("rows"), rows, "{text}");
    }
    for (line, text) in [
        (2, "a@example.org,\"A\nb@example.org,B\n"),
        (3, "a@example.org,\"A\"\nb@example.org,\"B\"\"\nc@example.org,C"),
        (3, "a@example.org,A\nb@example.org,\""),
    ] {
        let said = count(text).expect_err("no end").to_string();
        let what = format!("a quote that is never closed, in the row that begins in line {line}");
        assert!(said.contains(&what) && !said.contains("example.org"), "{said}");
    }
}

/// `sondage import 7 <(gunzip --stdout people.csv.gz)`: it cannot be read a second time.
#[test]
#[cfg(unix)]
fn a_pipe_is_a_file_too() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pipe-{}", std::process::id()));
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    for (text, rows) in [("Email\na@example.org\n", Ok(1)), ("Email\n\"a@example.org\n", Err(()))] {
        let into = path.clone();
        let writer = std::thread::spawn(move || std::fs::write(into, text).expect("a reader"));
        let batches: Result<Vec<_>, _> = sondage_data::csv_rows(&path).expect("a pipe").collect();
        assert_eq!(batches.map(|batches| batches[0].num_rows()).map_err(|_| ()), rows);
        writer.join().expect("written");
    }
    std::fs::remove_file(path).expect("a pipe");
}

#[test]
fn objects_become_members_too() {
    let sandbox = sandbox();
    let text = |text: &str| FieldValue::from(text);
    let rows = Rows::of([
        vec![("Email", text("one@example.org")), ("CellPhoneNumber", 41_791_230_000_i64.into())],
        vec![("Email", text("two@example.org")), ("Division", text("Moon"))],
    ]);
    let report = create(&sandbox, 10, object_rows(&rows).expect("rows")).expect("a report");
    assert_eq!(created(&report), 2, "{report}");
    for mixed in [
        [FieldValue::from("7"), 7.into()],
        [1.5.into(), i64::MAX.into()],
        [FieldValue::Json(sondage::Json::parse("[1]").expect("JSON")), FieldValue::Null],
    ] {
        let rows = Rows::of(mixed.map(|value| [("Division", value)]));
        let error = object_rows(&rows).err().expect("no type");
        assert!(
            error.kind() == ErrorKind::InvalidArgument && error.to_string().contains("Division"),
            "{error}"
        );
    }
    let numbers = Rows::of([
        [("Points", FieldValue::from(1))],
        [("Points", 2.5.into())],
        [("Points", FieldValue::Null)],
    ]);
    let batch = object_rows(&numbers).expect("rows").next().expect("a batch").expect("a batch");
    assert_eq!(support::array_texts(batch.column(0)), [Some("1.0".into()), Some("2.5".into()), None]);
    assert_eq!(object_rows(&Rows::default()).expect("nobody").count(), 1, "an empty table");
}

#[test]
fn arrow_bytes_become_members_whether_stream_or_file() {
    let sandbox = sandbox();
    let table = |first: &str, second: &str| {
        let emails: ArrayRef = Arc::new(StringArray::from(vec![first, second]));
        RecordBatch::try_from_iter([("Email", emails)]).expect("a batch")
    };
    let mut stream = Vec::new();
    let batch = table("a@example.org", "b@example.org");
    let mut writer = StreamWriter::try_new(&mut stream, &batch.schema()).expect("a stream");
    writer.write(&batch).and_then(|()| writer.finish()).expect("written");
    let mut file = Vec::new();
    let batch = table("c@example.org", "d@example.org");
    let mut writer = FileWriter::try_new(&mut file, &batch.schema()).expect("a file");
    writer.write(&batch).and_then(|()| writer.finish()).expect("written");
    for bytes in [stream.clone(), file] {
        let report = create(&sandbox, 10, ipc_rows(bytes).expect("rows")).expect("a report");
        assert_eq!(created(&report), 2);
    }
    stream.truncate(20);
    let error = ipc_rows(stream).err().expect("no stream");
    assert!(error.kind() == ErrorKind::InvalidArgument && error.to_string().contains("Arrow"), "{error}");
    assert!(ipc_rows(b"it begins with ARROW1".to_vec()).is_err());
}

/// A stream of two tables; the dictionary of the second contains only the entries that are new in it.
fn in_parts(first: ArrayRef, second: ArrayRef) -> Vec<u8> {
    let batch = |column| RecordBatch::try_from_iter([("Division", column)]).expect("a batch");
    let (first, second) = (batch(first), batch(second));
    let options = IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let mut stream = Vec::new();
    let mut writer =
        StreamWriter::try_new_with_options(&mut stream, &first.schema(), options).expect("a stream");
    writer
        .write(&first)
        .and_then(|()| writer.write(&second))
        .and_then(|()| writer.finish())
        .expect("written");
    drop(writer);
    stream
}

#[test]
fn a_dictionary_may_arrive_in_parts() {
    let words = |keys: Vec<i32>, words: Vec<&str>| -> ArrayRef {
        let values = Arc::new(StringArray::from(words));
        Arc::new(DictionaryArray::<Int32Type>::new(keys.into(), values))
    };
    let stream = in_parts(words(vec![0], vec!["Sales"]), words(vec![1, 0], vec!["Sales", "Research"]));
    let rows = ipc_rows(stream).expect("rows").collect::<Result<Vec<_>, _>>().expect("valid rows");
    let texts = rows.iter().map(|rows| {
        let words =
            rows.column(0).as_dictionary::<Int32Type>().downcast_dict::<StringArray>().expect("texts");
        words.into_iter().map(|word| word.expect("a text").to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(texts.collect::<Vec<_>>(), [vec!["Sales"], vec!["Research", "Sales"]]);

    let numbers = |keys: Vec<i32>, numbers: Vec<i64>| -> ArrayRef {
        let values = Arc::new(Int64Array::from(numbers));
        Arc::new(DictionaryArray::<Int32Type>::new(keys.into(), values))
    };
    let stream = in_parts(numbers(vec![0], vec![7]), numbers(vec![1, 0], vec![7, 8]));
    let rows = ipc_rows(stream).expect("rows").collect::<Result<Vec<_>, _>>().expect("valid rows");
    let numbers = rows.iter().map(|rows| {
        let numbers =
            rows.column(0).as_dictionary::<Int32Type>().downcast_dict::<Int64Array>().expect("numbers");
        numbers.into_iter().map(|number| number.expect("a number")).collect::<Vec<_>>()
    });
    assert_eq!(numbers.collect::<Vec<_>>(), [vec![7], vec![8, 7]]);
}
