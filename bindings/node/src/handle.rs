#![doc = sondage::about!(handles)]

use crate::completions;
use crate::error::thrown;
use crate::language::{HostValue, JavaScript, ready};
use crate::parents;
use crate::work::Work;
use arrow_array::RecordBatchReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use napi::bindgen_prelude::{Buffer, JavaScriptClassExt, PromiseRaw, Unknown};
use napi::{Env, JsValue};
use napi_derive::napi;
use sondage::{Error, Result};
use sondage_ffi::client::Client;
use sondage_ffi::operations::{self, Row};
use sondage_ffi::{Attachment, Call, Output, Reply};
use std::borrow::Cow;

#[doc = sondage::about!(handle)]
#[napi]
pub struct Handle(sondage_ffi::Handle<JavaScript>);

impl From<Client> for Handle {
    fn from(client: Client) -> Self {
        Self(client.into())
    }
}

#[napi]
impl Handle {
    /// Calls a method. `other`: a handle that it takes in addition to its argument.
    #[napi(catch_unwind)]
    pub fn method<'env>(
        &self,
        env: &'env Env,
        method: String,
        args: Unknown<'env>,
        other: Option<&Handle>,
    ) -> napi::Result<Unknown<'env>> {
        let with = other.map_or(Attachment::None, |other| Attachment::Handle(&other.0));
        let under = self.under(env)?;
        hand_over(env, under.as_ref().unwrap_or(&self.0).call(Call { method: &method, args, with }))
    }

    /// Calls an operation, by its index in the table.
    #[napi(catch_unwind)]
    pub fn call(
        &self,
        env: &Env,
        operation: u32,
        request: Unknown<'_>,
        options: Unknown<'_>,
    ) -> napi::Result<Work> {
        self.work(env, operation, request, options).map(Work::new)
    }

    /// The same, already started: for calls that are never cancelled.
    #[napi(catch_unwind)]
    pub fn start<'env>(
        &self,
        env: &'env Env,
        operation: u32,
        request: Unknown<'_>,
        options: Unknown<'_>,
    ) -> napi::Result<PromiseRaw<'env, Unknown<'static>>> {
        let (begun, promise) = completions::start(env, self.work(env, operation, request, options)?)?;
        begun.detach();
        Ok(promise)
    }

    #[doc = sondage::about!(pages)]
    #[napi(catch_unwind)]
    pub fn pages(&self, env: &Env, operation: u32, request: Unknown<'_>) -> napi::Result<Handle> {
        let parent = parents::current(env)?;
        let pages = || row(operation)?.pages(&below(self.client()?, parent), request);
        pages().map(|pages| Self(pages.into())).map_err(|error| thrown(env, &error))
    }

    /// The same client with the options of one call.
    #[napi(catch_unwind)]
    pub fn with_options(&self, env: &Env, options: Unknown<'_>) -> napi::Result<Handle> {
        self.with(options).map(Self::from).map_err(|error| thrown(env, &error))
    }

    /// The rows as an Arrow IPC stream. JavaScript takes over the memory.
    #[napi(catch_unwind)]
    pub fn ipc(&self, env: &Env) -> napi::Result<Buffer> {
        let none = || Error::invalid_argument("this object has no rows");
        let reader = self.0.reader().ok_or_else(none).map_err(|error| thrown(env, &error))?;
        let bytes = reader.and_then(written);
        bytes.map(Buffer::from).map_err(|error| thrown(env, &Error::internal(error.to_string())))
    }
}

impl Handle {
    fn client(&self) -> Result<&Client> {
        self.0.client().ok_or_else(|| Error::internal("only a client makes calls"))
    }

    fn work(
        &self,
        env: &Env,
        operation: u32,
        request: Unknown<'_>,
        options: Unknown<'_>,
    ) -> napi::Result<sondage_ffi::Work<JavaScript>> {
        let parent = parents::current(env)?;
        let work = || below(&self.with(options)?, parent).call(row(operation)?, request);
        work().map_err(|error| thrown(env, &error))
    }

    /// The same client with the current span as the parent of its calls; `None` if the handle is not a client, or
    /// spans are off.
    fn under(&self, env: &Env) -> napi::Result<Option<sondage_ffi::Handle<JavaScript>>> {
        let Some(client) = self.0.client() else { return Ok(None) };
        Ok(parents::current(env)?.map(|parent| client.under(parent).into()))
    }

    fn with(&self, options: Unknown<'_>) -> Result<Client> {
        self.client()?.with_options::<JavaScript>(options, "options")
    }
}

/// A client with this span as the parent of its calls.
fn below(client: &Client, parent: Option<String>) -> Cow<'_, Client> {
    parent.map_or(Cow::Borrowed(client), |parent| Cow::Owned(client.under(parent)))
}

fn row(number: u32) -> Result<&'static Row<JavaScript>> {
    let unknown = || Error::invalid_argument("there is no such operation");
    operations::rows().get(number as usize).ok_or_else(unknown)
}

fn written(rows: Box<dyn RecordBatchReader + Send>) -> std::result::Result<Vec<u8>, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), &rows.schema())?;
    for batch in rows {
        writer.write(&batch?)?;
    }
    writer.into_inner()
}

/// The reply of a method, as a JavaScript value.
pub fn hand_over(env: &Env, reply: Result<Reply<JavaScript>>) -> napi::Result<Unknown<'_>> {
    let output = reply.and_then(|reply| match reply {
        Reply::Ready(output) => Ok(host_value(output)),
        Reply::Blocking(work) => work().map(host_value),
        Reply::Async(work) => {
            Ok(ready(move |env| Ok(Work::new(work).into_instance(env)?.as_object(env).to_unknown())))
        }
    });
    output.map_err(|error| thrown(env, &error))?(env)
}

/// A value, or a handle as a JavaScript object.
pub fn host_value(output: Output<JavaScript>) -> HostValue {
    match output {
        Output::Value(value) => value,
        Output::Handle(handle) => {
            ready(move |env| Ok(Handle(*handle).into_instance(env)?.as_object(env).to_unknown()))
        }
    }
}
