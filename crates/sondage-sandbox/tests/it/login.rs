//! The authorization code flow, as a browser and a client see it.

use crate::http::{Api, Response, members, post_form, send, token};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sondage_sandbox::{Account, Sandbox};
use std::collections::HashMap;
use std::time::Duration;
use url::Url;

const BACK: &str = "http://127.0.0.1:49152/callback";
const VERIFIER: &str = "a-verifier-of-at-least-43-characters-0123456789";

fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, VERIFIER.as_bytes()))
}

fn request<'a>(account: &'a Account, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![
        ("response_type", "code"),
        ("client_id", account.client_id.as_str()),
        ("redirect_uri", BACK),
        ("scope", "openid"),
        ("state", "s&<t>\"ate"),
    ];
    fields.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    fields.extend(more);
    fields
}

fn show(account: &Account, more: &[(&str, &str)]) -> Response {
    let mut url = Url::parse(&format!("{}/openid/authorize", account.auth_url)).unwrap();
    url.query_pairs_mut().extend_pairs(request(account, more));
    send("GET", url.as_str(), &[], b"").unwrap()
}

fn submit(account: &Account, more: &[(&str, &str)]) -> Response {
    let mut fields = request(account, more);
    for pair in [("username", account.username.as_str()), ("password", account.password.as_str())] {
        if !fields.iter().any(|(name, _)| *name == pair.0) {
            fields.push(pair);
        }
    }
    post_form(&format!("{}/openid/authorize", account.auth_url), &fields)
}

/// The parameters in the redirect address.
fn back(response: &Response) -> HashMap<String, String> {
    assert_eq!(response.status, 302, "{}", response.text());
    let url = Url::parse(response.header("location").unwrap()).unwrap();
    assert!(url.as_str().starts_with(BACK));
    url.query_pairs().into_owned().collect()
}

fn exchange(account: &Account, code: &str, more: &[(&str, &str)]) -> Response {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("client_id", account.client_id.as_str()),
        ("redirect_uri", BACK),
        ("code", code),
    ];
    fields.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    fields.extend(more);
    token(account, &fields)
}

fn error(response: &Response) -> Value {
    response.json()["error"].clone()
}

#[test]
fn a_person_logs_in_and_the_client_gets_tokens() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let page = show(account, &[("code_challenge", &challenge()), ("code_challenge_method", "S256")]);
    assert_eq!(page.status, 200);
    let html = page.text();
    assert!(html.contains("<form") && html.contains("type=\"password\""));
    assert!(html.contains("s&amp;&lt;t&gt;&quot;ate"), "parameters of the address are escaped");
    let sent = submit(
        account,
        &[("code_challenge", &challenge()), ("code_challenge_method", "S256"), ("nonce", "n-1")],
    );
    let came = back(&sent);
    assert_eq!(came["state"], "s&<t>\"ate");
    let answer = exchange(account, &came["code"], &[("code_verifier", VERIFIER)]).json();
    assert!(answer["refresh_token"].is_string());
    let claims = answer["id_token"].as_str().unwrap().split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    assert_eq!(claims["nonce"], json!("n-1"));
    let token = answer["access_token"].as_str().unwrap().to_owned();
    Api { base_url: account.base_url.clone(), token }.ok("ReadMemberList", &members(&sandbox));
}

#[test]
fn a_code_is_good_once_and_a_second_use_revokes_what_it_brought() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let code = back(&submit(account, &[]))["code"].clone();
    let token = exchange(account, &code, &[]).json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(error(&exchange(account, &code, &[])), json!("invalid_grant"));
    let api = Api { base_url: account.base_url.clone(), token };
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenRevoked");
}

#[test]
fn a_code_is_bound_to_client_address_challenge_and_time() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let pkce = [("code_challenge", &*challenge()), ("code_challenge_method", "S256")]
        .map(|(a, b)| (a, b.to_owned()));
    let pkce: Vec<(&str, &str)> = pkce.iter().map(|(a, b)| (*a, b.as_str())).collect();
    let code = |more: &[(&str, &str)]| back(&submit(account, more))["code"].clone();
    let wrong = |code: &str, more: &[(&str, &str)]| {
        assert_eq!(error(&exchange(account, code, more)), json!("invalid_grant"), "{more:?}");
    };
    wrong(&code(&[]), &[("redirect_uri", "http://127.0.0.1:49152/other")]);
    wrong(&code(&[]), &[("code_verifier", VERIFIER)]);
    wrong(&code(&pkce), &[]);
    wrong(&code(&pkce), &[("code_verifier", "another-verifier-of-at-least-43-characters-0123")]);
    wrong("no-such-code", &[]);
    let other = sandbox.account_of("other").unwrap();
    assert_eq!(error(&exchange(other, &code(&[]), &[])), json!("invalid_grant"));
    let late = code(&[]);
    sandbox.clock().advance(Duration::from_secs(301));
    wrong(&late, &[]);
}

#[test]
fn errors_travel_back_unless_the_address_cannot_be_trusted() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let error = |more: &[(&str, &str)]| {
        let came = back(&show(account, more));
        assert!(came.contains_key("error_description") && came.contains_key("state"), "{came:?}");
        came["error"].clone()
    };
    assert_eq!(error(&[("response_type", "token")]), "unsupported_response_type");
    assert_eq!(error(&[("scope", "email")]), "invalid_scope");
    assert_eq!(error(&[("code_challenge", "short"), ("code_challenge_method", "S256")]), "invalid_request");
    assert_eq!(
        error(&[("code_challenge", &challenge()), ("code_challenge_method", "plain")]),
        "invalid_request"
    );
    assert_eq!(back(&submit(account, &[("decision", "deny")]))["error"], "access_denied");
    for address in ["https://evil.example/callback", "javascript:alert(1)", "nonsense", "http://192.0.2.1/"] {
        let page = show(account, &[("redirect_uri", address)]);
        assert_eq!((page.status, page.header("location")), (400, None), "{address}");
    }
    assert_eq!(show(account, &[("client_id", "nobody_api")]).status, 400);
    let registered = "https://demo.example.com/callback";
    assert_eq!(show(account, &[("redirect_uri", registered)]).status, 200);
}

#[test]
fn a_wrong_password_shows_the_form_again() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let page = submit(sandbox.account(), &[("password", "wrong")]);
    assert_eq!(page.status, 401);
    assert!(page.text().contains("<form") && page.text().contains("role=\"alert\""));
}

#[test]
fn the_code_can_come_in_the_fragment_or_by_a_form() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let sent = submit(account, &[("response_mode", "fragment")]);
    let url = Url::parse(sent.header("location").unwrap()).unwrap();
    assert!(url.query().is_none() && url.fragment().unwrap().contains("code="));
    let page = submit(account, &[("response_mode", "form_post")]);
    assert_eq!(page.status, 200);
    assert!(page.text().contains("name=\"code\"") && page.text().contains(BACK));
    // The policy of the page allows our script only.
    assert!(
        page.text().contains("data-at-once") && page.text().contains("<script src=\"/console/console.js\">")
    );
}
