//! How connections are made, and the route to an address.

use super::tls::ClientCertificate;
use crate::cassette::Cassette;
use crate::error::Text;
use crate::text;
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
    /// The certificate with which this client identifies itself to servers that request one.
    pub client_certificate: Option<ClientCertificate>,
    /// A proxy for this client. Default: the system's. Addresses of this machine use it only if `proxy_here` says so.
    pub proxy: Option<Url>,
    /// The environment variable from which the proxy comes, if it comes from one that belongs to no setting.
    pub proxy_variable: Option<&'static str>,
    /// Hosts that are reached without the proxy, as `NO_PROXY` lists them.
    pub no_proxy: Option<String>,
    /// Whether the proxy is also used for addresses of this machine. It must be one of them itself.
    pub proxy_here: bool,
    /// Whether the system's proxy is used if there is no other.
    pub system_proxy: bool,
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Records the exchanges, or replays them.
    pub(crate) cassette: Option<Cassette>,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(200),
            extra_roots: Vec::new(),
            client_certificate: None,
            proxy: None,
            proxy_variable: None,
            no_proxy: None,
            proxy_here: false,
            system_proxy: true,
            user_agent: concat!("sondage/", env!("CARGO_PKG_VERSION")).to_owned(),
            cassette: None,
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
            .field("client_certificate", &self.client_certificate)
            .field("proxy", &self.proxy.as_ref().map(without_login))
            .field("proxy_variable", &self.proxy_variable)
            .field("no_proxy", &self.no_proxy)
            .field("proxy_here", &self.proxy_here)
            .field("system_proxy", &self.system_proxy)
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}

impl HttpSettings {
    /// The proxy on the way to an address, for an error: its host and port, and where it comes from.
    pub(crate) fn proxy_to(&self, url: &Url) -> Option<Text> {
        let proxy = self.proxy.as_ref()?;
        if is_loopback(url) && !self.proxy_here
            || self.no_proxy.as_ref().is_some_and(|hosts| avoids(hosts, url))
        {
            return None;
        }
        let (host, port) = (proxy.host_str()?.to_owned(), proxy.port_or_known_default()?);
        Some(match self.proxy_variable {
            Some(variable) => text!("the proxy {host}:{port} from {variable}"),
            None => text!("the proxy {host}:{port} from the setting `proxy`"),
        })
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

/// Whether a list such as `NO_PROXY` contains the host of an address: as `*`, as a name or a parent domain, or as an IP
/// address.
pub(crate) fn avoids(hosts: &str, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let mut hosts = hosts.split(',').map(|name| name.trim().trim_start_matches("*.").trim_start_matches('.'));
    hosts.any(|name| {
        let below = host.len().checked_sub(name.len()).and_then(|at| host.split_at_checked(at));
        name == "*"
            || !name.is_empty()
                && below.is_some_and(|(start, end)| {
                    end.eq_ignore_ascii_case(name) && (start.is_empty() || start.ends_with('.'))
                })
    })
}

/// An address for display: without a user name and a password.
pub(crate) fn without_login(url: &Url) -> String {
    let mut masked = url.clone();
    if !url.username().is_empty() || url.password().is_some() {
        let _ = masked.set_username("***");
        let _ = masked.set_password(None);
    }
    masked.as_str().trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_without_a_proxy() {
        for (hosts, address, avoided) in [
            ("*", "https://api.example", true),
            ("a.test, .Example.com", "https://api.example.com", true),
            ("example.com", "https://example.com", true),
            ("*.example.com", "https://api.example.com", true),
            ("example.com", "https://badexample.com", false),
            ("192.0.2.7", "https://192.0.2.7", true),
            ("2001:db8::1", "https://[2001:db8::1]", true),
            ("", "https://api.example", false),
            (" , ", "https://api.example", false),
        ] {
            assert_eq!(avoids(hosts, &address.parse().unwrap()), avoided, "{hosts}: {address}");
        }
    }

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
