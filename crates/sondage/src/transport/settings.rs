//! How connections are made, and the route to an address.

use rustls::pki_types::CertificateDer;
use std::fmt;
use std::time::Duration;
use url::{Host, Url};

/// Settings of the connection.
#[derive(Clone)]
#[non_exhaustive]
pub struct HttpSettings {
    /// The timeout for connecting, including TLS. Default: 10 s.
    pub connect_timeout: Duration,
    /// The longest time without data within a response before it counts as broken. Default: 200 s: the service may
    /// compute for up to 180 s before it sends anything.
    // API 15.2, published
    pub read_timeout: Duration,
    /// Certificate authorities to trust in addition to the usual ones.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// A proxy for this client. Default: from the environment (`HTTPS_PROXY`, ...). Loopback addresses never use one.
    pub proxy: Option<Url>,
    /// The `User-Agent` header.
    pub user_agent: String,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(200),
            extra_roots: Vec::new(),
            proxy: None,
            user_agent: concat!("sondage/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// Omits the user name and the password of the proxy.
impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSettings")
            .field("connect_timeout", &self.connect_timeout)
            .field("read_timeout", &self.read_timeout)
            .field("extra_roots", &format_args!("{} certificates", self.extra_roots.len()))
            .field("proxy", &self.proxy.as_ref().map(without_login))
            .field("user_agent", &self.user_agent)
            .finish()
    }
}

/// Whether an address is on this machine as it is written: another name that resolves to it does not count.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

/// An address for display: without a user name and a password.
pub(crate) fn without_login(url: &Url) -> String {
    let mut shown = url.clone();
    if !url.username().is_empty() || url.password().is_some() {
        let _ = shown.set_username("***");
        let _ = shown.set_password(None);
    }
    shown.as_str().trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_login() {
        for (address, shown) in [
            ("http://proxy.example:8080", "http://proxy.example:8080"),
            ("http://a-key@proxy.example:8080", "http://***@proxy.example:8080"),
            ("http://ada:a-key@proxy.example:8080", "http://***@proxy.example:8080"),
            ("http://:a-key@proxy.example:8080", "http://***@proxy.example:8080"),
        ] {
            assert_eq!(without_login(&address.parse().unwrap()), shown, "{address}");
        }
    }
}
