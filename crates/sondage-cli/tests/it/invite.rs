//! `sondage invite` as a program: it shows the plan, takes the confirmation, and sends once.

use sondage_sandbox::{EffectKind, Fault, Sandbox};
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
    let text = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && text.contains("58 were invited before"), "{text}");
    assert!(text.ends_with("running it sends nothing\nNothing was sent.\n"), "{text}");
    assert_eq!(sent(&sandbox), 58);
}

/// The token that the command prints.
fn token_of(shown: &Output) -> String {
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let error = String::from_utf8_lossy(&shown.stderr);
    let token = text.split("--confirm ").nth(1).and_then(|rest| rest.split('`').next());
    token.unwrap_or_else(|| panic!("no token: {text}{error}")).to_owned()
}

#[test]
fn an_unknown_outcome_is_said_once_and_names_the_command_that_finds_it_out() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let token = token_of(&invite(&sandbox, &["--cap", "3"]));
    let wrong = String::from_utf8(invite(&sandbox, &["--cap", "3", "--confirm", "yes"]).stderr).unwrap();
    assert!(
        wrong.contains("\"yes\" is not the token of this plan") && wrong.contains("Nothing was sent."),
        "{wrong}"
    );
    sandbox.fault(Fault::on("InviteMembers").cut_after_effect());
    let cut = invite(&sandbox, &["--cap", "3", "--confirm", &token]);
    assert_eq!(String::from_utf8_lossy(&cut.stdout), "perhaps sent to 3\n");
    let error = String::from_utf8_lossy(&cut.stderr);
    for words in ["`sondage reconcile` with this `--error`", "`sondage distributors`"] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn rows_of_a_file_become_invited_members_once() {
    const TEXT: &str = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11:de=Hallo";
    let sandbox = Sandbox::demo_blocking().unwrap();
    sandbox.change_profile(|profile| profile.keep_bodies = true);
    let folder = std::env::temp_dir().join(format!("sondage-newcomers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, journal) = (folder.join("people.csv"), folder.join("people.journal"));
    let people = "Email,FirstName,Language\nada@acme.example,Ada,en\nno address,Zoe,de\nbea@acme.example,Bea,de\nADA@acme.example,Ada,en\n";
    std::fs::write(&file, people).unwrap();
    let ids = [sandbox.survey_id().to_string(), sandbox.panel_id().to_string(), file.display().to_string()];
    let template = sandbox.message_template_id().to_string();
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
        command.arg("create-and-invite").args(&ids).args(["--key", "Email", "--template", &template]);
        command.args(["--journal", journal.to_str().unwrap(), "--text-block", TEXT]).args(more);
        command
            .env("SONDAGE_BASE_URL", sandbox.base_url())
            .env("SONDAGE_AUTH_URL", sandbox.auth_url())
            .env("SONDAGE_TENANT", sandbox.tenant())
            .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
        command.output().unwrap()
    };
    let shown = run(&[]);
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.contains("creates and invites 2 of 4") && text.contains("Nothing was sent"), "{text}");
    let last = String::from_utf8(run(&["--duplicates", "last", "--strip"]).stdout).unwrap();
    assert!(last.contains("creates and invites 2 of 4"), "keys that differ by case are not equal: {last}");
    let token = token_of(&shown);
    assert_eq!((sent(&sandbox), sandbox.ledger().count("*", EffectKind::MembersCreated)), (0, 0));

    let done = run(&["--yes", &token]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let created = sandbox.ledger().count("*", EffectKind::MembersCreated);
    assert_eq!(created, sent(&sandbox));
    assert!(created > 0);
    let body = sandbox.ledger().requests("CreateAndInviteMembers").remove(0).body.expect("a body");
    assert!(body.contains(r#""textBlocks":[{"name":"6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11""#), "{body}");
    // The journal says that it is complete: the same command reports that, and sends nothing.
    let again = run(&["--yes", &token]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!((created, created), (sandbox.ledger().count("*", EffectKind::MembersCreated), sent(&sandbox)));
    std::fs::remove_dir_all(folder).unwrap();
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

/// The texts are sent, and what is wrong with them is said before anything is sent.
#[test]
fn texts_replace_blocks_of_the_message() {
    const BLOCK: &str = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11";
    const SENT: &str = concat!(
        r#""textBlocks":[{"name":"6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11","type":"editarea","#,
        r#""text":[{"languageCode":"de","text":"Hallo = Sie"},{"languageCode":"en","text":"Hello: you"}]}]"#
    );
    let sandbox = Sandbox::demo_blocking().unwrap();
    sandbox.change_profile(|profile| profile.keep_bodies = true);
    let (german, english) = (format!("{BLOCK}:de=Hallo = Sie"), format!("{BLOCK}:en=Hello: you"));
    let texts = ["--text-block", &german, "--text-block", &english];
    let survey_and_panel = [sandbox.survey_id(), sandbox.panel_id()].map(|id| id.to_string());
    let confirmed = |command: &str, ids: &[String], more: &[&str]| {
        let given = [&texts[..], more].concat();
        let token = token_of(&sondage(&sandbox, command, ids, &given));
        let done = sondage(&sandbox, command, ids, &[&given[..], &["--confirm", &token]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let body = |operation: &str| sandbox.ledger().requests(operation).remove(0).body.expect("a body");

    let said = confirmed("invite", &survey_and_panel, &[]);
    assert!(body("InviteMembers").contains(SENT), "{}", body("InviteMembers"));
    confirmed("remind", &[said.trim().rsplit(' ').next().expect("a number").to_owned()], &[]);
    assert!(body("RemindMembers").contains(SENT), "{}", body("RemindMembers"));

    let before = sent(&sandbox);
    for (given, said) in [
        (&["--text-block", "Hallo"][..], "a text block is written GUID:LANGUAGE=TEXT"),
        (&["--text-block", "guid:=Hallo"], "the text block has no language"),
        (&["--text-block", ":de=Hallo"], "a text block has no name"),
        (
            &["--text-block", &german, "--text-block", &german],
            "has two texts in the language \"de\". Nothing was sent",
        ),
    ] {
        let refused = invite(&sandbox, given);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && error.contains(said), "{error}");
    }
    assert_eq!(sent(&sandbox), before);
}
