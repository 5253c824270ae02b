//! JavaScript as a language of `sondage-ffi`.

use napi::Env;
use napi::bindgen_prelude::Unknown;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sondage::Error;
use sondage::error::Wording;
use sondage_ffi::{ArgContext, Language, Unit};
use sondage_node_values::{from_js, to_js};

/// JavaScript.
pub struct JavaScript;

/// A result that becomes a JavaScript value on the JavaScript thread.
pub type HostValue = Box<dyn for<'env> FnOnce(&'env Env) -> napi::Result<Unknown<'env>> + Send>;

/// A function as such a result.
pub fn ready(
    make: impl for<'env> FnOnce(&'env Env) -> napi::Result<Unknown<'env>> + Send + 'static,
) -> HostValue {
    Box::new(make)
}

impl Language for JavaScript {
    type Args<'a> = Unknown<'a>;
    type Refused = Error;
    type HostValue = HostValue;

    const TIME: Unit = Unit::Milliseconds;
    const WORDING: Wording = Wording {
        camel: true,
        idioms: &[
            ("|", ".or()"),
            ("condition::question", "field.question"),
            ("condition::column", "field.column"),
        ],
        explains: true,
    };
    const TRUTH: [&'static str; 2] = ["true", "false"];

    fn read<T: DeserializeOwned>(args: Unknown<'_>, about: &ArgContext<'_>) -> sondage::Result<T> {
        from_js(args, about.request).map_err(|fault| {
            let fault = if about.argument.is_empty() { fault } else { fault.under(about.argument) };
            let error = Error::invalid_argument(fault.to_string());
            // Only operations have wire names.
            if about.request.is_some() { error.in_operation(about.call) } else { error }
        })
    }

    fn host_value<T: Serialize + Send + 'static>(value: T) -> HostValue {
        ready(move |env| to_js(env, &value))
    }
}
