//! Access to the console: only with the key of this run, and forms only from the sandbox's own pages.

use super::PREFIX;
use crate::refusal::Refusal;
use crate::server::BufferedRequest;
use crate::state::ServerState;
use crate::text::is_loopback;
use http::header::{ACCEPT, HOST, HeaderName, ORIGIN, REFERER};
use http::{HeaderMap, Method};
use subtle::ConstantTimeEq as _;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The path after the key; `None` if the key is wrong. The comparison takes constant time.
pub(super) fn unlocked<'r>(shared: &ServerState, received: &'r BufferedRequest) -> Option<&'r str> {
    behind(shared, &received.path)
}

fn behind<'p>(shared: &ServerState, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(PREFIX)?.strip_prefix('/')?;
    let (given, rest) = rest.split_once('/').unwrap_or((rest, ""));
    bool::from(given.as_bytes().ct_eq(shared.console_key.as_bytes())).then_some(rest)
}

/// The page of the console from which a link led here. Its visitor has the key.
pub(crate) fn came_from<'h>(shared: &ServerState, headers: &'h HeaderMap) -> Option<&'h str> {
    let origin = format!("http://{}", text(headers, HOST));
    let path = text(headers, REFERER).strip_prefix(&origin)?;
    behind(shared, path).map(|_| path)
}

/// Only reading, and forms of our own pages. A page of the web whose name leads to this machine has another host.
pub(super) fn admit(received: &BufferedRequest) -> Result<(), Refusal> {
    let headers = &received.headers;
    let host = text(headers, HOST);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !is_loopback(name) {
        let why = "The console answers at the address of this machine only, such as 127.0.0.1.";
        return Err(Refusal::forbidden("HostRefused", why));
    }
    match received.method {
        Method::GET => Ok(()),
        Method::POST if is_ours(headers) => Ok(()),
        Method::POST => {
            let why = "The form was not sent by a page of the console, so nothing was changed. Open the console and try again.";
            Err(Refusal::forbidden("OriginRefused", why))
        }
        _ => Err(Refusal::new(http::StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "Use GET or POST.")),
    }
}

/// Whether a form comes from a page of this address. Browsers send `Origin` with every form; programs need not use forms.
pub(super) fn is_ours(headers: &HeaderMap) -> bool {
    let site = text(headers, FETCH_SITE);
    text(headers, ORIGIN) == format!("http://{}", text(headers, HOST)) && matches!(site, "" | "same-origin")
}

/// Whether a browser requests a page: clients of the API do not accept HTML.
pub(crate) fn leads_here(headers: &HeaderMap) -> bool {
    text(headers, ACCEPT).contains("text/html")
}

fn text(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
