//! Certificate verification. It cannot be switched off; a certificate authority can be added, and a client can identify
//! itself.

use super::settings::HttpSettings;
use crate::error::{Error, Result};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};
use rustls_platform_verifier::Verifier;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static INITIALISED: AtomicBool = AtomicBool::new(false);

/// Tells the library that the app has initialised Android's certificate verifier, by `rustls_platform_verifier::android` in
/// version 0.7 and with its Kotlin class. Clients created afterwards use it, and with it the authorities that the device's
/// owner has installed. Until then, and for clients that have a `ca_file`, the bundled Mozilla roots are used. On other
/// systems it has no effect.
pub fn android_verifier_is_initialised() {
    INITIALISED.store(true, Ordering::SeqCst);
}

/// The certificate verifier to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CertificateVerifier {
    /// The operating system's, or the bundled roots where it has none.
    System,
    /// The bundled Mozilla roots.
    Bundled,
}

/// Android's verifier needs a handle of the running app: without one it panics at the first handshake. It does not accept
/// additional roots.
fn judge(android: bool, own_roots: bool, initialised: bool) -> CertificateVerifier {
    if android && (own_roots || !initialised) {
        CertificateVerifier::Bundled
    } else {
        CertificateVerifier::System
    }
}

/// The certificate with which a client identifies itself, and its key.
#[derive(Clone)]
pub struct ClientCertificate(Arc<CertifiedKey>);

impl ClientCertificate {
    /// `chain` begins with the certificate of `key`. An error says why it cannot be used.
    pub(crate) fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> std::result::Result<Self, rustls::Error> {
        CertifiedKey::from_der(chain, key, &provider()).map(|key| Self(Arc::new(key)))
    }
}

/// Omits the key.
impl fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} certificates", self.0.cert.len())
    }
}

/// The operating system's certificate verifier. If it has no certificates (slim images carry none), the bundled Mozilla
/// roots.
pub(super) fn config(settings: &HttpSettings) -> Result<ClientConfig> {
    let (own, initialised) = (&settings.extra_roots, INITIALISED.load(Ordering::SeqCst));
    let mut config = config_by(judge(cfg!(target_os = "android"), !own.is_empty(), initialised), own)?;
    if let Some(ClientCertificate(key)) = &settings.client_certificate {
        config.client_auth_cert_resolver = Arc::new(SingleCertAndKey::from(Arc::clone(key)));
    }
    Ok(config)
}

fn config_by(judge: CertificateVerifier, own: &[CertificateDer<'static>]) -> Result<ClientConfig> {
    if judge == CertificateVerifier::System
        && let Ok(verifier) = platform(own, provider())
    {
        let builder = builder()?.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
        return Ok(builder.with_no_client_auth());
    }
    Ok(builder()?.with_root_certificates(bundled(own)?).with_no_client_auth())
}

/// Trusts nothing. For plain http, where loading certificates would only cost time.
pub(super) fn nobody() -> Result<ClientConfig> {
    Ok(builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>> {
    ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|e| Error::internal(format!("TLS cannot be set up ({e})")))
}

#[cfg(not(target_os = "android"))]
fn platform(
    own: &[CertificateDer<'static>],
    provider: Arc<CryptoProvider>,
) -> std::result::Result<Verifier, rustls::Error> {
    if own.is_empty() {
        Verifier::new(provider)
    } else {
        Verifier::new_with_extra_roots(own.iter().cloned(), provider)
    }
}

#[cfg(target_os = "android")]
fn platform(
    _: &[CertificateDer<'static>],
    provider: Arc<CryptoProvider>,
) -> std::result::Result<Verifier, rustls::Error> {
    Verifier::new(provider)
}

fn bundled(own: &[CertificateDer<'static>]) -> Result<RootCertStore> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for certificate in own {
        roots
            .add(certificate.clone())
            .map_err(|e| Error::configuration(format!("the extra certificate is not usable ({e})")))?;
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn android_is_asked_only_when_it_was_initialised() {
        for (android, own_roots, initialised, expected) in [
            (true, false, false, CertificateVerifier::Bundled),
            (true, false, true, CertificateVerifier::System),
            (true, true, false, CertificateVerifier::Bundled),
            (true, true, true, CertificateVerifier::Bundled),
            (false, false, false, CertificateVerifier::System),
            (false, true, false, CertificateVerifier::System),
            (false, false, true, CertificateVerifier::System),
        ] {
            let judge = judge(android, own_roots, initialised);
            assert_eq!(judge, expected, "{android} {own_roots} {initialised}");
        }
    }

    #[test]
    fn the_bundled_roots_need_no_system() {
        assert!(bundled(&[]).unwrap().len() > 100);
        config_by(CertificateVerifier::Bundled, &[]).unwrap();
        let wrong = CertificateDer::from(vec![0; 4]);
        assert!(
            config_by(CertificateVerifier::Bundled, &[wrong]).unwrap_err().to_string().contains("not usable")
        );
    }

    /// On Android every call over https panicked. The choice is forced here: no handshake may use the system's verifier.
    #[test]
    fn the_bundled_roots_decide_handshakes() {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let chain = vec![certificate.der().clone()];
        let private = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let server = rustls::ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain.clone(), private)
            .unwrap();
        let server = Arc::new(server);
        for (own, trusted) in [(chain, true), (Vec::new(), false)] {
            let client = Arc::new(config_by(CertificateVerifier::Bundled, &own).unwrap());
            let mut client = rustls::ClientConnection::new(client, "localhost".try_into().unwrap()).unwrap();
            let mut server = rustls::ServerConnection::new(server.clone()).unwrap();
            let mut result = Ok(());
            while result.is_ok() && client.is_handshaking() {
                let mut bytes = Vec::new();
                client.write_tls(&mut bytes).unwrap();
                server.read_tls(&mut bytes.as_slice()).unwrap();
                server.process_new_packets().unwrap();
                let mut bytes = Vec::new();
                server.write_tls(&mut bytes).unwrap();
                client.read_tls(&mut bytes.as_slice()).unwrap();
                result = client.process_new_packets().map(drop);
            }
            assert_eq!(result.is_ok(), trusted, "{result:?}");
        }
    }
}
