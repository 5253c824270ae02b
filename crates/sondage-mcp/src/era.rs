//! The two ways in which a client states the version of the protocol: in a handshake (`initialize`), or since 2026-07-28 in
//! each request.

use crate::wire::{Refusal, WRONG_PARAMETERS};
use serde_json::{Value, json};

/// The version that is stated in each request.
pub const PER_REQUEST: &str = "2026-07-28";
/// The versions that begin with a handshake, the newest last.
const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const NO_VERSION: i32 = -32_022;

const PROTOCOL: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The key of a message's subscription.
pub const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// How long a client may keep the list of tools, in milliseconds. It changes only when the server is started with other options.
const KEPT_MS: u32 = 300_000;

/// How a client states the version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Once, in `initialize`.
    Handshake,
    /// In each request.
    PerRequest,
}

impl Era {
    /// Determines the era of a request.
    pub fn of(method: &str, parameters: &Value) -> Result<Self, Refusal> {
        let meta = &parameters["_meta"];
        match meta.get(PROTOCOL) {
            None if method == "server/discover" => {
                Err(Refusal::new(WRONG_PARAMETERS, format!("`_meta` has no `{PROTOCOL}`.")))
            }
            None => Ok(Self::Handshake),
            Some(version) if version != PER_REQUEST => {
                let versions = json!({ "supported": [PER_REQUEST], "requested": version });
                let text = format!(
                    "Requests that name their version have to be of {PER_REQUEST}. `initialize` knows {}.",
                    HANDSHAKE.join(", ")
                );
                Err(Refusal { code: NO_VERSION, text, data: Some(versions) })
            }
            Some(_) if !meta[CAPABILITIES].is_object() => {
                Err(Refusal::new(WRONG_PARAMETERS, format!("`_meta` has no `{CAPABILITIES}`.")))
            }
            Some(_) => Ok(Self::PerRequest),
        }
    }

    /// Completes a result as this era requires.
    pub fn result(self, mut result: Value) -> Value {
        if self == Self::PerRequest {
            result["resultType"] = "complete".into();
            result["_meta"][SERVER] = server();
        }
        result
    }

    /// A result that the client may cache.
    pub fn kept(self, mut result: Value) -> Value {
        if self == Self::PerRequest {
            result["ttlMs"] = KEPT_MS.into();
            // The tools are those that the person who started the server allowed.
            result["cacheScope"] = "private".into();
        }
        self.result(result)
    }
}

/// The version that a handshake agrees on: the one that the client requests, or else the newest.
pub fn version(parameters: &Value) -> &'static str {
    let requested_version = parameters["protocolVersion"].as_str().unwrap_or_default();
    HANDSHAKE
        .into_iter()
        .find(|version| *version == requested_version)
        .unwrap_or(HANDSHAKE[HANDSHAKE.len() - 1])
}

/// The server's name and version.
pub fn server() -> Value {
    json!({ "name": "sondage", "version": env!("CARGO_PKG_VERSION") })
}
