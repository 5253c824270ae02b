//! A server's message becomes part of an error only without secrets, without characters that could deceive a reader of a
//! terminal or a log, and truncated: whatever it contains, in any part of a response.

use crate::support::log::LogCapture;
use crate::support::sandbox::builder;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::HeaderMap;
use serde_json::json;
use sondage::auth::Credentials;
use sondage::config::HttpSettings;
use sondage::error::Wording;
use sondage::internals::call::prepared::Call;
use sondage::internals::transport::http::Outgoing;
use sondage::model::{
    CreateWebHookRequest, EventType, GetApiTokenRequest, ReadPanelRequest, UpdateWebHookRequest,
};
use sondage::{Client, Error, ErrorKind, Json, RawCall, Result};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::cell::RefCell;
use std::time::Instant;

const BEARER: &str = "eyJ0.Canary-bearer~1.sig";
const SECRET: &str = "Canary/Secret+2 ü&=";
const PASSWORD: &str = "Canary Password?3 \"x\"";
const HOOK_SECRET: &str = "Canary0123456789abcdef0123456789";
const FORGED: &str =
    "\u{1b}]0;pwned\u{7}\u{1b}[2J\u{202e}\u{2066}\r\n2026-11-22 ERROR root: forged\u{2028}line";

thread_local! {
    static LOG: RefCell<Option<LogCapture>> = const { RefCell::new(None) };
}

/// Captures the log until the end of this test, whose thread is its own.
fn keep_log() {
    LOG.set(Some(LogCapture::begin()));
}

/// What was logged since this thread last asked.
fn logged() -> String {
    LOG.with_borrow_mut(|log| log.as_mut().map(LogCapture::read)).unwrap_or_default()
}

/// A secret, encoded as servers echo it.
fn forms(secret: &str) -> [String; 5] {
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    [
        secret.to_owned(),
        form.replace('+', "%20"),
        form,
        STANDARD.encode(format!("x {secret}")),
        serde_json::to_string(secret).unwrap(),
    ]
}

#[track_caller]
fn clean(error: &Error, secrets: &[&str]) {
    let told = error.told(&Wording { camel: true, idioms: &[], explains: true });
    let texts = [
        error.to_string(),
        format!("{error:?} {error:#?}"),
        [error.error_code(), error.error_message(), error.request_id(), error.operation()]
            .map(Option::unwrap_or_default)
            .join(" "),
        format!("{} {}", error.what(), error.hint()),
        format!("{told:?}"),
        logged(),
    ];
    for text in &texts {
        assert!(!text.contains("Canary"), "{text}");
        for form in secrets.iter().flat_map(|secret| forms(secret)) {
            let middle: String = form.chars().skip(form.len() / 3).take(form.len() / 3).collect();
            assert!(!text.contains(&middle), "`{middle}` is in {text}");
        }
        assert!(!text.contains("NEWLINE"), "{text}");
        let tricks = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}\u{2028}".contains(c));
        assert!(!text.contains(tricks), "{text:?}");
    }
    assert!(texts[0].chars().count() < 2_000, "{} characters", texts[0].len());
    assert!(!texts[0].contains('\n'), "{}", texts[0]);
}

/// The parts of a response in which a service can put these words.
fn answers(words: &str, header: &str) -> Vec<Fault> {
    let envelope = json!({ "isSuccess": false, "errorCode": words, "errorMessage": words }).to_string();
    let deep =
        json!({ "isSuccess": false, "errorCode": { "code": words }, "errorMessage": [words] }).to_string();
    let misshapen =
        json!({ "isSuccess": true, "panel": { words: 1, "id": words }, "webHookId": { words: 1 } })
            .to_string();
    let fault = || Fault::on("*").every();
    let mut faults = vec![
        fault().action(FaultAction::Body { text: envelope.clone() }),
        fault().action(FaultAction::Body { text: deep }),
        fault().action(FaultAction::Body { text: misshapen }),
        fault().action(FaultAction::Body { text: words.to_owned() }),
    ];
    for status in [302, 400, 401, 403, 404, 405, 408, 409, 429, 500, 503] {
        for body in [&envelope, words] {
            let fault = fault().status(status).body(body).header("X-Request-Id", header);
            faults
                .push(fault.header("Location", format!("http://127.0.0.1:1/?{}", header.replace(' ', "+"))));
        }
    }
    faults
}

/// Makes calls whose requests contain secrets, against each response.
async fn try_all(sandbox: &Sandbox, client: &Client, words: &str, header: &str, echoed: &str) {
    keep_log();
    for fault in answers(words, header) {
        sandbox.clear_faults();
        sandbox.fault(fault);
        let hook = CreateWebHookRequest::new(
            EventType::Approved,
            "*",
            format!("https://app.example/h/{HOOK_SECRET}"),
        );
        let basic = format!("Basic {}", STANDARD.encode(format!("user:{PASSWORD}")));
        let change = UpdateWebHookRequest::new("x").security_token(basic.as_str());
        let raw = RawCall::new(
            "/publicapi/Panel/v3/ReadPanel",
            Json::parse(json!({ "password": PASSWORD }).to_string()).unwrap(),
            sondage::Effect::Read,
        );
        let everywhere = [BEARER, SECRET].iter().any(|known| echoed.contains(known)) || echoed.is_empty();
        // A service cannot echo what it has not been sent.
        let knows = |secret: &str| everywhere || echoed == secret;
        let mut results: Vec<Result<()>> = Vec::new();
        if knows(HOOK_SECRET) {
            results.push(client.create_web_hook(hook).await.map(drop));
        }
        if knows(PASSWORD) {
            results.push(client.update_web_hook(change).await.map(drop));
            results.push(client.get_api_token(GetApiTokenRequest::new("user", PASSWORD)).await.map(drop));
            results.push(client.raw(raw).await.map(drop));
        }
        if everywhere {
            results.push(client.read_panel(ReadPanelRequest::new(1)).await.map(drop));
        }
        let failed = results.iter().filter_map(|result| result.as_ref().err());
        assert!(failed.clone().count() >= 1, "{results:?}");
        for error in failed {
            clean(error, &[BEARER, SECRET, PASSWORD, HOOK_SECRET]);
        }
    }
}

/// Security: errors contain no secrets, whatever the service echoes, in every encoding.
#[tokio::test]
async fn no_answer_puts_a_secret_into_an_error() {
    let sandbox = Sandbox::demo().await.unwrap();
    let settings = builder(&sandbox).client_secret(SECRET);
    let client = settings.credentials(Credentials::Token(BEARER.into())).build().unwrap();
    for secret in [BEARER, SECRET, PASSWORD, HOOK_SECRET] {
        for form in forms(secret) {
            let header: String = format!("you sent {form}").chars().filter(char::is_ascii).collect();
            let words = format!("you sent Authorization: Bearer {form}");
            try_all(&sandbox, &client, &words, &header, secret).await;
        }
    }
}

/// Security: a service's message reaches terminals and logs only as text on one line.
#[tokio::test]
async fn no_answer_forges_a_line_or_moves_a_cursor() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox).credentials(Credentials::Token(BEARER.into())).build().unwrap();
    try_all(&sandbox, &client, FORGED, "\t[31m", "").await;
}

/// Security: an error stays short, however long the service's message is.
#[tokio::test]
async fn a_long_message_is_shortened_and_ends_in_no_secret() {
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox).credentials(Credentials::Token(BEARER.into())).build().unwrap();
    keep_log();
    let huge = format!("{BEARER}{}", "x".repeat(20_000_000));
    sandbox.fault(
        Fault::on("ReadPanel")
            .action(FaultAction::NotSuccess { error_code: huge.clone(), error_message: huge }),
    );
    let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Api);
    assert!(error.error_message().unwrap().starts_with("***xxx"), "{error}");
    clean(&error, &[BEARER]);
    for before in 280..=300 {
        let words = format!("{}{BEARER}", "x".repeat(before));
        sandbox.fault(
            Fault::on("ReadPanel")
                .action(FaultAction::NotSuccess { error_code: words.clone(), error_message: words }),
        );
        let error = client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err().to_string();
        assert!(!error.contains("eyJ"), "{before}: {error}");
    }
}

/// Security: a raw body written by the caller contains secrets as well, even deeply nested; and personal data is redacted
/// like a secret.
#[tokio::test]
async fn what_was_written_by_the_caller_is_known_too() {
    keep_log();
    let sandbox = Sandbox::demo().await.unwrap();
    let client = builder(&sandbox).credentials(Credentials::Token(BEARER.into())).build().unwrap();
    let words = format!("no {HOOK_SECRET} for {}", forms("Canary Ada/Lövelace")[1]);
    let envelope = json!({ "isSuccess": false, "errorCode": words, "errorMessage": words }).to_string();
    sandbox.fault(Fault::on("*").every().action(FaultAction::Body { text: envelope }));
    let field = json!({ "name": "FirstName", "value": "Canary Ada/Lövelace" });
    let body = json!({ "members": [{ "fields": { "FirstName": field } }], "deep": [{ "securityToken": HOOK_SECRET }] });
    let raw = RawCall::new(
        "/publicapi/Panel/v3/CreateMembers",
        Json::parse(body.to_string()).unwrap(),
        sondage::Effect::Create,
    );
    let secrets = [HOOK_SECRET, "Canary Ada/Lövelace"];
    clean(&client.raw(raw).await.unwrap_err(), &secrets);
    let written = client.with_response_written::<sondage::operations::CreateMembers>(body.to_string().into());
    let error = written.await.map(drop).unwrap_err();
    clean(&error, &secrets);
    assert_eq!(error.error_message(), Some("no *** for ***"));
}

/// Security: a token provider's messages are as untrusted as a server's.
#[tokio::test]
async fn a_provider_that_repeats_secrets_is_shown_without_them() {
    keep_log();
    let sandbox = Sandbox::demo().await.unwrap();
    let provider = || async { Err::<String, _>(Error::authentication(format!("no: {SECRET} {FORGED}"))) };
    let client = builder(&sandbox).client_secret(SECRET).token_provider(provider).build().unwrap();
    clean(&client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err(), &[SECRET]);
}

/// Security: debug output shows no secret.
#[test]
fn debug_shows_no_secret() {
    let proxy = Some(format!("http://user:{HOOK_SECRET}@proxy.example:3128").parse().unwrap());
    let mut settings = HttpSettings::default();
    settings.proxy = proxy;
    let mut headers = HeaderMap::new();
    headers.insert("x-plain", "shown".parse().unwrap());
    let outgoing = Outgoing {
        url: format!("https://api.example/p?key={HOOK_SECRET}").parse().unwrap(),
        headers,
        body: Bytes::from_static(HOOK_SECRET.as_bytes()),
        fresh: true,
        deadline: Instant::now(),
    };
    let call = Call {
        name: "CreateWebHook".into(),
        permitted_as: "CreateWebHook".into(),
        paths: vec!["/p".into()],
        effect: sondage::Effect::Create,
        reconcile: None,
        evidence: None,
        gone: None,
        query: Some(HOOK_SECRET.to_owned()),
        body: outgoing.body.clone(),
        deadline: outgoing.deadline,
        attempts: None,
        timeout: None,
        headers: HeaderMap::from_iter([("x-key".parse().unwrap(), HOOK_SECRET.parse().unwrap())]),
        purpose: sondage::trace::CallPurpose::default(),
        parent: None,
    };
    let credentials = Credentials::RefreshToken(HOOK_SECRET.into());
    let texts =
        [format!("{settings:?}"), format!("{outgoing:#?}"), format!("{call:?}"), format!("{credentials:?}")];
    for (text, part) in texts.iter().zip(["proxy.example", "x-plain", "CreateWebHook", "refresh_token"]) {
        assert!(text.contains(part) && !text.contains("Canary"), "{text}");
    }
}
