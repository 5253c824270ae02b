//! The precedence of sources: code, environment, profile file, the account's address, defaults.

use super::{empty, enough};
use sondage::budget::BudgetMode;
use sondage::config::{ClientBuilder, DataCenter, Environment, SETTINGS, Source};
use std::time::Duration;

/// A value that every setting understands, different for each `n`.
fn value(name: &str, n: u32) -> String {
    match name {
        "account" => "https://acme.survalyzer-eu.app".to_owned(),
        "tenant" => "acme".to_owned(),
        "data_center" => "eu".to_owned(),
        "grant" => ["client_credentials", "password", "api_token"][n as usize % 3].to_owned(),
        "facts" => ["off", "on"][n as usize % 2].to_owned(),
        "budget" => ["warn", "stop", "hard_stop", "off"][n as usize % 4].to_owned(),
        "budget_counted" => ["received", "both"][n as usize % 2].to_owned(),
        "budget_day" => format!("0{n}:00Z"),
        "pkce" | "published_paths" | "budget_loopback" | "correlation_id" | "loopback_only" | "read_only"
        | "token_keyring" | "use_environment" => ["true", "false"][n as usize % 2].to_owned(),
        "operations" => ["ReadPanel", "ReadMemberList"][n as usize % 2].to_owned(),
        "base_url" | "auth_url" | "proxy" | "redirect_uri" => format!("https://h{n}.example"),
        "authorize_path" | "token_path" => format!("/p{n}"),
        "retry_budget" => format!("0.{n}"),
        _ => (n + 1).to_string(),
    }
}

/// Whether the profile file has it without quotes.
fn is_bare(name: &str) -> bool {
    let shape = SETTINGS.iter().find(|row| row.name == name).unwrap().shape;
    shape.contains("number")
        || shape.contains("integer")
        || matches!(
            name,
            "pkce"
                | "published_paths"
                | "budget_loopback"
                | "correlation_id"
                | "loopback_only"
                | "read_only"
                | "token_keyring"
                | "use_environment"
        )
}

#[test]
fn each_setting_follows_the_order() {
    let folder = std::env::temp_dir().join(format!("sondage-layers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("config.toml");
    for row in SETTINGS.iter().filter(|row| match row.name {
        // The account in this test is not on this machine, which `loopback_only` wants: see `only_this_machine`.
        "profile" | "profile_file" | "ca_file" | "client_certificate" | "client_key" | "loopback_only" => {
            false
        }
        // Windows has no program for its keyring.
        "token_keyring" => !cfg!(windows),
        _ => true,
    }) {
        let name = row.name;
        let quoted = if is_bare(name) { value(name, 3) } else { format!("\"{}\"", value(name, 3)) };
        std::fs::write(&path, format!("[default]\n{name} = {quoted}\n")).unwrap();
        let base = || {
            let base = empty().profile_file(&path);
            // Settings needed in addition; a client secret in code would determine the grant.
            let rest = [
                ("account", "https://acme.survalyzer-eu.app"),
                ("client_secret", "s"),
                ("username", "u"),
                ("password", "p"),
                ("grant", "password"),
            ];
            rest.into_iter()
                .filter(|(other, _)| *other != name)
                .fold(base, |base, (other, text)| base.set(other, text).unwrap())
        };
        let environment = || Environment::of([(row.variable, value(name, 2))]);
        let source = |builder: ClientBuilder| {
            let config = builder.resolve().unwrap_or_else(|error| panic!("{name}: {error}"));
            (config.explain().source(name).cloned(), config.explain().value(name).map(str::to_owned))
        };
        let place = Source::Profile(format!("profile file {} [default]", path.display()));
        let (from, profile) = source(base());
        assert_eq!(from, Some(place), "{name}");
        let (from, variable) = source(base().environment(environment()));
        assert_eq!(from, Some(Source::Environment(row.variable)), "{name}");
        let (from, code) = source(base().environment(environment()).set(name, value(name, 1)).unwrap());
        assert_eq!(from, Some(Source::Explicit), "{name}");
        let same = row.secret || matches!(name, "account" | "tenant" | "data_center");
        assert!(
            same || (code != variable && variable != profile),
            "{name}: {code:?} {variable:?} {profile:?}"
        );
        if row.secret {
            assert_eq!(code.as_deref(), Some("***"));
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_account_address_beats_the_defaults_and_nothing_else() {
    let config = enough().resolve().unwrap();
    assert_eq!((config.tenant.as_str(), config.data_center), ("acme", Some(DataCenter::Eu)));
    assert_eq!(config.base_url.as_str(), "https://api.survalyzer-eu.app/");
    assert_eq!(config.auth_url.as_str(), "https://authentication.survalyzer-eu.app/");
    assert_eq!(config.client_id, "acme_api");
    assert_eq!(config.explain().source("tenant"), Some(&Source::Account));

    let environment =
        Environment::of([("SONDAGE_ACCOUNT", "https://other.survalyzer-swiss.app"), ("SONDAGE_TOKEN", "t")]);
    let config = empty()
        .environment(environment)
        .tenant("acme")
        .base_url("https://api.acme.example")
        .resolve()
        .unwrap();
    assert_eq!((config.tenant.as_str(), config.client_id.as_str()), ("acme", "acme_api"));
    assert_eq!(config.base_url.as_str(), "https://api.acme.example/");
    assert_eq!(config.auth_url.as_str(), "https://authentication.survalyzer-swiss.app/");
}

#[test]
fn tenant_and_data_center_do_as_well() {
    let config = empty().tenant("acme").data_center(DataCenter::Swiss).token("t").resolve().unwrap();
    assert_eq!(config.auth_url.as_str(), "https://authentication.survalyzer-swiss.app/");
    assert_eq!(
        config.explain().source("auth_url"),
        Some(&Source::Explicit),
        "it follows from the data center"
    );
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let config = enough().resolve().unwrap();
    let seconds = Duration::from_secs;
    assert_eq!(
        (config.deadline, config.token_timeout, config.login_timeout),
        (seconds(600), seconds(60), seconds(300))
    );
    assert_eq!((config.first_page, config.page_size, config.pkce), (1, 1000, true));
    assert_eq!((config.trace_entries, config.correlation_id, config.loopback_only), (0, true, false));
    let limits = (config.limits.answer_bytes, config.limits.token_bytes, config.limits.error_bytes);
    assert_eq!(limits, (512 << 20, 256 << 10, 64 << 10));
    let limits = (config.limits.object_bytes, config.limits.object_values, config.limits.table_growth);
    assert_eq!(limits, (64 << 20, 3_500_000, 4));
    assert_eq!(
        (config.retry.attempts, config.retry.base, config.retry.cap),
        (3, Duration::from_millis(500), seconds(20))
    );
    assert_eq!(config.retry.retry_after_cap, seconds(120));
    let budget = &config.budget;
    assert_eq!((budget.mode, budget.calls, budget.bytes), (BudgetMode::Warn, 500, 500_000_000));
    assert_eq!((budget.day.to_string().as_str(), &budget.folder, budget.loopback), ("00:00Z", &None, false));
    assert!((config.retry.factor - 2.0).abs() < 1e-9 && (config.retry.budget - 0.1).abs() < 1e-9);
    assert_eq!((config.http.connect_timeout, config.http.read_timeout), (seconds(10), seconds(200)));
    assert_eq!(
        (config.authorize_path.as_str(), config.token_path.as_str()),
        ("/openid/authorize", "/openid/token")
    );
}

#[test]
fn the_explanation_is_a_table() {
    let environment = Environment::of([("SONDAGE_CLIENT_SECRET", "shh"), ("SONDAGE_DEADLINE", "2 min")]);
    let config =
        empty().environment(environment).account("https://acme.survalyzer-eu.app").resolve().unwrap();
    let text = config.explain().to_string();
    let line = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(line("client_secret"), ["client_secret", "***", "environment SONDAGE_CLIENT_SECRET"]);
    assert_eq!(line("deadline"), ["deadline", "120 s", "environment SONDAGE_DEADLINE"]);
    assert_eq!(line("tenant"), ["tenant", "acme", "account address"]);
    assert_eq!(line("username"), ["username", "-"]);
    assert_eq!(line("grant"), ["grant", "client_credentials", "environment SONDAGE_CLIENT_SECRET"]);
    assert_eq!(line("answer_bytes"), ["answer_bytes", "512 MiB", "default"]);
    assert_eq!(text.lines().count(), SETTINGS.len() + 1);
}
