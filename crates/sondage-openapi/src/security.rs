//! Authentication of callers: OAuth at the authentication server of the account's data center.
// API 2.1

use crate::Edition;
use serde_json::{Map, Value, json};

/// The schemes, one for each data center.
pub fn schemes(edition: &Edition<'_>) -> Value {
    let scheme = |auth: &str| {
        let token = format!("{auth}/openid/token");
        json!({
            "type": "oauth2",
            "description": "Tokens last 30 minutes. The client id is `{tenant}_api`.",
            "flows": {
                "clientCredentials": { "tokenUrl": token, "refreshUrl": token, "scopes": {} },
                "password": { "tokenUrl": token, "refreshUrl": token, "scopes": { "openid": "the user" } },
                "authorizationCode": {
                    "authorizationUrl": format!("{auth}/openid/authorize"),
                    "tokenUrl": token,
                    "refreshUrl": token,
                    "scopes": { "openid": "the user" },
                },
            },
        })
    };
    edition.servers.iter().map(|at| (at.data_center.clone(), scheme(&at.auth))).collect::<Map<_, _>>().into()
}

/// One of these schemes is needed.
pub fn needed(edition: &Edition<'_>) -> Value {
    edition.servers.iter().map(|at| json!({ &at.data_center: [] })).collect()
}
