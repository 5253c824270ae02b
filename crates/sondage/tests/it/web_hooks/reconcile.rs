//! No event is lost and none is handled twice.

use super::receiver::Receiver;
use super::*;
use sondage::Timestamp;
use sondage::webhook::{Claim, Guard, Missed, Source};
use sondage_sandbox::{AcceptedAnswers, DeliveryAction, DeliveryFault};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How a careful receiver handles an event: claims it, handles it, and marks it as done.
fn receive(guard: &Guard, event: &Event, handle: impl FnOnce() -> bool) -> u16 {
    match guard.claim(event).unwrap() {
        Claim::New(ticket) if handle() => {
            ticket.done().unwrap();
            204
        }
        Claim::New(_) => 500,
        Claim::Done => 204,
        Claim::Busy => 503,
    }
}

fn id(event: &Event) -> String {
    match &event.entity {
        Entity::Interview(interview) => interview.id.clone().expect("an id"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_thousand_events_are_handled_once_each_after_reconciling() {
    const EVENTS: usize = 1000;
    let sandbox = Sandbox::builder().generated_survey(EVENTS as u64, 3).start_blocking().expect("a sandbox");
    let survey = sandbox.generated_survey_id().expect("a survey");
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::bearer(KEY, "receiver", 365).unwrap()).unwrap();
    let handled: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
    let guard = Guard::default();
    let (calls, counted) = (AtomicUsize::new(0), Arc::clone(&handled));
    let receiver = {
        let (hook, guard) = (hook.clone(), guard.clone());
        Receiver::start(move |arrived| match arrived.event(&hook) {
            // Every fifth event fails before it is handled, and some fail permanently.
            Ok(event) => receive(&guard, &event, || {
                if calls.fetch_add(1, Ordering::SeqCst).is_multiple_of(5) || id(&event).starts_with('0') {
                    return false;
                }
                *counted.lock().unwrap().entry(id(&event)).or_default() += 1;
                true
            }),
            Err(_) => 401,
        })
    };
    subscribe(&client, &hook, &receiver, EventType::InterviewComplete, &survey.to_string());
    let deliveries = sandbox.deliveries();
    deliveries.fault(DeliveryFault::every(13, DeliveryAction::Silence));
    deliveries.fault(DeliveryFault::every(7, DeliveryAction::Duplicate { copies: 3 }));
    deliveries.fault(DeliveryFault::every(11, DeliveryAction::Reorder));
    deliveries.fault(DeliveryFault::every(17, DeliveryAction::Delay { seconds: 600 }));
    let since = Timestamp(sandbox.clock().now());
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::Any);
    for id in interviews(&client, survey) {
        assert!(sandbox.complete_interview(&id, &[("Q1", 3.into())]));
    }
    assert!(deliveries.drain(DEADLINE));
    let before = handled.lock().unwrap().len();
    assert!(before < EVENTS, "some events must have been missed, or nothing was tested");

    let job = Missed::of_survey(survey, since).columns(["Q1"]).unknown_to(&guard);
    let caught = wait(async move { job.read(&client).await }).expect("a list");
    assert_eq!((caught.seen, caught.events.len()), (EVENTS, EVENTS - before));
    assert!(caught.until >= since);
    for event in &caught.events {
        assert_eq!(event.source, Source::Reconciled);
        assert!(event.raw.as_str().contains(r#""Q1":3"#), "{event:?}");
        let status = receive(&guard, event, || {
            *handled.lock().unwrap().entry(id(event)).or_default() += 1;
            true
        });
        assert_eq!(status, 204);
    }
    let handled = handled.lock().unwrap();
    assert_eq!(handled.len(), EVENTS);
    assert!(handled.values().all(|times| *times == 1), "an event was handled twice");
}

#[test]
fn what_is_reconciled_is_the_event_that_was_delivered() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    let survey = sandbox.feedback_survey_id();
    subscribe(&client, &hook, &receiver, EventType::InterviewComplete, "*");
    let since = Timestamp(sandbox.clock().now());
    sandbox.complete_interview(&interview(&client, survey), &[]);
    assert!(sandbox.deliveries().settle(DEADLINE));
    let job = Missed::of_survey(survey, since);
    let caught = wait(async move { job.read(&client).await }).unwrap();
    let delivered = events.lock().unwrap();
    let same = caught.events.iter().filter(|event| event.key == delivered[0].key).count();
    assert_eq!(same, 1, "{caught:?}");
    let kept = Event::kept(delivered[0].raw.clone(), None).unwrap();
    assert_eq!((&kept.key, &kept.entity), (&delivered[0].key, &delivered[0].entity));
}

#[test]
fn a_handler_that_fails_gets_the_event_again() {
    let hook = Hook::new(Strategy::basic("a", "b").unwrap()).unwrap();
    let token = hook.security_token();
    let event = hook.verify("/", [("authorization", token.reveal())], br#"{"eventType":"X"}"#).unwrap();
    assert!(Guard::new(0).unwrap_err().to_string().contains("`capacity` must be at least 1"));
    let guard = Guard::new(2).unwrap();
    assert_eq!(receive(&guard, &event, || false), 500);
    let Claim::New(ticket) = guard.claim(&event).unwrap() else { panic!("it is new again") };
    assert_eq!(receive(&guard, &event, || true), 503, "somebody is at it");
    ticket.done().unwrap();
    assert_eq!(receive(&guard, &event, || panic!("handled twice")), 204);
    guard.remember(["one".to_owned(), "two".to_owned()]).unwrap();
    assert_eq!(guard.keys().unwrap(), ["one", "two"], "the oldest is forgotten");
    assert_eq!(receive(&guard, &event, || true), 204);
}

#[test]
fn many_at_once_handle_an_event_once() {
    let hook = Hook::new(Strategy::basic("a", "b").unwrap()).unwrap();
    let token = hook.security_token();
    let (guard, handled) = (Guard::default(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                for number in 0..200 {
                    let body = format!(r#"{{"eventType":"X","entity":{{"id":{number}}}}}"#);
                    let headers = [("authorization", token.reveal())];
                    let event = hook.verify("/", headers, body.as_bytes()).unwrap();
                    receive(&guard, &event, || handled.fetch_add(1, Ordering::SeqCst) < usize::MAX);
                }
            });
        }
    });
    assert_eq!(handled.load(Ordering::SeqCst), 200);
}

#[test]
fn an_event_is_confirmed_by_what_the_api_says() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    for event in
        ["InterviewComplete", "PanelMemberUpdated", "PanelMemberRemoved", "SurveyClosed", "HardBounce"]
    {
        subscribe(&client, &hook, &receiver, EventType::from(event), "*");
    }
    let (survey_id, member_id) = (sandbox.feedback_survey_id(), 500_003);
    let forged = serde_json::json!({ "id": "3f2b8c1e-9d04-4a6b-8c55-0e6f1a2b3c4d", "surveyId": survey_id, "state": "Completed" });
    for cause in [
        Cause::Complete { id: interview(&client, survey_id), answers: serde_json::Map::new() },
        Cause::Event { event_type: "InterviewComplete".to_owned(), entity_identifier: None, entity: forged },
        Cause::UpdateMember { member_id, fields: serde_json::Map::new() },
        Cause::CloseSurvey { survey_id },
        Cause::Bounce { member_id },
    ] {
        assert!(sandbox.emit(cause));
        assert!(sandbox.deliveries().settle(DEADLINE));
    }
    let confirm = |at: usize| {
        let (event, client) = (events.lock().unwrap()[at].clone(), client.clone());
        wait(async move { event.confirm(&client, &[]).await })
    };
    let complete = confirm(0).unwrap();
    assert!(complete.holds && complete.current.unwrap().as_str().contains("Completed"));
    let invented = confirm(1).unwrap();
    assert!(!invented.holds && invented.current.is_none());
    assert!(confirm(2).unwrap().holds);
    assert!(confirm(3).unwrap().current.unwrap().as_str().contains("Closed"));
    assert_eq!(confirm(4).unwrap_err().kind().as_str(), "InvalidArgument");
    assert!(sandbox.emit(Cause::RemoveMember { member_id }));
    assert!(sandbox.deliveries().settle(DEADLINE));
    let removed = confirm(5).unwrap();
    assert!(removed.holds && removed.current.is_none());
    assert!(!confirm(2).unwrap().holds, "the member has been deleted");
}

#[test]
fn the_page_says_of_each_event_how_it_is_found_when_it_was_lost() {
    let page = include_str!("../../../../../docs/webhooks.md");
    let (_, table) = page.split_once("### When a delivery was lost\n").expect("a heading");
    let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let events = rows.take_while(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1));
    let mut named: Vec<&str> = events.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    named.sort_unstable();
    let mut known = EventType::KNOWN.to_vec();
    known.sort_unstable();
    assert_eq!(named, known);
}
