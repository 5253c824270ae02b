//! sondage for Node.js: the core, reached through serde. `node/` makes the package of it that people use.
#![allow(clippy::trivially_copy_pass_by_ref)] // the environment is lent: a value that belongs to it must not outlive it
#![allow(clippy::needless_pass_by_value)] // what comes from JavaScript is always ours

mod client;
mod error;
mod fault;
mod from_js;
mod login;
mod operations;
mod pages;
#[cfg(debug_assertions)]
mod panics;
mod queries;
mod sandbox;
mod settings;
mod table;
mod to_js;
mod tokens;
mod webhook;
mod words;
mod work;

use napi::Env;
use napi::bindgen_prelude::Unknown;
use napi_derive::napi;
use sondage::condition::Expression;

/// The names of the operations, in the order of the table: `call` and `pages` take the place in it.
#[napi(catch_unwind)]
pub fn operation_names() -> Vec<String> {
    operations::names()
}

/// The conditions that a request carries for a filter.
#[napi(catch_unwind)]
pub fn compile<'env>(env: &'env Env, expression: Unknown<'_>) -> napi::Result<Unknown<'env>> {
    let read: Expression = from_js::from_js(expression, None)
        .map_err(|fault| error::refused(env, &fault.under("where"), None))?;
    to_js::to_js(env, &read.compile().map_err(|wrong| error::thrown(env, &wrong))?)
}
