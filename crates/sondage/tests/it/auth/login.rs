//! A person's login: the login page of the sandbox, a browser simulated with a socket, and every way in which the code is
//! returned.

use super::sharing::Folder;
use super::{arrived, shown, tokens};
use crate::support::sandbox::builder;
use sondage::auth::{Credentials, Login, Redirect};
use sondage::config::ClientBuilder;
use sondage::model::ReadPanelRequest;
use sondage::{Error, ErrorKind};
use sondage_sandbox::{CodeDelivery, Sandbox};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use url::Url;

/// Sends what a browser would send, and returns the response.
fn send(method: &str, url: &Url, form: &str) -> String {
    let host = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let target = url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let mut stream = TcpStream::connect(&host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}",
        form.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

async fn visit(method: &'static str, url: &Url, form: &str) -> String {
    let (url, form) = (url.clone(), form.to_owned());
    tokio::task::spawn_blocking(move || send(method, &url, &form)).await.unwrap()
}

/// A person fills in the login page. Returns the address to which the page redirects the browser.
async fn log_in(sandbox: &Sandbox, login: &Login) -> Url {
    log_in_as(sandbox, login, sandbox.username()).await
}

pub async fn log_in_as(sandbox: &Sandbox, login: &Login, user: &str) -> Url {
    let shown = visit("GET", login.url(), "").await;
    assert!(shown.starts_with("HTTP/1.1 200"), "{shown}");
    let form = format!("{}&username={}&password={}", login.url().query().unwrap(), user, sandbox.password());
    location(&submit(login, &form).await)
}

async fn submit(login: &Login, form: &str) -> String {
    let mut page = login.url().clone();
    page.set_query(None);
    visit("POST", &page, form).await
}

fn location(answer: &str) -> Url {
    let line = answer.lines().find_map(|line| line.strip_prefix("location: "));
    line.unwrap_or_else(|| panic!("no redirect: {answer}")).trim().parse().unwrap()
}

#[tokio::test]
async fn pasted_from_query_and_fragment_with_and_without_pkce() {
    let sandbox = Sandbox::demo().await.unwrap();
    for delivery in [CodeDelivery::Query, CodeDelivery::Fragment] {
        for pkce in [false, true] {
            sandbox.change_profile(|profile| profile.code_delivery = delivery);
            let builder = if pkce { builder(&sandbox) } else { builder(&sandbox).pkce(false) };
            let login =
                Login::begin(&builder, Redirect::Address("http://localhost:1/back".to_owned())).unwrap();
            let query = login.url().query().unwrap();
            for part in ["response_type=code", "client_id=demo_api", "scope=openid", "state="] {
                assert!(query.contains(part), "{part} in {query}");
            }
            assert_eq!(query.contains("code_challenge="), pkce);
            let set = login.paste(log_in(&sandbox, &login).await.as_str()).await.unwrap();
            assert!(set.refresh_token.is_some() && set.id_token.is_some());

            let client = builder.credentials(Credentials::Session(set)).build().unwrap();
            client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
            sandbox.clock().advance_seconds(31 * 60);
            client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
        }
    }
    assert_eq!(shown(&sandbox), ["authorization_code", "refresh_token"].repeat(4));
}

#[tokio::test]
async fn the_browser_comes_back_in_every_way() {
    let sandbox = Sandbox::demo().await.unwrap();
    for delivery in [CodeDelivery::Query, CodeDelivery::Fragment, CodeDelivery::FormPost] {
        sandbox.change_profile(|profile| profile.code_delivery = delivery);
        let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
        assert!(login.can_listen());
        let browser = async {
            let here: Url = login.redirect().parse().unwrap();
            // A browser requests its icon, and opens connections on which it sends nothing.
            assert!(visit("GET", &here.join("/favicon.ico").unwrap(), "").await.starts_with("HTTP/1.1 404"));
            let _silent = TcpStream::connect(("127.0.0.1", here.port().unwrap())).unwrap();
            let page = if delivery == CodeDelivery::FormPost {
                let form = format!(
                    "{}&username={}&password={}",
                    login.url().query().unwrap(),
                    sandbox.username(),
                    sandbox.password()
                );
                visit("POST", &here, &fields(&submit(&login, &form).await)).await
            } else {
                let back = log_in(&sandbox, &login).await;
                let page = visit("GET", &back, "").await;
                match back.fragment() {
                    // Does what the script of the page does.
                    Some(fragment) => {
                        assert!(page.contains("location.hash"), "{page}");
                        visit("POST", &here, fragment).await
                    }
                    None => page,
                }
            };
            assert!(page.starts_with("HTTP/1.1 200") && page.contains("You can close this page"), "{page}");
        };
        let (set, ()) = tokio::join!(login.listen(), browser);
        assert!(set.unwrap().refresh_token.is_some(), "{delivery:?}");
    }
}

/// The hidden fields of a page as a form.
fn fields(page: &str) -> String {
    let field = regex::Regex::new(r#"name="([^"]+)" value="([^"]+)""#).unwrap();
    let fields: Vec<_> =
        field.captures_iter(page).map(|field| format!("{}={}", &field[1], &field[2])).collect();
    assert!(!fields.is_empty(), "{page}");
    fields.join("&")
}

#[tokio::test]
async fn an_answer_to_another_login_is_not_taken() {
    let sandbox = Sandbox::demo().await.unwrap();
    let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
    let other = Login::begin(&builder(&sandbox), Redirect::Address(login.redirect().to_owned())).unwrap();
    let foreign = log_in(&sandbox, &other).await;
    let error = login.paste(foreign.as_str()).await.unwrap_err();
    assert!(error.to_string().contains("does not belong to this login"), "{error}");

    let browser = async {
        let page = visit("GET", &foreign, "").await;
        assert!(page.starts_with("HTTP/1.1 400"), "{page}");
        visit("GET", &log_in(&sandbox, &login).await, "").await
    };
    let (set, _) = tokio::join!(login.listen(), browser);
    set.expect("a stranger's answer does not end the waiting");
    assert_eq!(arrived(&sandbox), 1, "the foreign code was never exchanged");
}

#[tokio::test]
async fn a_login_goes_on_in_another_process() {
    let sandbox = Sandbox::demo().await.unwrap();
    for (pkce, redirect) in [
        (true, Redirect::Address("com.example.app:/back".to_owned())),
        (false, Redirect::Address("http://localhost:1/back".to_owned())),
        (true, Redirect::Loopback),
    ] {
        let builder = builder(&sandbox).pkce(pkce);
        let (saved, url, back) = {
            let begun = Login::begin(&builder, redirect).unwrap();
            (begun.saved(), begun.url().clone(), log_in(&sandbox, &begun).await)
        };
        // Whatever the setting says now: the person is on the page of the first process.
        let login = Login::resume(&builder.clone().pkce(!pkce), &saved).unwrap();
        assert_eq!(login.url(), &url);
        assert_eq!(login.can_listen(), back.port().is_some());
        let set = login.paste(back.as_str()).await.unwrap();
        assert!(set.refresh_token.is_some());
        let client = builder.credentials(Credentials::Session(set)).build().unwrap();
        client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    }
}

#[tokio::test]
async fn a_saved_login_is_a_secret_and_belongs_to_its_settings() {
    let sandbox = Sandbox::demo().await.unwrap();
    let builder = builder(&sandbox);
    let begun = Login::begin(&builder, Redirect::Loopback).unwrap();
    let saved = begun.saved();
    let state = begun.url().query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    assert!(saved.reveal().contains(&state));
    let resumed = Login::resume(&builder, &saved).unwrap();
    assert!(!format!("{begun:?} {resumed:?} {saved} {saved:?}").contains(&state));

    let foreign = log_in(&sandbox, &Login::begin(&builder, Redirect::Loopback).unwrap()).await;
    let error = resumed.paste(foreign.as_str()).await.unwrap_err();
    assert!(error.to_string().contains("does not belong to this login"), "{error}");
    assert_eq!(arrived(&sandbox), 0);

    let other = Login::resume(&builder.clone().client_id("other_api"), &saved).unwrap_err();
    assert!(other.to_string().contains("begun with another `client_id`"), "{other}");
    let other = Login::resume(&builder.clone().auth_url("http://127.0.0.1:9"), &saved).unwrap_err();
    assert!(other.to_string().contains("begun with another `auth_url`"), "{other}");
    let text = saved.reveal();
    for wrong in [
        String::new(),
        "{}".to_owned(),
        text[..text.len() - 2].to_owned(),
        text.replace("\"version\":1", "\"version\":2"),
        text.replace(&state, ""),
    ] {
        let error = Login::resume(&builder, &wrong.into()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("has saved") && !format!("{error:?}").contains(&state), "{error}");
    }
}

/// Any program on this machine can open connections and send nothing: they do not end the login.
#[tokio::test]
async fn silent_connections_keep_nobody_out() {
    let sandbox = Sandbox::demo().await.unwrap();
    let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
    let here: Url = login.redirect().parse().unwrap();
    let browser = async {
        let back = log_in(&sandbox, &login).await;
        let port = here.port().unwrap();
        let silent: Vec<_> = (0..100).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
        let page = visit("GET", &back, "").await;
        drop(silent);
        page
    };
    let (set, page) = tokio::join!(login.listen(), browser);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(set.unwrap().refresh_token.is_some());
}

#[tokio::test]
async fn a_person_who_says_no_and_one_who_does_not_come() {
    let sandbox = Sandbox::demo().await.unwrap();
    let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
    let denied = async {
        let form = format!("{}&decision=deny", login.url().query().unwrap());
        visit("GET", &location(&submit(&login, &form).await), "").await
    };
    let (result, _) = tokio::join!(login.listen(), denied);
    let error = result.unwrap_err();
    assert_eq!(error.error_code(), Some("access_denied"), "{error}");
    assert!(error.to_string().contains("The user cancelled the login."), "{error}");

    let hurried = builder(&sandbox).login_timeout(Duration::from_millis(50));
    let error = Login::begin(&hurried, Redirect::Loopback).unwrap().listen().await.unwrap_err();
    assert!(error.to_string().contains("the login timed out"), "{error}");
}

#[tokio::test]
async fn a_code_that_is_pasted_twice_is_refused_by_the_service() {
    let sandbox = Sandbox::demo().await.unwrap();
    let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
    let back = log_in(&sandbox, &login).await;
    login.paste(back.as_str()).await.unwrap();
    let error = login.paste(back.as_str()).await.unwrap_err();
    assert!(error.to_string().contains("the code of the login was not accepted"), "{error}");
}

#[tokio::test]
async fn a_login_is_left_in_the_store_for_later_programs() {
    let sandbox = Sandbox::demo().await.unwrap();
    let folder = Folder::new("login");
    let builder = builder(&sandbox).token_file(folder.0.join("tokens.json"));
    let nobody = tokens(&builder.clone().identity("ada")).token(None).await.unwrap_err();
    assert!(nobody.to_string().contains("nobody is logged in"), "{nobody}");

    let login = Login::begin(&builder, Redirect::Loopback).unwrap();
    let set = login.paste(log_in(&sandbox, &login).await.as_str()).await.unwrap();
    let client = builder.identity(set.identity.unwrap()).build().unwrap();
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    sandbox.clock().advance_seconds(31 * 60);
    client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.unwrap();
    assert_eq!(shown(&sandbox), ["authorization_code", "refresh_token"]);
}

#[test]
fn logins_also_wait_without_an_executor() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let login = Login::begin(&builder(&sandbox), Redirect::Loopback).unwrap();
    let mut page = login.url().clone();
    page.set_query(None);
    let form = format!(
        "{}&username={}&password={}",
        login.url().query().unwrap(),
        sandbox.username(),
        sandbox.password()
    );
    let browser = std::thread::spawn(move || send("GET", &location(&send("POST", &page, &form)), ""));
    assert!(login.listen_blocking().unwrap().refresh_token.is_some());
    browser.join().unwrap();
    assert_eq!(login.paste_blocking("nonsense").unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[tokio::test]
async fn redirect_addresses_that_give_the_code_away_are_refused() {
    let sandbox = Sandbox::demo().await.unwrap();
    let begin = |address: &str| Login::begin(&builder(&sandbox), Redirect::Address(address.to_owned()));
    for address in
        ["", "back", "http://example.com/back", "https://example.com/#x", "https://user:pw@example.com/"]
    {
        let error: Error = begin(address).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{address}");
        assert!(!error.to_string().contains("pw"), "{error}");
    }
    let app = begin("com.example.app:/back").unwrap();
    assert!(!app.can_listen());
    assert_eq!(app.listen().await.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert!(begin("https://example.com/back").is_ok());
    // The program can wait for plain http on this machine, with a port.
    for (address, can_listen) in [
        ("http://127.0.0.1:8400/back", true),
        ("http://localhost:8400/back", true),
        ("http://127.0.0.1/back", false),
        ("http://[::1]:8400/back", false),
        ("https://127.0.0.1:8400/back", false),
        ("https://example.com:8400/back", false),
    ] {
        assert_eq!(begin(address).unwrap().can_listen(), can_listen, "{address}");
    }
}

#[test]
fn a_login_needs_an_account_and_no_credentials() {
    let empty = ClientBuilder::new().environment(sondage::config::Environment::empty());
    let error = Login::begin(&empty, Redirect::Loopback).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert!(error.to_string().contains("the account is missing"), "{error}");
    let login = Login::begin(&empty.account("https://acme.survalyzer-eu.app"), Redirect::Loopback).unwrap();
    let url = login.url().as_str();
    assert!(url.starts_with("https://authentication.survalyzer-eu.app/openid/authorize?"), "{url}");
    assert_eq!(format!("{login:?}").matches("state").count(), 0);
}
