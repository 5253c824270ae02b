//! Settings from the account's address, and contradictions.

use super::{empty, refused};
use sondage::config::{DataCenter, Environment};

#[test]
fn contradictions_are_refused_instead_of_resolved() {
    let account = || empty().account("https://acme.survalyzer-eu.app").token("t");
    refused(&account().tenant("other"), &["means the tenant `acme`, but `tenant` (explicit) is `other`"]);
    refused(&account().data_center(DataCenter::Swiss), &["means the data center `eu`", "is `swiss`"]);
    let leftover = Environment::of([("SONDAGE_TENANT", "other")]);
    refused(
        &account().environment(leftover),
        &["`account` (explicit)", "`tenant` (environment SONDAGE_TENANT) is `other`"],
    );
    account()
        .tenant("acme")
        .data_center(DataCenter::Eu)
        .resolve()
        .expect("the same twice is no contradiction");
}

#[test]
fn what_is_no_account_is_refused_with_an_example() {
    for (address, words) in [
        ("https://example.com", "is not the address of an account"),
        ("http://acme.survalyzer-eu.app", "begins with https://"),
        ("https://api.survalyzer-eu.app", "all accounts share"),
        ("acme", "is not the address of an account"),
    ] {
        refused(
            &empty().account(address).token("t"),
            &["`account` (explicit)", words, "https://acme.survalyzer-eu.app"],
        );
    }
}
