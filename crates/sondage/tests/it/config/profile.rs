//! The profile file.

use super::{empty, refused};
use sondage::config::{ClientBuilder, Environment};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

struct Home(PathBuf);

impl Home {
    fn with(text: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let home = std::env::temp_dir().join(format!("sondage-home-{}-{n}", std::process::id()));
        std::fs::create_dir_all(home.join(".config/sondage")).unwrap();
        std::fs::write(home.join(".config/sondage/config.toml"), text).unwrap();
        Self(home)
    }

    fn builder(&self, variables: &[(&str, &str)]) -> ClientBuilder {
        let home = [("HOME", self.0.to_str().unwrap())];
        ClientBuilder::new().environment(Environment::of(home.iter().chain(variables).copied()))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TWO: &str = r#"
[default]
account = "https://acme.survalyzer-eu.app"
client_secret = "s"

[test]
tenant = "acme-test"
data_center = "swiss"
username = "robot"
password = "p"
deadline = "2 min"
connect_timeout = 2.5
page_size = 50
pkce = true
"#;

#[test]
fn a_section_is_chosen() {
    let home = Home::with(TWO);
    assert_eq!(home.builder(&[]).resolve().unwrap().tenant, "acme");
    for builder in [
        home.builder(&[("SONDAGE_PROFILE", "test")]),
        home.builder(&[]).profile("test"),
        home.builder(&[("SONDAGE_PROFILE", "default")]).profile("test"),
    ] {
        let config = builder.resolve().unwrap();
        assert_eq!((config.tenant.as_str(), config.page_size, config.pkce), ("acme-test", 50, true));
        assert_eq!((config.deadline.as_secs(), config.http.connect_timeout.as_millis()), (120, 2500));
        let source = config.explain().source("username").unwrap().to_string();
        assert!(source.starts_with("profile file /") && source.ends_with("config.toml [test]"), "{source}");
    }
}

#[test]
fn where_it_lies() {
    let home = Home::with(TWO);
    let path = home.0.join(".config/sondage/config.toml");
    let moved = Environment::of([("SONDAGE_CONFIG", path.to_str().unwrap())]);
    assert_eq!(empty().environment(moved).resolve().unwrap().tenant, "acme");
    assert_eq!(empty().profile_file(&path).resolve().unwrap().tenant, "acme");
    let xdg = Environment::of([("XDG_CONFIG_HOME", home.0.join(".config"))]);
    assert_eq!(empty().environment(xdg).resolve().unwrap().tenant, "acme");
    refused(
        &empty().profile_file("/nowhere/config.toml"),
        &["/nowhere/config.toml cannot be read", "SONDAGE_CONFIG"],
    );
    refused(&empty().profile("test"), &["no home folder"]);
    refused(&empty().profile_file(&home.0), &["cannot be read"]);
}

#[test]
fn nobody_needs_one() {
    let builder = Home::with("").builder(&[]);
    builder.account("https://acme.survalyzer-eu.app").token("t").resolve().unwrap();
    super::enough().environment(Environment::of([("HOME", "/nowhere")])).resolve().unwrap();
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (text, words) in [
        (
            "[default]\nclientsecret = \"s\"",
            ["`clientsecret` in the profile file", "Did you mean `client_secret`?"],
        ),
        ("[default]\ncolour = \"s\"", ["`colour` in the profile file", "not a setting"]),
        ("[default]\nprofile = \"x\"", ["`profile` in the profile file", "not a setting"]),
        ("tenant = \"acme\"", ["`tenant` stands outside of a profile", "[default]"]),
        ("[default]\ntenant = 5", ["`tenant` (profile file", "must be a text in quotes, and is a number"]),
        ("[default]\npage_size = \"5\"", ["`page_size` (profile file", "must be a number without quotes"]),
        ("[default]\npage_size = 5.5", ["`page_size` (profile file", "must be an integer, and is `5.5`"]),
        ("[default]\npkce = \"yes\"", ["`pkce` (profile file", "true or false without quotes"]),
        ("[default]\ndeadline = true", ["`deadline` (profile file", "a number or a text in quotes"]),
        ("[default]\ndeadline = \"soon\"", ["`deadline` (profile file", "and is a text of 4 characters"]),
        ("[default]\ndeadline = 2000-01-01", ["`deadline` (profile file", "and is a date"]),
        ("[default]\n\ntenant = \"acme", ["is not TOML, near line 3", "[default]"]),
    ] {
        refused(&Home::with(text).builder(&[]), &words);
    }
    refused(&Home::with(TWO).builder(&[]).profile("tset"), &["no profile `tset`", "`default`, `test`"]);
}

#[test]
fn a_file_without_a_default_helps_to_choose() {
    let home = Home::with("[one]\ntenant = \"one\"\n[two]\ntenant = \"two\"\n");
    refused(
        &home.builder(&[]),
        &["the account and credentials are missing", "has the profiles `one`, `two`", "SONDAGE_PROFILE"],
    );
}

#[test]
fn a_file_that_is_no_profile_file_is_not_swallowed() {
    let huge = Home::with(&"# a comment\n".repeat(200_000));
    refused(&huge.builder(&[]), &["larger than 1 MiB"]);
}

#[test]
fn a_default_file_that_cannot_be_read_stops_nobody() {
    let home = Home::with("");
    let file = home.0.join(".config/sondage/config.toml");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    for place in [home.0.as_path(), std::path::Path::new("/dev/null")] {
        let environment = || Environment::of([("HOME", place)]);
        let config = super::enough().environment(environment()).resolve().unwrap();
        let shown = config.explain().value("profile_file").unwrap();
        assert!(shown.contains("config.toml is ignored, because it cannot be read ("), "{shown}");
        refused(&super::enough().environment(environment()).profile("default"), &["cannot be read"]);
        refused(
            &super::enough().profile_file(place.join(".config/sondage/config.toml")),
            &["cannot be read"],
        );
        let missing = ClientBuilder::new().environment(environment());
        refused(
            &missing,
            &["the account and credentials are missing", "is ignored, because it cannot be read"],
        );
    }
    assert!(super::enough().resolve().unwrap().explain().value("profile_file").is_none());
}
