//! Webhooks from registration to reconciliation, over HTTP, with the sandbox as the service.

mod causes;
mod delivery;
mod ensure;
mod inbox;
mod receiver;
mod reconcile;

use crate::support;
use receiver::Receiver;
use sondage::model::*;
use sondage::webhook::{Entity, Event, Hook, Strategy};
use sondage::{Client, internals::runtime};
use sondage_sandbox::{Cause, CreateWebHookRoute, Outcome, Profile, Sandbox};
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

const KEY: &str = "worthless-key-for-tests-of-webhooks-0123456789";
const DEADLINE: Duration = support::DEADLINE;

fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

fn client(sandbox: &Sandbox) -> Client {
    support::sandbox::client(sandbox, 500)
}

fn wait<T: Send + 'static>(
    work: impl Future<Output = sondage::Result<T>> + Send + 'static,
) -> sondage::Result<T> {
    runtime::block_on(work)
}

/// Registers a hook and returns the registration's GUID.
fn subscribe(client: &Client, hook: &Hook, receiver: &Receiver, event: EventType, entity: &str) -> String {
    let request = hook.registration(&receiver.address, event, entity).expect("a registration");
    let client = client.clone();
    wait(async move { client.create_web_hook(request).await }).expect("accepted").web_hook_id.expect("a GUID")
}

/// The GUID of some interview of a survey.
fn interview(client: &Client, survey: i64) -> String {
    interviews(client, survey).remove(0)
}

fn interviews(client: &Client, survey: i64) -> Vec<String> {
    let request = ReadInterviewListRequest::new(survey).fields_to_download(vec!["Id".to_owned()]);
    let client = client.clone();
    let rows = wait(async move {
        client.pages::<sondage::operations::ReadInterviewListCompact>(request).collect_all().await
    });
    let id = |row: &sondage::operations::CompactInterview| match &row["Id"] {
        FieldValue::Text(id) => id.clone(),
        other => panic!("an id is no text: {other:?}"),
    };
    rows.expect("interviews").iter().map(id).collect()
}

fn strategies() -> Vec<Strategy> {
    vec![
        Strategy::obscure_url().unwrap(),
        Strategy::basic("survalyzer", "a pässword: with everything").unwrap(),
        Strategy::bearer(KEY, "https://acme.example/hooks", 365).unwrap(),
        Strategy::signed_url(KEY, 365).unwrap(),
        Strategy::azure_signed_url(
            "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg==",
            "/blob/a/b/c",
            365,
        )
        .unwrap(),
    ]
}

#[tokio::test]
async fn a_body_is_read_no_further_than_the_hook_allows() {
    let hook = Hook::new(Strategy::obscure_url().expect("a strategy")).expect("a hook").max_body(1000);
    let mut taken = 0;
    let pieces = std::iter::repeat_with(|| {
        taken += 1;
        Ok::<_, std::convert::Infallible>([b' '; 300])
    });
    let body = hook.read(futures_util::stream::iter(pieces)).await.expect("a body");
    assert_eq!((body.len(), taken), (1001, 4));
    assert_eq!(hook.read_from(std::io::repeat(b' ')).expect("a body").len(), 1001);
    assert_eq!(hook.read_from(&b"{}"[..]).expect("a body"), b"{}");
    let refusal = hook.verify("/hooks", [("Host", "x")], &body).expect_err("a refusal");
    assert_eq!(refusal.reason.code(), "body_too_large");
}

#[test]
fn each_strategy_arrives_and_verifies() {
    for strategy in strategies() {
        let name = strategy.name();
        let sandbox = sandbox();
        let client = client(&sandbox);
        let hook = Hook::new(strategy).unwrap();
        let (receiver, events) = Receiver::keeping(hook.clone());
        subscribe(&client, &hook, &receiver, EventType::InterviewComplete, "*");
        let id = interview(&client, sandbox.feedback_survey_id());
        assert!(sandbox.complete_interview(&id, &[]));
        assert!(sandbox.deliveries().settle(DEADLINE));
        let events = events.lock().unwrap();
        let [event] = events.as_slice() else { panic!("{name}: {} events came", events.len()) };
        assert_eq!(event.event_type, Some(EventType::InterviewComplete), "{name}");
        let Entity::Interview(found) = &event.entity else { panic!("{name}: {:?}", event.entity) };
        assert_eq!(found.id.as_deref(), Some(id.as_str()), "{name}");
        assert_eq!(found.state.as_deref(), Some("Completed"), "{name}");
        assert_eq!(event.credential_ends.is_some(), hook.ends().is_some(), "{name}");
    }
}

#[test]
fn a_receiver_with_another_secret_accepts_nothing() {
    for (strategy, other) in strategies().into_iter().zip([
        Strategy::obscure_url().unwrap(),
        Strategy::basic("survalyzer", "another").unwrap(),
        Strategy::bearer(KEY.to_uppercase(), "https://acme.example/hooks", 365).unwrap(),
        Strategy::signed_url(KEY.to_uppercase(), 365).unwrap(),
        Strategy::azure_signed_url(
            "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY3ODkwQUJDRA==",
            "/blob/a/b/c",
            365,
        )
        .unwrap(),
    ]) {
        let sandbox = sandbox();
        let client = client(&sandbox);
        let (receiver, events) = Receiver::keeping(Hook::new(other).unwrap());
        subscribe(&client, &Hook::new(strategy).unwrap(), &receiver, EventType::InterviewComplete, "*");
        sandbox.complete_interview(&interview(&client, sandbox.feedback_survey_id()), &[]);
        assert!(sandbox.deliveries().drain(DEADLINE));
        assert!(events.lock().unwrap().is_empty());
        let log = sandbox.deliveries().log();
        assert_eq!(log.iter().filter(|a| a.outcome == Outcome::Refused && a.status == Some(401)).count(), 5);
    }
}

#[test]
fn a_secret_is_changed_without_losing_an_event() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let old = Strategy::basic("survalyzer", "old").unwrap();
    let new = Strategy::bearer(KEY, "receiver", 365).unwrap();
    let hook = Hook::new(new).unwrap().accepting(old.clone()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    let id = subscribe(&client, &Hook::new(old).unwrap(), &receiver, EventType::HardBounce, "*");
    let bounce = || sandbox.emit(Cause::Bounce { member_id: 500_001 });
    assert!(bounce());
    assert!(sandbox.deliveries().settle(DEADLINE));
    let update = UpdateWebHookRequest::new(id).security_token(hook.security_token());
    wait(async move { client.update_web_hook(update).await }).unwrap();
    assert!(bounce());
    assert!(sandbox.deliveries().settle(DEADLINE));
    assert_eq!(events.lock().unwrap().len(), 2);
}

#[test]
fn all_ten_events_arrive_as_their_cause_happens() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap();
    let (receiver, events) = Receiver::keeping(hook.clone());
    for event in EventType::KNOWN {
        subscribe(&client, &hook, &receiver, EventType::from(*event), "*");
    }
    let (survey_id, member_id) = (sandbox.feedback_survey_id(), 500_002);
    sandbox.complete_interview(&interview(&client, survey_id), &[]);
    let new = NewMember::of([("Email", "new@people.example")]);
    let create = CreateMembersRequest::new(sandbox.panel_id(), vec![new]);
    wait(async move { client.create_members(create).await }).expect("created");
    for cause in [
        Cause::Bounce { member_id },
        Cause::OptOut { member_id },
        Cause::OptIn { member_id },
        Cause::UpdateMember { member_id, fields: serde_json::Map::new() },
        Cause::RemoveMember { member_id },
        Cause::RequestApproval { survey_id },
        Cause::Approve { survey_id },
        Cause::CloseSurvey { survey_id },
    ] {
        assert!(sandbox.emit(cause.clone()), "{cause:?}");
    }
    assert!(sandbox.deliveries().settle(DEADLINE));
    let events = events.lock().unwrap();
    let kinds: BTreeMap<&str, &str> = events
        .iter()
        .map(|event| (event.event_type.as_ref().map_or("", EventType::as_str), event.entity.kind()))
        .collect();
    let expected = [
        ("ApprovalRequest", "survey"),
        ("Approved", "survey"),
        ("HardBounce", "bounce"),
        ("InterviewComplete", "interview"),
        ("OptOutAdded", "optOut"),
        ("OptOutRemoved", "optOut"),
        ("PanelMemberAdded", "member"),
        ("PanelMemberRemoved", "member"),
        ("PanelMemberUpdated", "member"),
        ("SurveyClosed", "survey"),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
    assert_eq!(events.len(), 10);
    assert!(
        events.iter().all(|event| event.entity != Entity::Unknown && event.raw.as_str().contains("entity"))
    );
}

#[test]
fn an_entity_alone_is_an_event_too() {
    let profile = Profile { web_hook_body: sondage_sandbox::WebHookBody::Entity, ..Profile::default() };
    let sandbox = Sandbox::builder().profile(profile).start_blocking().expect("a sandbox");
    let client = client(&sandbox);
    let hook = Hook::new(Strategy::obscure_url().unwrap()).unwrap().for_event(EventType::SurveyClosed);
    let (receiver, events) = Receiver::keeping(hook.clone());
    subscribe(&client, &hook, &receiver, EventType::SurveyClosed, &sandbox.survey_id().to_string());
    assert!(sandbox.emit(Cause::CloseSurvey { survey_id: sandbox.feedback_survey_id() }));
    assert!(sandbox.emit(Cause::CloseSurvey { survey_id: sandbox.survey_id() }));
    assert!(sandbox.deliveries().settle(DEADLINE));
    let events = events.lock().unwrap();
    let [Event { event_type, entity: Entity::Survey(survey), .. }] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!((event_type.as_ref(), survey.id), (Some(&EventType::SurveyClosed), Some(sandbox.survey_id())));
}

#[test]
fn a_registration_is_accepted_at_both_routes_and_listed() {
    for route in [CreateWebHookRoute::Spec, CreateWebHookRoute::Published, CreateWebHookRoute::Both] {
        let sandbox = sandbox();
        sandbox.change_profile(|profile| profile.create_web_hook = route);
        let client = client(&sandbox);
        let hook = Hook::new(Strategy::bearer(KEY, "receiver", 365).unwrap()).unwrap();
        let receiver = Receiver::at("https://acme.example/hooks");
        let id = subscribe(&client, &hook, &receiver, EventType::InterviewComplete, "*");
        let list =
            wait(async move { client.read_web_hook_list(ReadWebHookListRequest::new()).await }).unwrap();
        let [listed] = list.web_hooks.as_slice() else { panic!("{list:?}") };
        assert_eq!(listed.id, id);
        assert_eq!(listed.entity_identifier.as_deref(), Some("*"));
    }
}

#[test]
fn a_registration_shows_no_secret() {
    for strategy in strategies() {
        let hook = Hook::new(strategy).unwrap();
        let create = hook.registration("https://acme.example/hooks", EventType::Approved, "*").unwrap();
        let token = create.security_token.clone();
        let update = UpdateWebHookRequest::new("5f0c").web_hook_url(create.web_hook_url.clone());
        let shown = format!("{create:?} {update:?}");
        assert!(!shown.contains("acme.example"), "{shown}");
        assert!(token.is_none_or(|token| !shown.contains(token.reveal())), "{shown}");
    }
}

#[test]
fn a_misspelt_event_is_refused_and_a_new_one_is_not() {
    let hook = Hook::new(strategies().remove(0)).unwrap();
    let register = |event: &str| hook.registration("https://acme.example/hooks", event, "*");
    let error = register("InterviewCompleted").unwrap_err().to_string();
    assert!(
        error.contains("no event `InterviewCompleted`") && error.contains("Did you mean InterviewComplete?"),
        "{error}"
    );
    assert!(register("SurveyTranslated").is_ok());
}

#[test]
fn a_refused_registration_gives_the_services_words() {
    let sandbox = sandbox();
    let client = client(&sandbox);
    let refused = |event: &str, entity: &str, url: &str| {
        let request = CreateWebHookRequest::new(event, entity, url);
        let client = client.clone();
        let error = wait(async move { client.create_web_hook(request).await }).expect_err("refused");
        assert_eq!(error.kind().as_str(), "Api");
        error.error_message().unwrap_or_default().to_owned()
    };
    let good = "https://acme.example/hooks";
    assert!(refused("QuotaReached", "*", good).contains("QuotaReached"));
    assert!(refused("HardBounce", "4", good).contains("neither a survey"));
    assert!(refused("HardBounce", "*", "http://acme.example/hooks").contains("https"));
}
