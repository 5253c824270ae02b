//! What an operation is: a row of the table in [`operations`](mod@crate::operations).

use crate::model::{Identified, Json, Paging};
use crate::schema::{Model, ModelSchema};
use serde::{Serialize, de::DeserializeOwned};

/// The effect of a call on the service. It decides what may be done after an unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Changes nothing: may be repeated.
    Read,
    /// Has the same effect however often it is repeated.
    IdempotentWrite,
    /// Makes something new: a repeat would make it twice.
    Create,
    /// Changes what others build on: read it back before you repeat it.
    SchemaChange,
    /// Reaches people or spends money: a repeat would do it twice, and nobody can take it back.
    Send,
    /// Asks for a token.
    Token,
}

impl Effect {
    /// Whether a repeat after an unknown outcome does no harm.
    pub fn idempotent(self) -> bool {
        matches!(self, Self::Read | Self::IdempotentWrite)
    }

    /// The word for it in the table and the documentation.
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

/// Where a request travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestLocation {
    /// In the body, as JSON.
    Body,
    /// In the query of the address. The body is an empty object.
    Query,
}

/// Where an operation is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The specification.
    Spec,
    /// The definition that the service has published.
    Published,
}

/// The refusal that says of a deletion that there is nothing to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gone {
    /// The service's `errorCode` (assumed: no code is published).
    pub code: &'static str,
    /// The list of the request, by its wire name, that says what to delete. The code tells something only when there is
    /// one element: of several, the missing one may be the only one that is gone.
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
    /// The area of the API, as the module of its models is called.
    pub area: &'static str,
    /// The path below the base address.
    pub path: &'static str,
    /// Other paths that are known for it, tried when the first answers 404 or 405.
    pub fallback_paths: &'static [&'static str],
    /// Where the request travels.
    pub location: RequestLocation,
    /// What a call may do.
    pub effect: Effect,
    /// The array of the answer that is paged, by its wire name in snake case.
    pub pages: Option<&'static str>,
    /// Where it is known from.
    pub source: Source,
    /// After an unknown outcome: how to find out what happened.
    pub reconcile: Option<&'static str>,
    /// For a deletion: the refusal by which a repeated call shows that it has happened.
    pub gone: Option<Gone>,
    /// The documentation.
    pub docs: &'static str,
    /// The request.
    pub request: &'static ModelSchema,
    /// The answer.
    pub response: &'static ModelSchema,
}

/// An operation of the API: a type for each row of the table.
pub trait Operation: Send + Sync + 'static {
    /// What is sent.
    type Request: Request;
    /// What comes back, next to the envelope.
    type Response: Model + Serialize + DeserializeOwned + Send + 'static;
    /// The row as data.
    const INFO: &'static OperationInfo;
}

/// A request of any operation.
pub trait Request: Model + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// Completes what the service insists on and the caller may leave out: the tenant, where the operation has one, and
    /// fields marked `#[wire(required)]`.
    fn apply_defaults(&mut self, tenant: &str);
}

/// An operation whose answer is one page of a list.
pub trait Paged: Operation {
    /// A row of the list.
    type Item: Identified + Serialize + Send + 'static;

    /// Asks for another page.
    fn turn(request: &mut Self::Request, paging: Paging);

    /// The page the caller asked for.
    fn asked(request: &Self::Request) -> Option<&Paging>;

    /// The rows, and what the service says the whole list counts.
    fn rows(response: Self::Response) -> (Vec<Self::Item>, Option<i64>);
}

/// A call to an operation that the table does not know.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RawCall {
    /// The path below the base address, for example `/publicapi/Panel/v3/ReadPanel`.
    pub path: String,
    /// The body. It is sent as it is: a tenant that the operation needs stands in it.
    pub body: Json,
    /// What the call may do. It decides what happens after an unknown outcome, so it must be said.
    pub effect: Effect,
}

impl RawCall {
    /// A call to `path` with `body`.
    pub fn new(path: impl Into<String>, body: Json, effect: Effect) -> Self {
        Self { path: path.into(), body, effect }
    }
}
