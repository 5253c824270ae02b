//! Settings that are invalid, incomplete, or dangerous.

use super::{empty, enough, refused};
use sondage::config::{ClientBuilder, DataCenter, Environment};
use std::time::Duration;

#[test]
fn nothing_at_all() {
    let words = [
        "the account and credentials are missing",
        "SONDAGE_ACCOUNT",
        "https://acme.survalyzer-eu.app",
        "SONDAGE_CLIENT_SECRET",
    ];
    refused(&empty(), &words);
    refused(&empty().tenant("acme").token("t"), &["where the account lives is missing", "`data_center`"]);
}

#[test]
fn half_of_the_addresses() {
    refused(
        &empty().tenant("acme").token("t").base_url("https://a.example"),
        &["`auth_url` is missing", "`data_center`"],
    );
    refused(&empty().tenant("acme").token("t").auth_url("https://a.example"), &["`base_url` is missing"]);
    refused(
        &enough().base_url("http://127.0.0.1:8080"),
        &["`base_url` is on this machine, and `auth_url` is not"],
    );
}

#[test]
fn plain_http_is_for_this_machine() {
    let both = |address: &str| empty().tenant("acme").token("t").base_url(address).auth_url(address);
    for address in [
        "http://127.0.0.1:80",
        "http://127.9.9.9",
        "http://[::1]:1",
        "http://localhost:5/",
        "https://a.example:8443",
    ] {
        both(address).resolve().unwrap_or_else(|error| panic!("{address}: {error}"));
    }
    for address in [
        "http://a.example",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://[::ffff:8.8.8.8]",
    ] {
        refused(&both(address), &["`base_url` (explicit) is plain http", "Use https"]);
    }
}

#[test]
fn only_this_machine() {
    let within = |variable: &str| Environment::of([("SONDAGE_LOOPBACK_ONLY", variable)]);
    let here = || {
        let address = "http://127.0.0.1:8080";
        empty().tenant("acme").client_secret("s").base_url(address).auth_url("http://localhost:1")
    };
    let elsewhere = [
        ("base_url", enough()),
        ("base_url", here().base_url("https://api.example")),
        ("auth_url", here().auth_url("https://127.0.0.1.example")),
        ("proxy", here().proxy("http://proxy.example:3128")),
    ];
    for (name, builder) in elsewhere {
        let words = [&format!("`{name}` ("), "is not on this machine", "may only talk to this machine"];
        refused(
            &builder.clone().loopback_only(true),
            &[&words[..], &["`loopback_only` (explicit)"]].concat(),
        );
        let error = refused(&builder.clone().environment(within("1")), &words);
        assert!(error.to_string().contains("(environment SONDAGE_LOOPBACK_ONLY)"), "{error}");
        // Ignoring the environment does not open the way.
        refused(&builder.clone().environment(within("true")).use_environment(false), &words);
        builder.environment(within("0")).resolve().unwrap();
    }
    let config = here().proxy("http://127.0.0.1:3128").loopback_only(true).resolve().unwrap();
    assert!(config.loopback_only);
    empty().replay("recorded.jsonl").loopback_only(true).resolve().unwrap();
}

#[test]
fn addresses_that_are_more_or_less_than_one() {
    for (address, words) in [
        ("https://user:pw@a.example", ["contains a user name or a password", "`username`"]),
        ("https://a.example/publicapi", ["has a path, `/publicapi`", "address alone"]),
        ("https://a.example/?x=1", ["has a query or a fragment", "address alone"]),
        ("https://a.example/#x", ["has a query or a fragment", "address alone"]),
        ("ftp://a.example", ["begins with `ftp:`", "https://"]),
        ("file:///etc/passwd", ["begins with `file:`", "https://"]),
        ("a.example", ["must be an address", "https://"]),
        ("localhost:8080", ["begins with `localhost:`", "https://"]),
        ("", ["must be an address", "https://"]),
    ] {
        refused(&enough().base_url(address), &words);
        refused(&enough().auth_url(address), &words);
    }
    for path in ["token", "", "//evil.example/token", "/token?x=1", "/to ken", "https://evil.example/"] {
        refused(&enough().token_path(path), &["`token_path` (explicit)"]);
    }
    refused(&enough().proxy("socks5://x"), &["`proxy` (explicit)", "http://proxy.example.com:3128"]);
}

#[test]
fn values_out_of_range() {
    for (name, text, words) in [
        ("page_size", "0", "must be 1 or more, and is 0"),
        ("first_page", "-1", "must be 0 or more"),
        ("page_size", "many", "must be an integer, and is a text of 4 characters"),
        ("page_size", "99999999999999999999", "must be an integer"),
        ("retry_attempts", "0", "from 1 to 20"),
        ("trace_entries", "1000001", "up to 1000000"),
        ("operations", "ReadPanel, ReadPanle", "has no operation at place 2"),
        ("operations", " ,", "has no operation at place 1"),
        ("retry_budget", "1.5", "from 0 to 1"),
        ("retry_factor", "0.5", "from 1 to 100"),
        ("retry_factor", "NaN", "must be a number"),
        ("deadline", "0", "a time above 0"),
        ("deadline", "100000", "at most a day"),
        ("answer_bytes", "5 MB", "a size above 0"),
        ("data_center", "us", "must be `swiss` or `eu`, and is `us`"),
        ("tenant", "https://acme.example", "is not the name of a tenant"),
        ("user_agent", "ümlaut", "plain ASCII"),
        ("data_center", "swis", "and is `swis`"),
        ("deadline", "5 weeks", "and is `5 weeks`"),
        ("grant", "pasword", "and is `pasword`"),
        ("panel_id", "five", "must be an integer"),
        ("client_secret", "\n", "`client_secret` (explicit) must be a text"),
        ("budget", "stopp", "and is `stopp`"),
        ("budget_calls", "0", "must be 1 or more, and is 0"),
        ("budget_bytes", "500 MB", "a size above 0"),
        ("budget_day", "24:00", "a time of day such as `00:00Z` or `06:00+01:00`, and is `24:00`"),
        ("pkce", "maybe", "must be `true` or `false`"),
        ("loopback_only", "yes", "must be `true` or `false`, and is `yes`"),
    ] {
        let builder =
            if name == "tenant" { empty().token("t").data_center(DataCenter::Eu) } else { enough() };
        refused(&builder.set(name, text).unwrap(), &[words]);
    }
    refused(&enough().deadline(Duration::ZERO), &["`deadline` (explicit)"]);
}

#[test]
fn certificates_that_are_none() {
    refused(
        &enough().ca_file("/nowhere/ca.pem"),
        &["/nowhere/ca.pem", "cannot be read", "BEGIN CERTIFICATE"],
    );
    let path = std::env::temp_dir().join(format!("sondage-ca-{}.pem", std::process::id()));
    std::fs::write(&path, "not a certificate").unwrap();
    refused(&enough().ca_file(&path), &["contains no certificate"]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn names_that_are_no_settings() {
    let error = ClientBuilder::new().set("tenat", "acme").unwrap_err();
    assert!(error.to_string().contains("Did you mean `tenant`?"), "{error}");
    assert!(ClientBuilder::new().set("colour", "blue").is_err());
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let environment = Environment::of([("SONDAGE_TENANT", OsString::from_vec(vec![0xff, 0xfe]))]);
    refused(&empty().environment(environment), &["`tenant` (environment SONDAGE_TENANT) is not Unicode"]);
}

#[test]
fn a_variable_that_is_empty_is_not_set() {
    let environment = Environment::of([("SONDAGE_TENANT", "")]);
    assert_eq!(enough().environment(environment).resolve().unwrap().tenant, "acme");
}

/// Security: text that does not look like an attempt at a setting's type may be a misplaced secret.
#[test]
fn a_secret_in_the_wrong_setting_is_not_shown() {
    for secret in ["Cnry2pw77c21d0f", "7c21d0f5Cnry", "canary", "canary:x", "canary word"] {
        for setting in sondage::config::SETTINGS {
            let Err(error) = enough().set(setting.name, secret).unwrap().resolve() else { continue };
            let text = format!("{error} {error:?}").to_lowercase();
            // The names of a tenant, a profile and a file are not secret, and showing them helps.
            let named = matches!(
                setting.name,
                "profile" | "profile_file" | "ca_file" | "client_certificate" | "client_key" | "tenant"
            );
            assert!(named || !text.contains(&secret.to_lowercase()), "{}: {error}", setting.name);
        }
    }
}
