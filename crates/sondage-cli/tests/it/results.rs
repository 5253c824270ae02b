//! `sondage results`: counts of answers for people, pipes and programs.

use crate::support::command;
use serde_json::Value;
use sondage_sandbox::Sandbox;

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
    assert_eq!((code, err.as_str()), (Some(0), ""));
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

#[test]
fn wrong_arguments_are_told_with_what_was_meant() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (arguments, expected) in [
        (&["votes"][..], "no question or column \"votes\". Did you mean vote?"),
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
