//! Credits, vouchers and artifacts: spent credits and deleted objects are gone.

use crate::http::Api;
use serde_json::{Value, json};
use sondage_sandbox::{EffectKind, Sandbox};

fn offers(api: &Api) -> Vec<(i64, i64, i64)> {
    let answer = api.ok("ReadIncentiveList", &json!({}));
    let number = |offer: &Value, name: &str| offer[name].as_i64().unwrap();
    let rows = answer["panelIncentives"].as_array().unwrap();
    rows.iter()
        .map(|row| (number(row, "id"), number(row, "priceInCredits"), number(row, "availableVouchersCount")))
        .collect()
}

fn balance(api: &Api) -> i64 {
    api.ok("ReadCreditBalance", &json!({}))["balance"].as_i64().unwrap()
}

#[test]
fn a_voucher_is_spent_once_and_paid_for() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let (before, (id, price, left)) = (balance(&api), offers(&api)[0]);
    let buy = || api.ok("RedeemIncentiveCode", &json!({ "incentiveId": id }))["voucherCode"].clone();
    let (first, second) = (buy(), buy());
    assert_ne!(first, second, "two vouchers have different codes");
    assert_eq!(balance(&api), before - 2 * price);
    assert_eq!(offers(&api)[0], (id, price, left - 2));
    assert_eq!(sandbox.ledger().count("RedeemIncentiveCode", EffectKind::IncentiveRedeemed), 2);
    let ledger = format!("{:?}", sandbox.ledger().effects("*"));
    assert!(!ledger.contains(first.as_str().unwrap()), "the ledger holds no codes");
}

#[test]
fn what_is_too_dear_or_sold_out_is_refused_and_costs_nothing() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let [_, (cinema, _, 1), (weekend, ..)] = offers(&api)[..] else { panic!("the seed's offers") };
    let refused = |id: i64| api.refused("RedeemIncentiveCode", &json!({ "incentiveId": id }));
    assert_eq!(refused(weekend).1, "CreditsInsufficient");
    assert_eq!(refused(1).1, "IncentiveNotFound");
    let before = balance(&api);
    api.ok("RedeemIncentiveCode", &json!({ "incentiveId": cinema }));
    let after = balance(&api);
    assert!(after < before);
    assert_eq!(refused(cinema).1, "VouchersExhausted");
    assert_eq!(balance(&api), after);
}

#[test]
fn transactions_add_up_to_the_balance() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    api.ok("RedeemIncentiveCode", &json!({ "incentiveId": offers(&api)[0].0 }));
    let answer = api.ok("ReadIncentiveTransactionList", &json!({}));
    let rows = answer["incentiveTransactions"].as_array().unwrap();
    let number = |row: &Value, name: &str| row[name].as_str().unwrap().parse::<i64>().unwrap();
    for pair in rows.windows(2) {
        assert_eq!(number(&pair[0], "newValue"), number(&pair[1], "oldValue"));
    }
    assert_eq!(number(rows.last().unwrap(), "newValue"), balance(&api));
    assert!(rows[0]["interviewLink"].as_str().unwrap().contains(rows[0]["responseId"].as_str().unwrap()));
}

#[test]
fn an_artifact_is_created_listed_and_deleted_in_its_workspace() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let api = Api::new(&sandbox);
    let workspace = sandbox.workspace_id();
    let at = |path: &str| json!({ "workspaceId": workspace, "path": path });
    let list = |path: &str| api.ok("ReadArtifactList", &at(path))["artifacts"].as_array().unwrap().len();
    api.ok("CreateArtifact", &at("/logos/2024/a.png"));
    api.ok("CreateArtifact", &at("logos2/b.png"));
    assert_eq!((list(""), list("logos"), list("logos/2024/"), list("logo")), (2, 1, 1, 0));
    assert_eq!(api.refused("CreateArtifact", &at("logos/2024/a.png")).1, "ArtifactExists");
    for bad in ["", "/", "a//b", "../secret", "a\\b", &"x".repeat(1025)] {
        assert_eq!(api.refused("CreateArtifact", &at(bad)).1, "ValidationError", "{bad}");
    }
    let elsewhere = json!({ "workspaceId": 1, "path": "a" });
    assert_eq!(api.refused("CreateArtifact", &elsewhere).1, "WorkspaceNotFound");
    let mut file = at("logos/2024");
    file["filename"] = json!("a.png");
    api.ok("DeleteArtifact", &file);
    assert_eq!(api.refused("DeleteArtifact", &file).1, "ArtifactNotFound");
    assert_eq!(list(""), 1);
}
