//! `sondage webhooks ensure` as a program: the same command creates one webhook, however often it is run.

use sondage_sandbox::{EffectKind, Sandbox};
use std::path::Path;
use std::process::{Command, Output};

const HOOK: &str =
    r#"{"strategy": {"strategy": "basic", "user": "survalyzer", "password": "a long password of a test"}}"#;

fn ensure(sandbox: &Sandbox, hook: Option<&str>, state: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(["webhooks", "ensure", "https://acme.example/hooks", "InterviewComplete", "--state"])
        .arg(state)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
        .env_remove("SONDAGE_WEBHOOK");
    if let Some(hook) = hook {
        command.env("SONDAGE_WEBHOOK", hook);
    }
    command.output().unwrap()
}

#[test]
fn the_same_line_makes_one_webhook() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = std::env::temp_dir().join(format!("sondage-cli-ensure-{}", std::process::id()));
    let state = folder.join("state.json");
    let without = ensure(&sandbox, None, &state);
    let said = String::from_utf8_lossy(&without.stderr);
    assert!(!without.status.success() && said.contains("there is no webhook") && !state.exists(), "{said}");
    for word in ["created", "unchanged"] {
        let done = ensure(&sandbox, Some(HOOK), &state);
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success() && said.contains(&format!("InterviewComplete of *: {word}, ")),
            "{said}"
        );
        assert!(!said.contains("a long password"), "{said}");
    }
    assert_eq!(sandbox.ledger().count("*", EffectKind::WebHookCreated), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}
