//! What is wrong with an import in a terminal: in the words of the command, before anything is sent.

use sondage_sandbox::{EffectKind, Sandbox};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[path = "../../../sondage-data/tests/it/support/workbook.rs"]
mod workbook;

fn run(sandbox: &Sandbox, folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sondage"))
        .args(["import", &sandbox.panel_id().to_string(), "people.csv"])
        .args(more)
        .current_dir(folder)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
        .env("XDG_STATE_HOME", folder)
        .output()
        .unwrap()
}

#[test]
fn a_file_of_a_spreadsheet_is_imported_and_an_empty_one_is_nothing_to_do() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-import-files-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let said = |bytes: &[u8], more: &[&str]| {
        fs::write(folder.join("people.csv"), bytes).unwrap();
        let output = run(&sandbox, &folder, &[&["--key", "Email"], more].concat());
        let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out + &error)
    };
    let (code, text) = said(b"Email;LastName\r\nzoe@words.example;M\xfcller\r\n", &[]);
    assert!(code == Some(0) && text.contains("1 created") && text.contains("windows-1252"), "{text}");
    let (code, text) = said(b"Email;First,Name\n", &[]);
    assert!(code == Some(2) && text.contains("Name the one it is as `--separator`."), "{text}");
    let (code, text) = said(b"Email|LastName\n", &["--separator", "|", "--encoding", "latin-1"]);
    assert!(code == Some(0) && text.contains("0 rows; there was nothing to do"), "{text}");
    let twice = b"Email;LastName\n two@words.example;First\ntwo@words.example ;Last\n";
    let (code, text) = said(twice, &["--strip"]);
    assert!(
        code == Some(2)
            && text.contains("(row 1 (line 2): row 2 (line 3) has the same key")
            && text.contains("counted from 1"),
        "{text}"
    );
    let (code, text) = said(twice, &["--strip", "--duplicates", "last"]);
    assert!(code == Some(0) && text.contains("1 created, 1 duplicate"), "{text}");
    let (code, text) = said(twice, &["--decimal", ";"]);
    assert!(code == Some(2) && text.contains("or \".\" as `--decimal`"), "{text}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sheet_of_a_workbook_is_imported_from_its_first_or_a_named_one() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-import-sheets-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let sheet = |email: &str, number: &str| {
        let cells = [workbook::text("A2", email), workbook::number("B2", number, 0)];
        workbook::names(&["Email", "LastName"]) + &workbook::row(2, &cells)
    };
    let book = workbook::workbook(&[
        ("People", "visible", sheet("first@sheets.example", "123.0")),
        ("Others", "visible", sheet("other@sheets.example", "7")),
    ]);
    fs::write(folder.join("people.csv"), book).unwrap();
    for (more, code, words) in [
        (&[][..], 0, "1 created; the rows are from the sheet \"People\""),
        (&["--sheet", "Others"], 0, "1 created; the rows are from the sheet \"Others\""),
        (&["--sheet", "Nobody"], 2, "Name one of its sheets as `--sheet`."),
        (&["--separator", ";"], 2, "`--separator`, `--encoding` and `--guarded` are for CSV files"),
    ] {
        let output = run(&sandbox, &folder, &[&["--key", "Email"], more].concat());
        let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.code() == Some(code) && (out.clone() + &error).contains(words), "{out}{error}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_command() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-import-words-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("folder.csv")).unwrap();
    fs::write(folder.join("old.csv"), "old").unwrap();
    fs::hard_link(folder.join("old.csv"), folder.join("link.csv")).unwrap();
    let bad: Vec<String> = (0..13).map(|row| format!("bad{row}@words.example,x\n")).collect();
    fs::write(folder.join("people.csv"), format!("Email,Gender\ngood@words.example,1\n{}", bad.concat()))
        .unwrap();
    let created = || sandbox.ledger().count("*", EffectKind::MembersCreated);
    for (more, code, words) in [
        (&["--key", "Badge"][..], 2, "Name one of these fields as `--key`."),
        (&["--key", "Email", "--chunk-size", "0"], 2, "it must be 1 or more"),
        (&["--key", "Email", "--quiet", "nan"], 2, "it must be a number of seconds, 0 or more"),
        (&["--key", "Email", "--quiet", "-1"], 2, "it must be a number of seconds, 0 or more"),
        (&["--key", "Email", "--journal", "no/folder"], 1, "in a folder that can be written as `--journal`."),
        (
            &["--key", "Email", "--report", "folder.csv/../people.csv"],
            2,
            "is the file that is imported, which it would replace: name another file. Nothing was sent.",
        ),
        (&["--key", "Email", "--journal", "./new.csv", "--report", "new.csv"], 2, "is the --journal"),
        (&["--key", "Email", "--journal", "sqlite:new.csv#a", "--report", "new.csv"], 2, "is the --journal"),
        #[cfg(unix)]
        (&["--key", "Email", "--journal", "old.csv", "--report", "link.csv"], 2, "is the --journal"),
        (&["--key", "Email", "--report", "no/folder.csv"], 2, "the --report no/folder.csv cannot be written"),
        (
            &["--key", "Email", "--report", "folder.csv"],
            2,
            "the --report folder.csv is a folder. Nothing was sent.",
        ),
        (
            &["--key", "Email", "--report", "report.txt"],
            2,
            "must end with .csv, .parquet or .jsonl. Nothing was sent.",
        ),
    ] {
        let done = run(&sandbox, &folder, more);
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains(words), "{more:?}: {said}");
        assert_eq!((done.status.code(), created()), (Some(code), 0), "{more:?}: {said}");
    }
    let done = run(&sandbox, &folder, &["--key", "Email", "--report", "report.csv"]);
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), created()), (Some(0), 1), "{said}");
    assert!(
        said.contains("3 more were refused; --report writes")
            && said.contains("row 1 is the one below the names")
            && said.contains("note: row 2 (line 3) was refused: "),
        "{said}"
    );
    let report = fs::read_to_string(folder.join("report.csv")).unwrap();
    assert!(report.lines().count() == 15 && report.contains("\n2,3,refused,"), "{report}");
    let error = run(&sandbox, &folder, &["--key", "Email", "--existing", "error", "--json"]);
    let said = String::from_utf8(error.stderr).unwrap();
    assert!(said.contains("unchanged with `--existing`"), "{said}");
    let _ = fs::remove_dir_all(&folder);
}
