//! Certificates, created in each run: from an authority that the clients trust, and others.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// The host name behind the proxy. It does not resolve: a connection to it must have gone through the proxy.
pub const BEHIND_THE_PROXY: &str = "api.campaign.example";

struct Certificates {
    servers: HashMap<&'static str, Arc<ServerConfig>>,
    authority: PathBuf,
}

static CERTIFICATES: LazyLock<Certificates> =
    LazyLock::new(|| make().unwrap_or_else(|error| panic!("the certificates cannot be made: {error}")));

/// The certificate that a server presents: `good`, `untrusted`, `expired` or `name`.
pub fn server(kind: &str) -> Arc<ServerConfig> {
    CERTIFICATES.servers[kind].clone()
}

/// The file with the authority that clients are configured to trust.
pub fn authority() -> PathBuf {
    CERTIFICATES.authority.clone()
}

type CertificateError = Box<dyn std::error::Error>;

fn make() -> Result<Certificates, CertificateError> {
    let (trusted, other) = (issuer("trusted")?, issuer("other")?);
    let here = ["127.0.0.1", "localhost", BEHIND_THE_PROXY];
    let mut servers = HashMap::new();
    for (kind, issuer, names) in [
        ("good", &trusted, &here[..]),
        ("untrusted", &other, &here[..]),
        ("expired", &trusted, &here[..]),
        ("name", &trusted, &["elsewhere.example"][..]),
    ] {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut wanted = CertificateParams::new(names)?;
        if kind == "expired" {
            wanted.not_before = date_time_ymd(2020, 1, 1);
            wanted.not_after = date_time_ymd(2021, 1, 1);
        }
        let key = KeyPair::generate()?;
        let chain = vec![wanted.signed_by(&key, issuer)?.der().clone()];
        servers.insert(kind, Arc::new(config(chain, key.serialize_der())?));
    }
    let authority = std::env::temp_dir().join(format!("sondage-campaign-{}.pem", std::process::id()));
    std::fs::write(&authority, trusted.pem())?;
    Ok(Certificates { servers, authority })
}

fn issuer(name: &str) -> Result<CertifiedIssuer<'static, KeyPair>, CertificateError> {
    let mut wanted = CertificateParams::default();
    wanted.distinguished_name.push(DnType::CommonName, name);
    wanted.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    Ok(CertifiedIssuer::self_signed(wanted, KeyPair::generate()?)?)
}

fn config(chain: Vec<CertificateDer<'static>>, key: Vec<u8>) -> Result<ServerConfig, CertificateError> {
    let key = PrivateKeyDer::try_from(key)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_no_client_auth().with_single_cert(chain, key)?)
}
