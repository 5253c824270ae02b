//! `sondage results`: counts of answers for people, pipes and programs.

use crate::mcp::session::Session;
use crate::support::command;
use serde_json::{Value, json};
use sondage_sandbox::{Content, Sandbox};

/// Exit code, standard output and standard error.
fn run(sandbox: &Sandbox, arguments: &[&str]) -> (Option<i32>, String, String) {
    let survey = sandbox.survey_id().to_string();
    let all: Vec<&str> = ["results", &survey].into_iter().chain(arguments.iter().copied()).collect();
    let output = command(sandbox, &all).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn answers_are_counted() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (code, out, err) = run(&sandbox, &["vote"]);
    assert_eq!((code, err.as_str()), (Some(0), "note: 944 of 944 rows have an answer\n"));
    assert_eq!(
        out,
        "\tn\t%\tvalid %\tcumulative %\nClinton\t551\t58.4\t58.4\t58.4\nDole\t393\t41.6\t41.6\t100.0\n"
    );

    let (_, out, _) = run(&sandbox, &["vote", "--by", "PID", "--show", "n", "--where", "age>=90"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("\tStrong Democrat\t") && lines[0].ends_with("\tTotal"), "{out}");
    assert!(lines[1].starts_with("Clinton\t") && lines[3].starts_with("base\t"), "{out}");

    let folder = std::env::temp_dir().join(format!("sondage-results-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let picture = folder.join("vote.svg");
    let (code, out, _) =
        run(&sandbox, &["vote", "--by", "PID", "--json", "--svg", picture.to_str().unwrap()]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, json["base"].as_u64(), json["test"]["df"].as_u64()), (Some(0), Some(944), Some(6)));
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("Clinton") && !svg.contains("<script"), "{svg}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// The console shows the same; `console_results.rs` of the sandbox has the number.
#[test]
fn numbers_have_a_mean_in_each_group() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (code, out, err) = run(&sandbox, &["age", "--by", "PID"]);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((code, lines.len()), (Some(0), 8), "{out} {err}");
    assert_eq!(lines[0], ["PID", "n", "mean", "deviation", "min", "median", "max"]);
    let independents = lines.iter().find(|line| line[0] == "Independent").unwrap();
    assert_eq!(independents[1..3], ["37", "47.3"]);
    let (_, out, _) = run(&sandbox, &["age", "--by", "PID", "--json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let people: u64 =
        json["groups"].as_array().unwrap().iter().map(|group| group["n"].as_u64().unwrap()).sum();
    assert_eq!((people, &json["by"]), (944, &"PID".into()));
    let (code, out, _) = run(&sandbox, &["age", "--by", "PID", "--show", "n", "--where", "age>=90"]);
    assert!(code == Some(0) && out.lines().last().unwrap().starts_with("base\t"), "{out}");
}

#[test]
fn a_pipe_gets_open_answers_and_a_picture() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.feedback_survey_id().to_string();
    let run = |arguments: &[&str]| {
        let output = command(&sandbox, &[&["results", &survey][..], arguments].concat()).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    let (code, out, err) = run(&["remark"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(code == Some(0) && lines.len() == 2 && lines[1].starts_with("any answer\t"), "{out}");
    assert!(err.starts_with("note: ") && err.contains("rows have an answer"), "{err}");
    let (code, out, _) = run(&["nps", "--svg", "-"]);
    assert!(code == Some(0) && out.starts_with("<svg ") && out.ends_with("</svg>\n"), "{out}");
    let (code, out, err) = run(&["nps", "--svg", "-", "--json"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
}

/// A row of a matrix of choices, and the title of a row.
#[test]
fn rows_are_counted_and_named() {
    let sandbox = Sandbox::builder().content(Content::Waves).start_blocking().unwrap();
    let (code, out, err) = run(&sandbox, &["services_1"]);
    assert!(code == Some(0) && err.contains("Several choices"), "{out} {err}");
    let (_, svg, _) = run(&sandbox, &["services_1", "--svg", "-"]);
    assert!(svg.contains("<title>services_1: ") && svg.contains(" – "), "{svg}");
    let (code, _, err) = run(&sandbox, &["services_11"]);
    assert!(code == Some(2) && err.contains("Did you mean services_1"), "{err}");
    let mut session = Session::start(&sandbox, &[]);
    let arguments = json!({ "survey_id": sandbox.survey_id(), "question": "services_1", "by": "rating_1" });
    let told = session.call("survey_results", &arguments)["structuredContent"].clone();
    for name in ["text", "by_text"] {
        assert!(told[name].as_str().is_some_and(|text| text.contains(" – ")), "{name}: {told}");
    }
}

/// A name or an id that the account does not have is a wrong argument, whoever has found it.
#[test]
fn what_does_not_exist_has_one_exit_code() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (arguments, expected) in [
        (&["export", "1004", "-", "--fields", "PDI"][..], "Did you mean PID?"),
        (&["field-report", "1004", "--by", "PDI"], "Did you mean PID?"),
        (&["members", "1002", "--fields", "Divison"], "Did you mean Division?"),
        (&["members", "1002", "--where", "Divison = Sales"], "Did you mean Division?"),
        (&["invite", "1005", "1002", "--template", "9"], "there is no message template 9"),
        (&["results", "9999", "vote"], "no survey 9999"),
        (&["distribution", "9"], "there is no distributor 9"),
        (&["panel", "9"], "no panel 9"),
    ] {
        let output = command(&sandbox, arguments).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{arguments:?} {err}"
        );
        assert!(err.contains(expected), "{arguments:?} {err}");
    }
}

#[test]
fn wrong_arguments_are_told_with_what_was_meant() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (arguments, expected) in [
        (&["votes"][..], "no question or column \"votes\". Did you mean vote?"),
        (&["PDI"], "Did you mean PID?"),
        (&["vote", "--by", "pid"], "no question or column \"pid\". Did you mean PID?"),
        (&["vote", "--weight", "nothing_like_it"], "Its columns are "),
        (&["vote", "--where", "age~3"], "a comparison"),
        (&["vote", "--show", "n"], "--by"),
        (&["vote", "--by", "PID", "--show", "percent"], "col%"),
    ] {
        let (code, out, err) = run(&sandbox, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?} {err}");
        assert!(err.contains(expected), "{arguments:?} {err}");
    }
}
