//! Whom to trust. Checking certificates cannot be switched off; a certificate authority of one's own can be added.

use crate::error::{Error, Result};
use rustls::{
    ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier, crypto::CryptoProvider,
    pki_types::CertificateDer,
};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// The operating system's judgement of certificates, or where it has none (slim images carry no certificates), the
/// roots of Mozilla that come with the library.
pub(super) fn config(own: &[CertificateDer<'static>]) -> Result<ClientConfig> {
    Ok(match platform(own, provider()) {
        Ok(verifier) => {
            builder()?.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        }
        Err(_) => builder()?.with_root_certificates(bundled(own)?).with_no_client_auth(),
    })
}

/// Trusts nobody. For plain http, where loading certificates would only cost time.
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

#[cfg(all(unix, not(target_os = "android")))]
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

#[cfg(not(all(unix, not(target_os = "android"))))]
fn platform(
    own: &[CertificateDer<'static>],
    provider: Arc<CryptoProvider>,
) -> std::result::Result<Verifier, rustls::Error> {
    if own.is_empty() { Verifier::new(provider) } else { Err(rustls::Error::General("own roots".into())) }
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
