//! The authentication server, after RFC 6749 and with PKCE (RFC 7636).
// API 2.1

mod authorize;
mod form;
mod grants;
mod id_token;
mod page;
mod redirect;

use crate::account::DataCenter;
use crate::server::{BufferedRequest, ListenerRole, Reply};
use crate::state::ServerState;
use http::{Method, StatusCode};

const AUTHORIZE: &str = "/openid/authorize";
const TOKEN: &str = "/openid/token";
const JWKS: &str = "/openid/jwks";

/// The name of an endpoint for the ledger and for faults; empty if the path belongs to none.
pub(crate) fn endpoint(role: ListenerRole, path: &str) -> &'static str {
    match path {
        _ if !role.auth => "",
        AUTHORIZE => "authorize",
        TOKEN => "token",
        JWKS => "jwks",
        _ => "",
    }
}

/// `None` for a path that does not belong to the authentication server.
pub(crate) fn answer(
    shared: &ServerState,
    data_center: DataCenter,
    received: &BufferedRequest,
) -> Option<Reply> {
    let server = OAuthServer { shared, data_center };
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
struct OAuthServer<'a> {
    shared: &'a ServerState,
    data_center: DataCenter,
}

fn not_allowed(methods: &str) -> Reply {
    let text =
        serde_json::json!({ "error": "invalid_request", "error_description": format!("Use {methods}.") });
    let mut reply = Reply::json(StatusCode::METHOD_NOT_ALLOWED, text.to_string());
    reply.set("allow", methods);
    reply
}
