//! Calls by path: to operations that are not in the table, and to those of the table under any spelling of their path.

use super::Client;
use crate::call::any_reader::AnyReader;
use crate::call::prepared::Call;
use crate::call::reader::Raw;
use crate::error::{Delivery, Error, Result, Text};
use crate::model::Json;
use crate::operation::{Effect, OperationInfo, RawCall};
use crate::operation_path;
use crate::response::Response;
use crate::text;
use crate::trace::CallPurpose;
use std::borrow::Cow;

impl Client {
    /// Makes a call to an operation that is not in the table. One of the table is called like every other call to it, by
    /// its own path and with its own effect, and an `effect` that contradicts the table is an error.
    pub async fn raw(&self, call: RawCall) -> Result<Response<Json>> {
        if !call.path.starts_with('/') || call.path.contains(['?', '#']) {
            return Err(Error::invalid_argument(text!(
                "the path `{}` is not an absolute path without a query",
                call.path
            )));
        }
        let call = match operation_path::find(&call.path) {
            Some((info, path)) => self.raw_of_table(info, path, &call)?,
            None => self.raw_unknown(call)?,
        };
        self.run_any(call, Box::new(|| AnyReader::of(Raw::default()))).await?.typed()
    }

    fn raw_of_table(&self, info: &'static OperationInfo, path: &'static str, raw: &RawCall) -> Result<Call> {
        let in_operation = |error: Error| error.in_operation(info.name);
        self.check_permission(info)?;
        if raw.effect != info.effect {
            let (effect, stated) = (info.effect.as_str(), raw.effect.as_str());
            let what = text!("the effect of `{}` is `{effect}`, not `{stated}`", info.name);
            return Err(in_operation(Error::invalid_argument(what)).with_hint(text!(
                "Nothing was sent. The effect decides what is retried: give the right one, or call `{}`.",
                Text::from(info.method)
            )));
        }
        let call = self.call_of(info, raw.body.as_str().as_bytes().to_vec()).map_err(in_operation)?;
        Ok(Call { paths: vec![Cow::Borrowed(path)], ..call })
    }

    /// Returns an error if this client must not call the operation.
    #[doc(hidden)] // for sondage-jobs
    pub fn check_permission(&self, info: &OperationInfo) -> Result<()> {
        self.engine.config.permitted.check(info.name, info.effect)
    }

    fn raw_unknown(&self, raw: RawCall) -> Result<Call> {
        let name = raw.path.rsplit('/').next().unwrap_or_default().to_owned();
        if raw.effect == Effect::Token {
            let what = "tokens are requested by the client itself: the effect of a call by its path cannot be `token`";
            return Err(Error::invalid_argument(what).in_operation(name).with_delivery(Delivery::No));
        }
        self.options.check()?;
        Ok(Call {
            name: Cow::Owned(name),
            permitted_as: Cow::Owned(raw.path.clone()),
            paths: vec![Cow::Owned(raw.path)],
            effect: raw.effect,
            reconcile: None,
            evidence: None,
            gone: None,
            query: None,
            body: self.merge(raw.body.as_str().as_bytes().to_vec(), None)?,
            deadline: self.deadline(),
            attempts: self.options.attempts,
            timeout: self.options.timeout,
            headers: self.options.header_map()?,
            purpose: CallPurpose::Result,
            parent: self.options.parent.clone(),
        })
    }
}
