//! Where a code may be sent, and how it is returned.

use super::page;
use crate::profile::CodeDelivery;
use crate::server::Reply;
use crate::text::is_loopback;
use crate::world::Tenant;
use http::StatusCode;
use url::Url;

/// The address, if codes of this account may be sent there: one that equals a registered one, or any on this machine (RFC
/// 8252, 7.3).
pub(super) fn allowed(tenant: &Tenant, redirect_uri: &str) -> Option<Url> {
    let url = Url::parse(redirect_uri).ok().filter(|url| url.fragment().is_none())?;
    let registered = tenant.redirect_uris.iter().any(|known| known == redirect_uri);
    let local = url.scheme() == "http" && url.host_str().is_some_and(is_loopback);
    (registered || local).then_some(url)
}

/// Sends the browser back with these parameters.
pub(super) fn back(to: &Url, delivery: CodeDelivery, parameters: &[(&str, &str)]) -> Reply {
    if delivery == CodeDelivery::FormPost {
        return Reply::html(StatusCode::OK, page::form_post(to, parameters));
    }
    let mut to = to.clone();
    if delivery == CodeDelivery::Query {
        to.query_pairs_mut().extend_pairs(parameters);
    } else {
        let text: String =
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        to.set_fragment(Some(&text));
    }
    let mut reply = Reply::html(StatusCode::FOUND, String::new());
    reply.set("location", to.as_str());
    reply
}
