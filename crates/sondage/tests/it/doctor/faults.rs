//! Possible problems of a set-up, one fault each.

use super::scene::{Scene, mode};
use sondage_sandbox::{CreateWebHookRoute, Fault, Sandbox};
use sondage_testserver::{Reply, Server, closed_address};
use std::fs;
use std::time::Duration;

/// A fault, the check that reports it, and words that its sentences contain.
pub struct Planted {
    pub name: &'static str,
    pub plant: fn(&mut Scene),
    pub topic: &'static str,
    pub found: &'static str,
    pub cure: &'static str,
}

macro_rules! faults {
    ($($name:literal at $topic:literal says $found:literal so $cure:literal $plant:expr;)*) => {
        pub const ALL: &[Planted] = &[$(Planted {
            name: $name, plant: $plant, topic: $topic, found: $found, cure: $cure,
        }),*];
    };
}

fn set(scene: &mut Scene, name: &'static str, value: impl Into<String>) {
    scene.profile.insert(name, value.into());
}

/// Sets an address to that of a server.
fn set_to_server(scene: &mut Scene, name: &'static str, host: &str, server: Server) {
    set(scene, name, format!("{host}:{}", server.port()));
}

/// An address at which nothing listens.
fn nobody() -> String {
    format!("http://{}", closed_address())
}

/// A web server that returns an HTML page for every request.
fn web_server() -> Server {
    Server::http(|_| {
        let page = "<!doctype html><title>Welcome</title>";
        Reply::new(200, page).header("content-type", "text/html").header("connection", "close")
    })
}

/// An https server with an untrusted certificate.
fn unknown_authority() -> Server {
    use rustls::pki_types::PrivateKeyDer;
    use std::sync::Arc;
    let key = rcgen::KeyPair::generate().unwrap();
    let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap().der().clone();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    let config = Arc::new(config);
    Server::start(move |mut stream| {
        let mut connection = rustls::ServerConnection::new(config.clone()).unwrap();
        let _ = connection.complete_io(&mut stream);
    })
}

faults! {
    "tenant" at "token" says "does not know the client" so "Check the tenant"
        |scene| set(scene, "tenant", "demmo");
    "secret" at "token" says "client secret of `demo_api` was not accepted" so "`client_secret` (profile file"
        |scene| set(scene, "client_secret", "a-mistyped-secret");
    "password" at "token" says "the password was not accepted" so "`password` (profile file"
        |scene| {
            set(scene, "username", scene.sandbox.username().to_owned());
            set(scene, "password", "a-mistyped-password");
        };
    "data center" at "token" says "did not accept the token" so "must belong to the same data center"
        |scene| {
            // The token was issued by another service than the one that is called.
            let other = Sandbox::demo_blocking().unwrap();
            set(scene, "base_url", other.base_url());
            scene.others.push(Box::new(other));
        };
    "address" at "service" says "does not have the API" so "`base_url` (profile file"
        |scene| {
            // The authentication server's address, pasted twice.
            set(scene, "base_url", scene.sandbox.auth_url().to_owned());
        };
    "connection refused" at "service" says "could not be reached" so "Check the connection"
        |scene| set(scene, "base_url", nobody());
    "no authentication server" at "authentication_server" says "could not be reached" so "Check the connection"
        |scene| set(scene, "auth_url", nobody());
    "dead proxy" at "proxy" says "cannot be reached" so "`proxy` (profile file"
        |scene| {
            set(scene, "proxy", nobody());
            set(scene, "base_url", "https://api.sondage.invalid");
            set(scene, "auth_url", "https://authentication.sondage.invalid");
        };
    "unknown authority" at "service" says "certificate" so "`ca_file`"
        |scene| set_to_server(scene, "base_url", "https://localhost", unknown_authority());
    "unknown authority of tokens" at "authentication_server" says "certificate" so "`ca_file`"
        |scene| set_to_server(scene, "auth_url", "https://localhost", unknown_authority());
    "clock slow" at "clock" says "minutes slow" so "Set the clock"
        |scene| scene.sandbox.clock().advance(Duration::from_secs(3_600));
    "clock fast" at "clock" says "minutes fast" so "Set the clock"
        |scene| scene.sandbox.clock().advance_seconds(-3_600);
    "no dns" at "dns" says "api.sondage.invalid cannot be looked up" so "name server"
        |scene| set(scene, "base_url", "https://api.sondage.invalid");
    "right missing" at "rights" says "may not call ReadCreditBalance" so "Ask an administrator"
        |scene| {
            let said = r#"{"isSuccess":false,"errorCode":"PermissionDenied","errorMessage":"No."}"#;
            drop(scene.sandbox.fault(Fault::on("ReadCreditBalance").status(403).body(said).every()));
        };
    "credits fail" at "service" says "answers, but ReadCreditBalance failed" so "call again"
        |scene| drop(scene.sandbox.fault(Fault::on("ReadCreditBalance").status(503).every()));
    "first page" at "first_page" says "begin with page 0" so "Set `first_page` to 0"
        |scene| scene.sandbox.change_profile(|profile| profile.first_page = 0);
    "paths" at "paths" says "another path for CreateWebHook" so "Set `published_paths` to true"
        |scene| scene.sandbox.change_profile(|profile| profile.create_web_hook = CreateWebHookRoute::Published);
    "hook ends" at "web_hook" says "expires at" so "Run `ensure_web_hook` again"
        |scene| scene.register("SurveyClosed", 9);
    "hook gone" at "web_hook" says "does not have the webhook" so "registers a new one"
        |scene| {
            let text = fs::read_to_string(scene.state()).unwrap();
            let mut kept: serde_json::Value = serde_json::from_str(&text).unwrap();
            kept["webHookId"] = "00000000-0000-4000-8000-000000000000".into();
            fs::write(scene.state(), kept.to_string()).unwrap();
        };
    "old hook state" at "web_hook" says "is of version 0" so "Use the version of this library"
        |scene| {
            let text = fs::read_to_string(scene.state()).unwrap();
            fs::write(scene.state(), text.replace("\"version\": 1", "\"version\": 0")).unwrap();
        };
    "token file readable" at "token_file" says "can be read or written by others" so "chmod 600"
        |scene| mode(&scene.token_file(), 0o644);
    "old token file" at "token_file" says "is of an old version" so "log in again"
        |scene| {
            fs::write(scene.token_file(), r#"{"version": 1, "entries": {}}"#).unwrap();
            mode(&scene.token_file(), 0o600);
        };
    "profile readable" at "profile_file" says "can read the secrets" so "chmod 600"
        |scene| mode(&scene.folder.join("profile.toml"), 0o644);
    "budget spent" at "budget" says "no more calls are sent" so "when the day ends"
        |scene| {
            set(scene, "budget", "stop");
            set(scene, "budget_calls", "1");
        };
    "expired login" at "token" says "refresh token was not accepted" so "Log in again"
        |scene| {
            scene.profile.remove("client_secret");
            set(scene, "refresh_token", "a-refresh-token-of-yesterday");
        };
    "contradiction" at "settings" says "different values for `tenant`" so "SONDAGE_TENANT"
        |scene| {
            let right = scene.profile.insert("tenant", "acme".to_owned()).unwrap();
            scene.environment.insert("SONDAGE_TENANT", right);
        };
    "html service" at "service" says "" so "`base_url` (profile file"
        |scene| set_to_server(scene, "base_url", "http://127.0.0.1", web_server());
    "html authentication server" at "authentication_server" says "instead of a token" so "`auth_url` (profile file"
        |scene| set_to_server(scene, "auth_url", "http://127.0.0.1", web_server());
}
