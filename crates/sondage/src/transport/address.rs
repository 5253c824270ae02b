//! Addresses to which a link in a response must not lead.
//!
//! A host name does not show where it leads, and it may resolve differently when it is checked and when the connection is
//! made. So the resolver that the connection itself uses checks the resolved addresses.

use super::failure::Failure;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::error::Error as StdError;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::{fmt, io};

/// An address of this machine, of a private network, or one that the public internet does not route.
pub(crate) fn is_inside(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_inside_v4(ip),
        IpAddr::V6(ip) => is_inside_v6(ip),
    }
}

fn is_inside_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || matches!((a, b, c), (0 | 240.., _, _) | (100, 64..=127, _) | (192, 0, 0) | (198, 18..=19, _))
}

fn is_inside_v6(ip: Ipv6Addr) -> bool {
    let parts = ip.segments();
    if let Some(ip) = translated(ip) {
        return is_inside_v4(ip);
    }
    ip.is_loopback()
        || ip.is_unspecified()
        || ip.is_multicast()
        || ip.is_unique_local()
        || ip.is_unicast_link_local()
        // fec0::/10, site-local, which some networks still use.
        || parts[0] & 0xffc0 == 0xfec0
        // 64:ff9b:1::/48: translation inside one network.
        || parts[..3] == [0x64, 0xff9b, 1]
}

/// The IPv4 address that is embedded in an IPv6 address: mapped, compatible, `64:ff9b::/96` (networks without IPv4 give
/// every public name such an address) and `2002::/16`.
fn translated(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let parts = ip.segments();
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match parts {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

/// Whether an IPv6 address embeds an IPv4 address.
pub(crate) fn is_translated(ip: Ipv6Addr) -> bool {
    translated(ip).is_some()
}

/// Resolves names normally, but refuses names that resolve to private addresses.
pub(crate) struct AddressFilter {
    /// Hosts that the user named: proxies are often in the private network.
    pub trusted: Vec<String>,
    pub lookup: fn(String) -> Lookup,
}

type Lookup = std::pin::Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// The system's resolver.
pub(crate) fn system(name: String) -> Lookup {
    Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
}

impl Resolve for AddressFilter {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let trusted = self.trusted.iter().any(|host| host.eq_ignore_ascii_case(&name));
        let lookup = (self.lookup)(name);
        Box::pin(async move {
            let addresses = lookup.await?;
            if !trusted && addresses.iter().any(|address| is_inside(address.ip())) {
                return Err(Box::new(Inside) as Box<dyn StdError + Send + Sync>);
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// A name resolves to a private address.
#[derive(Debug)]
pub(crate) struct Inside;

impl Inside {
    /// Whether that is why an exchange failed. If not, the other error.
    pub fn or_failure(error: &reqwest::Error) -> Result<Self, Failure> {
        let mut causes = std::iter::successors(error.source(), |&e| e.source());
        if causes.any(|e| e.downcast_ref::<Self>().is_some()) {
            return Ok(Self);
        }
        Err(Failure::of(error, true))
    }
}

impl fmt::Display for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name points to a private network")
    }
}

impl StdError for Inside {}

#[cfg(test)]
mod tests {
    use super::super::failure::FailureCause;
    use super::*;
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    #[test]
    fn addresses_that_the_internet_does_not_route_to_are_inside() {
        for inside in [
            "127.0.0.1",
            "127.9.9.9",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "0.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.170",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::a00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "feff::1",
            "ff02::1",
            "64:ff9b::7f00:1",
            "64:ff9b::a00:1",
            "64:ff9b::6440:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
        ] {
            assert!(is_inside(inside.parse().unwrap()), "{inside}");
        }
        for outside in [
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.32.0.1",
            "192.0.2.1",
            "198.17.0.1",
            "198.20.0.1",
            "203.0.113.7",
            "2001:db8::1",
            "2606:4700::1111",
            "64:ff9b::808:808",
            "::ffff:8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(!is_inside(outside.parse().unwrap()), "{outside}");
        }
    }

    fn here(_: String) -> Lookup {
        Box::pin(async { Ok(vec!["127.0.0.1:0".parse().unwrap()]) })
    }

    /// Resolved addresses are checked when the connection is made: here none is made.
    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_before_a_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let client = |trusted: &[&str]| {
            let trusted = trusted.iter().map(|host| (*host).to_owned()).collect();
            reqwest::Client::builder()
                .tls_backend_preconfigured(crate::transport::tls::nobody().unwrap())
                .no_proxy()
                .dns_resolver(Arc::new(AddressFilter { trusted, lookup: here }))
                .build()
                .unwrap()
        };
        let address = format!("http://documents.example:{port}/a.pdf");
        let error = client(&["proxy.example"]).get(&address).send().await.unwrap_err();
        assert!(Inside::or_failure(&error).is_ok(), "{error:?}");
        assert!(tokio::time::timeout(std::time::Duration::from_millis(50), listener.accept()).await.is_err());

        // A host that the user named may resolve to any address.
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1024]).await;
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
        });
        assert_eq!(client(&["Documents.example"]).get(&address).send().await.unwrap().status(), 204);
        served.await.unwrap();
        // Nothing listens there any more, which is a different failure.
        let error = client(&["documents.example"]).get(&address).send().await.unwrap_err();
        assert_eq!(Inside::or_failure(&error).map(drop).unwrap_err().cause, FailureCause::Connect);
    }
}
