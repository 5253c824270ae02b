//! Workbooks (.xlsx) as people have them, imported over HTTP into a sandbox.

use crate::support::service::{client, wait};
use sondage::Result;
use sondage::model::{FieldValue, PanelMemberField, PanelMemberFieldType, WritePanelRequest};
use sondage_data::{Csv, PlanFrom as _, Tables as _, file_rows, row_stream, workbook_rows};
use sondage_jobs::options::{ImportOptions, UpdateOptions};
use sondage_jobs::{ImportReport, Jobs as _, RowStatus, RowStream as _};
use sondage_sandbox::Sandbox;
use std::path::{Path, PathBuf};
use workbook::{names, number, row, text, workbook};

#[path = "support/workbook.rs"]
mod workbook;

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("workbook-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { sandbox: Sandbox::demo_blocking().expect("a sandbox"), folder }
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.join("people.xlsx");
        std::fs::write(&path, bytes).expect("written");
        path
    }

    fn import(&self, bytes: &[u8], csv: &Csv, sheet: Option<&str>) -> Result<ImportReport> {
        let rows = row_stream(file_rows(&self.file(bytes), csv, sheet)?)?;
        let journal = self.folder.join("journal");
        let _ = std::fs::remove_file(&journal);
        let options = ImportOptions::new(self.sandbox.panel_id(), "Email").journal(journal);
        wait(client(&self.sandbox, 400).import_members(options).run_stream(rows))
    }

    fn add_field(&self, name: &str, kind: PanelMemberFieldType) {
        let mut field = PanelMemberField::new();
        (field.name, field.field_type) = (Some(name.to_owned()), Some(kind));
        let mut change = WritePanelRequest::new(self.sandbox.panel_id());
        change.added_fields = Some(vec![field]);
        let client = client(&self.sandbox, 400);
        wait(async move { client.update_panel(change).await }).expect("a field");
    }

    /// The error of a sheet with these rows below the names.
    fn refused(&self, rows: &str, words: &[&str]) {
        let sheet = names(&["Email", "LastName"]) + rows;
        let said = self.import(&workbook(&[("People", "visible", sheet)]), &Csv::new(), None);
        let said = said.expect_err("an error").to_string();
        assert!(words.iter().all(|word| said.contains(word)) && !said.contains("example.com"), "{said}");
        assert!(self.sandbox.ledger().requests("CreateMembers").is_empty(), "{said}");
    }
}

#[test]
fn the_first_sheet_that_is_shown_is_imported_as_people_see_it() {
    let scene = Scene::new("seen");
    let people =
        row(
            4,
            &[
                text("B4", "Email"),
                text("C4", " lastname "),
                text("D4", "CellPhoneNumber"),
                text("F4", "FirstName"),
            ],
        ) + &row(
            5,
            &[text("B5", "a@example.com"), number("C5", "123.0", 0), number("D5", "4.1791234567E10", 0)],
        ) + &row(7, &[number("C7", "1234", 2), text("B7", "b@example.com"), number("F7", "45413", 1)])
            + &row(8, &[text("B8", " "), text("A8", "")])
            + &row(
                9,
                &[
                    text("B9", "c@example.com"),
                    number("C9", "45413.604166666664", 3),
                    "<c r=\"F9\" t=\"str\"><f>\"x\"&amp;1</f><v>x1</v></c>".to_owned(),
                ],
            );
    let book = workbook(&[
        ("Hidden", "hidden", names(&["Email"])),
        ("Personen", "visible", people),
        ("Other", "visible", names(&["Email"]) + &row(2, &[text("A2", "o@example.com")])),
    ]);
    let report = scene.import(&book, &Csv::new(), None).expect("a report");
    let facts = report.facts();
    assert_eq!(
        (facts.created, facts.length, facts.sheet.as_deref()),
        (3, 3, Some("Personen")),
        "{}",
        facts.text
    );
    assert!(facts.text.ends_with("the rows are from the sheet \"Personen\""), "{}", facts.text);
    assert_eq!((facts.separator, facts.encoding, facts.decimal), (None, None, None));
    assert_eq!(facts.columns, ["Email", "LastName", "CellPhoneNumber", "FirstName"]);
    let rows: Vec<_> = report.rows().map(|row| row.line).collect();
    assert_eq!(rows, [Some(5), Some(7), Some(9)], "the rows of the sheet");
    let members = client(&scene.sandbox, 400).members(scene.sandbox.panel_id());
    let members = wait(async move { members.collect_all().await }).expect("members");
    let of = |email: &str| {
        let member = members.iter().find(|member| member.text("Email") == Some(email)).expect("a member");
        ["LastName", "FirstName", "CellPhoneNumber"]
            .map(|name| member.value(name).cloned().unwrap_or(FieldValue::Null))
    };
    let null = FieldValue::Null;
    assert_eq!(of("a@example.com"), ["123".into(), null.clone(), 41_791_234_567_i64.into()]);
    assert_eq!(of("b@example.com"), ["01234".into(), "2024-05-01".into(), null.clone()]);
    assert_eq!(of("c@example.com"), ["2024-05-01 14:30:00".into(), "x1".into(), null]);

    let other = scene.import(&book, &Csv::new(), Some("Other")).expect("a report");
    assert_eq!((other.count(RowStatus::Created), other.len()), (1, 1));
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let rows = workbook_rows(&scene.file(&book), None).expect("a file");
    let plan =
        wait(client.update_members_by(UpdateOptions::new(panel, "Email")).plan_from(rows)).expect("a plan");
    assert_eq!((plan.unchanged, plan.facts().sheet.as_deref()), (3, Some("Personen")), "{plan}");
    let creation = client.create_members_from(panel);
    let rows = workbook_rows(&scene.file(&book), Some("Hidden")).expect("a file");
    assert!(wait(async move { creation.run(rows).await }).expect("a report").is_empty());
}

#[test]
fn what_a_sheet_does_not_say_is_refused_with_its_cell() {
    let scene = Scene::new("refused");
    let email = text("A2", "a@example.com");
    let of = |cell: &str| row(2, &[email.clone(), cell.to_owned()]);
    scene.refused(
        &of("<c r=\"B2\" t=\"e\"><v>#N/A</v></c>"),
        &["the cell B2 of the sheet \"People\"", "(#N/A)"],
    );
    scene.refused(
        &of("<c r=\"B2\"><f>A1&amp;A2</f></c>"),
        &["the cell B2", "formula whose result is not stored"],
    );
    scene.refused(&of("<c r=\"B2\"><f>A1</f><v></v></c>"), &["the cell B2", "and save it"]);
    for long in ["9007199254740993", "-1.2345678901234567E15"] {
        scene.refused(&of(&number("B2", long, 0)), &["the cell B2", "more than 15 digits", "format of text"]);
    }
    scene.refused(&of(&number("B2", "901", 4)), &["the cell B2", "shown as a code by its format", "`0000`"]);
    scene.refused(&of(&text("D2", "x")), &["the cell D2", "in a column without a name"]);
    let single = |cells: String| workbook(&[("People", "visible", cells)]);
    let said =
        |book: &[u8], csv: &Csv, sheet| scene.import(book, csv, sheet).expect_err("an error").to_string();
    let first = said(&single(row(3, &[text("B3", "Ann"), text("C3", "ann@example.com")])), &Csv::new(), None);
    assert!(first.contains("the cell C3 is an e-mail address") && !first.contains("ann"), "{first}");
    let empty = said(&single(String::new()), &Csv::new(), None);
    assert!(empty.contains("the sheet \"People\" of") && empty.contains("is empty"), "{empty}");
    let book = single(names(&["Email"]));
    assert!(said(&book, &Csv::new(), Some("Persons")).contains("no such sheet; it has \"People\""));
    assert!(said(&book, &Csv::new().separator(";"), None).contains("for CSV files"));
    assert!(said(b"Email\n", &Csv::new(), Some("People")).contains("`sheet` is for workbooks"));
    let text = said(b"Email\tLastName\nann@example.com\tLee\n", &Csv::new(), None);
    assert!(text.contains("is no workbook (.xlsx)") && text.contains("name it .csv"), "{text}");
    let old = said(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", &Csv::new(), None);
    assert!(old.contains("protected by a password, or of the old form (.xls)"), "{old}");
    let parquet = said(b"PAR1rest", &Csv::new(), None);
    assert!(parquet.contains("is a Parquet file") && parquet.contains("hand over the table"), "{parquet}");
    for damaged in [&b"PK\x03\x04"[..], &book[..book.len() / 2]] {
        assert!(said(damaged, &Csv::new(), None).contains("cannot be read as a workbook (.xlsx)"));
    }
    let nothing = scene.import(&book, &Csv::new(), None).expect("a report");
    assert!(nothing.to_string().contains("0 rows; there was nothing to do"), "{nothing}");
    assert!(scene.sandbox.ledger().requests("CreateMembers").is_empty());
}

#[test]
fn a_sheet_of_many_rows_comes_in_batches_and_its_file_may_have_any_name() {
    let scene = Scene::new("many");
    let rows: String = (2..10_002).map(|at| row(at, &[text(&format!("A{at}"), &format!("p{at}"))])).collect();
    let path = scene.folder.join("people.csv");
    std::fs::write(&path, workbook(&[("People", "visible", names(&["Email"]) + &rows)])).expect("written");
    let batches =
        file_rows(&path, &Csv::new(), None).expect("a file").collect::<std::result::Result<Vec<_>, _>>();
    let sizes: Vec<usize> =
        batches.expect("batches").iter().map(arrow_array::RecordBatch::num_rows).collect();
    assert_eq!(sizes, [4_096, 4_096, 1_808]);
}

/// The same texts in a CSV file and in a workbook are the same rows.
#[test]
fn a_workbook_holds_what_a_csv_file_holds() {
    const TEXTS: [&str; 14] = [
        "",
        " ",
        "a",
        "M\u{fc}ller",
        "e\u{301}",
        "\"q\"",
        "a,b;c",
        "line\nbreak",
        "&<>'",
        "=1+1",
        "007",
        "1.5",
        "x\u{200b}",
        "😀",
    ];
    let scene = Scene::new("same");
    let mut random = fastrand::Rng::with_seed(7);
    let names_of = ["One", "Two", "Three"];
    for table in 0..60 {
        let rows: Vec<[&str; 3]> = (0..random.usize(0..12))
            .map(|_| std::array::from_fn(|_| TEXTS[random.usize(0..TEXTS.len())]))
            .collect();
        let quoted = |cell: &&str| format!("\"{}\"", cell.replace('"', "\"\""));
        let lines = rows.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n");
        let csv = format!("One,Two,Three\r\n{}", lines.collect::<String>());
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let cells = |(at, texts): (usize, &[&str; 3])| {
            let cell = |(column, cell): (char, &&str)| text(&format!("{column}{}", at + 2), &escaped(cell));
            row(at + 2, &('A'..).zip(texts).map(cell).collect::<Vec<_>>())
        };
        let sheet = names(&names_of) + &rows.iter().enumerate().map(cells).collect::<String>();
        let path = scene.folder.join("same.csv");
        std::fs::write(&path, csv).expect("written");
        let of_csv = read(&path, &Csv::new().separator(","));
        let of_workbook = read(&scene.file(&workbook(&[("S", "visible", sheet)])), &Csv::new());
        assert_eq!(of_csv, of_workbook, "table {table}");
    }
}

fn read(path: &Path, csv: &Csv) -> Vec<Vec<FieldValue>> {
    let mut stream = row_stream(file_rows(path, csv, None).expect("a file")).expect("rows");
    let (mut all, mut row) = (Vec::new(), Vec::new());
    while stream.next_row(&mut row).expect("a row") {
        all.push(std::mem::take(&mut row));
    }
    all
}

/// The keys of a column are those that people see, and a number is one in a field of numbers.
#[test]
fn a_number_that_is_shown_with_zeros_has_them_in_texts_only() {
    let scene = Scene::new("zeros");
    scene.add_field("Code", PanelMemberFieldType::Number);
    let sheet = |cells: &[String]| {
        let rows = cells.iter().enumerate().map(|(at, cell)| {
            row(at + 2, &[text(&format!("A{}", at + 2), &format!("p{at}@example.com")), cell.clone()])
        });
        workbook(&[("People", "visible", names(&["Email", "Code"]) + &rows.collect::<String>())])
    };
    let report = scene
        .import(&sheet(&[number("B2", "901", 2), number("B3", "0", 2)]), &Csv::new(), None)
        .expect("a report");
    assert_eq!(report.count(RowStatus::Created), 2, "{report}");
    let refused =
        scene.import(&sheet(&[text("B2", "00901")]), &Csv::new(), None).expect_err("refused").to_string();
    assert!(refused.contains("without leading zeros"), "{refused}");
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let path = scene.file(&sheet(&[number("B2", "902", 2)]));
    let update = client.update_members_by(UpdateOptions::new(panel, "Email"));
    let plan = wait(update.plan_from(workbook_rows(&path, None).expect("a file"))).expect("a plan");
    assert_eq!((plan.changes.len(), plan.changes[0].new.clone()), (1, FieldValue::Int(902)), "{plan}");
    let by_number = client.update_members_by(UpdateOptions::new(panel, "Code"));
    let path = scene.file(&sheet(&[number("B2", "901", 2)]));
    let plan = wait(by_number.plan_from(workbook_rows(&path, None).expect("a file"))).expect("a plan");
    assert_eq!((plan.unchanged, plan.changes.len()), (1, 0), "{plan}");
}

#[test]
fn numbers_in_texts_of_a_workbook_are_those_of_a_file_with_semicolons() {
    let scene = Scene::new("signs");
    scene.add_field("Points", PanelMemberFieldType::Real);
    let import = |cells: &[&dyn Fn(&str) -> String], decimal: Option<&str>| {
        let rows = cells.iter().zip(2..).map(|(cell, at)| {
            row(at, &[text(&format!("A{at}"), &format!("s{at}@example.com")), cell(&format!("B{at}"))])
        });
        let sheet = names(&["Email", "Points"]) + &rows.collect::<String>();
        let mut csv = Csv::new();
        csv.decimal = decimal.map(ToOwned::to_owned);
        scene.import(&workbook(&[("People", "visible", sheet)]), &csv, None).expect("a report")
    };
    let reason = |report: &ImportReport| report.row(0).and_then(|row| row.reason).unwrap_or_default();
    let doubtful = |cell: &str| text(cell, "1.234");
    let decimal = |cell: &str| number(cell, "1.234", 0);
    let said = reason(&import(&[&doubtful, &decimal], None));
    assert!(
        said.contains("the point of a number may separate decimals or thousands: name the sign as `decimal`"),
        "{said}"
    );
    let said = reason(&import(&[&doubtful, &|cell| text(cell, "2,5")], None));
    assert_eq!(said, "a number has a decimal point, and one of row 1 (row 3 of the sheet) a decimal comma");
    let facts = import(&[&doubtful, &decimal], Some(".")).facts();
    assert_eq!((facts.refused, facts.decimal.as_deref()), (0, Some(".")), "{}", facts.text);
    let report = import(&[&|cell| text(cell, "1,234"), &decimal], Some(","));
    assert_eq!(
        (report.count(RowStatus::Refused), report.facts().decimal.as_deref()),
        (0, Some(",")),
        "{report}"
    );
    assert!(report.to_string().contains("whose texts were read with decimal commas"), "{report}");
    assert_eq!(
        reason(&import(&[&doubtful, &decimal], Some(","))),
        "the column \"Points\" needs a number such as 1,5"
    );
}
