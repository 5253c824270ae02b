//! What describes an operation: a row of the table in [`operations`](mod@crate::operations).

use crate::model::{Identified, Json, Paging};
use crate::schema::{Model, ModelSchema};
use serde::{Serialize, de::DeserializeOwned};

/// The effect of a call on the service. It decides what may be done after an unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Changes nothing: may be retried.
    Read,
    /// Idempotent: has the same effect however often it is sent.
    IdempotentWrite,
    /// Creates something: a retry could create it twice.
    Create,
    /// Changes the structure on which other data depend: read it before you call again.
    SchemaChange,
    /// Sends messages or spends money: a retry could do it twice, and it cannot be undone.
    Send,
    /// Requests a token.
    Token,
}

impl Effect {
    /// Whether a retry after an unknown outcome is safe.
    pub fn idempotent(self) -> bool {
        matches!(self, Self::Read | Self::IdempotentWrite)
    }

    /// Its name in the table and the documentation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::IdempotentWrite => "idempotent_write",
            Self::Create => "create",
            Self::SchemaChange => "schema_change",
            Self::Send => "send",
            Self::Token => "token",
        }
    }
}

/// Where the request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestLocation {
    /// In the body, as JSON.
    Body,
    /// In the query string. The body is an empty object.
    Query,
}

/// The source of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The specification.
    Spec,
    /// The definition published by the service.
    Published,
}

/// The error with which the service says that the object to delete does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gone {
    /// The service's `errorCode` (assumed: no code is published).
    pub code: &'static str,
    /// The wire name of the list in the request that names what to delete. The error code is conclusive only if the list
    /// has one element: with several, the missing one may be the only one that was deleted.
    pub list: Option<&'static str>,
}

/// A row of the table as data.
#[derive(Debug)]
#[non_exhaustive]
pub struct OperationInfo {
    /// The API's name, for example `ReadMemberList`.
    pub name: &'static str,
    /// The name in Rust and Python, for example `read_member_list`.
    pub method: &'static str,
    /// The area of the API, which is also the name of the module of its models.
    pub area: &'static str,
    /// The path below the base address.
    pub path: &'static str,
    /// Alternative paths, tried when the first responds with 404 or 405; for a call that is not a read only if that response is
    /// not one of the API.
    pub fallback_paths: &'static [&'static str],
    /// Where the request is sent.
    pub location: RequestLocation,
    /// The effect of a call.
    pub effect: Effect,
    /// The array of the response that is paged, by its wire name in snake case.
    pub pages: Option<&'static str>,
    /// The source in the documentation.
    pub source: Source,
    /// For an unknown outcome: how to find out what happened.
    pub reconcile: Option<&'static str>,
    /// For a write that is never retried: the fields of its request, by their wire names, that distinguish its effect from
    /// others. Empty if the API shows nothing of its effect.
    pub evidence: Option<&'static [&'static str]>,
    /// For a deletion: the error with which a retried call shows that the earlier attempt took effect.
    pub gone: Option<Gone>,
    /// The documentation.
    pub docs: &'static str,
    /// The request.
    pub request: &'static ModelSchema,
    /// The answer.
    pub response: &'static ModelSchema,
}

impl OperationInfo {
    /// Whether the specification and the published definition name different paths.
    pub(crate) fn has_published_path(&self) -> bool {
        self.source == Source::Spec && !self.fallback_paths.is_empty()
    }

    /// Its paths in the order in which they are tried.
    pub(crate) fn paths(&self, published_first: bool) -> Vec<&'static str> {
        let mut paths: Vec<_> =
            std::iter::once(self.path).chain(self.fallback_paths.iter().copied()).collect();
        if published_first && self.has_published_path() {
            paths.reverse();
        }
        paths
    }
}

/// An operation of the API: a type for each row of the table.
pub trait Operation: Send + Sync + 'static {
    /// The request.
    type Request: Request;
    /// The response, without the envelope.
    type Response: Model + Serialize + DeserializeOwned + Send + 'static;
    /// The row as data.
    const INFO: &'static OperationInfo;
}

/// The request of any operation.
pub trait Request: Model + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// Fills in what the service requires and the caller may leave out: the tenant, for operations that have one, and
    /// fields marked `#[wire(required)]`.
    fn apply_defaults(&mut self, tenant: &str);
}

/// An operation whose response is one page of a list.
pub trait Paged: Operation {
    /// A row of the list.
    type Item: Identified + Serialize + Send + 'static;

    /// Sets the page to request.
    fn turn(request: &mut Self::Request, paging: Paging);

    /// The page that the caller requested.
    fn asked(request: &Self::Request) -> Option<&Paging>;

    /// Whether the request has conditions: it returns a part of a list, which the service may count in another way.
    fn is_filtered(request: &Self::Request) -> bool;

    /// The rows, and the service's count of the whole list.
    fn rows(response: Self::Response) -> (Vec<Self::Item>, Option<i64>);
}

/// A call by its path, to an operation that is not in the table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RawCall {
    /// The path below the base address, for example `/publicapi/Panel/v4/ReadPanel`.
    pub path: String,
    /// The body. It is sent unchanged: if the operation needs a tenant, the body must contain it.
    pub body: Json,
    /// The effect of the call. It is required, because it decides what happens after an unknown outcome. For an operation of the
    /// table it must be that of the table.
    pub effect: Effect,
}

impl RawCall {
    /// A call to `path` with `body`.
    pub fn new(path: impl Into<String>, body: Json, effect: Effect) -> Self {
        Self { path: path.into(), body, effect }
    }
}
