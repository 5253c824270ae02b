//! CSV files as people have them, imported over HTTP into a sandbox: how they are read, what the report says about it, and the
//! lines that errors name.

use crate::support::service::{client, wait};
use sondage::Result;
use sondage::model::{FieldValue, PanelMemberField, PanelMemberFieldType, WritePanelRequest};
use sondage_data::{
    Csv, FileFormat, FileOptions, PlanFrom as _, Tables as _, csv_rows, csv_rows_as, import_table,
    object_rows, row_stream,
};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{ImportOptions, UpdateOptions};
use sondage_jobs::{ImportReport, RowStatus, Rows, UpdatePlan};
use sondage_sandbox::Sandbox;
use std::path::PathBuf;

const PEOPLE: &str = "Email,FirstName,LastName\nann@example.com,Ann,Müller\nbob@example.com,Bob,Lee\n";

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("csv-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { sandbox: Sandbox::demo_blocking().expect("a sandbox"), folder }
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.join("people.csv");
        std::fs::write(&path, bytes).expect("written");
        path
    }

    fn import(&self, bytes: &[u8], separator: Option<&str>, encoding: Option<&str>) -> Result<ImportReport> {
        let mut csv = Csv::new();
        (csv.separator, csv.encoding) = (separator.map(ToOwned::to_owned), encoding.map(ToOwned::to_owned));
        self.import_as(bytes, &csv)
    }

    fn import_as(&self, bytes: &[u8], csv: &Csv) -> Result<ImportReport> {
        let rows = row_stream(csv_rows_as(&self.file(bytes), csv)?)?;
        let journal = self.folder.join("journal");
        let _ = std::fs::remove_file(&journal);
        let options = ImportOptions::new(self.sandbox.panel_id(), "Email").journal(journal);
        wait(client(&self.sandbox, 400).import_members(options).run_stream(rows))
    }

    fn refused(&self, bytes: &[u8], words: &[&str]) {
        let said = self.import(bytes, None, None).expect_err("an error").to_string();
        assert!(words.iter().all(|word| said.contains(word)) && !said.contains("example.com"), "{said}");
        assert!(self.sandbox.ledger().requests("CreateMembers").is_empty(), "{said}");
    }
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|sign| u8::try_from(u32::from(sign)).expect("a sign of Latin-1")).collect()
}

#[test]
fn separators_and_encodings_are_recognised_and_reported() {
    let scene = Scene::new("recognised");
    let (semicolons, tabs) = (PEOPLE.replace(',', ";"), PEOPLE.replace(',', "\t"));
    let mark = |text: &str| format!("\u{feff}{text}").into_bytes();
    let files: Vec<(Vec<u8>, &str, &str)> = vec![
        (PEOPLE.into(), ",", "utf-8"),
        (mark(PEOPLE), ",", "utf-8"),
        (semicolons.clone().into(), ";", "utf-8"),
        (mark(&semicolons), ";", "utf-8"),
        (latin(&semicolons), ";", "windows-1252"),
        (latin(PEOPLE), ",", "windows-1252"),
        (format!("sep=;\r\n{}", semicolons.replace('\n', "\r\n")).into(), ";", "utf-8"),
        (mark(&format!("\"sep=|\"\n{}", PEOPLE.replace(',', "|"))), "|", "utf-8"),
        (utf16(&format!("\u{feff}{tabs}"), false), "tab", "utf-16le"),
        (utf16(&format!("\u{feff}{tabs}"), true), "tab", "utf-16be"),
        (utf16(&semicolons, false), ";", "utf-16le"),
        (tabs.into(), "tab", "utf-8"),
        (PEOPLE.replace('\n', "\r").into(), ",", "utf-8"),
        (PEOPLE.replace('\n', ",,\n").into(), ",", "utf-8"),
        (PEOPLE.replace("Email,First", " email ,First").into(), ",", "utf-8"),
    ];
    for (at, (bytes, separator, encoding)) in files.into_iter().enumerate() {
        let report = scene.import(&bytes, None, None).unwrap_or_else(|error| panic!("file {at}: {error}"));
        let counts = (report.count(RowStatus::Created), report.count(RowStatus::Exists));
        assert_eq!(counts, if at == 0 { (2, 0) } else { (0, 2) }, "file {at}: {report}");
        let facts = report.facts();
        let read = (facts.separator.as_deref(), facts.encoding.as_deref());
        assert_eq!(read, (Some(separator), Some(encoding)), "file {at}");
        assert_eq!(facts.columns, ["Email", "FirstName", "LastName"]);
        assert_eq!(facts.text.contains("encoding"), separator != "," || encoding != "utf-8", "{facts:?}");
        assert_eq!(facts.text.contains("the column \"email\" is the field \"Email\""), at == 14, "{facts:?}");
    }
    let members = client(&scene.sandbox, 400).members(scene.sandbox.panel_id());
    let members = wait(async move { members.collect_all().await }).expect("members");
    assert!(members.iter().any(|member| member.text("LastName") == Some("Müller")));
}

#[test]
fn what_may_be_either_is_refused_with_both_and_can_be_named() {
    let scene = Scene::new("either");
    let polish = b"Email;LastName\nkos@example.com;\xa3ozi\xf1ski-\xb3\xb9ka\nas@example.com;\x8cwi\xeatek\n";
    scene.refused(polish, &["is not text in UTF-8", "windows-1252", "`encoding`"]);
    scene.refused(b"Email;First,Name\n", &["by \",\" or by \";\"", "`separator`"]);
    scene.refused(b"Email;First,Name\na@example.com;Ada\n", &["no field for the columns \"First,Name\""]);
    scene.refused(b"", &["people.csv` is empty"]);
    let mixed = "Email;LastName\r\na@example.com;M\u{fc}ller\r\nb@example.com;L\u{e9}\n".as_bytes();
    scene.refused(
        &[mixed, b"c@example.com;Ren\xe9\n"].concat(),
        &["in UTF-8 in line 4", "utf-8 or in windows-1252"],
    );
    scene.refused(
        &[b"Email;LastName\rc@example.com;Ren\xe9\r".as_slice(), mixed].concat(),
        &["in UTF-8 in line 2"],
    );
    for byte in [0x81_u8, 0x8d, 0x8f, 0x90, 0x9d] {
        let dos =
            [b"Email;LastName\nm@example.com;M".as_slice(), &[byte], b"ller\nr@example.com;R\xe9\n"].concat();
        scene.refused(&dos, &["is not text in UTF-8", "line 2", "`encoding`"]);
        let said = scene.import(&dos, None, Some("windows-1252")).expect_err("no letter").to_string();
        assert!(said.contains("is not text in windows-1252, in line 2"), "{said}");
    }
    let report = scene.import(polish, None, Some("cp1250")).expect("a report");
    assert_eq!(
        (report.count(RowStatus::Created), report.facts().encoding.as_deref()),
        (2, Some("windows-1250"))
    );
    let wrong =
        |separator, encoding| scene.import(b"Email\n", separator, encoding).expect_err("no").to_string();
    assert!(wrong(Some("ab"), None).contains("`separator` is \"ab\""));
    assert!(wrong(None, Some("klingon")).contains("`encoding` is \"klingon\""));
    let forced =
        scene.import(b"Email,LastName\na@example.com,A\nb@example.com,Ren\xe9\n", None, Some("utf-8"));
    let said = forced.expect_err("not UTF-8").to_string();
    assert!(said.contains("is not text in utf-8, in line 3"), "{said}");
    assert!(said.contains("Correct that line, or name another encoding as `encoding`."), "{said}");
}

#[test]
fn an_error_names_the_line_in_which_a_row_begins() {
    let scene = Scene::new("lines");
    for (line, text) in [
        (3, "Email,FirstName\nann@example.com,Ann\nbob@example.com\n"),
        (4, "sep=,\nEmail,FirstName\nann@example.com,Ann\nbob@example.com\n"),
        (5, "Email,FirstName\nann@example.com,Ann\n\n\nbob@example.com\n"),
        (5, "Email,FirstName\nann@example.com,\"A\n\nn\"\nbob@example.com\n"),
        (5, "Email,FirstName\nann@example.com,\"A\nn\"\n\nbob@example.com,\"B\nb\",x\ncem@example.com,C\n"),
    ] {
        for (what, text) in [
            ("LF", text.to_owned()),
            ("CRLF", text.replace('\n', "\r\n")),
            ("CR", text.replace('\n', "\r")),
            ("no last", text.trim_end().to_owned()),
        ] {
            let said = scene.import(text.as_bytes(), None, None).expect_err("an error").to_string();
            assert!(said.contains(&format!("line {line} of ")), "{what}: {said}");
        }
    }
    scene.refused(
        b"Email,FirstName,\r\nann@example.com,Ann,\r\nbob@example.com,Bob,x\r\n",
        &["line 3 of", "without a name"],
    );
}

#[test]
fn columns_are_matched_without_blanks_and_case_where_one_field_is_meant() {
    let scene = Scene::new("columns");
    scene.refused(
        b"Email,EMAIL\na@example.com,b\n",
        &["the columns \"Email\", \"EMAIL\" are the same field \"Email\""],
    );
    scene.refused(b"Email,Frstname\na@example.com,b\n", &["\"Frstname\""]);
    let rows = |name: &str| Rows::of([[("Email ", "ann@example.com"), (name, "Ann")]]);
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let import = client.import_members(ImportOptions::new(panel, "email").journal(scene.folder.join("j")));
    assert_eq!(wait(import.run(rows("firstname"))).expect("a report").count(RowStatus::Created), 1);
    let plan: UpdatePlan =
        wait(client.update_members_by(UpdateOptions::new(panel, "Email")).plan(rows("FIRSTNAME")))
            .expect("a plan");
    assert_eq!((plan.unchanged, plan.members()), (1, 0));
    assert!(plan.to_string().contains("the column \"FIRSTNAME\" is the field \"FirstName\""), "{plan}");
    let path = scene.file(b"email;lastname\r\nann@example.com;Lee\r\n");
    let plan = wait(
        client
            .update_members_by(UpdateOptions::new(panel, "Email"))
            .plan_from(csv_rows(&path).expect("a file")),
    );
    let facts = plan.expect("a plan").facts();
    assert_eq!((facts.members, facts.separator.as_deref()), (1, Some(";")));
}

#[test]
fn no_rows_are_nothing_to_do_and_a_wrong_name_is_an_error() {
    let scene = Scene::new("nothing");
    let report = scene.import(b"Email,FirstName\n", None, None).expect("a report");
    assert_eq!((report.len(), report.is_complete()), (0, true));
    assert!(report.to_string().contains("0 rows; there was nothing to do"), "{report}");
    scene.refused(b"Email,Frstname\n", &["\"Frstname\""]);
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let none = || Rows::new(Vec::<String>::new());
    let journal = || scene.folder.join("j");
    let dry = wait(
        client
            .import_members(ImportOptions::new(panel, "Email").journal(journal()).dry_run(true))
            .run(none()),
    )
    .expect("a report");
    assert_eq!((dry.facts().to_create, dry.facts().cost.map(|cost| cost.calls)), (0, Some(0)));
    assert!(
        wait(client.import_members(ImportOptions::new(panel, "Mail").journal(journal())).run(none()))
            .is_err()
    );
    let plan =
        wait(client.update_members_by(UpdateOptions::new(panel, "Email")).plan(none())).expect("a plan");
    assert!(
        plan.is_empty() && wait(async move { Ok(plan.apply().await) }).expect("a report").applied.is_empty()
    );
    let creation = client.create_members_from(panel);
    let rows = object_rows(&none()).expect("rows");
    assert!(wait(async move { creation.run(rows).await }).expect("a report").is_empty());
    let empty = Rows::of([Vec::<(&str, &str)>::new()]);
    assert!(
        wait(client.import_members(ImportOptions::new(panel, "Email").journal(journal())).run(empty))
            .is_err()
    );
    assert!(scene.sandbox.ledger().requests("CreateMembers").is_empty());
}

#[test]
fn rows_without_a_value_are_ignored_in_files_and_refused_elsewhere() {
    let scene = Scene::new("blank");
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let create = |bytes: &[u8]| {
        let rows = csv_rows(&scene.file(bytes));
        let creation = client.create_members_from(panel);
        wait(async move { creation.run(rows?).await })
    };
    let report = scene.import(b"Email;LastName\r\n;\r\n\" \"; \r\n;;\r\n", None, None).expect("a report");
    assert!(report.to_string().contains("0 rows; there was nothing to do"), "{report}");
    assert!(create(b"Email;LastName\r\n;\r\n").expect("a report").is_empty());
    for bytes in [&b";;;\r\n"[..], b";;;\r\n;;;\r\n"] {
        scene.refused(bytes, &["the first line of", "names no column"]);
    }
    for (row, emails) in [vec![None], vec![Some("a@example.com"), None]].into_iter().enumerate() {
        let rows = Rows::of(
            emails.into_iter().map(|email| [("Email", email.map_or(FieldValue::Null, FieldValue::from))]),
        );
        let rows = object_rows(&rows).expect("rows");
        let creation = client.create_members_from(panel).chunk_size(1);
        let said = wait(async move { creation.run(rows).await }).expect_err("no value").to_string();
        assert!(said.contains(&format!("row {row} has no value")), "{said}");
    }
    assert!(scene.sandbox.ledger().requests("CreateMembers").is_empty());
    let file = b"Email;LastName\r\nzed@example.com;Zed\r\n;\r\nyve@example.com;\r\n;\r\n;\r\n";
    assert_eq!(create(file).expect("a report").count(RowStatus::Created), 2);
    let report = scene.import(file, None, None).expect("a report");
    assert_eq!((report.len(), report.count(RowStatus::Exists)), (2, 2), "{report}");
    scene.file(file);
    let plan = client.update_members_by(UpdateOptions::new(panel, "Email"));
    let plan =
        wait(plan.plan_from(csv_rows(&scene.folder.join("people.csv")).expect("a file"))).expect("a plan");
    assert_eq!((plan.unchanged, plan.members()), (2, 0), "{plan}");
}

#[test]
fn keys_that_look_the_same_are_refused_before_anything_is_sent() {
    let scene = Scene::new("unseen");
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let import = |keys: &[&str], journal: &str| {
        let rows = Rows::of(keys.iter().map(|key| [("LastName", *key), ("Email", "one@example.com")]));
        let journal = scene.folder.join(journal);
        wait(client.import_members(ImportOptions::new(panel, "LastName").journal(journal)).run(rows))
    };
    assert_eq!(import(&["Zoé A12"], "first").expect("a report").count(RowStatus::Created), 1);
    let alike = [
        "Zoe\u{301} A12",
        "Zoé\u{a0}A12",
        "Zoé A\u{200b}12",
        "\u{feff}Zoé A12",
        "Zoé A12\u{200e}",
        "Zoé A1\u{ad}2",
        "zoé  a12",
    ];
    for (at, key) in alike.iter().enumerate() {
        let report = import(&[key, "Other"], &format!("{at}")).expect("a report");
        let row = report.row(0).expect("a row");
        assert_eq!(row.status, RowStatus::Refused, "{key:?}");
        let unseen = at < alike.len() - 1;
        let reason = row.reason.expect("a reason");
        assert!(reason.contains("has the same key, except for"), "{reason}");
        assert_eq!(reason.contains("signs that are not seen"), unseen, "{key:?}: {reason}");
    }
    let twice = import(&["B\u{200b}7", "B7", "C"], "twice").expect("a report");
    assert_eq!((twice.count(RowStatus::Refused), twice.count(RowStatus::Created)), (2, 1));
    let reason = twice.row(1).and_then(|row| row.reason).expect("a reason");
    assert_eq!(
        reason,
        "row 0 has the same key, except for signs that are not seen or are another form, case or spaces"
    );
}

#[test]
fn a_file_without_names_shows_nobody() {
    let scene = Scene::new("nameless");
    let path = scene.file(b"ann@example.com,Ann\nbob@example.com,Bob\n");
    let said = csv_rows(&path).map(drop).expect_err("an error").to_string();
    assert!(said.contains("its value 1 is an e-mail address") && !said.contains("example.com"), "{said}");
}

/// An empty line, a name of two lines, and a row of empty cells: the line of a row is not its number and two.
#[test]
fn a_report_names_the_line_of_each_row() {
    let scene = Scene::new("lines-of-rows");
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let header = "sep=;\r\nEmail;FirstName;CellPhoneNumber\r\n";
    let good = format!("{header}\r\nl1@example.com;\"A\r\nB\";\r\n;;\r\n");
    let file = |more: &str| scene.file(format!("{good}{more}").as_bytes());
    let more = "l2@example.com;C;0123\r\nl3@example.com;D;\r\nL3@example.com;E;\r\n";
    let report = scene.import(format!("{good}{more}").as_bytes(), None, None).expect("a report");
    let lines: Vec<_> = report.rows().map(|row| (row.line, row.status)).collect();
    assert_eq!(lines[..2], [(Some(4), RowStatus::Created), (Some(7), RowStatus::Refused)]);
    assert_eq!(lines[2..], [(Some(8), RowStatus::Refused), (Some(9), RowStatus::Refused)]);
    let reason = report.row(2).and_then(|row| row.reason).expect("a reason");
    assert_eq!(reason, "row 3 (line 9) has the same key, except for case or spaces");
    let path = scene.folder.join("outcome.csv");
    let table = import_table(&report).expect("a table");
    table.save_with(&path, FileFormat::Csv, FileOptions::default()).expect("a file");
    let text = std::fs::read_to_string(&path).expect("the file");
    assert!(text.contains("\n1,7,refused,"), "{text}");
    let in_memory = wait(
        client
            .import_members(ImportOptions::new(panel, "Email").dry_run(true))
            .run(Rows::of([[("Email", "l4@example.com")]])),
    );
    assert_eq!(in_memory.expect("a report").row(0).and_then(|row| row.line), None);

    let options = || UpdateOptions::new(panel, "Email");
    let planned = |more: &str| {
        wait(client.update_members_by(options()).plan_from(csv_rows(&file(more)).expect("a file")))
    };
    let plan = planned("l9@example.com;C;\r\n").expect("a plan");
    assert_eq!(plan.skipped.iter().map(|row| (row.row, row.line)).collect::<Vec<_>>(), [(1, Some(7))]);
    let said = planned("l1@example.com;C;0123\r\n").expect_err("no number").to_string();
    assert!(said.contains("row 1 (line 7) has in the column \"CellPhoneNumber\""), "{said}");
    let changed = good.replace("\"A", "\"Z");
    let rows = csv_rows(&scene.file(changed.as_bytes())).expect("a file");
    let plan = wait(client.update_members_by(options()).plan_from(rows)).expect("a plan");
    assert_eq!(plan.changes.iter().map(|change| change.line).collect::<Vec<_>>(), [Some(4)]);

    let rows = csv_rows(&file("l5@example.com;F;\r\n")).expect("a file");
    let creation = client.create_members_from(panel).chunk_size(1);
    let report = wait(async move { creation.run(rows).await }).expect("a report");
    assert_eq!(report.rows().map(|row| row.line).collect::<Vec<_>>(), [Some(4), Some(7)]);
}

#[test]
fn the_line_of_a_row_is_known_in_every_batch() {
    let scene = Scene::new("batches");
    let rows: Vec<String> = (0..9_000).map(|row| format!("m{row}@example.com,\"a\n{row}\"\n")).collect();
    let bytes = format!("Email,FirstName\n{}m9@example.com,x\n", rows.concat());
    let rows = row_stream(csv_rows(&scene.file(bytes.as_bytes())).expect("a file")).expect("rows");
    let options = ImportOptions::new(scene.sandbox.panel_id(), "Email").dry_run(true);
    let report =
        wait(client(&scene.sandbox, 400).import_members(options).run_stream(rows)).expect("a report");
    let line = |row| report.row(row).and_then(|row| row.line);
    assert_eq!([line(0), line(4_095), line(4_096), line(9_000)], [2, 8_192, 8_194, 18_002].map(Some));
    let reason = report.row(9).and_then(|row| row.reason).expect("a reason");
    assert_eq!(reason, "row 9000 (line 18002) has the same key");
}

#[test]
fn decimal_commas_are_read_where_nothing_else_can_be_meant() {
    let scene = Scene::new("decimals");
    let (client, panel) = (client(&scene.sandbox, 400), scene.sandbox.panel_id());
    let mut field = PanelMemberField::new();
    (field.name, field.field_type) = (Some("Points".to_owned()), Some(PanelMemberFieldType::Real));
    let mut change = WritePanelRequest::new(panel);
    change.added_fields = Some(vec![field]);
    let changed = client.clone();
    wait(async move { changed.update_panel(change).await }).expect("a field");
    let file = |values: &[&str]| {
        let rows = values.iter().enumerate().map(|(row, value)| format!("d{row}@example.com;{value}\r\n"));
        format!("Email;Points\r\n{}", rows.collect::<String>()).into_bytes()
    };
    let points = || {
        let members = client.members(panel);
        let members = wait(async move { members.collect_all().await }).expect("members");
        let of = |row: usize| {
            let email = format!("d{row}@example.com");
            let member = members.iter().find(|member| member.text("Email") == Some(&email));
            member.and_then(|member| member.value("Points").cloned())
        };
        [of(0), of(1)]
    };
    let report = scene.import(&file(&["1,5", "1,234"]), None, None).expect("a report");
    let facts = report.facts();
    assert_eq!((facts.created, facts.decimal.as_deref()), (2, Some(",")), "{}", facts.text);
    assert!(
        facts.text.ends_with("the separator \";\" and the encoding utf-8 and with decimal commas"),
        "{facts:?}"
    );
    assert_eq!(points(), [Some(1.5.into()), Some(1.234.into())]);

    let reason = |report: &ImportReport, row| report.row(row).and_then(|row| row.reason).unwrap_or_default();
    let report = scene.import(&file(&["1,234", "7"]), None, None).expect("a report");
    assert!(reason(&report, 0).contains("name the sign as `decimal`"), "{report}");
    let report = scene.import(&file(&["1.234", "7,25"]), None, None).expect("a report");
    assert_eq!(reason(&report, 0), "a number has a decimal point, and one of row 1 (line 3) a decimal comma");
    let facts = scene.import(&file(&["1.25", "7"]), None, None).expect("a report").facts();
    assert_eq!((facts.exists, facts.decimal.as_deref()), (2, Some(".")));
    let facts = scene.import_as(&file(&["1,234", "7"]), &Csv::new().decimal(",")).expect("a report").facts();
    assert_eq!((facts.refused, facts.decimal.as_deref()), (0, Some(",")));
    let report = scene.import_as(&file(&["1.234", "7"]), &Csv::new().decimal(",")).expect("a report");
    assert_eq!(reason(&report, 0), "the column \"Points\" needs a number such as 1,5");

    let plan = |values: &[&str]| {
        let rows = csv_rows(&scene.file(&file(values))).expect("a file");
        wait(client.update_members_by(UpdateOptions::new(panel, "Email")).plan_from(rows))
    };
    let planned = plan(&["2,5", "1,234"]).expect("a plan");
    assert_eq!((planned.members(), planned.facts().decimal.as_deref()), (1, Some(",")), "{planned}");
    assert_eq!(planned.changes[0].new, 2.5.into());
    let said = plan(&["2.5", "1,25"]).expect_err("both signs").to_string();
    assert!(
        said.contains("row 0 (line 2): a number has a decimal point, and one of row 1 (line 3)"),
        "{said}"
    );
    let said = scene.import_as(&file(&["1"]), &Csv::new().decimal("'")).expect_err("no sign").to_string();
    assert!(said.contains("`decimal` is \"'\"") && said.contains("Nothing was sent."), "{said}");
    let creation = client.create_members_from(panel);
    let rows = csv_rows_as(&scene.file(&file(&["1,5"])), &Csv::new().decimal(",")).expect("a file");
    let said = wait(async move { creation.run(rows).await }).expect_err("it reads no fields").to_string();
    assert!(said.contains("leave `decimal` out"), "{said}");
}

#[test]
fn a_backslash_before_a_quote_is_refused_with_its_line() {
    let scene = Scene::new("backslash");
    let head = "Email,LastName\na@example.com,\"two\nlines\"\n";
    for row in [r#""An \"n\" x""#, r#""An" x"#, r#""a\"","b""#, r#""a" "b""#] {
        scene.refused(
            format!("{head}b@example.com,{row}\n").as_bytes(),
            &["text behind a closing quote in line 4", "is written twice", "not with a backslash"],
        );
    }
    let right = format!("{head}b@example.com,\"an \"\"n\"\" x\" \nc@example.com,a\"b\n");
    let report = scene.import(right.as_bytes(), Some(","), None).expect("a report");
    assert_eq!(report.count(RowStatus::Created), 3, "{report}");
}
