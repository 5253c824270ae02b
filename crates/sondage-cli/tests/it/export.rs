//! `sondage export` as a program.

use sondage_sandbox::Sandbox;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn export(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("export").args(arguments);
    command.env("SONDAGE_BASE_URL", sandbox.base_url()).env("SONDAGE_AUTH_URL", sandbox.auth_url());
    command.env("SONDAGE_TENANT", sandbox.tenant()).env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command.output().unwrap()
}

#[test]
fn a_survey_becomes_a_file() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported.csv");
    let _ = fs::remove_file(&path);
    let file = path.to_string_lossy();
    let done =
        export(&sandbox, &[&survey, &file, "--fields", "vote,age", "--labels", "both", "--page-size", "200"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("944 interviews") && said.contains("5 calls"), "{said}");
    assert!(done.stderr.is_empty(), "no progress without a terminal");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().next(), text.lines().count()), (Some("vote,vote_label,age"), 945));
    let done =
        export(&sandbox, &[&survey, &file, "--fields", "vote,age", "--spreadsheet", "--separator", "tab"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(fs::read_to_string(&path).unwrap().starts_with("\u{feff}vote\tage\r\n"));
}

#[test]
fn what_is_wrong_is_a_sentence() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    for (file, word) in [
        ("table.ods", "Name the file .xlsx"),
        ("table", "does not show its format"),
        ("/no/such/folder/table.csv", "no folder"),
    ] {
        let done = export(&sandbox, &[&survey, file]);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && said.contains(word), "{said}");
    }
    // All of them at once.
    let done = export(&sandbox, &[&survey, "-", "--fields", "vote,votes,pide"]);
    let said = String::from_utf8_lossy(&done.stderr);
    let meant = "no questions or columns \"votes\", \"pide\". \"votes\": Did you mean vote? \"pide\": Did you mean PID?";
    assert!(said.contains(meant), "{said}");
}

/// A German Excel, and the code of what is not available as it was stored.
#[test]
fn a_spreadsheet_of_a_language_and_what_is_not_available() {
    let sandbox = Sandbox::builder().content(sondage_sandbox::Content::Waves).start_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-export-german-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("answers.csv");
    let (survey, path) = (sandbox.survey_id().to_string(), file.display().to_string());
    let written = |more: &[&str]| {
        let fields = ["--fields", "frequency,weight,branch", "--labels", "labels", "--anew"];
        let output = export(&sandbox, &[&[survey.as_str(), path.as_str()], &fields[..], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(&file).unwrap()
    };
    let german = written(&["--spreadsheet=de"]);
    assert!(german.starts_with("\u{feff}frequency;weight;branch\r\n"), "{}", &german[..60]);
    let second = german.lines().find(|line| line.contains(';') && line.contains(',')).unwrap();
    assert!(second.split(';').nth(1).unwrap().replace(',', ".").parse::<f64>().is_ok(), "{second}");
    assert!(!german.contains("Not available") && !german.contains("<strong>"));
    let marked = written(&["--bom", "--language", "de"]);
    assert!(marked.starts_with("\u{feff}frequency,weight,branch\n"), "{}", &marked[..60]);
    assert_ne!(marked, written(&["--bom"]), "labels in another language");
    let raw = written(&["--not-available", "none", "--markup"]);
    assert!(
        raw.contains("Not available")
            && raw.contains("<strong>")
            && raw.starts_with("frequency,weight,branch\n")
    );
    let wrong = export(&sandbox, &[&survey, &path, "--not-available", "some"]);
    assert_eq!(wrong.status.code(), Some(2));
    for language in ["deutsch", "xx-notatag", "de-CHE"] {
        let wrong = export(&sandbox, &[&survey, &path, &format!("--spreadsheet={language}")]);
        let said = String::from_utf8_lossy(&wrong.stderr);
        assert!(
            !wrong.status.success() && said.contains("tag of a language") && said.contains("fr-CH"),
            "{said}"
        );
        assert!(!said.contains("expected") && !said.contains("string "), "{said}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Codes that mean a missing answer, and the weight, in files of SPSS and Stata.
#[test]
fn codes_of_missing_answers_are_declared() {
    let sandbox = Sandbox::builder().content(sondage_sandbox::Content::Waves).start_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-export-missing-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let survey = sandbox.survey_id().to_string();
    let written = |name: &str, more: &[&str]| {
        let file = folder.join(name).display().to_string();
        let done = export(&sandbox, &[&[survey.as_str(), &file, "--fields", "income,weight"], more].concat());
        (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned(), fs::read(&file).ok())
    };
    let (succeeded, said, sav) = written("a.sav", &["--missing", "income=90..99", "--weight", "weight"]);
    assert!(succeeded, "{said}");
    let sav = sav.unwrap();
    assert_eq!(sav[76..80], 2i32.to_le_bytes(), "the weight is the second column");
    // The variable has a label and a missing code, which is 99.
    let variable = &sav[176..];
    assert_eq!(variable[..16], [2, 0, 1, 1].map(i32::to_le_bytes).concat()[..]);
    let label = i32::from_le_bytes(variable[32..36].try_into().unwrap()).cast_unsigned() as usize;
    assert_eq!(variable[36 + label.next_multiple_of(4)..][..8], 99f64.to_le_bytes());
    let (succeeded, said, dta) = written("a.dta", &["--missing", "-9,99"]);
    assert!(succeeded && said.contains("no column has the code -9"), "{said}");
    assert!(String::from_utf8_lossy(&dta.unwrap()).contains("Don’t know / no answer"));
    for (name, more, problem) in [
        ("a.csv", ["--missing", "99"], "only files of SPSS and Stata declare codes as missing"),
        ("b.dta", ["--weight", "weight"], "only a file of SPSS says which column weights its rows"),
        ("b.sav", ["--weight", "age"], "weight: there is no column `age`"),
        ("b.sav", ["--missing", "age=99"], "age"),
    ] {
        let (succeeded, said, file) = written(name, &more);
        assert!(!succeeded && said.contains(problem) && file.is_none(), "{said}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
