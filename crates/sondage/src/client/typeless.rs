//! Calls with the types of their operation erased: their code is compiled once for all operations and languages. Only writing
//! the request and reading the response remain per operation.

use super::Client;
use crate::call::any_reader::{AnyReader, AnyValue};
use crate::call::reader::{Raw, TypedReader};
use crate::error::{Error, Result};
use crate::model::Json;
use crate::operation::{Operation, OperationInfo, Request as _};
use crate::operations;
use crate::response::Response;
use crate::text;
use bytes::Bytes;
use std::fmt;

/// Writes the body of a request to a tenant.
type Write = Box<dyn FnOnce(&str) -> Result<Vec<u8>> + Send + Sync>;

/// A call to an operation of the table, before it is made.
pub struct TypelessCall {
    info: &'static OperationInfo,
    write: Write,
    reader: fn() -> AnyReader,
    json: fn(Response<AnyValue>) -> Result<Vec<u8>>,
}

impl fmt::Debug for TypelessCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypelessCall").field("operation", &self.info.name).finish_non_exhaustive()
    }
}

impl TypelessCall {
    /// A call to an operation.
    pub fn of<O: Operation>(request: O::Request) -> Self {
        Self {
            info: O::INFO,
            write: Box::new(move |tenant| written::<O>(request, tenant)),
            reader: || AnyReader::of(TypedReader::<O::Response>::default()),
            json: |answer| {
                let answer = answer.typed::<O::Response>()?;
                serde_json::to_vec(&answer.value).map_err(|why| Error::internal(why.to_string()))
            },
        }
    }
}

impl TypelessCall {
    /// The body that is sent for this tenant.
    pub fn body(self, tenant: &str) -> Result<Vec<u8>> {
        (self.write)(tenant)
    }
}

macro_rules! table {
    ($($(#[doc = $doc:literal])* $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* })*) => {
        /// A call to the operation with this name, with its request as JSON. The error says what does not fit, and quotes
        /// values of the request.
        pub fn of_json(operation: &str, request: &[u8]) -> std::result::Result<TypelessCall, String> {
            match operation {
                $(stringify!($Name) => read::<operations::$Name>(request),)*
                other => Err(format!("there is no operation {other}")),
            }
        }
    };
}
operations!(table);

fn read<O: Operation>(request: &[u8]) -> std::result::Result<TypelessCall, String> {
    serde_json::from_slice(request).map(TypelessCall::of::<O>).map_err(|why| without_place(&why))
}

/// serde's line and column refer to a text that the caller has never seen.
fn without_place(why: &serde_json::Error) -> String {
    let text = why.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).to_owned()
}

/// The body of a request.
pub(super) fn written<O: Operation>(mut request: O::Request, tenant: &str) -> Result<Vec<u8>> {
    request.apply_defaults(tenant);
    serde_json::to_vec(&request)
        .map_err(|e| Error::invalid_argument(text!("the request cannot be written as JSON ({e})")))
}

impl Client {
    /// Makes a call.
    #[doc(hidden)] // for the bindings
    pub async fn answer(&self, call: TypelessCall) -> Result<Response<AnyValue>> {
        let TypelessCall { info, write, reader, .. } = call;
        let body = write(&self.engine.config.tenant);
        let call =
            body.and_then(|body| self.call_of(info, body)).map_err(|error| error.in_operation(info.name))?;
        self.run_any(call, Box::new(reader)).await
    }

    /// Makes a call, and returns its response as JSON: what the models know of it.
    #[doc(hidden)] // for sondage-mcp
    pub async fn answer_json(&self, call: TypelessCall) -> Result<Vec<u8>> {
        let json = call.json;
        json(self.answer(call).await?)
    }

    /// Makes a call, and returns its response unchanged.
    #[doc(hidden)] // for the command
    pub async fn answer_raw(&self, call: TypelessCall) -> Result<Json> {
        let answer = self.answer(TypelessCall { reader: || AnyReader::of(Raw::default()), ..call }).await?;
        Ok(answer.typed::<Json>()?.value)
    }
}

impl Response<AnyValue> {
    /// The response, of the type that the call's reader decodes.
    #[doc(hidden)]
    pub fn typed<T: 'static>(self) -> Result<Response<T>> {
        let Self { value, status, headers, attempts, .. } = self;
        let (value, body): (T, Bytes) = value.into_value()?;
        Ok(Response { value, status, headers, body, attempts })
    }
}
