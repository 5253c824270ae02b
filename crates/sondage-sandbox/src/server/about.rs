//! The sandbox's description of its API: a document for programs and a page for people.

use super::{BufferedRequest, Reply};
use crate::account::DataCenter;
use crate::api::Examples;
use crate::console::{STYLE_PATH, came_from};
use crate::refusal::Refusal;
use crate::state::ServerState;
use http::{Method, StatusCode};
use sondage_openapi::{Edition, Server, document, page};

/// The document at `/openapi.json` and the page at `/docs`. Neither needs a token.
pub(super) fn answer(shared: &ServerState, here: DataCenter, received: &BufferedRequest) -> Option<Reply> {
    if received.method != Method::GET {
        return None;
    }
    match received.path.as_str() {
        "/docs" => {
            let page = page(STYLE_PATH, came_from(shared, &received.headers));
            Some(Reply::html(StatusCode::OK, page))
        }
        "/openapi.json" => Some(describe(shared, here)),
        _ => None,
    }
}

/// The document with this sandbox's address, and ids of its first account as examples.
fn describe(shared: &ServerState, here: DataCenter) -> Reply {
    let address = shared.address(here);
    let server =
        Server { data_center: here.to_string(), api: address.api.clone(), auth: address.auth.clone() };
    let world = shared.world();
    let examples = Examples::of(&world, here);
    let edition = Edition { servers: vec![server], examples: &|field| examples.of_field(field.wire) };
    match serde_json::to_vec_pretty(&document(&edition)) {
        Ok(text) => Reply::json(StatusCode::OK, text),
        Err(why) => {
            let why = format!("The document cannot be written: {why}.");
            Reply::refused(&Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "SandboxError", why))
        }
    }
}
