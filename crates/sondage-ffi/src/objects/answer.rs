//! The result of a call: the typed value, or the full response.

use crate::call::reply::{Output, Work};
use crate::language::Language;
use indexmap::IndexMap;
use serde::Serialize;
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

impl<T> Whole<T> {
    fn of(answer: Response<T>) -> Self {
        let joined = |name| {
            let values = answer.headers.get_all(name).iter();
            values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(", ")
        };
        let headers = answer.headers.keys().map(|name| (name.to_string(), joined(name))).collect();
        let text = answer.text().into_owned();
        Self { status: answer.status, headers, text, attempts: answer.attempts, value: answer.value }
    }
}

/// Work that ends in a response: in its value, or in the full response.
pub fn answered<L: Language, T: Serialize + Send + 'static>(
    work: impl Future<Output = Result<Response<T>>> + Send + 'static,
    whole: bool,
) -> Work<L> {
    Box::pin(async move {
        let answer = work.await?;
        Ok(if whole { Output::value(Whole::of(answer)) } else { Output::value(answer.value) })
    })
}
