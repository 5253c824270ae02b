//! Compares the operation table with its two authorities: the specification, and the definition that the service has
//! published. Every difference is reported; an intended one is listed in `differences.json` with its reason.

mod authority;
mod compare;

use authority::Authority;
use serde::Deserialize;
use sondage::operation::Effect;
use sondage::operations;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Differences {
    /// Operations that are published and not in the table.
    later: Vec<String>,
    /// By authority: what differs, and why.
    specification: BTreeMap<String, String>,
    contract: BTreeMap<String, String>,
}

fn differences() -> Differences {
    serde_json::from_str(include_str!("differences.json")).expect("differences.json")
}

fn specification() -> Authority {
    Authority::read(include_str!("specification.json"))
}

fn contract() -> Authority {
    Authority::read(include_str!("contract.json"))
}

/// The differences are exactly the listed ones.
fn expect(name: &str, found: &BTreeSet<String>, meant: &BTreeMap<String, String>) {
    let meant: BTreeSet<String> = meant.keys().cloned().collect();
    let unexpected: Vec<_> = found.difference(&meant).cloned().collect();
    let gone: Vec<_> = meant.difference(found).cloned().collect();
    assert!(unexpected.is_empty(), "the table differs from the {name}:\n  {}\n", unexpected.join("\n  "));
    assert!(gone.is_empty(), "listed in differences.json, but not so any more:\n  {}\n", gone.join("\n  "));
}

#[test]
fn the_table_follows_the_specification() {
    expect(
        "specification",
        &compare::differences(&specification(), Some(&contract())),
        &differences().specification,
    );
}

#[test]
fn the_table_follows_the_published_definition() {
    let differences = differences();
    let mut found = compare::differences(&contract(), None);
    for name in &differences.later {
        assert!(
            found.remove(&format!("{name}: not in the table")),
            "{name} is not a published operation that is missing"
        );
    }
    expect("published definition", &found, &differences.contract);
}

#[test]
fn every_difference_has_a_reason() {
    let differences = differences();
    for (what, why) in differences.specification.iter().chain(&differences.contract) {
        assert!(why.len() > 20, "`{what}` is listed without a reason");
    }
}

#[test]
fn every_row_has_an_authority_that_it_names() {
    let (specification, contract) = (specification(), contract());
    for row in operations::ALL {
        let source = format!("{:?}", row.source);
        let in_spec = specification.operation(row.name).is_some();
        assert_eq!(source == "Spec", in_spec, "{}: from {source}", row.name);
        assert!(in_spec || contract.operation(row.name).is_some(), "{} is made up", row.name);
    }
}

/// Everything in the table is documented: rows, models, fields, enumerations.
#[test]
fn everything_is_documented() {
    let mut seen = BTreeMap::new();
    for row in operations::ALL {
        assert!(row.docs.trim().ends_with('.'), "{} has no sentence", row.name);
        compare::visit(row.request, &mut seen);
        compare::visit(row.response, &mut seen);
    }
    for (name, docs) in &seen {
        assert!(docs.trim().ends_with(['.', ')', '`']) && docs.len() > 6, "{name} has no sentence: `{docs}`");
        assert!(!docs.to_lowercase().contains("gets or sets"), "{name}");
    }
    assert!(seen.len() > 200, "only {} names were looked at", seen.len());
}

/// Every write says how to find out about an unknown outcome.
#[test]
fn every_write_says_how_to_find_out() {
    for row in operations::ALL {
        let changes_nothing = matches!(row.effect, Effect::Read | Effect::Token);
        assert_eq!(row.reconcile.is_none(), changes_nothing, "{}", row.name);
    }
}
