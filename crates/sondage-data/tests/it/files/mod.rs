//! Files of the library: who can read them, links, locks, what a killed process leaves, and CSV for spreadsheets.

#[cfg(unix)]
mod leftovers;
#[cfg(unix)]
mod locks;
#[cfg(unix)]
mod private;
use crate::folder::Folder;
use crate::support::service::{client, wait};
use crate::support::{compact, table};
use sondage::ErrorKind;
use sondage_data::{Csv, FileFormat, FileOptions, PayloadLayout, Table, Tables, csv_rows_as};
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::Path;

fn answers() -> Table {
    table(PayloadLayout::Compact, &[&compact(r#"{"Id":1,"Q1":"yes"},{"Id":2,"Q1":"no"}"#)])
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn files_of_answers_are_for_their_owner_alone_unless_they_are_shared() {
    let folder = Folder::new("readers");
    let usual = {
        let plain = folder.0.join("plain");
        fs::write(&plain, "").expect("written");
        mode(&plain)
    };
    assert_ne!(usual, 0o600, "the umask of this test is not stricter");
    let shared = FileOptions::default().shared(true);
    for format in
        [FileFormat::Parquet, FileFormat::Csv, FileFormat::JsonLines, FileFormat::Sav, FileFormat::Xlsx]
    {
        let path = folder.0.join(format!("{format:?}"));
        answers().save(&path, format).expect("saved");
        assert_eq!(mode(&path), 0o600);
        answers().save_with(&path, format, shared.clone()).expect("saved");
        assert_eq!(mode(&path), usual, "a choice");
    }
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let survey = client(&sandbox, 400).interviews(sandbox.survey_id()).fields(["age"]);
    let (own, open) = (folder.0.join("own.csv"), folder.0.join("open.csv"));
    wait(survey.export(&own).run()).expect("exported");
    wait(survey.export(&open).options(shared).run()).expect("exported");
    assert_eq!((mode(&own), mode(&open)), (0o600, usual));
    let delta = survey.delta(folder.0.join("state"));
    let changes = wait(async move { delta.begin().await }).expect("changes");
    changes.commit().expect("written");
    assert_eq!(mode(&folder.0.join("state")), 0o600);
    let event_log = folder.0.join("events.jsonl");
    drop(sondage::files::append(&event_log).expect("a file"));
    assert_eq!(mode(&event_log), 0o600);
}

/// An attacker with write access to the folder creates links under the temporary names.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_somebody_planted() {
    let folder = Folder::new("links");
    let victim = folder.0.join("victim");
    fs::write(&victim, "precious").expect("written");
    let plant = |name: &str| std::os::unix::fs::symlink(&victim, folder.0.join(name)).expect("a link");
    let path = folder.0.join("s7.csv");
    plant("s7.csv.new");
    plant("s7.csv");
    answers().save(&path, FileFormat::Csv).expect("saved");
    assert!(!fs::symlink_metadata(&path).expect("there").is_symlink(), "the link itself was replaced");
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let survey = client(&sandbox, 400).interviews(sandbox.survey_id()).fields(["age"]);
    fs::create_dir(folder.0.join("all.parquet.part")).expect("a folder");
    for name in ["00000000.new", "state.new", "whole.new", "waiting.new", "0.new", "000000.new"] {
        plant(&format!("all.parquet.part/{name}"));
    }
    wait(survey.export(folder.0.join("all.parquet")).run()).expect("exported");
    plant("state.new");
    let delta = survey.delta(folder.0.join("state"));
    wait(async move { delta.begin().await }).expect("changes").commit().expect("written");
    assert_eq!(fs::read_to_string(&victim).expect("there"), "precious");
}

#[test]
fn a_text_is_no_formula_in_a_spreadsheet_and_every_text_is_kept_elsewhere() {
    let folder = Folder::new("formulas");
    let path = folder.0.join("s7.csv");
    let texts = [
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-1+2",
        "@SUM(A1)",
        "\\t=1",
        "\\r=1",
        "\\n=1",
        "＝1",
        "=",
        "-",
        "+inf",
        "-5",
        "+41791234567",
        "-1.5e3",
        "5=5",
        "a@b.example",
        "",
        " =1",
        "'=1",
    ];
    let rows: Vec<String> =
        texts.iter().map(|text| format!(r#"{{"=HYPERLINK(1)":"{text}","n":-1}}"#)).collect();
    let answers = table(PayloadLayout::Compact, &[&compact(&rows.join(","))]);
    let written = |options| {
        answers.save_with(&path, FileFormat::Csv, options).expect("saved");
        fs::read_to_string(&path).expect("a file")
    };
    let plain = written(FileOptions::default());
    let safe = written(FileOptions::default().spreadsheet(true));
    let cells = |text: &str| -> Vec<String> {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.records().map(|record| record.expect("a line")[0].to_owned()).collect()
    };
    let typed: Vec<String> = std::iter::once("=HYPERLINK(1)".to_owned())
        .chain(texts.iter().map(|text| text.replace("\\t", "\t").replace("\\r", "\r").replace("\\n", "\n")))
        .collect();
    assert_eq!(cells(&plain), typed, "programs get the text unchanged");
    let guarded: Vec<String> = typed
        .iter()
        .enumerate()
        .map(|(i, text)| if i <= 11 || [13, 14, 19].contains(&i) { format!("'{text}") } else { text.clone() })
        .collect();
    assert_eq!(cells(&safe), guarded);
    assert_eq!(safe.matches(",-1\r\n").count(), texts.len(), "numbers stay numbers");

    let options = FileOptions::default().spreadsheet(true);
    let error = answers.save_with(&path, FileFormat::Parquet, options).expect_err("no spreadsheet");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_text_is_no_other_number_and_no_date_in_a_spreadsheet_and_is_read_back() {
    let folder = Folder::new("guarded");
    let path = folder.0.join("s7.csv");
    let texts =
        ["00123", "1.5", "3-4", "SEPT2", "TRUE", "1234567890123456", "'00123", "12", "Yes", "'quoted'"];
    let rows: Vec<String> = texts.iter().map(|text| format!(r#"{{"o":"{text}","p":"-"}}"#)).collect();
    let answers = table(PayloadLayout::Compact, &[&compact(&rows.join(","))]);
    let options = FileOptions::default().spreadsheet_in("de").expect("a language");
    answers.save_with(&path, FileFormat::Csv, options).expect("saved");
    let written = fs::read_to_string(&path).expect("a file");
    let first = |line: &str| line.split(';').next().unwrap_or_default().to_owned();
    let cells: Vec<String> = written.lines().skip(1).map(first).collect();
    let guarded =
        texts.iter().enumerate().map(|(at, text)| format!("{}{text}", if at < 7 { "'" } else { "" }));
    assert_eq!(cells, guarded.collect::<Vec<_>>());
    let read = |csv: &Csv| {
        csv_rows_as(&path, csv)
            .map_err(|error| error.to_string())
            .and_then(|mut rows| rows.next().expect("rows").map_err(|error| error.to_string()))
    };
    let back = |is_guarded| {
        let batch = read(&Csv::new().guarded(is_guarded)).expect("a batch");
        crate::support::array_texts(batch.column(0)).into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(back(true), texts);
    assert_eq!(back(false), cells, "another program's file keeps what it has");
    // Nothing in the file says which of the two it is.
    let said = read(&Csv::new()).expect_err("refused");
    assert!(said.contains("a value in line 2 of") && said.contains("as `guarded`: true"), "{said}");
    assert!(!said.contains("00123"), "{said}");
}

#[test]
fn a_missing_answer_in_the_only_column_is_an_empty_cell_in_quotes() {
    let folder = Folder::new("na");
    let path = folder.0.join("s7.csv");
    let answers = table(PayloadLayout::Compact, &[&compact(r#"{"o":"NA"},{"o":null},{"o":""},{"o":"x"}"#)]);
    let report = answers.select(&["o"]).expect("there").save(&path, FileFormat::Csv).expect("saved");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "o\nNA\n\"\"\n\"\"\nx\n");
    let said: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    assert!(said.len() == 1 && said[0].contains("1 answers are the empty text"), "{said:?}");
}

#[test]
fn a_spreadsheet_opens_the_file_as_it_is() {
    let folder = Folder::new("spreadsheet");
    let path = folder.0.join("s7.csv");
    let row = r#"{"StartDate":"2024-07-01T22:30:00.5Z","o":"Müller; a|b","p":"two\nlines","n":1.5}"#;
    let answers =
        table(PayloadLayout::Compact, &[&compact(row)]).in_time_zone("Europe/Zurich").expect("a zone");
    let written = |options| {
        answers.save_with(&path, FileFormat::Csv, options).expect("saved");
        fs::read_to_string(&path).expect("a file")
    };
    let sheet = FileOptions::default().spreadsheet(true);
    assert_eq!(
        written(sheet.clone()),
        "\u{feff}StartDate,o,p,n\r\n2024-07-02 00:30:00.500,Müller; a|b,\"two\nlines\",1.5\r\n"
    );
    let separated =
        "\u{feff}StartDate;o;p;n\r\n2024-07-02 00:30:00.500;\"Müller; a|b\";\"two\nlines\";1.5\r\n";
    assert_eq!(written(sheet.separator(';')), separated);
    let plain = written(FileOptions::default().csv(None, Some("tab"), None, None).expect("a separator"));
    assert_eq!(
        plain,
        "StartDate\to\tp\tn\n2024-07-02T00:30:00.500+02:00\tMüller; a|b\t\"two\nlines\"\t1.5\n"
    );
    answers.without_time_zone().save(&path, FileFormat::Csv).expect("saved");
    assert!(fs::read_to_string(&path).expect("a file").contains("\n2024-07-02T00:30:00.500,"));

    for wrong in ["", ";;", "x", "\"", "\n", "ü"] {
        let refused = FileOptions::default().csv(None, Some(wrong), None, None);
        let error =
            refused.and_then(|options| answers.save_with(&path, FileFormat::Csv, options)).expect_err(wrong);
        assert!(error.to_string().contains(r#"Use ",", ";", "|" or a tab"#), "{error}");
    }
    let error = answers.save_with(
        folder.0.join("a.jsonl"),
        FileFormat::JsonLines,
        FileOptions::default().separator(';'),
    );
    assert!(error.expect_err("no CSV").to_string().contains("only CSV has a separator"));
    for format in [FileFormat::Csv, FileFormat::Dta, FileFormat::Xlsx] {
        let weighted = FileOptions::default().weight("n");
        let error = answers.save_with(folder.0.join("a"), format, weighted).expect_err("no SPSS");
        assert!(
            error.to_string().contains("only a file of SPSS says which column weights its rows"),
            "{error}"
        );
    }
    // SPSS leaves out a row whose weight is missing, zero or negative.
    let answers = table(PayloadLayout::Compact, &[&compact(r#"{"w":1.5},{"w":0},{"w":-2},{"w":null}"#)]);
    let weighted = FileOptions::default().weight("w");
    let report = answers.save_with(folder.0.join("w.sav"), FileFormat::Sav, weighted).expect("saved");
    let said: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    assert!(said.len() == 1 && said[0].contains("3 rows have no weight above 0"), "{said:?}");
    for (name, way_out) in [
        ("a.ods", "Name the file .xlsx"),
        ("a.xlsx", "Give it another name"),
        ("a.parquet", "Give it another name"),
        ("a.csv.gz", "another name"),
    ] {
        let error = answers.save(folder.0.join(name), FileFormat::Csv).expect_err(name);
        assert!(error.to_string().contains(way_out), "{error}");
    }
}
