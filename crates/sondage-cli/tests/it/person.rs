//! `sondage person` as a program: it shows and exports data, and erases what was confirmed.

use sondage_sandbox::{EffectKind, Sandbox};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn person(sandbox: &Sandbox, value: &str, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sondage"))
        .arg("person")
        .args(arguments)
        .args(["--panel", &sandbox.panel_id().to_string()])
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{value}").unwrap();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn what_was_shown_is_confirmed_and_erased() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-cli-person-{}", std::process::id()));
    let path = |name: &str| folder.join(name).display().to_string();
    let email = "ada.okafor.19@example.org";
    let shown = person(&sandbox, email, &["export"]);
    assert!(shown.status.success() && said(&shown).contains("Nothing was written"), "{}", said(&shown));
    let written = person(&sandbox, email, &["export", "--folder", &path("ada")]);
    assert!(written.status.success() && Path::new(&path("ada/person.json")).exists(), "{}", said(&written));
    let erase = ["erase", "--file", &path("ada")];
    let shown = person(&sandbox, email, &erase);
    let text = said(&shown);
    assert!(shown.status.success() && text.contains("Nothing was erased") && !text.contains(email), "{text}");
    let token = text.split("--confirm ").nth(1).and_then(|rest| rest.split('`').next()).expect("a token");
    let deleted = || sandbox.ledger().count("*", EffectKind::MembersDeleted);
    assert_eq!(deleted(), 0);
    let receipt = path("receipt.json");
    let done = person(&sandbox, email, &[&erase[..], &["--receipt", &receipt, "--confirm", token]].concat());
    assert!(done.status.success() && said(&done).contains("the receipt is"), "{}", said(&done));
    assert_eq!(deleted(), 1);
    assert!(!Path::new(&path("ada/person.json")).exists());
    let nobody = person(&sandbox, email, &["export"]);
    assert!(
        !nobody.status.success() && said(&nobody).contains("no member of the panels"),
        "{}",
        said(&nobody)
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
