//! Every operation of the table by its number in it. The table is expanded here once; no operation has a line of its own.

use crate::error::refused;
use crate::from_js::from_js;
use crate::pages::Pages;
use crate::words::camel;
use crate::work::Work;
use napi::Env;
use napi::bindgen_prelude::Unknown;
use serde::Serialize;
use sondage::operation::{Operation, Paged};
use sondage::paging::Rows;
use sondage::{Answer, Client, Error, operations};

type Call = fn(&Env, &Client, Unknown<'_>, bool) -> napi::Result<Work>;
type List = fn(&Env, &Client, Unknown<'_>) -> napi::Result<Pages>;

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        const TABLE: &[(&str, Call, Option<List>)] =
            &[$((stringify!($method), call::<operations::$Name>, table!(@ $Name $($row)*))),*];
    };
    (@ $Name:ident pages $items:ident of $($rest:tt)*) => { Some(pages::<operations::$Name>) };
    (@ $Name:ident $first:tt $($rest:tt)*) => { table!(@ $Name $($rest)*) };
    (@ $Name:ident) => { None };
}
sondage::operations!(table);

/// The names of the operations, in the order of the table.
pub fn names() -> Vec<String> {
    TABLE.iter().map(|(method, ..)| camel(method)).collect()
}

/// A call to an operation, by its place in the table. `whole`: with status, headers and text.
pub fn work(
    env: &Env,
    client: &Client,
    number: u32,
    request: Unknown<'_>,
    whole: bool,
) -> napi::Result<Work> {
    let (_, call, _) = row(env, number)?;
    call(env, client, request, whole)
}

/// The complete list of a paged operation.
pub fn list(env: &Env, client: &Client, number: u32, request: Unknown<'_>) -> napi::Result<Pages> {
    let (method, _, list) = row(env, number)?;
    let unpaged = || {
        let what = format!("`{}` does not read a list in pages", camel(method));
        crate::error::thrown(env, &Error::invalid_argument(what))
    };
    list.ok_or_else(unpaged)?(env, client, request)
}

fn row(env: &Env, number: u32) -> napi::Result<&'static (&'static str, Call, Option<List>)> {
    let unknown = || crate::error::thrown(env, &Error::invalid_argument("there is no such operation"));
    TABLE.get(number as usize).ok_or_else(unknown)
}

fn request<O: Operation>(env: &Env, request: Unknown<'_>) -> napi::Result<O::Request> {
    from_js(request, Some(O::INFO.request)).map_err(|fault| refused(env, &fault, Some(O::INFO.name)))
}

fn call<O: Operation>(env: &Env, client: &Client, given: Unknown<'_>, whole: bool) -> napi::Result<Work> {
    let (request, client) = (request::<O>(env, given)?, client.clone());
    let work = async move { client.answer::<O>(request).await };
    Ok(answered(work, whole))
}

fn pages<O: Paged>(env: &Env, client: &Client, given: Unknown<'_>) -> napi::Result<Pages>
where
    O::Item: Serialize,
    Vec<O::Item>: Rows,
{
    Pages::new(env, client.pages::<O>(request::<O>(env, given)?).pager())
}

/// Everything that came with an answer.
#[derive(Serialize)]
struct Whole<'a, T> {
    value: &'a T,
    status: u16,
    headers: indexmap::IndexMap<&'a str, String>,
    text: &'a str,
    attempts: u32,
}

/// Work that ends in an answer, or in its value alone.
pub fn answered<T: Serialize + Send + 'static>(
    work: impl Future<Output = sondage::Result<Answer<T>>> + Send + 'static,
    whole: bool,
) -> Work {
    Work::with(work, move |env, answer| {
        if !whole {
            return crate::to_js::to_js(env, &answer.value);
        }
        let text = answer.text();
        let joined = |name| {
            let values = answer.headers.get_all(name).iter();
            values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(", ")
        };
        let headers = answer.headers.keys().map(|name| (name.as_str(), joined(name))).collect();
        let (value, status, attempts) = (&answer.value, answer.status, answer.attempts);
        crate::to_js::to_js(env, &Whole { value, status, headers, text: &text, attempts })
    })
}
