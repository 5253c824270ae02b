//! sondage for Node.js: the things of the core and their verbs. `node/` makes the package of it that people use.
#![allow(clippy::trivially_copy_pass_by_ref)] // the environment is lent: a value that belongs to it must not outlive it
#![allow(clippy::needless_pass_by_value)] // what comes from JavaScript is always ours

mod error;
mod language;
mod outbox;
#[cfg(debug_assertions)]
mod panics;
mod promise;
mod thing;
mod tokens;
mod work;

use error::thrown;
use language::JavaScript;
use napi::Env;
use napi::bindgen_prelude::{Function, Promise, Unknown};
use napi_derive::napi;
use sondage_doors::client::Client;
use sondage_doors::{Call, With, operations};
use thing::{Thing, hand_over};
use tokens::Provider;

/// A client. Nothing is sent before its first call.
#[napi(catch_unwind)]
pub fn connect(
    env: &Env,
    settings: Unknown<'_>,
    provider: Option<Function<'_, (), Promise<String>>>,
) -> napi::Result<Thing> {
    let provider = provider.map(|function| Provider::new(&function)).transpose()?;
    let client = Client::new::<JavaScript>(settings, provider).map_err(|error| thrown(env, &error))?;
    Ok(client.into())
}

/// Makes a thing, or does what needs none.
#[napi(catch_unwind)]
pub fn make<'env>(env: &'env Env, verb: String, given: Unknown<'env>) -> napi::Result<Unknown<'env>> {
    hand_over(env, sondage_doors::make(&Call { verb: &verb, given, with: With::Nothing }))
}

/// The names of the operations, in the order of the table: `call` and `pages` take the place in it.
#[napi(catch_unwind)]
pub fn operation_names() -> Vec<String> {
    operations::rows::<JavaScript>().iter().map(|row| sondage::error::camel(row.name)).collect()
}
