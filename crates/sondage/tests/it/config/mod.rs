//! Settings: their sources, precedence, and errors.

mod account;
mod grants;
mod layers;
mod profile;
mod proxies;
mod refusals;

use sondage::config::{ClientBuilder, Environment};
use sondage::{Error, ErrorKind};

/// A configuration without settings: no file, no environment.
fn empty() -> ClientBuilder {
    ClientBuilder::new().environment(Environment::empty())
}

/// The minimum settings.
fn enough() -> ClientBuilder {
    empty().account("https://acme.survalyzer-eu.app").client_secret("s")
}

/// The error of invalid settings. Each is a `Configuration` error with advice.
#[track_caller]
fn refused(builder: &ClientBuilder, words: &[&str]) -> Error {
    let error = builder.resolve().expect_err("these settings are wrong");
    assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "`{word}` is not in: {error}");
    }
    error
}
