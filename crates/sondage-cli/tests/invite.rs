//! `sondage invite` as a program: it shows the plan, takes the confirmation, and sends once.

use sondage_sandbox::{EffectKind, Sandbox};
use std::process::{Command, Output};

fn invite(sandbox: &Sandbox, more: &[&str]) -> Output {
    let ids = [sandbox.survey_id(), sandbox.panel_id()].map(|id| id.to_string());
    sondage(sandbox, "invite", &ids, more)
}

fn sondage(sandbox: &Sandbox, command: &str, ids: &[String], more: &[&str]) -> Output {
    let template = sandbox.message_template_id().to_string();
    Command::new(env!("CARGO_BIN_EXE_sondage"))
        .arg(command)
        .args(ids)
        .args(["--template", &template, "--where", "Language=de"])
        .args(more)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
        .output()
        .unwrap()
}

fn sent(sandbox: &Sandbox) -> u64 {
    sandbox.ledger().count("*", EffectKind::MessagesSent)
}

#[test]
fn what_was_shown_is_confirmed_and_sent_once() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let shown = invite(&sandbox, &[]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.status.success() && text.contains("reaches 58 of 66: 6 have no address, 2 opted out"),
        "{text}"
    );
    let token = text.split("--confirm ").nth(1).and_then(|rest| rest.split('`').next()).expect("a token");
    assert_eq!(sent(&sandbox), 0);

    // The token of this plan does not confirm another one.
    let other = invite(&sandbox, &["--cap", "3", "--confirm", token]);
    let error = String::from_utf8_lossy(&other.stderr);
    assert!(!other.status.success() && error.contains("Nothing was sent"), "{error}");
    assert_eq!(sent(&sandbox), 0);

    let done = invite(&sandbox, &["--confirm", token]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.starts_with("sent to 58 by distributor "), "{text}");
    let again = invite(&sandbox, &["--confirm", token]);
    let error = String::from_utf8_lossy(&again.stderr);
    assert!(!again.status.success() && error.contains("58 were invited before"), "{error}");
    assert_eq!(sent(&sandbox), 58);
}

#[test]
fn a_reminder_goes_to_those_who_were_shown() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let shown = invite(&sandbox, &[]);
    let token = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split("--confirm ").nth(1).and_then(|rest| rest.split('`').next()).expect("a token").to_owned()
    };
    let done = invite(&sandbox, &["--confirm", &token(&shown)]);
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let distributor = text.trim().rsplit(' ').next().expect("a number").to_owned();
    let remind = |more: &[&str]| sondage(&sandbox, "remind", std::slice::from_ref(&distributor), more);
    let shown = remind(&[]);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    let before = sent(&sandbox);
    let done = remind(&["--confirm", &token(&shown)]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains(" as reminder "), "{text}");
    let reminded: u64 =
        token(&shown).split('-').next().and_then(|count| count.parse().ok()).expect("a number");
    assert_eq!(sent(&sandbox) - before, reminded);
}
