//! The authentication server, after RFC 6749 and with PKCE (RFC 7636).
// API 2.1

mod authorize;
mod form;
mod grants;
mod id_token;
mod page;
mod redirect;

use crate::account::DataCenter;
use crate::server::{Door, Received, Reply};
use crate::state::Shared;
use http::{Method, StatusCode};

const AUTHORIZE: &str = "/openid/authorize";
const TOKEN: &str = "/openid/token";
const JWKS: &str = "/openid/jwks";

/// The name of an endpoint in ledger and faults; empty when the path is none.
pub(crate) fn endpoint(door: Door, path: &str) -> &'static str {
    match path {
        _ if !door.auth => "",
        AUTHORIZE => "authorize",
        TOKEN => "token",
        JWKS => "jwks",
        _ => "",
    }
}

/// `None` for a path that is not the authentication server's.
pub(crate) fn answer(shared: &Shared, data_center: DataCenter, received: &Received) -> Option<Reply> {
    let server = Server { shared, data_center };
    let reply = match (received.path.as_str(), &received.method) {
        (AUTHORIZE, &Method::GET) => authorize::show(&server, &received.query),
        (AUTHORIZE, &Method::POST) => authorize::submit(&server, received),
        (TOKEN, &Method::POST) => grants::answer(&server, received),
        (JWKS, &Method::GET) => Reply::json(StatusCode::OK, id_token::keys().to_string()),
        (AUTHORIZE, _) => not_allowed("GET, POST"),
        (TOKEN, _) => not_allowed("POST"),
        (JWKS, _) => not_allowed("GET"),
        _ => return None,
    };
    Some(reply)
}

/// The authentication server of one data center.
struct Server<'a> {
    shared: &'a Shared,
    data_center: DataCenter,
}

fn not_allowed(methods: &str) -> Reply {
    let text =
        serde_json::json!({ "error": "invalid_request", "error_description": format!("Use {methods}.") });
    let mut reply = Reply::json(StatusCode::METHOD_NOT_ALLOWED, text.to_string());
    reply.set("allow", methods);
    reply
}
