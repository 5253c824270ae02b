//! Secrets occur in no text: every flow fails here with recognisable secrets, against servers that echo them in every
//! encoding, while all log output is captured.

use super::sharing::Folder;
use super::tokens;
use crate::support::log::LogCapture;
use crate::support::sandbox::builder;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::json;
use sondage::auth::{Code, Credentials, FileStore, Login, Redirect, TokenSet};
use sondage::config::{ClientBuilder, Environment, Grant};
use sondage::model::ReadPanelRequest;
use sondage::{Client, Error};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fmt::Debug;
use std::time::{Duration, UNIX_EPOCH};

const SECRET: &str = "Marker/Secret+1 ü&=";
const PASSWORD: &str = "Marker/Password?2 \"x\"";
const REFRESH: &str = "Marker~Refresh:3";
const ACCESS: &str = "Marker.Access-4";
const CODE: &str = "Marker!Code*5";

/// The forms in which a secret must not be found.
fn forms(secret: &str) -> Vec<String> {
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let percent = form.replace('+', "%20");
    let code = regex::Regex::new("%..").unwrap();
    let small =
        |text: &str| code.replace_all(text, |code: &regex::Captures<'_>| code[0].to_lowercase()).into_owned();
    vec![
        secret.to_owned(),
        small(&form),
        small(&percent),
        form,
        percent,
        STANDARD.encode(secret),
        URL_SAFE_NO_PAD.encode(secret),
        STANDARD.encode(format!("demo_api:{secret}")),
        URL_SAFE_NO_PAD.encode(format!("a {secret} in the middle")),
        STANDARD.encode(format!("ab {secret}")),
        secret.bytes().fold(String::new(), |text, byte| format!("{text}{byte:02x}")),
        serde_json::to_string(secret).unwrap(),
    ]
}

/// What must not occur in any text: each form without its ends, which depend on the surrounding text.
fn needles(secret: &str) -> Vec<String> {
    let middle = |form: String| form.chars().skip(form.len() / 3).take(form.len() / 3).collect();
    forms(secret).into_iter().map(middle).collect()
}

#[track_caller]
fn clean(text: &str) {
    for secret in [SECRET, PASSWORD, REFRESH, ACCESS, CODE] {
        for form in needles(secret) {
            assert!(!text.contains(&form), "`{form}` is in: {text}");
        }
    }
    assert!(!text.contains("Marker"), "{text}");
}

#[track_caller]
fn clean_error(error: &Error) {
    clean(&error.to_string());
    clean(&format!("{error:?} {error:#?}"));
    let parts = [Some(error.what()), Some(error.hint()), error.error_code(), error.error_message()];
    parts.into_iter().flatten().for_each(clean);
}

fn clean_debug(value: &impl Debug) {
    clean(&format!("{value:?} {value:#?}"));
}

/// An echoing server's message: everything that it was sent, in every encoding.
fn echo(secret: &str) -> String {
    forms(secret).join(" ")
}

fn session() -> TokenSet {
    let mut set = TokenSet::new(ACCESS, UNIX_EPOCH + Duration::from_secs(1), Duration::from_secs(1));
    set.refresh_token = Some(REFRESH.into());
    set.id_token = Some(ACCESS.into());
    set
}

/// A builder for each grant, each with recognisable secrets, and the secrets that it sends to the server.
fn every_grant(sandbox: &Sandbox) -> Vec<(ClientBuilder, Vec<&'static str>)> {
    let builder = builder(sandbox).client_secret(SECRET);
    let password = builder.clone().username("somebody").password(PASSWORD);
    let code = || Code::new(CODE, "http://127.0.0.1:1/", Some(REFRESH.into()));
    vec![
        (builder.clone(), vec![SECRET]),
        (password.clone(), vec![SECRET, PASSWORD]),
        (password.grant(Grant::ApiToken), vec![PASSWORD]),
        (builder.clone().refresh_token(REFRESH), vec![SECRET, REFRESH]),
        (builder.clone().credentials(Credentials::Session(session())), vec![SECRET, REFRESH, ACCESS]),
        (builder.clone().credentials(Credentials::AuthorizationCode(code())), vec![SECRET, CODE]),
        (builder.clone().credentials(Credentials::AuthorizationCode(code())), vec![REFRESH]),
        (builder.token(ACCESS), vec![ACCESS]),
    ]
}

fn ok(text: impl Into<String>) -> FaultAction {
    FaultAction::Body { text: text.into() }
}

/// Responses of servers, given what they echo.
const FAULTS: &[fn(Fault, &str) -> Fault] = &[
    |fault, _| fault.times(0),
    |fault, echo| {
        fault.status(400).body(json!({ "error": "invalid_grant", "error_description": echo }).to_string())
    },
    |fault, echo| fault.status(401).body(json!({ "error": echo }).to_string()),
    |fault, echo| {
        fault.action(ok(json!({ "isSuccess": false, "errorMessage": echo, "errorCode": echo }).to_string()))
    },
    |fault, echo| fault.status(400).body(echo),
    |fault, echo| fault.status(500).body(format!("<html><title>{echo}</title>")),
    |fault, _| {
        fault.action(ok(
            json!({ "access_token": 5, "refresh_token": REFRESH, "id_token": ACCESS }).to_string()
        ))
    },
    |fault, _| fault.action(ok(ACCESS)),
    |fault, _| fault.action(FaultAction::Text),
    |fault, _| fault.status(302).header("Location", "http://127.0.0.1:1/?client_secret=x"),
    |fault, _| fault.cut_after_effect(),
    |fault, _| fault.cut_mid_answer().reset(),
];

#[tokio::test]
async fn no_secret_is_in_any_text() {
    let log = LogCapture::begin();
    let sandbox = Sandbox::demo().await.unwrap();
    for (builder, secrets) in every_grant(&sandbox) {
        clean_debug(&builder);
        let config = builder.resolve().unwrap();
        clean_debug(&config);
        clean(&config.explain().to_string());
        clean_debug(&config.credentials);
        // One after the other: texts are truncated, and no secret may be hidden by that.
        for (secret, fault) in
            secrets.iter().flat_map(|secret| FAULTS.iter().map(move |fault| (secret, fault)))
        {
            sandbox.clear_faults();
            for on in ["token", "GetApiToken"] {
                sandbox.fault(fault(Fault::on(on).every(), &echo(secret)));
            }
            let client: Client = builder.build().unwrap();
            clean_error(&client.read_panel(ReadPanelRequest::new(1)).await.unwrap_err());
        }
    }
    clean_debug(&session());
    assert!(log.lines().len() > 50, "the log is kept");
    clean(&log.text());
}

#[tokio::test]
async fn no_secret_is_in_the_text_of_a_login() {
    let log = LogCapture::begin();
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = builder(&sandbox).client_secret(SECRET);
    let login = Login::begin(&builder, Redirect::Loopback).unwrap();
    clean_debug(&login);
    let code: String = url::form_urlencoded::byte_serialize(CODE.as_bytes()).collect();
    clean_error(&login.paste(&format!("http://x/?code={code}&state=wrong")).await.unwrap_err());
    let state = login.url().query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    clean_error(&login.paste(&format!("http://x/?code={code}&state={state}")).await.unwrap_err());
    clean_error(&login.paste(&format!("{code} {SECRET}")).await.unwrap_err());
    clean(&log.text());
}

#[test]
fn no_secret_is_in_the_text_of_wrong_settings() {
    let folder = Folder::new("secrets");
    let path = folder.0.join("config.toml");
    for text in [
        format!("[default]\nclient_secret = {SECRET}\n"),
        format!("[default]\nclient_secret = \"{SECRET}\"\nclient_secret = \"{PASSWORD}\"\n"),
        format!("[default]\nclient_secret = [\"{ACCESS}\"]\n"),
        format!("[default]\n\"{ACCESS}\" = 5\n"),
        format!("\"{ACCESS}\" = 5\n"),
        format!("[default]\naccount = \"https://somebody:{ACCESS}@acme.survalyzer-eu.app\"\n"),
        format!(
            "[default]\ntenant = \"acme\"\nbase_url = \"https://x:{ACCESS}@h.example\"\nauth_url = \"https://h.example\"\n"
        ),
        format!("[default]\npage_size = \"{ACCESS}\"\n"),
        format!("[default]\nproxy = \"https://x:{ACCESS}@\"\n"),
        format!("[default]\ntenant = \"acme\"\ndata_center = \"eu\"\npassword = \"{ACCESS}\"\n"),
    ] {
        std::fs::write(&path, &text).unwrap();
        let builder = ClientBuilder::new().environment(Environment::empty()).profile_file(&path);
        clean_error(&builder.resolve().expect_err(&text));
    }
    let masked = ClientBuilder::new()
        .environment(Environment::of([("SONDAGE_PROXY", format!("http://user:{ACCESS}@proxy.example:3128"))]))
        .account("https://acme.survalyzer-eu.app")
        .client_secret(SECRET)
        .resolve()
        .unwrap();
    clean(&masked.explain().to_string());
    assert!(masked.explain().to_string().contains("***@proxy.example:3128"));
}

#[tokio::test]
async fn no_token_is_in_the_text_of_a_broken_store() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("broken-store");
    let path = folder.0.join("tokens.json");
    std::fs::write(
        &path,
        format!("{{\"version\":2,\"entries\":{{\"x\":{{\"tokens\":{{\"access_token\":[\"{ACCESS}\"]}}}}}}}}"),
    )
    .unwrap();
    let log = LogCapture::begin();
    let stored = builder(&sandbox).credentials(Credentials::Stored).identity("ada");
    let builder = stored.token_store(FileStore::new(&path));
    clean_error(&tokens(&builder).token(None).await.unwrap_err());
    clean(&log.text());
}

/// A token file with a token of a megabyte used to hang a run: every error is searched for it in all its encodings.
#[tokio::test]
async fn a_secret_that_no_header_can_carry_is_refused_wherever_it_comes_from() {
    let long = "ab1.".repeat(16 * 1024 + 1);
    let words = "is longer than 64 KiB";
    let refused = |error: &Error| {
        let text = format!("{error} {error:?}");
        assert!(text.contains(words) && !text.contains("ab1.ab1."), "{error}");
    };
    let sandbox = Sandbox::demo().await.unwrap();
    let base = || builder(&sandbox);
    for too_long in [
        base().client_secret(&*long),
        base().username("ada").password(&*long),
        base().username("ada").password(&*long).grant(Grant::ApiToken),
        base().token(&*long),
        base().refresh_token(&*long),
    ] {
        refused(&too_long.build().map(drop).unwrap_err());
    }
    let from_provider = long.clone();
    let provider = base().token_provider(move || {
        let token = from_provider.clone();
        async move { Ok(token) }
    });
    refused(&tokens(&provider).token(None).await.unwrap_err());
    for field in ["access_token", "refresh_token", "id_token"] {
        let mut answer = json!({ "access_token": ACCESS, "token_type": "Bearer", "expires_in": 60 });
        answer[field] = json!(long);
        sandbox.fault(Fault::on("token").times(1).action(ok(answer.to_string())));
        let error = tokens(&base().client_secret(sandbox.client_secret())).token(None).await.unwrap_err();
        assert!(!error.to_string().contains("ab1.ab1."), "{error}");
    }
    // In a file: the token is asked for anew.
    let folder = Folder::new("long");
    let path = folder.0.join("tokens.json");
    let stored = || base().client_secret(sandbox.client_secret()).token_file(&path);
    let first = tokens(&stored()).token(None).await.unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let first = first.header_value().to_str().unwrap().replace("Bearer ", "");
    std::fs::write(&path, text.replace(&first, &long)).unwrap();
    let client = stored().build().unwrap();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert!(!std::fs::read_to_string(&path).unwrap().contains("ab1.ab1."));
}
