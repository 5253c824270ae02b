//! The public API as an `OpenAPI` 3.1 document and as pages.
//!
//! Both are generated from the operation table and the descriptions of the models, so that they include every row.
//! Extensions express what `OpenAPI` cannot:
//!
//! | extension | where | what |
//! |---|---|---|
//! | `x-source` | operations, models, fields | the source: a section of `docs/api` and its mark, such as `API <section>, specified` |
//! | `x-effect` | operations | the effect of a call: `read`, `idempotent_write`, `create`, `schema_change`, `send`, `token` |
//! | `x-reconcile` | operations | how to find out what happened when the outcome of a call is unknown |
//! | `x-pages` | operations | the list in the response that is paged |
//! | `x-other-path-of` | operations | another known path of the same operation |
#![forbid(unsafe_code)]
#![warn(missing_debug_implementations)]

mod document;
mod page;
pub mod prose;
mod sample;
mod schema;
mod security;

pub use document::{Document, document};
pub use page::{Manual, page};

/// The style of all pages, including those that the sandbox adds: design tokens, light and dark.
pub const STYLE: &str = include_str!("style.css");

use serde_json::Value;
use sondage::config::DataCenter;
use sondage::internals::schema::FieldSchema;

/// The addresses of one data center.
#[derive(Clone, Debug)]
pub struct Server {
    /// `swiss` or `eu`.
    pub data_center: String,
    /// The base address of the public API.
    pub api: String,
    /// The base address of the authentication server.
    pub auth: String,
}

impl Server {
    /// The service itself.
    // API 1.2, published
    pub fn published() -> Vec<Self> {
        let server = |center: DataCenter| Self {
            data_center: center.to_string(),
            api: center.base_url(),
            auth: center.auth_url(),
        };
        DataCenter::ALL.map(server).into()
    }
}

/// The differences between the document of the service and that of a sandbox.
pub struct Edition<'a> {
    /// The base addresses of the API.
    pub servers: Vec<Server>,
    /// Example values that refer to existing data, for a field of a request.
    pub examples: &'a dyn Fn(&FieldSchema) -> Vec<Value>,
}

impl std::fmt::Debug for Edition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edition").field("servers", &self.servers).finish_non_exhaustive()
    }
}

impl Edition<'_> {
    /// The service itself: without example ids.
    pub fn published() -> Self {
        Self { servers: Server::published(), examples: &|_| Vec::new() }
    }
}
