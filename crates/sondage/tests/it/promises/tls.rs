//! TLS: a rejected certificate is an immediate error that names the setting; a broken record after the request proves
//! nothing.

use super::*;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use sondage::{Delivery, ErrorKind};
use sondage_testserver::Request;
use std::io::{BufReader, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

struct Server {
    address: String,
    connections: Arc<AtomicUsize>,
    whole: Arc<AtomicUsize>,
    /// Connections that negotiated HTTP/2.
    http2: Arc<AtomicUsize>,
    certificate: String,
}

/// Reads a whole request and then breaks the connection with bytes that are not a TLS record.
fn server() -> Server {
    let key = rcgen::KeyPair::generate().unwrap();
    let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let pem = pem("CERTIFICATE", certificate.der());
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let (connections, whole) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let http2 = Arc::new(AtomicUsize::new(0));
    let (connected, counted, agreed) = (connections.clone(), whole.clone(), http2.clone());
    let config = Arc::new(config);
    let sockets = sondage_testserver::Server::start(move |stream| {
        connected.fetch_add(1, Ordering::SeqCst);
        let mut tls = StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream);
        let request = Request::read(&mut BufReader::new(&mut tls));
        if tls.conn.alpn_protocol() == Some(b"h2") {
            agreed.fetch_add(1, Ordering::SeqCst);
        }
        if request.is_some() {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = tls.sock.write_all(&[0x55; 64]);
        }
    });
    let address = format!("https://localhost:{}", sockets.port());
    Server { address, connections, whole, http2, certificate: pem }
}

pub fn pem(label: &str, der: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

fn trusting(server: &Server) -> Client {
    let file: PathBuf = std::env::temp_dir().join(format!("sondage-ca-{}.pem", std::process::id()));
    std::fs::write(&file, &server.certificate).unwrap();
    let settings = sondage::config::ClientBuilder::new()
        .environment(sondage::config::Environment::empty())
        .tenant("acme")
        .base_url(&server.address)
        .auth_url(&server.address)
        .token("a-token")
        .retry_base(Duration::from_millis(2))
        .ca_file(&file);
    let client = settings.build().unwrap();
    std::fs::remove_file(file).unwrap();
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_not_accepted_is_an_error_at_once_that_names_the_setting() {
    let server = server();
    for effect in [Effect::Read, Effect::Send] {
        let before = server.connections.load(Ordering::SeqCst);
        let error = client(&server.address).raw(call(effect, 400)).await.unwrap_err();
        assert_eq!((error.kind(), error.delivery()), (ErrorKind::Network, Delivery::No), "{error}");
        let text = error.to_string();
        assert!(text.contains("the TLS handshake failed") && text.contains("certificate"), "{text}");
        assert!(text.contains("ca_file"), "{text}");
        let source = std::error::Error::source(&error).and_then(|it| it.downcast_ref::<rustls::Error>());
        assert!(matches!(source, Some(rustls::Error::InvalidCertificate(_))), "{source:?}");
        assert_eq!((error.attempts(), server.connections.load(Ordering::SeqCst) - before), (1, 1), "{text}");
    }
}

/// The check for rejected certificates must not treat a later broken record as a rejection.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_breaks_after_a_whole_request_leaves_its_outcome_unknown() {
    let server = server();
    let error = trusting(&server).raw(call(Effect::Send, 400)).await.unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (ErrorKind::OutcomeUnknown, Delivery::Unknown), "{error}");
    assert!(error.to_string().contains("ended before the response was complete"), "{error}");
    assert_eq!(server.whole.load(Ordering::SeqCst), 1);
    // The proof by the last byte holds only for a connection with one request at a time.
    assert_eq!(server.http2.load(Ordering::SeqCst), 0);
}
