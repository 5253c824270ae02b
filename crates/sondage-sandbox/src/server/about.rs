//! The sandbox's description of its API: a document for programs and a page for people.

use super::{BufferedRequest, Reply};
use crate::account::DataCenter;
use crate::api::Examples;
use crate::console::{STYLE_PATH, came_from};
use crate::refusal::Refusal;
use crate::state::ServerState;
use http::{Method, StatusCode};
use sondage_openapi::{Edition, Manual, Server, document, page};

/// The path of the pages.
const DOCS: &str = "/docs";

/// The document at `/openapi.json` and the pages at `/docs`. Neither needs a token.
pub(super) fn answer(shared: &ServerState, here: DataCenter, received: &BufferedRequest) -> Option<Reply> {
    if received.method != Method::GET {
        return None;
    }
    match received.path.as_str() {
        "/openapi.json" => Some(describe(shared, here)),
        path => {
            let area = match path.strip_prefix(DOCS)? {
                "" => None,
                rest => Some(rest.strip_prefix('/')?),
            };
            let back = came_from(shared, &received.headers);
            let shown = with_edition(shared, here, |edition| {
                page(&Manual { style: STYLE_PATH, root: DOCS, back, edition }, area)
            });
            shown.map(|page| Reply::html(StatusCode::OK, page))
        }
    }
}

/// This sandbox's address, and ids of its first account as examples.
fn with_edition<T>(shared: &ServerState, here: DataCenter, show: impl FnOnce(Edition<'_>) -> T) -> T {
    let address = shared.address(here);
    let server =
        Server { data_center: here.to_string(), api: address.api.clone(), auth: address.auth.clone() };
    let world = shared.world();
    let examples = Examples::of(&world, here);
    show(Edition { servers: vec![server], examples: &|field| examples.of_field(field.wire) })
}

/// The document.
fn describe(shared: &ServerState, here: DataCenter) -> Reply {
    match with_edition(shared, here, |edition| serde_json::to_vec_pretty(&document(&edition))) {
        Ok(text) => Reply::json(StatusCode::OK, text),
        Err(why) => {
            let why = format!("The document cannot be written: {why}.");
            Reply::refused(&Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "SandboxError", why))
        }
    }
}
