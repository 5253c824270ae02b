//! Every operation of the table, with its connection cut: its effect decides what happens then, and the sandbox's ledger
//! shows whether it does. New rows of the table are tested automatically.

use crate::support::call::call;
use crate::support::lived::Lived;
use crate::support::sandbox::client;
use sondage::operation::OperationInfo;
use sondage::{Effect, ErrorKind, operations};
use sondage_sandbox::{CutPoint, EffectKind, Fault, FaultAction, Sandbox};
use std::collections::BTreeSet;

fn rows() -> impl Iterator<Item = &'static OperationInfo> {
    operations::ALL.iter().copied().filter(|row| row.effect != Effect::Token)
}

/// The effects, by kind and number. Ids of created objects differ between runs.
fn changed(sandbox: &Sandbox, operation: &str) -> Vec<(String, u64)> {
    let effects = sandbox.ledger().effects(operation);
    effects.into_iter().map(|effect| (format!("{:?}", effect.kind), effect.count)).collect()
}

/// How often a complete request arrived.
fn arrived(sandbox: &Sandbox, operation: &str) -> usize {
    sandbox.ledger().requests(operation).iter().filter(|arrival| arrival.whole).count()
}

/// The effects of one undisturbed call.
async fn undisturbed(row: &OperationInfo) -> Vec<(String, u64)> {
    let world = Lived::new().await;
    let answer = call(&world.client, row.name, &world.request(row)).await;
    answer.unwrap_or_else(|error| panic!("{}: {error}", row.name));
    changed(&world.sandbox, row.name)
}

fn cut(row: &OperationInfo, at: CutPoint, reset: bool) -> Fault {
    Fault::on(row.name).action(FaultAction::Cut { at, reset })
}

fn once(effects: Vec<(String, u64)>) -> BTreeSet<(String, u64)> {
    effects.into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_the_world_is_in_the_ledger() {
    for row in rows() {
        let effects = undisturbed(row).await;
        assert_eq!(effects.is_empty(), row.effect == Effect::Read, "{} changed {effects:?}", row.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_and_sets_are_retried_and_have_one_effect() {
    let untouched = Lived::new().await;
    for row in rows().filter(|row| row.effect.idempotent()) {
        let expected = undisturbed(row).await;
        for at in [CutPoint::BeforeRequest, CutPoint::AfterEffect, CutPoint::MidAnswer] {
            for reset in [false, true] {
                // Reads change nothing, so they can share a sandbox.
                let own = if row.effect == Effect::IdempotentWrite { Some(Lived::new().await) } else { None };
                let world = own.as_ref().unwrap_or(&untouched);
                world.sandbox.ledger().clear();
                world.sandbox.fault(cut(row, at, reset));
                // Only a share of the calls of a client may be retried, so each has its own client.
                let result = call(&client(&world.sandbox, 100), row.name, &world.request(row)).await;
                result.unwrap_or_else(|error| panic!("{} {at:?} {reset}: {error}", row.name));
                assert_eq!(world.sandbox.ledger().requests(row.name).len(), 2, "{} {at:?}", row.name);
                let effects = changed(&world.sandbox, row.name);
                assert_eq!(once(effects), once(expected.clone()), "{} {at:?} {reset}", row.name);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_back_is_never_repeated_unproven() {
    for row in rows().filter(|row| !row.effect.idempotent()) {
        let expected = undisturbed(row).await;
        for at in [CutPoint::AfterEffect, CutPoint::MidAnswer] {
            for reset in [false, true] {
                let world = Lived::new().await;
                world.sandbox.fault(cut(row, at, reset));
                let result = call(&world.client, row.name, &world.request(row)).await;
                let error = result.expect_err("the answer is lost");
                assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{} {at:?} {reset}: {error}", row.name);
                assert!(error.reconcile().is_some(), "{}: how does one find out?", row.name);
                assert_eq!(arrived(&world.sandbox, row.name), 1, "{} {at:?} {reset}", row.name);
                assert_eq!(changed(&world.sandbox, row.name), expected, "{} {at:?} {reset}", row.name);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_cut_before_it_arrived_happens_once_or_not_at_all() {
    for row in rows().filter(|row| !row.effect.idempotent()) {
        let expected = undisturbed(row).await;
        for reset in [false, true] {
            let world = Lived::new().await;
            world.sandbox.fault(cut(row, CutPoint::BeforeRequest, reset));
            let result = call(&world.client, row.name, &world.request(row)).await;
            let effects = changed(&world.sandbox, row.name);
            match result {
                // The last byte of the request was not requested, which proves that a retry is safe.
                Ok(_) => assert_eq!(effects, expected, "{}", row.name),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{}: {error}", row.name);
                    assert_eq!(effects, [], "{}", row.name);
                }
            }
            assert!(arrived(&world.sandbox, row.name) <= 1, "{}", row.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_lie_about_a_write_do_not_make_it_happen_twice() {
    let spoilt =
        [FaultAction::Garbage, FaultAction::GarbageBody, FaultAction::TruncatedJson, FaultAction::BrokenGzip];
    let busy = |row: &OperationInfo| Fault::on(row.name).status(503).after_effect();
    for row in rows().filter(|row| !row.effect.idempotent()) {
        let expected = undisturbed(row).await;
        let faults = spoilt.iter().map(|action| Fault::on(row.name).after_effect().action(action.clone()));
        for fault in faults.chain([busy(row)]) {
            let world = Lived::new().await;
            world.sandbox.fault(fault.clone());
            let result = call(&world.client, row.name, &world.request(row)).await;
            assert!(result.is_err(), "{} {fault:?}", row.name);
            assert_eq!(arrived(&world.sandbox, row.name), 1, "{} {fault:?}", row.name);
            assert_eq!(changed(&world.sandbox, row.name), expected, "{} {fault:?}", row.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_sent_once_whatever_happens() {
    let world = Lived::new().await;
    let row = operations::find("InviteMembers").expect("a row");
    world.sandbox.fault(cut(row, CutPoint::AfterEffect, true).times(10));
    for _ in 0..3 {
        call(&world.client, row.name, &world.request(row)).await.expect_err("the answer is lost");
    }
    assert_eq!(arrived(&world.sandbox, row.name), 3, "once per call");
    assert_eq!(world.sandbox.ledger().count(row.name, EffectKind::MessagesSent), 6);
}
