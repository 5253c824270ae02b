//! Mutual TLS: a service that requests a certificate gets that of `client_certificate`.

use super::*;
use crate::support;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use sondage::config::{ClientBuilder, Environment};
use sondage::{Delivery, ErrorKind};
use sondage_testserver::{Request, Server};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A certificate and its key.
struct Identity {
    der: CertificateDer<'static>,
    certificate: String,
    key: KeyPair,
}

impl Identity {
    fn private(&self) -> String {
        tls::pem("PRIVATE KEY", &self.key.serialize_der())
    }
}

fn identity(name: &str) -> Identity {
    let key = KeyPair::generate().unwrap();
    let made = CertificateParams::new(vec![name.to_owned()]).unwrap().self_signed(&key).unwrap();
    Identity { der: made.der().clone(), certificate: tls::pem("CERTIFICATE", made.der()), key }
}

/// A service that accepts only clients with this certificate.
fn service(own: &Identity, client: &Identity) -> Server {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(client.der.clone()).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier.unwrap())
        .with_single_cert(vec![own.der.clone()], PrivateKeyDer::Pkcs8(own.key.serialize_der().into()))
        .unwrap();
    let config = Arc::new(config);
    Server::start(move |stream| {
        let mut tls = StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream);
        if Request::read(&mut BufReader::new(&mut tls)).is_some() {
            let _ = tls.write_all(support::SUCCESS.as_bytes());
        }
    })
}

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-mutual-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file
    }
}

fn builder(address: &str, authority: &Path) -> ClientBuilder {
    ClientBuilder::new()
        .environment(Environment::empty())
        .tenant("acme")
        .base_url(address)
        .auth_url(address)
        .token("a-token")
        .ca_file(authority)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_asks_for_a_certificate_gets_it() {
    let (server, ours, other) = (identity("localhost"), identity("us"), identity("somebody"));
    let (sockets, folder) = (service(&server, &ours), Folder::new("asked"));
    let address = format!("https://localhost:{}", sockets.port());
    let authority = folder.write("authority.pem", &server.certificate);
    let both = folder.write("both.pem", &(ours.certificate.clone() + &ours.private()));
    let certificate = folder.write("certificate.pem", &ours.certificate);
    let key = folder.write("key.pem", &ours.private());
    let wrong = folder.write("other.pem", &(other.certificate.clone() + &other.private()));
    let builder = || builder(&address, &authority);

    for client in
        [builder().client_certificate(&both), builder().client_certificate(&certificate).client_key(&key)]
    {
        let client = client.build().unwrap();
        client.raw(call(Effect::Send, 400)).await.unwrap();
        let shown = format!("{:?}", client.config());
        assert!(shown.contains("client_certificate") && !shown.contains("PRIVATE"), "{shown}");
    }
    for client in [builder(), builder().client_certificate(&wrong)] {
        let error = client.build().unwrap().raw(call(Effect::Read, 400)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network, "{error}");
        assert_ne!(error.delivery(), Delivery::Answered, "{error}");
    }
}

#[test]
fn a_certificate_that_cannot_be_used_is_refused_before_a_call() {
    let (ours, other, folder) = (identity("us"), identity("somebody"), Folder::new("refused"));
    let certificate = folder.write("certificate.pem", &ours.certificate);
    let key = folder.write("key.pem", &ours.private());
    let wrong = folder.write("wrong.pem", &other.private());
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nQ2FuYXJ5\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let encrypted = folder.write("encrypted.pem", encrypted);
    let damaged = "-----BEGIN PRIVATE KEY-----\nCanary!\n-----END PRIVATE KEY-----\n";
    let damaged = folder.write("damaged.pem", damaged);
    let builder = || builder("https://localhost:1", &certificate);
    for (builder, says) in [
        (builder().client_certificate(&certificate), "contains no private key"),
        (builder().client_certificate(&key), "contains no certificate"),
        (builder().client_key(&key), "has no certificate"),
        (builder().client_certificate(&certificate).client_key(&wrong), "cannot be used"),
        (builder().client_certificate(&certificate).client_key(&encrypted), "not encrypted"),
        (builder().client_certificate(&certificate).client_key(&damaged), "is not a PEM file"),
        (builder().client_certificate(folder.0.join("nowhere.pem")), "cannot be read"),
    ] {
        let error = builder.build().expect_err(says);
        assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
        let text = error.to_string();
        assert!(
            text.contains(says) && text.contains("client_") && !text.contains("Canary"),
            "{says}: {text}"
        );
    }
}
