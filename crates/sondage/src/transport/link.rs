//! Links that the service hands out: what is behind them is fetched with care, because an answer is not to be believed.

use super::engine::Engine;
use super::http::{Ceiling, is_loopback};
use crate::error::{Error, Result};
use bytes::Bytes;
use std::time::Instant;
use url::{Host, Url};

/// The largest document.
const CEILING: Ceiling = Ceiling { bytes: 128 << 20, name: "128 MiB for a document" };
/// How often a link may lead to another address.
const HOPS: usize = 5;

impl Engine {
    /// What is behind a link. The token is never sent along, and each address on the way is judged.
    pub async fn follow(&self, link: &str, deadline: Instant) -> Result<Bytes> {
        let mut url = Url::parse(link).map_err(|_| Error::invalid_argument("the link is not an address"))?;
        for _ in 0..HOPS {
            self.judge(&url)?;
            let answer = self.http.get(url.clone(), deadline).await.map_err(failed)?;
            match answer.status {
                200 => return answer.bytes(CEILING).await.map_err(failed),
                301 | 302 | 303 | 307 | 308 => {
                    let target = answer.headers.get(http::header::LOCATION).and_then(|it| it.to_str().ok());
                    let target = target.and_then(|target| url.join(target).ok());
                    url = target.ok_or_else(|| Error::unexpected_response("the link leads nowhere"))?;
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
        Err(Error::unexpected_response("the link leads from one address to the next"))
    }

    /// A link must not make this machine talk to what only this machine can reach.
    fn judge(&self, url: &Url) -> Result<()> {
        let own = is_loopback(&self.config.base_url);
        let inside = match url.host() {
            Some(Host::Ipv4(ip)) => {
                ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified()
            }
            Some(Host::Ipv6(ip)) => {
                ip.is_loopback()
                    || ip.is_unspecified()
                    || ip.is_unique_local()
                    || ip.is_unicast_link_local()
                    || ip.to_ipv4_mapped().is_some()
            }
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            None => true,
        };
        if inside && !(own && is_loopback(url)) {
            return Err(Error::invalid_argument("the link leads into a private network"));
        }
        Ok(())
    }
}

fn failed(failure: super::failure::Failure) -> Error {
    Error::network(failure.what).with_delivery(failure.delivery).with_safe_to_repeat(true)
}
