//! Downloads from links that the service returns. They are fetched with care: a response could name any
//! address.

use super::engine::Engine;
use crate::error::{Error, Redactor, Result};
use crate::transport::address::{Inside, is_inside, is_translated};
use crate::transport::failure::Failure;
use crate::transport::http::BodyLimit;
use crate::transport::settings::is_loopback;
use bytes::Bytes;
use std::time::Instant;
use url::{Host, Url};

/// The maximum size of a document.
const CEILING: BodyLimit = BodyLimit { bytes: 128 << 20, name: "128 MiB for a document" };
/// The maximum number of redirects.
const HOPS: usize = 5;

impl Engine {
    /// Downloads the document behind a link. The token is never sent along, and each redirect is checked.
    pub async fn follow(&self, link: &str, deadline: Instant) -> Result<Bytes> {
        let mut seen = vec![link.to_owned()];
        let result = self.lead(link, deadline, &mut seen).await;
        let secrets = || seen.iter().map(String::as_str).chain(self.config.secrets());
        result.map_err(|error| error.without(&Redactor::new(secrets())))
    }

    /// `seen`: every URL on the way, for redaction, because each one gives access to the document.
    async fn lead(&self, link: &str, deadline: Instant, seen: &mut Vec<String>) -> Result<Bytes> {
        let mut url = Url::parse(link).map_err(|_| Error::invalid_argument("the link is not an address"))?;
        for _ in 0..HOPS {
            judge(&url, &self.config.base_url, self.config.loopback_only)?;
            let own = is_own(&url, &self.config.base_url);
            let answer = self.http.get(url.clone(), own, deadline).await.map_err(failed)?;
            let answer = answer.map_err(|Inside| forbidden())?;
            let ledger = self.ledger.clone();
            let answer = answer.metered(move |bytes| ledger.arrived(bytes));
            match answer.status {
                200 => return answer.bytes(CEILING).await.map_err(failed),
                301 | 302 | 303 | 307 | 308 => {
                    let target = answer.headers.get(http::header::LOCATION).and_then(|it| it.to_str().ok());
                    let target = target.and_then(|target| url.join(target).ok());
                    url = target.ok_or_else(|| {
                        Error::unexpected_response("the link redirects without a valid address")
                    })?;
                    seen.push(url.as_str().to_owned());
                }
                status @ (408 | 425 | 429 | 500..) => {
                    return Err(Error::network(format!("the link answered {status}")).with_status(status));
                }
                status => {
                    return Err(Error::api(format!("the link answered {status}"))
                        .with_status(status)
                        .with_hint("A link works for a limited time: ask for a new one."));
                }
            }
        }
        Err(Error::unexpected_response("the link redirects too often"))
    }
}

/// A link must not make this machine connect to hosts that only this machine can reach. Host names are checked by the
/// addresses to which they resolve, when the connection is made. The host of the service itself was named by the user, and is
/// trusted.
fn judge(url: &Url, base: &Url, loopback_only: bool) -> Result<()> {
    if loopback_only && !is_loopback(url) {
        let what = "the link leads to another machine, and this process may only talk to this machine";
        return Err(Error::configuration(what)
            .with_hint("Remove the setting `loopback_only` if calls may leave this machine."));
    }
    let inside = match url.host() {
        Some(Host::Ipv4(ip)) => is_inside(ip.into()),
        // IPv6 addresses that embed IPv4 are meant for network equipment, not for links.
        Some(Host::Ipv6(ip)) => is_inside(ip.into()) || is_translated(ip),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        None => true,
    };
    let own = is_loopback(base) && is_loopback(url) || is_own(url, base);
    if inside && !own {
        return Err(forbidden());
    }
    Ok(())
}

fn is_own(url: &Url, base: &Url) -> bool {
    url.host().is_some() && url.host() == base.host()
}

fn forbidden() -> Error {
    Error::invalid_argument("the link points to a private network")
}

fn failed(failure: Failure) -> Error {
    Error::network(failure.what)
        .with_delivery(failure.delivery)
        .with_safe_to_retry(true)
        .with_source(failure.source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_service_or_outside() {
        let judged = |link: &str, base: &str| {
            judge(&Url::parse(link).unwrap(), &Url::parse(base).unwrap(), false).is_ok()
        };
        let service = "https://api.example";
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f.1",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.1",
            "[::1]",
            "[::7f00:1]",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::808:808]",
            "[fec0::1]",
            "localhost",
            "localhost.",
            "LOCALHOST",
            "a.localhost",
            "a.localhost.",
            "169.254.169.254",
        ] {
            assert!(!judged(&format!("https://{host}/latest"), service), "{host}");
        }
        for link in [
            "https://documents.example/a",
            "https://8.8.8.8/",
            "https://[2606:4700::1111]/",
            "https://api.example/a",
        ] {
            assert!(judged(link, service), "{link}");
        }
        // Allowed for the sandbox, and for a service that the user has named inside the private network.
        assert!(judged("http://127.0.0.1:81/", "http://127.0.0.1:80"));
        assert!(
            judged("https://10.0.0.5/a", "https://10.0.0.5")
                && !judged("https://10.0.0.6/a", "https://10.0.0.5")
        );
        assert!(!judged("https://10.0.0.5/a", "http://127.0.0.1:80"));

        let here =
            |link: &str| judge(&Url::parse(link).unwrap(), &Url::parse("http://127.0.0.1:80").unwrap(), true);
        here("http://127.0.0.1:81/").and_then(|()| here("http://[::1]/")).unwrap();
        for link in ["https://documents.example/a", "https://127.0.0.1.example/", "https://8.8.8.8/"] {
            let error = here(link).expect_err(link);
            assert_eq!(error.kind(), crate::ErrorKind::Configuration, "{error}");
            assert!(error.to_string().contains("may only talk to this machine"), "{error}");
        }
    }
}
