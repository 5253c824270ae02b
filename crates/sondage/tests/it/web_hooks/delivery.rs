//! Delivery by the sandbox: retries, faults, limits.

use super::receiver::Receiver;
use super::*;
use serde_json::json;
use sondage_sandbox::{DeliveryAction, DeliveryFault};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A numbered event of an unknown type.
fn emit(sandbox: &Sandbox, number: i64) {
    let entity = json!({ "id": number, "status": "Closed" });
    assert!(sandbox.emit(Cause::Event {
        event_type: "SurveyClosed".to_owned(),
        entity_identifier: Some(number),
        entity,
    }));
}

fn numbers(events: &[Event]) -> Vec<i64> {
    let number = |event: &Event| match &event.entity {
        Entity::Survey(survey) => survey.id.unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    events.iter().map(number).collect()
}

fn subscribed() -> (Sandbox, Arc<std::sync::Mutex<Vec<Event>>>) {
    let sandbox = sandbox();
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    subscribe(&client(&sandbox), &hook, &receiver, EventType::SurveyClosed, "*");
    (sandbox, events)
}

#[test]
fn an_event_is_tried_five_times_with_longer_and_longer_waits() {
    let sandbox = sandbox();
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let receiver = Receiver::start(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        500
    });
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    subscribe(&client(&sandbox), &hook, &receiver, EventType::SurveyClosed, "*");
    emit(&sandbox, 1);
    assert!(sandbox.deliveries().settle(DEADLINE));
    assert_eq!(tries.load(Ordering::SeqCst), 1, "time has not passed");
    assert_eq!(sandbox.deliveries().pending(), 1);
    assert!(sandbox.deliveries().drain(DEADLINE));
    assert_eq!(tries.load(Ordering::SeqCst), 5);
    let log = sandbox.deliveries().log();
    let waits: Vec<i64> = log.iter().filter_map(|a| Some((a.next? - a.at).num_seconds())).collect();
    assert_eq!(waits, [60, 240, 960, 3840]);
    assert_eq!(sandbox.deliveries().pending(), 0);
    assert!(
        log.iter().all(|attempt| !format!("{attempt:?}").contains("/hooks")),
        "an address may be a secret"
    );
}

#[test]
fn an_event_that_is_taken_later_is_not_sent_again() {
    let sandbox = sandbox();
    let tries = AtomicUsize::new(0);
    let receiver = Receiver::start(move |_| if tries.fetch_add(1, Ordering::SeqCst) < 2 { 503 } else { 200 });
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    subscribe(&client(&sandbox), &hook, &receiver, EventType::SurveyClosed, "*");
    emit(&sandbox, 1);
    assert!(sandbox.deliveries().drain(DEADLINE));
    let outcomes: Vec<Outcome> = sandbox.deliveries().log().iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [Outcome::Refused, Outcome::Refused, Outcome::Delivered]);
}

#[test]
fn a_receiver_that_is_not_there_or_says_nothing_has_failed() {
    let sandbox = sandbox();
    sandbox.change_profile(|profile| profile.web_hook_timeout_ms = 50);
    let closed = Receiver::closed();
    let slow = Receiver::start(|_| {
        std::thread::sleep(Duration::from_millis(400));
        200
    });
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    for receiver in [&closed, &slow] {
        subscribe(&client(&sandbox), &hook, receiver, EventType::SurveyClosed, "*");
    }
    emit(&sandbox, 1);
    assert!(sandbox.deliveries().settle(DEADLINE));
    let log = sandbox.deliveries().log();
    assert_eq!(log.iter().filter(|attempt| attempt.outcome == Outcome::Failed).count(), 2, "{log:?}");
}

#[test]
fn faults_double_delay_reorder_and_swallow() {
    let (sandbox, events) = subscribed();
    let deliveries = sandbox.deliveries();
    deliveries.fault(DeliveryFault::next(1, DeliveryAction::Duplicate { copies: 2 }));
    emit(&sandbox, 1);
    assert!(deliveries.settle(DEADLINE));
    assert_eq!(numbers(&events.lock().unwrap()), [1, 1, 1]);

    deliveries.fault(DeliveryFault::next(1, DeliveryAction::Reorder));
    emit(&sandbox, 2);
    emit(&sandbox, 3);
    assert!(deliveries.settle(DEADLINE));
    assert_eq!(numbers(&events.lock().unwrap()[3..]), [3, 2]);

    deliveries.fault(DeliveryFault::next(1, DeliveryAction::Delay { seconds: 3600 }));
    emit(&sandbox, 4);
    assert!(deliveries.settle(DEADLINE));
    assert_eq!(events.lock().unwrap().len(), 5, "the next attempt is not due yet");
    sandbox.clock().advance(Duration::from_secs(3601));
    assert!(deliveries.settle(DEADLINE));
    assert_eq!(numbers(&events.lock().unwrap()[5..]), [4]);

    deliveries.fault(DeliveryFault::next(1, DeliveryAction::Silence).on("SurveyClosed"));
    emit(&sandbox, 5);
    emit(&sandbox, 6);
    assert!(deliveries.drain(DEADLINE));
    assert_eq!(numbers(&events.lock().unwrap()[6..]), [6]);
    assert!(deliveries.log().iter().any(|attempt| attempt.outcome == Outcome::Silent));
}

#[test]
fn nothing_is_sent_beyond_this_machine() {
    let sandbox = sandbox();
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let receiver = Receiver::at("https://acme.example/hooks");
    subscribe(&client(&sandbox), &hook, &receiver, EventType::SurveyClosed, "*");
    emit(&sandbox, 1);
    assert!(sandbox.deliveries().settle(DEADLINE));
    let log = sandbox.deliveries().log();
    assert_eq!((log.len(), log[0].outcome, log[0].to.as_str()), (1, Outcome::NotSent, "acme.example:443"));
}

#[test]
fn a_registration_that_is_gone_is_not_told() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    let id = subscribe(&client, &hook, &receiver, EventType::SurveyClosed, "*");
    sandbox.deliveries().fault(DeliveryFault::next(1, DeliveryAction::Delay { seconds: 60 }));
    emit(&sandbox, 1);
    wait(async move { client.delete_web_hook(DeleteWebHookRequest::new(id)).await }).unwrap();
    assert!(sandbox.deliveries().drain(DEADLINE));
    emit(&sandbox, 2);
    assert!(sandbox.deliveries().drain(DEADLINE));
    assert!(events.lock().unwrap().is_empty());
    assert_eq!(sandbox.deliveries().log().len(), 1);
}

#[test]
fn other_accounts_and_other_surveys_are_not_told() {
    let sandbox = sandbox();
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    let survey = sandbox.survey_id().to_string();
    subscribe(&client(&sandbox), &hook, &receiver, EventType::SurveyClosed, &survey);
    let others = sandbox.account_of("other").expect("an account").survey_id;
    for survey_id in [others, sandbox.feedback_survey_id()] {
        assert!(sandbox.emit(Cause::CloseSurvey { survey_id }));
    }
    assert!(sandbox.deliveries().settle(DEADLINE));
    assert!(events.lock().unwrap().is_empty());
    assert!(!sandbox.emit(Cause::CloseSurvey { survey_id: 1 }), "there is no such survey");
}
