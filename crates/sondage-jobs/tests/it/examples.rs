//! Runs the examples as separate programs, against the sandbox.

use sondage_sandbox::{Fault, Sandbox};
use std::process::Command;

fn program(name: &str) -> Command {
    let examples = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples");
    Command::new(examples.join(name).with_extension(std::env::consts::EXE_EXTENSION))
}

/// Runs the program and returns its output.
fn invite(sandbox: &Sandbox) -> String {
    let ids = [sandbox.panel_id(), sandbox.survey_id(), sandbox.message_template_id()];
    let output = program("invite_members")
        .args(ids.map(|id| id.to_string()))
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
        .output()
        .expect("`cargo build -p sondage-jobs --examples` builds the program");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_invitation_is_sent_once_also_when_the_outcome_is_unknown() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let printed = invite(&sandbox);
    let lines: Vec<_> = printed.lines().collect();
    let [refused, reached, invited] = lines[..] else { panic!("{printed}") };
    assert!(refused.starts_with("not created:") && refused.contains("not an address"), "{refused}");
    assert_eq!(reached, "will be invited: 1");
    assert!(invited.starts_with("invited by distributor "), "{invited}");

    sandbox.fault(Fault::on("InviteMembers").cut_after_effect());
    let doubtful = invite(&sandbox);
    assert!(
        doubtful.contains("perhaps invited. `reconcile` with this `write_id` finds out what happened."),
        "{doubtful}"
    );
    assert_eq!(sandbox.ledger().requests("InviteMembers").len(), 2);
}
