//! The result of a call: the typed value, or the full response.

use crate::call::reply::{Output, Work};
use crate::language::Language;
use crate::objects::client::Client;
use indexmap::IndexMap;
use serde::Serialize;
use sondage::http::HeaderMap;
use sondage::internals::call::any_reader::AnyValue;
use sondage::internals::call::typeless::TypelessCall;
use sondage::{Response, Result};

/// The HTTP details of a response.
#[derive(Serialize)]
struct Whole<T> {
    value: T,
    status: u16,
    headers: IndexMap<String, String>,
    text: String,
    attempts: u32,
}

/// The headers by name; several values of one name are joined by commas.
fn joined(headers: &HeaderMap) -> IndexMap<String, String> {
    let joined = |name| {
        let values = headers.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(", ")
    };
    headers.keys().map(|name| (name.to_string(), joined(name))).collect()
}

/// Makes a result of a response.
type Convert<L> = fn(Response<AnyValue>, bool) -> Result<Output<L>>;

/// A call of an operation that ends in its response. The work has one type for all operations.
pub fn answered<L: Language>(client: &Client, call: TypelessCall, convert: Convert<L>) -> Work<L> {
    let (core, whole) = (client.core.clone(), client.whole);
    Box::pin(async move { convert(core.answer(call).await?, whole) })
}

/// The result of a response: its value, or all of it.
pub fn output<L: Language, T: Serialize + Send + 'static>(
    answer: Response<AnyValue>,
    whole: bool,
) -> Result<Output<L>> {
    Ok(typed(answer.typed::<T>()?, whole))
}

/// The same for a response whose type is known.
pub fn typed<L: Language, T: Serialize + Send + 'static>(answer: Response<T>, whole: bool) -> Output<L> {
    if !whole {
        return Output::value(answer.value);
    }
    let (headers, text) = (joined(&answer.headers), answer.text().into_owned());
    Output::value(Whole {
        value: answer.value,
        status: answer.status,
        headers,
        text,
        attempts: answer.attempts,
    })
}
