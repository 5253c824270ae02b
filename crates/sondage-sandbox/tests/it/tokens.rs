//! The token endpoint: four grants, their errors, and the lifetimes.

use crate::http::{Api, Response, bearer, members, send, token};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::{Value, json};
use sondage_sandbox::{Account, GetApiTokenAnswer, Sandbox};
use std::time::Duration;

fn refused(response: &Response) -> (u16, String) {
    let answer = response.json();
    assert!(answer["error_description"].is_string(), "{answer}");
    (response.status, answer["error"].as_str().unwrap().to_owned())
}

fn password(account: &Account, more: &[(&str, &str)]) -> Response {
    let mut fields = vec![
        ("grant_type", "password"),
        ("client_id", account.client_id.as_str()),
        ("username", account.username.as_str()),
        ("password", account.password.as_str()),
        ("scope", "openid"),
    ];
    fields.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    fields.extend_from_slice(more);
    token(account, &fields)
}

fn refresh(account: &Account, refresh_token: &str) -> Response {
    let fields = [
        ("grant_type", "refresh_token"),
        ("client_id", &account.client_id),
        ("refresh_token", refresh_token),
    ];
    token(account, &fields)
}

fn text(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer}")).to_owned()
}

#[test]
fn client_credentials_need_the_secret_and_bring_a_refresh_token() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let ask = |secret: Option<&str>| {
        let mut fields =
            vec![("grant_type", "client_credentials"), ("client_id", account.client_id.as_str())];
        fields.extend(secret.map(|secret| ("client_secret", secret)));
        token(account, &fields)
    };
    let answer = ask(Some(&account.client_secret)).json();
    assert_eq!((&answer["token_type"], &answer["expires_in"]), (&json!("bearer"), &json!(1800)));
    assert!(answer["refresh_token"].is_string() && answer.get("id_token").is_none(), "API 2.4: {answer}");
    assert_eq!(refused(&ask(Some("wrong"))), (401, "invalid_client".to_owned()));
    assert_eq!(refused(&ask(None)), (401, "invalid_client".to_owned()));
    // As the vendor's pages say.
    sandbox.change_profile(|profile| profile.refresh_token_for_client_credentials = false);
    assert!(ask(Some(&account.client_secret)).json().get("refresh_token").is_none());
    let kinds: Vec<_> = sandbox.ledger().token_requests().into_iter().map(|r| (r.grant, r.error)).collect();
    assert_eq!(kinds.len(), 4);
    assert_eq!(kinds[1], ("client_credentials".to_owned(), Some("invalid_client".to_owned())));
}

/// Ordinary OAuth libraries authenticate the client in a header (RFC 6749, 2.3.1).
#[test]
fn a_client_may_show_itself_in_a_header() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let ask = |header: &str, fields: &[(&str, &str)]| {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let headers = [("content-type", "application/x-www-form-urlencoded"), ("authorization", header)];
        send("POST", &format!("{}/openid/token", account.auth_url), &headers, body.as_bytes()).unwrap()
    };
    let basic = |id: &str, secret: &str| format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    let (id, secret) = (account.client_id.as_str(), account.client_secret.as_str());
    let grant = ("grant_type", "client_credentials");
    // Both are form-encoded first: an underscore may be encoded, too.
    for header in [
        basic(id, secret),
        basic(&id.replace('_', "%5F"), secret),
        basic(id, secret).replace("Basic", "basic"),
    ] {
        let answer = ask(&header, &[grant]);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.json()["access_token"].is_string());
    }
    assert_eq!(ask(&basic(id, secret), &[grant, ("client_id", id)]).status, 200);
    let all = [grant, ("client_id", id), ("client_secret", secret)];
    assert_eq!(
        refused(&ask(&basic(id, secret), &all)),
        (400, "invalid_request".to_owned()),
        "one way, not two"
    );
    for wrong in
        [basic(id, "wrong"), basic("nobody_api", secret), "Basic !".to_owned(), "Bearer x".to_owned()]
    {
        let answer = ask(&wrong, &[grant]);
        assert_eq!(refused(&answer), (401, "invalid_client".to_owned()), "{wrong}");
        assert!(answer.header("www-authenticate").is_some_and(|value| value.starts_with("Basic")));
    }
    assert_eq!(refused(&ask(&basic(id, secret), &[grant, ("client_id", "other_api")])).1, "invalid_client");
    let requests = sandbox.ledger().token_requests();
    assert!(requests.iter().take(4).all(|request| request.client_id == id && request.error.is_none()));
}

#[test]
fn a_client_of_one_data_center_is_unknown_in_the_other() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (demo, alpine) = (sandbox.account(), sandbox.account_of("alpine").unwrap());
    let mut lost = demo.clone();
    lost.auth_url.clone_from(&alpine.auth_url);
    assert_eq!(refused(&password(&lost, &[])), (401, "invalid_client".to_owned()));
}

#[test]
fn passwords_need_no_secret_unless_it_is_wrong_or_demanded() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let answer = password(account, &[]).json();
    assert!(answer["refresh_token"].is_string() && answer["id_token"].is_string());
    let without_scope = [
        ("grant_type", "password"),
        ("client_id", &account.client_id),
        ("username", &account.username),
        ("password", &account.password),
    ];
    assert_eq!(token(account, &without_scope).status, 200, "RFC 6749, 4.3.2: the scope is optional");
    assert_eq!(
        refused(&password(account, &[("client_secret", "wrong")])),
        (401, "invalid_client".to_owned())
    );
    assert_eq!(refused(&password(account, &[("password", "wrong")])), (400, "invalid_grant".to_owned()));
    assert_eq!(refused(&password(account, &[("username", "")])), (400, "invalid_request".to_owned()));
    assert_eq!(refused(&password(account, &[("scope", "email")])), (400, "invalid_scope".to_owned()));
    sandbox.change_profile(|profile| profile.client_secret_always_required = true);
    assert_eq!(refused(&password(account, &[])), (401, "invalid_client".to_owned()));
    assert_eq!(password(account, &[("client_secret", &account.client_secret)]).status, 200);
}

#[test]
fn a_token_for_one_panel_opens_no_other() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let panel = account.panel_id.to_string();
    let token = text(&password(account, &[("panel_id", &panel)]).json(), "access_token");
    let api = Api { base_url: account.base_url.clone(), token };
    api.ok("ReadMemberList", &members(&sandbox));
    let other = json!({ "tenant": "demo", "panelId": sandbox.customer_panel_id() });
    assert_eq!(api.refused("ReadMemberList", &other).1, "PanelForbidden");
    assert_eq!(refused(&password(account, &[("panel_id", "x")])), (400, "invalid_request".to_owned()));
    assert_eq!(refused(&password(account, &[("panel_id", "1")])), (400, "invalid_request".to_owned()));
}

#[test]
fn a_reader_may_not_write() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let token = text(&password(account, &[("username", &account.reader)]).json(), "access_token");
    let api = Api { base_url: account.base_url.clone(), token };
    api.ok("ReadMemberList", &members(&sandbox));
    let create = json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [] });
    assert_eq!(api.refused("CreateMembers", &create).0, 403);
}

#[test]
fn other_grants_other_bodies_and_repeated_parameters_are_refused() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let id = account.client_id.as_str();
    let implicit = token(account, &[("grant_type", "implicit"), ("client_id", id)]);
    assert_eq!(refused(&implicit), (400, "unsupported_grant_type".to_owned()));
    assert_eq!(refused(&token(account, &[("client_id", id)])), (400, "invalid_request".to_owned()));
    let twice = token(account, &[("grant_type", "password"), ("client_id", id), ("client_id", id)]);
    assert_eq!(refused(&twice), (400, "invalid_request".to_owned()));
    let url = format!("{}/openid/token", account.auth_url);
    let json = send("POST", &url, &[("content-type", "application/json")], b"{}").unwrap();
    assert_eq!(refused(&json), (400, "invalid_request".to_owned()));
    assert_eq!(send("GET", &url, &[], b"").unwrap().status, 405);
}

#[test]
fn access_tokens_live_30_minutes_and_refresh_tokens_24_hours() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let answer = password(account, &[]).json();
    let api = Api { base_url: account.base_url.clone(), token: text(&answer, "access_token") };
    sandbox.clock().advance(Duration::from_secs(30 * 60 - 5));
    api.ok("ReadMemberList", &members(&sandbox));
    sandbox.clock().advance(Duration::from_secs(10));
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenExpired");
    let refresh_token = text(&answer, "refresh_token");
    let fresh = refresh(account, &refresh_token).json();
    assert_eq!(text(&fresh, "refresh_token"), refresh_token, "it is not replaced by default");
    let api = Api { token: text(&fresh, "access_token"), ..api };
    api.ok("ReadMemberList", &members(&sandbox));
    sandbox.clock().advance(Duration::from_secs(24 * 3600));
    assert_eq!(refused(&refresh(account, &refresh_token)), (400, "invalid_grant".to_owned()));
}

#[test]
fn a_replaced_refresh_token_that_comes_again_ends_the_family() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    sandbox.change_profile(|profile| profile.rotate_refresh_tokens = true);
    let account = sandbox.account();
    let first = text(&password(account, &[]).json(), "refresh_token");
    let answer = refresh(account, &first).json();
    let second = text(&answer, "refresh_token");
    assert_ne!(first, second);
    assert_eq!(refused(&refresh(account, &first)), (400, "invalid_grant".to_owned()));
    assert_eq!(refused(&refresh(account, &second)), (400, "invalid_grant".to_owned()));
    let api = Api { base_url: account.base_url.clone(), token: text(&answer, "access_token") };
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenRevoked");
}

#[test]
fn a_refresh_token_is_good_for_its_own_client_only() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let token = text(&password(sandbox.account(), &[]).json(), "refresh_token");
    let other = sandbox.account_of("other").unwrap();
    assert_eq!(refused(&refresh(other, &token)), (400, "invalid_grant".to_owned()));
}

#[test]
fn id_tokens_verify_against_the_published_key() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let token = text(&password(account, &[]).json(), "id_token");
    let parts: Vec<&str> = token.split('.').collect();
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
    let claims: Value = serde_json::from_slice(&decode(parts[1])).unwrap();
    assert_eq!((&claims["iss"], &claims["aud"]), (&json!(account.auth_url), &json!(account.client_id)));
    assert_eq!(claims["sub"], json!(account.username));
    let keys = send("GET", &format!("{}/openid/jwks", account.auth_url), &[], b"").unwrap().json();
    let part = |name: &str| decode(keys["keys"][0][name].as_str().unwrap());
    let key = RsaPublicKeyComponents { n: part("n"), e: part("e") };
    let signed = format!("{}.{}", parts[0], parts[1]);
    key.verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &decode(parts[2])).unwrap();
}

#[test]
fn the_deprecated_call_has_three_faces_and_its_token_lives_12_hours() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    let ask = |password: &str| {
        let url = format!("{}/publicapi/Authentication/v1/GetApiToken", account.base_url);
        let body = json!({ "tenant": account.tenant, "username": account.username, "password": password });
        send("POST", &url, &[("content-type", "application/json")], body.to_string().as_bytes()).unwrap()
    };
    let answer = ask(&account.password).json();
    assert_eq!((&answer["isSuccess"], &answer["errorMessage"]), (&json!(true), &json!("")));
    let api = Api { base_url: account.base_url.clone(), token: text(&answer, "accessToken") };
    sandbox.clock().advance(Duration::from_secs(12 * 3600 - 5));
    api.ok("ReadMemberList", &members(&sandbox));
    sandbox.clock().advance(Duration::from_secs(10));
    assert_eq!(api.refused("ReadMemberList", &members(&sandbox)).1, "TokenExpired");
    assert_eq!(ask("wrong").json()["errorCode"], json!("InvalidCredentials"));
    sandbox.change_profile(|profile| profile.get_api_token = GetApiTokenAnswer::Text);
    assert!(ask(&account.password).json().is_string());
    sandbox.change_profile(|profile| profile.get_api_token = GetApiTokenAnswer::Off);
    assert_eq!(ask(&account.password).status, 404);
    let grants: Vec<_> = sandbox.ledger().token_requests().into_iter().map(|request| request.grant).collect();
    assert_eq!(grants, ["GetApiToken"; 4]);
}

#[test]
fn the_ledger_holds_no_secret() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let account = sandbox.account();
    password(account, &[("client_secret", &account.client_secret)]);
    let token = bearer(account);
    Api { base_url: account.base_url.clone(), token: token.clone() }.ok("ReadMemberList", &members(&sandbox));
    let ledger = sandbox.ledger();
    let written = format!("{:?} {ledger:?} {sandbox:?}", ledger.token_requests());
    for secret in [&token, &account.password, &account.client_secret] {
        assert!(!written.contains(secret.as_str()));
    }
}
