//! The proxy in use, its source, and how errors mention it.

use super::{empty, enough, refused};
use sondage::config::{Config, Environment, Source};
use sondage::model::ReadPanelRequest;
use sondage::{Client, Delivery, ErrorKind};
use sondage_testserver::{Reply, Server};
use std::sync::mpsc;

fn within<const N: usize>(variables: [(&str, &str); N]) -> Config {
    enough().environment(Environment::of(variables)).resolve().unwrap()
}

fn explained(config: &Config) -> (Option<&str>, String) {
    let source = config.explain().source("proxy").map(ToString::to_string);
    (config.explain().value("proxy"), source.unwrap_or_default())
}

#[test]
fn the_explanation_names_the_proxy_and_its_source() {
    let config = within([
        ("HTTPS_PROXY", "http://ada:hunter22@proxy.example:3128"),
        ("ALL_PROXY", "http://other.example"),
    ]);
    assert_eq!(
        explained(&config),
        (Some("http://***@proxy.example:3128"), "environment HTTPS_PROXY".to_owned())
    );
    assert!(!format!("{config:?}").contains("hunter22"));

    let config = within([("https_proxy", "proxy.example:3128"), ("NO_PROXY", "example.org")]);
    assert_eq!(explained(&config), (Some("http://proxy.example:3128"), "environment https_proxy".to_owned()));

    let config =
        within([("HTTPS_PROXY", "http://proxy.example"), ("NO_PROXY", "a.example,.survalyzer-eu.app")]);
    assert_eq!(
        explained(&config),
        (Some("none for api.survalyzer-eu.app"), "environment NO_PROXY".to_owned())
    );

    let variables = [("HTTPS_PROXY", "http://proxy.example"), ("SONDAGE_PROXY", "http://mine.example")];
    let config = within(variables);
    assert_eq!(config.explain().source("proxy"), Some(&Source::Environment("SONDAGE_PROXY")));
    assert_eq!(explained(&within([])), (None, String::new()));
}

#[test]
fn a_variable_that_names_no_proxy_is_refused_without_its_text() {
    for text in ["socks5://x:hunter22@proxy.example", "http://:hunter22@"] {
        let wrong = enough().environment(Environment::of([("HTTPS_PROXY", text)]));
        let error = refused(&wrong, &["HTTPS_PROXY is not", "http://proxy.example.com:3128"]);
        assert!(!error.to_string().contains("hunter22"), "{error}");
    }
}

/// A port at which nothing listens. The port stays bound, so that no other service gets it.
const NOWHERE: u16 = 1;

#[tokio::test(flavor = "multi_thread")]
async fn an_error_names_the_proxy_that_could_not_be_reached() {
    let proxy = format!("127.0.0.1:{NOWHERE}");
    let settings =
        || empty().tenant("acme").base_url("https://api.example").auth_url("https://api.example").token("t");
    for (settings, origin) in [
        (
            settings()
                .environment(Environment::of([("HTTPS_PROXY", format!("http://ada:hunter22@{proxy}"))])),
            "HTTPS_PROXY",
        ),
        (settings().proxy(format!("http://ada:hunter22@{proxy}")), "the setting `proxy`"),
    ] {
        let client = settings.retry_attempts(1u32).build().unwrap();
        let error = client.read_panel(ReadPanelRequest::new(7)).await.unwrap_err();
        let text = error.to_string();
        assert_eq!((error.kind(), error.delivery()), (ErrorKind::Network, Delivery::No), "{text}");
        assert!(text.contains(&format!("through the proxy {proxy} from {origin}")), "{text}");
        assert!(!format!("{error:?} {text}").contains("hunter22"), "{text}");
    }
}

/// Gives every request this response, like a proxy that impersonates a service, and sends on the request line of each.
fn proxy() -> (Server, mpsc::Receiver<String>) {
    let (sender, lines) = mpsc::channel();
    let server = Server::http(move |request| {
        let _ = sender.send(format!("{} {}", request.method, request.path));
        Reply::new(403, "").header("connection", "close")
    });
    (server, lines)
}

fn here() -> sondage::config::ClientBuilder {
    let base = format!("http://127.0.0.1:{NOWHERE}");
    empty().tenant("acme").base_url(&base).auth_url(&base).token("t").retry_attempts(1u32)
}

async fn status(client: Client) -> Option<u16> {
    client.read_panel(ReadPanelRequest::new(7)).await.unwrap_err().status()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_on_this_machine_that_is_set_in_code_is_used_for_this_machine() {
    let (server, lines) = proxy();
    assert_eq!(status(here().proxy(server.url()).build().unwrap()).await, Some(403));
    let line = lines.recv().unwrap();
    assert!(line.starts_with("POST http://127.0.0.1:") && line.contains("ReadPanel"), "{line}");
}

/// Plain http must not leave this machine, so a proxy of the environment does not apply.
#[tokio::test(flavor = "multi_thread")]
async fn other_proxies_are_not_used_for_this_machine() {
    let (server, _) = proxy();
    let address = server.url();
    for settings in [
        here().proxy("http://proxy.invalid:3128"),
        here().environment(Environment::of([("HTTPS_PROXY", address.as_str()), ("ALL_PROXY", &address)])),
        here().environment(Environment::of([("SONDAGE_PROXY", address.as_str())])),
    ] {
        let error = settings.build().unwrap().read_panel(ReadPanelRequest::new(7)).await.unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::Network, None), "{error}");
        assert!(!error.to_string().contains("proxy"), "{error}");
    }
}

#[test]
fn an_environment_that_is_not_used_is_not_read() {
    let variables = [
        ("HTTPS_PROXY", "http://proxy.example"),
        ("NO_PROXY", "example.org"),
        ("SONDAGE_PAGE_SIZE", "7"),
        ("SONDAGE_PROFILE", "none-such"),
        ("SONDAGE_TENATN", "misspelt"),
    ];
    let config = enough().environment(Environment::of(variables)).use_environment(false).resolve().unwrap();
    assert_eq!((config.page_size, explained(&config)), (1000, (None, String::new())));
    let switched = [("SONDAGE_USE_ENVIRONMENT", "false"), ("SONDAGE_PAGE_SIZE", "7")];
    let config = within(switched);
    assert_eq!(config.page_size, 1000);
    let source = config.explain().source("use_environment");
    assert_eq!(source, Some(&Source::Environment("SONDAGE_USE_ENVIRONMENT")));
    assert_eq!(within([("SONDAGE_PAGE_SIZE", "7")]).page_size, 7);
}

/// The error names the proxy, not the data center.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_a_proxy_does_not_let_through() {
    let environment = Environment::of([("HTTPS_PROXY", format!("127.0.0.1:{NOWHERE}"))]);
    let client = enough().environment(environment).retry_attempts(1u32).build().unwrap();
    let error = client.read_panel(ReadPanelRequest::new(7)).await.unwrap_err().to_string();
    assert!(error.contains("through the proxy 127.0.0.1:1 from HTTPS_PROXY"), "{error}");
    assert!(error.contains("Check the address of the proxy") && !error.contains("data center"), "{error}");
}
