//! Calls of the table whose requests are written as JSON.

use super::Client;
use crate::call::prepared::Call;
use crate::call::reader::Raw;
use crate::error::{Error, Result};
use crate::model::Json;
use crate::operation::{Operation, OperationInfo, Request as _};
use crate::text;

impl Client {
    /// Makes a call whose body is written already, and returns the response as JSON: a program that takes every operation
    /// needs no code for each of them.
    #[doc(hidden)] // for the command
    pub async fn call_written(&self, info: &'static OperationInfo, body: Vec<u8>) -> Result<Json> {
        let call = self.call_of(info, body).map_err(|error| error.in_operation(info.name))?;
        Ok(self.run(call, Raw::default).await?.value.0)
    }

    pub(super) fn prepare<O: Operation>(&self, request: O::Request) -> Result<Call> {
        self.call_of(O::INFO, self.written::<O>(request)?)
    }

    /// The body of a request.
    #[doc(hidden)] // for the command
    pub fn written<O: Operation>(&self, mut request: O::Request) -> Result<Vec<u8>> {
        request.apply_defaults(&self.engine.config.tenant);
        let body = serde_json::to_vec(&request)
            .map_err(|e| Error::invalid_argument(text!("the request cannot be written as JSON ({e})")))?;
        Ok(body)
    }
}
