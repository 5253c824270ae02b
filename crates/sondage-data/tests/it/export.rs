//! Files, over HTTP from the sandbox: complete or absent, and no page is requested twice.

use crate::folder::Folder;
use crate::support::array_texts;
use crate::support::service::{client, wait};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sondage::ErrorKind;
use sondage::condition::{column, field};
use sondage_data::{Export, ExportReport, FileFormat, Interviews, Labels, Tables};
use sondage_sandbox::{Content, Fault, FaultAction, Sandbox};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const FILE: &str = include_str!("../../../sondage-sandbox/data/anes96.csv");
const COLUMNS: [&str; 10] =
    ["popul", "TVnews", "selfLR", "ClinLR", "DoleLR", "PID", "age", "educ", "income", "vote"];
const OPERATION: &str = "ReadInterviewListCompact";

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

fn survey(sandbox: &Sandbox, page_size: i64) -> Interviews {
    client(sandbox, page_size).interviews(sandbox.survey_id()).fields(COLUMNS)
}

fn run(export: Export) -> sondage::Result<ExportReport> {
    wait(export.run())
}

/// The rows of the survey's original file, sorted.
fn expected() -> Vec<String> {
    let clean =
        |line: &str| line.split('\t').map(|cell| cell.trim_matches('\'')).collect::<Vec<_>>().join(",");
    sorted(FILE.lines().skip(1).map(clean))
}

fn sorted(rows: impl Iterator<Item = String>) -> Vec<String> {
    let mut rows: Vec<String> = rows.collect();
    rows.sort();
    rows
}

/// The sorted rows of a Parquet file, with the columns in the order of the original file.
fn parquet_rows(path: &Path) -> Vec<String> {
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file")).expect("Parquet");
    let mut rows = Vec::new();
    for batch in builder.build().expect("a reader") {
        let batch = batch.expect("a batch");
        let columns: Vec<_> =
            COLUMNS.iter().map(|name| array_texts(batch.column_by_name(name).expect("a column"))).collect();
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|column| column[row].clone().unwrap_or_default());
            rows.push(cells.collect::<Vec<_>>().join(","));
        }
    }
    sorted(rows.into_iter())
}

/// Readers such as polars 1.20 refuse a file with an order of values that they do not know.
#[test]
fn the_order_of_fractions_is_the_one_that_every_reader_knows() {
    let plan = r#"[{"code":"x","dataType":"Real"},{"code":"n","dataType":"Number"}]"#;
    let table = crate::support::planned(r#"{"x":0.5,"n":1},{"x":-2.5}"#, plan);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fractions.parquet");
    table.save(&path, FileFormat::Parquet).expect("saved");
    let bytes = fs::read(path).expect("read");
    let orders = &bytes[bytes.len() - 8 - 7..bytes.len() - 8];
    assert_eq!(orders, [0x1c, 0, 0, 0x1c, 0, 0, 0], "both are defined by the type");
}

#[test]
fn the_real_survey_in_every_format() {
    let (sandbox, folder) = (sandbox(), Folder::new("every_format"));
    let path = |name: &str| folder.0.join(name);
    let done = run(survey(&sandbox, 100).export(path("a.parquet"))).expect("a file");
    assert_eq!((done.rows, done.progress.rows, done.progress.calls), (944, 944, 10));
    assert!(done.warnings.is_empty() && done.progress.bytes > 100_000);
    assert_eq!(fs::metadata(path("a.parquet")).expect("there").len(), done.size);
    assert!(parquet_rows(&path("a.parquet")) == expected());

    run(survey(&sandbox, 300).export(path("a.csv"))).expect("a file");
    let text = fs::read_to_string(path("a.csv")).expect("there");
    assert_eq!(text.lines().next(), Some("popul,TVnews,selfLR,ClinLR,DoleLR,PID,age,educ,income,vote"));
    assert!(sorted(text.lines().skip(1).map(str::to_owned)) == expected());

    run(survey(&sandbox, 300).export(path("lines")).format(FileFormat::JsonLines)).expect("a file");
    let text = fs::read_to_string(path("lines")).expect("there");
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        COLUMNS.map(|name| row[name].to_string()).join(",")
    };
    assert!(sorted(text.lines().map(row)) == expected());
    assert_eq!(folder.names(), ["a.csv", "a.parquet", "lines"], "nothing else is left");
}

/// Where the header of an SPSS file has the time at which it was written.
const CREATED: std::ops::Range<usize> = 92..109;

/// Codes that mean a missing answer come back from where they were taken out, in the same order as in a table in memory.
#[test]
fn an_spss_file_is_the_same_from_a_query_and_from_a_table() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().expect("a sandbox");
    let folder = Folder::new("spss");
    let bytes = |name: &str| {
        let mut bytes = fs::read(folder.0.join(name)).expect("read");
        bytes[CREATED].fill(b' ');
        bytes
    };
    for page_size in [50, 1_000] {
        let query = client(&sandbox, page_size).interviews(sandbox.survey_id());
        let done = run(query.clone().export(folder.0.join("query.sav"))).expect("a file");
        let table = wait(async move { query.table().await }).expect("a table");
        let saved = table.with_labels(Labels::Both).save(folder.0.join("table.sav"), FileFormat::Sav);
        let saved = saved.expect("saved");
        assert_eq!((done.size, done.rows), (saved.size, table.num_rows()));
        assert!(saved.warnings.iter().all(|warning| done.warnings.contains(warning)), "{:?}", saved.warnings);
        assert!(bytes("query.sav") == bytes("table.sav"));
        let query = client(&sandbox, page_size).interviews(sandbox.survey_id());
        run(query.clone().export(folder.0.join("missing.sav")).missing(-99)).expect("a file");
        let declared = table.with_missing(-99, sondage_data::MissingShown::Code).expect("a table");
        declared.save(folder.0.join("table.sav"), FileFormat::Sav).expect("saved");
        assert!(bytes("missing.sav") == bytes("table.sav"));
        let error = run(query.export(folder.0.join("a.csv")).missing(-99)).expect_err("no declarations");
        assert!(error.to_string().contains("declare codes as missing"), "{error}");
    }
}

#[test]
fn labels_in_files() {
    let (sandbox, folder) = (sandbox(), Folder::new("labels"));
    let path = folder.0.join("labels.csv");
    let query = client(&sandbox, 400).interviews(sandbox.survey_id()).fields(["educ", "vote"]);
    run(query.export(&path).labels(Labels::Both)).expect("a file");
    let text = fs::read_to_string(&path).expect("there");
    assert_eq!(text.lines().next(), Some("educ,educ_label,vote,vote_label"));
    assert!(text.contains("\n3,High school graduate,1,Dole\n"));
    let path = folder.0.join("labels.parquet");
    run(query.export(&path).labels(Labels::Labels)).expect("a file");
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("there")).expect("Parquet");
    let field = builder.schema().field_with_name("vote").expect("a column");
    assert!(field.dict_is_ordered().unwrap_or(false) || field.data_type().to_string().contains("Dictionary"));
    assert!(field.metadata().get("sondage.values").expect("values").contains("Clinton"));
}

#[test]
fn an_export_that_failed_goes_on_where_it_was() {
    let (sandbox, folder) = (sandbox(), Folder::new("goes_on"));
    let path = folder.0.join("survey.parquet");
    let fault = sandbox.fault(Fault::on(OPERATION).skip(6).every().action(FaultAction::Html));
    let error = run(survey(&sandbox, 100).export(&path)).expect_err("a fault");
    assert_eq!(error.kind(), ErrorKind::UnexpectedResponse, "{error}");
    assert_eq!(folder.names(), ["survey.parquet.part"], "no half file");
    fault.remove();

    // Another query does not reuse these pages; it starts over.
    sandbox.ledger().clear();
    let other = survey(&sandbox, 100).filter(column("State").is_equal_to("Completed"));
    run(other.export(folder.0.join("other.parquet"))).expect("a file");
    assert_eq!(sandbox.ledger().requests(OPERATION).len(), 10);

    sandbox.ledger().clear();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watch = Arc::clone(&seen);
    let export =
        survey(&sandbox, 100).export(&path).on_progress(move |now| watch.lock().unwrap().push(now.rows));
    let done = run(export).expect("a file");
    assert_eq!(sandbox.ledger().requests(OPERATION).len(), 4, "the first six pages are not requested again");
    assert_eq!(seen.lock().unwrap().first(), Some(&600));
    assert_eq!((done.rows, done.progress.rows), (944, 944));
    assert!(parquet_rows(&path) == expected());
    assert_eq!(folder.names(), ["other.parquet", "survey.parquet"]);
}

#[test]
fn an_export_of_something_else_or_without_resuming_begins_anew() {
    let (sandbox, folder) = (sandbox(), Folder::new("anew"));
    let path = folder.0.join("survey.csv");
    let fault = sandbox.fault(Fault::on(OPERATION).skip(3).every().action(FaultAction::Html));
    run(survey(&sandbox, 100).export(&path)).expect_err("a fault");
    fault.remove();
    sandbox.ledger().clear();
    run(survey(&sandbox, 100).export(&path).resume(false)).expect("a file");
    assert_eq!(sandbox.ledger().requests(OPERATION).len(), 10);

    let fault = sandbox.fault(Fault::on(OPERATION).skip(3).every().action(FaultAction::Html));
    run(survey(&sandbox, 100).export(&path)).expect_err("a fault");
    fault.remove();
    let query = client(&sandbox, 100).interviews(sandbox.survey_id()).fields(["age"]);
    run(query.export(&path)).expect("a file");
    let text = fs::read_to_string(&path).expect("there");
    assert_eq!((text.lines().next(), text.lines().count()), (Some("age"), 945));
}

#[test]
fn nobody_answered_and_there_is_a_file() {
    let (sandbox, folder) = (sandbox(), Folder::new("nobody"));
    for name in ["none.csv", "none.parquet", "none.jsonl"] {
        let query = survey(&sandbox, 100).state(sondage::arguments::InterviewState::NotResponded);
        let done = run(query.export(folder.0.join(name))).expect("a file");
        assert_eq!(done.rows, 0);
    }
    let text = fs::read_to_string(folder.0.join("none.csv")).expect("there");
    assert_eq!(text.trim_end(), COLUMNS.join(","), "the questionnaire's columns");
    assert!(parquet_rows(&folder.0.join("none.parquet")).is_empty());
    assert_eq!(fs::read_to_string(folder.0.join("none.jsonl")).expect("there"), "");
}

#[test]
fn members_in_files() {
    let (sandbox, folder) = (sandbox(), Folder::new("members"));
    let client = client(&sandbox, 50);
    let members = client.member_table(client.members(sandbox.panel_id()));
    let path = folder.0.join("members.jsonl");
    let done = run(members.export(&path)).expect("a file");
    let table = wait(async move { members.table().await }).expect("a table");
    let text = fs::read_to_string(&path).expect("there");
    assert_eq!((done.rows, text.lines().count()), (table.num_rows(), table.num_rows()));
    let first: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let names: Vec<&String> = first.keys().collect();
    let schema = table.schema();
    let mut expected: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
    expected.sort();
    let mut names = names;
    names.sort();
    assert_eq!(names, expected);
}

#[test]
fn what_is_wrong_is_said_before_a_call_is_spent() {
    let (sandbox, folder) = (sandbox(), Folder::new("wrong"));
    sandbox.ledger().clear();
    for (path, word) in [
        (folder.0.join("table.ods"), "format"),
        (folder.0.clone().join("nowhere/table.csv"), "no folder"),
        (PathBuf::from("/dev/full.csv/x.csv"), "no folder"),
    ] {
        let error = run(survey(&sandbox, 100).export(path)).expect_err(word);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(word), "{error}");
    }
    let error = run(survey(&sandbox, 100).export("/dev/full").format(FileFormat::Csv)).expect_err("no file");
    assert!(error.to_string().contains("not a file"), "{error}");
    let path = folder.0.join("twice.csv");
    fs::create_dir(folder.0.join("twice.csv.part")).expect("a folder");
    let lock = File::create(folder.0.join("twice.csv.part/lock")).expect("a lock");
    lock.try_lock().expect("free");
    let error = run(survey(&sandbox, 100).export(&path)).expect_err("locked");
    assert!(error.to_string().contains("another process"), "{error}");
    assert!(sandbox.ledger().requests(OPERATION).is_empty());
}

/// A night without members must not change the columns of a file.
#[test]
fn a_file_without_members_has_the_columns_and_types_of_one_with_members() {
    let folder = Folder::new("no-members");
    let sandbox = sandbox();
    let client = client(&sandbox, 500);
    let nobody = field("Email").is_equal_to("nobody@example.invalid");
    let members = || client.members(sandbox.panel_id()).interviews();
    let path = |name: &str| folder.0.join(name);
    for format in ["parquet", "csv"] {
        let (full, empty) = (path(&format!("full.{format}")), path(&format!("empty.{format}")));
        run(client.member_table(members()).export(&full)).expect("a file");
        let report =
            run(client.member_table(members().filter(nobody.clone())).export(&empty)).expect("a file");
        assert!(report.rows == 0 && report.warnings.is_empty());
        if format == "csv" {
            let header =
                |path: &Path| fs::read_to_string(path).expect("text").lines().next().map(str::to_owned);
            assert_eq!(header(&empty), header(&full));
        } else {
            let schema = |path: &Path| {
                let file = File::open(path).expect("a file");
                ParquetRecordBatchReaderBuilder::try_new(file).expect("parquet").schema().clone()
            };
            assert_eq!(schema(&empty), schema(&full));
            assert!(schema(&empty).fields().len() > 6);
        }
    }
}
