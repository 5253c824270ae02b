//! The shared vectors of webhooks: what a receiver accepts, refuses and generates. Every language runs the same file.

use crate::support::log::LogCapture;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sondage::model::EventType;
use sondage::webhook::{Claim, Guard, Hook, Reason, Strategy, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

struct Vectors {
    file: Value,
    now: DateTime<Utc>,
    hooks: BTreeMap<String, Hook>,
}

impl Vectors {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/web_hook/vectors.json");
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let now = file["now"].as_str().unwrap().parse().unwrap();
        let hooks = file["hooks"].as_object().unwrap();
        let hooks = hooks.iter().map(|(name, hook)| (name.clone(), hook_of(hook).unwrap())).collect();
        Self { file, now, hooks }
    }

    fn all(&self) -> &[Value] {
        self.file["vectors"].as_array().unwrap()
    }

    fn judge(&self, vector: &Value) -> Verdict {
        let hook = &self.hooks[vector["hook"].as_str().unwrap()];
        let url = String::from_utf8(bytes(&vector["url"])).unwrap();
        let headers = vector["headers"].as_array().unwrap().iter();
        let headers: Vec<_> = headers.map(|pair| (pair[0].as_str().unwrap(), bytes(&pair[1]))).collect();
        hook.judge(self.now, &url, headers, &bytes(&vector["body"]))
    }
}

fn hook_of(settings: &Value) -> Result<Hook, serde_json::Error> {
    serde_json::from_str(&settings.to_string())
}

/// A text, a repeated text, or bytes.
fn bytes(value: &Value) -> Vec<u8> {
    if let Some(text) = value.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = value["base64"].as_str() {
        return base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    }
    let part = |name: &str| value[name].as_str().unwrap_or_default();
    let times = usize::try_from(value["times"].as_u64().unwrap()).unwrap();
    [part("before"), &part("repeat").repeat(times), part("after")].concat().into_bytes()
}

fn wrong(vector: &Value, verdict: &Verdict) -> Option<String> {
    let mut wrong = Vec::new();
    let mut compare = |what: &str, found: Value, expected: &Value| {
        if !expected.is_null() && found != *expected {
            wrong.push(format!("{what} is {found}, not {expected}"));
        }
    };
    match verdict {
        Verdict::Refused { reason, .. } => {
            compare("the verdict", json!("refused"), &vector["verdict"]);
            compare("the reason", json!(reason), &vector["reason"]);
        }
        Verdict::Accepted { event } => {
            compare("the verdict", json!("accepted"), &vector["verdict"]);
            compare("the kind", json!(event.entity.kind()), &vector["event"]["kind"]);
            compare("the key", json!(event.key), &vector["key"]);
            compare("what ends soon", json!(event.credential_ends_soon), &vector["ends_soon"]);
            if let Some(expected) = vector.get("event") {
                let named = expected.get("eventType").cloned().unwrap_or(json!("nothing"));
                compare(
                    "the event",
                    json!(event.event_type.as_ref().map_or("nothing", EventType::as_str)),
                    &named,
                );
            }
        }
    }
    (!wrong.is_empty()).then(|| format!("{}: {}", vector["name"], wrong.join("; ")))
}

#[test]
fn every_vector_of_webhooks_holds() {
    let vectors = Vectors::read();
    let failures: Vec<String> =
        vectors.all().iter().filter_map(|vector| wrong(vector, &vectors.judge(vector))).collect();
    println!("rust: {} vectors", vectors.all().len());
    assert!(vectors.all().len() >= 250);
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_reason_has_a_vector() {
    let vectors = Vectors::read();
    let seen: BTreeSet<&str> = vectors.all().iter().filter_map(|vector| vector["reason"].as_str()).collect();
    let all: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.code()).collect();
    assert_eq!(seen, all);
}

#[test]
fn every_reason_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/webhooks.md");
    let text = std::fs::read_to_string(path).unwrap();
    for reason in Reason::ALL {
        assert!(text.contains(&format!("| `{reason}` | {} |", reason.explanation())), "{reason}");
    }
}

#[test]
fn what_came_before_is_known_and_what_is_new_is_new() {
    let vectors = Vectors::read();
    let event = |name: &str| {
        let vector = vectors.all().iter().find(|vector| vector["name"] == name).unwrap();
        match vectors.judge(vector) {
            Verdict::Accepted { event } => event,
            Verdict::Refused { reason, .. } => panic!("{name}: {reason}"),
        }
    };
    let mut checked = 0;
    for vector in vectors.all().iter().filter(|vector| vector.get("after").is_some()) {
        let guard = Guard::default();
        let Claim::New(ticket) = guard.claim(&event(vector["after"].as_str().unwrap())).unwrap() else {
            panic!("the first is always new")
        };
        ticket.done().unwrap();
        let claim = match guard.claim(&event(vector["name"].as_str().unwrap())).unwrap() {
            Claim::New(_) => "new",
            Claim::Done => "done",
            Claim::Busy => "busy",
        };
        assert_eq!(claim, vector["claim"], "{}", vector["name"]);
        checked += 1;
    }
    assert!(checked >= 7);
}

#[test]
fn addresses_and_tokens_are_made_as_the_rules_say() {
    let vectors = Vectors::read();
    for made in vectors.file["made"].as_array().unwrap() {
        let hook = &vectors.hooks[made["hook"].as_str().unwrap()];
        let url = hook.url(made["base"].as_str().unwrap());
        if let Some(kind) = made["error"].as_str() {
            assert_eq!(url.unwrap_err().kind().as_str(), kind, "{made}");
            continue;
        }
        assert_eq!(url.unwrap(), made["url"].as_str().unwrap(), "{made}");
        assert_eq!(hook.security_token().reveal(), made["securityToken"], "{made}");
    }
}

#[test]
fn what_is_made_is_accepted() {
    let vectors = Vectors::read();
    for made in vectors.file["made"].as_array().unwrap().iter().filter(|made| made.get("url").is_some()) {
        let hook = &vectors.hooks[made["hook"].as_str().unwrap()];
        let token = made["securityToken"].as_str().unwrap();
        let headers = Some(("authorization", token)).filter(|(_, token)| !token.is_empty());
        hook.verify_at(vectors.now, made["url"].as_str().unwrap(), headers, b"{}").unwrap();
        let kept: Hook = serde_json::from_str(&serde_json::to_string(hook).unwrap()).unwrap();
        assert_eq!(&kept, hook, "a hook can be stored as JSON");
    }
}

#[test]
fn settings_that_are_unsafe_are_refused() {
    let vectors = Vectors::read();
    let cases = vectors.file["impossible"].as_array().unwrap();
    let taken: Vec<_> = cases.iter().filter(|settings| hook_of(settings).is_ok()).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

/// With two secrets, the error is that of the proven one; if none is proven, that of the registered one.
#[test]
fn the_reason_is_that_of_the_secret_that_was_meant() {
    let (new, old) = ("n".repeat(32), "o".repeat(32));
    let bearer = |key: &str| Strategy::bearer(key, "a", 1).unwrap();
    let basic = Strategy::basic("user", "password").unwrap();
    let now = Utc::now();
    let late = now + chrono::TimeDelta::days(2);
    let reason = |hook: &Hook, token: &str, now| {
        hook.verify_at(now, "/", [("authorization", token)], b"{}").unwrap_err().reason
    };
    let token = |strategy: Strategy| Hook::new(strategy).unwrap().security_token();
    let moving = Hook::new(bearer(&new)).unwrap().accepting(bearer(&old)).unwrap();
    assert_eq!(reason(&moving, token(bearer(&new)).reveal(), late), Reason::Expired, "the new one");
    assert_eq!(reason(&moving, token(bearer(&old)).reveal(), late), Reason::Expired, "the old one");
    // Neither secret is proven, and each has its own error.
    let mixed = Hook::new(basic.clone()).unwrap().accepting(bearer(&old)).unwrap();
    let wrong = token(Strategy::basic("user", "another").unwrap());
    let alone = reason(&Hook::new(basic).unwrap(), wrong.reveal(), now);
    assert_eq!(reason(&mixed, wrong.reveal(), now), alone);
    assert_ne!(reason(&Hook::new(bearer(&old)).unwrap(), wrong.reveal(), now), alone);
}

/// The value is not shown: it may be a secret.
#[test]
fn what_is_wrong_with_settings_is_said_without_them() {
    let why = |text: &str| text.parse::<Hook>().unwrap_err().to_string();
    let basic = r#"{"strategy": "basic", "user": "u", "password": "p"}"#;
    let masked = why(r#"{"strategy": "Basic { password: hush }"}"#);
    assert!(masked.contains("`strategy` is not an object with its secret"), "{masked}");
    let size = why(&format!(r#"{{"strategy": {basic}, "maxBody": "hush"}}"#));
    assert!(size.contains("a value of the webhook is not usize"), "{size}");
    let unknown = why(&format!(r#"{{"strategy": {basic}, "hush": 1}}"#));
    assert!(unknown.contains("maxBody"), "{unknown}");
    let missing = why("{}");
    assert!(missing.contains("`strategy` of the webhook is missing"), "{missing}");
    let empty = why(r#"{"strategy": {"strategy": "basic", "user": "u", "password": ""}}"#);
    for text in [masked, size, unknown, missing, empty] {
        assert_eq!(text.matches("Nothing was changed.").count(), 1, "{text}");
        assert!(!text.contains("hush") && !text.contains("line"), "{text}");
    }
}

/// The last allowed value, and the first refused one.
#[test]
fn limits_are_where_they_are_said_to_be() {
    let key = "k".repeat(32);
    let fits = |strategy: &Value| hook_of(&json!({ "strategy": strategy })).is_ok();
    for (kind, names) in [("bearer", ["audience", "issuer"]), ("signedUrl", ["resource", "permission"])] {
        for name in names {
            for (text, allowed) in [("x", true), (&"x".repeat(256), true), (&"x".repeat(257), false)] {
                let mut strategy = json!({ "strategy": kind, "key": key, "audience": "a" });
                if kind == "signedUrl" {
                    strategy.as_object_mut().unwrap().remove("audience");
                }
                strategy[name] = json!(text);
                assert_eq!(fits(&strategy), allowed, "{name} of {} bytes", text.len());
            }
        }
    }
    let hook = Hook::new(Strategy::basic("user", "password").unwrap()).unwrap();
    let base = |length: usize| format!("https://acme.example/{}", "x".repeat(length - 21));
    assert_eq!(hook.url(&base(2000)).unwrap(), base(2000));
    assert!(hook.url(&base(2001)).is_err());
    for named in ["https://user@acme.example/", "https://:secret@acme.example/", "https://acme.example/#"] {
        assert!(hook.url(named).is_err(), "{named}");
    }
    assert_eq!((hook.largest_body(), hook.max_body(5).largest_body()), (1 << 20, 5));
}

/// A token expires in the second that it names, and is as long as a header may be.
#[test]
fn a_token_of_4_kib_is_read_and_a_longer_one_is_not() {
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let key = "k".repeat(32);
    let hook = Hook::new(Strategy::bearer(key.as_str(), "a", 365).unwrap()).unwrap();
    let now = Utc::now();
    let reason = |length: usize| {
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256"}"#);
        // The signature has 43 characters, and there are two full stops.
        let claims = "x".repeat(length - header.len() - 45);
        let signed = format!("{header}.{claims}");
        let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, key.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(ring::hmac::sign(&secret, signed.as_bytes()));
        let token = format!("Bearer {signed}.{signature}");
        assert_eq!(token.len(), length + 7);
        hook.verify_at(now, "/", [("authorization", token)], b"{}").unwrap_err().reason
    };
    // The signature is valid, but the signed content is not JSON.
    assert_eq!(reason(4096), Reason::ClaimsMalformed);
    assert_eq!(reason(4097), Reason::TokenMalformed);
}

#[test]
fn no_secret_shows() {
    let vectors = Vectors::read();
    for (name, hook) in &vectors.hooks {
        let shown = format!("{hook:?} {:?}", hook.security_token());
        let strategy = &vectors.file["hooks"][name]["strategy"];
        for secret in ["key", "password", "secret"].iter().filter_map(|field| strategy[*field].as_str()) {
            assert!(!shown.contains(secret), "{name} shows its secret");
        }
    }
}

#[test]
fn the_log_says_why_and_shows_no_secret() {
    let log = LogCapture::begin();
    let vectors = Vectors::read();
    for vector in vectors.all() {
        let _ = vectors.judge(vector);
    }
    let logged = log.text();
    for reason in Reason::ALL {
        assert!(logged.contains(&format!("({reason})")), "{reason} is not in the log");
    }
    for hook in vectors.hooks.values() {
        let settings: Value = serde_json::from_str(&serde_json::to_string(hook).unwrap()).unwrap();
        for strategy in ["strategy", "previous"].map(|name| &settings[name]) {
            let secrets = ["key", "secret", "password"].iter().filter_map(|name| strategy[*name].as_str());
            // A secret of three letters may also occur in ordinary words.
            for secret in secrets.filter(|secret| secret.len() > 8) {
                assert!(!logged.contains(secret), "a secret was logged");
            }
        }
        let token = hook.security_token();
        assert!(token.is_empty() || !logged.contains(token.reveal()), "a token was logged");
    }
}

#[test]
fn a_stored_webhook_that_cannot_be_read_is_described_in_words() {
    for text in ["7", r#"{"strategy":7}"#, r#"{"strategy":{"strategy":"basic","user":7}}"#] {
        let said = text.parse::<Hook>().expect_err(text).to_string();
        assert!(!["struct", "enum", "Unchecked", "at line"].iter().any(|word| said.contains(word)), "{said}");
    }
}
