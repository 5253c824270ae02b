//! sondage for Node.js: the handles of the core and their methods. `node/` is the package around it.
#![allow(clippy::trivially_copy_pass_by_ref)] // environments are borrowed: a value of one must not outlive it
#![allow(clippy::needless_pass_by_value)] // arguments from JavaScript are always owned

mod completions;
mod error;
mod handle;
mod journals;
mod language;
mod log;
#[cfg(debug_assertions)]
mod panics;
mod parents;
mod promise;
mod tokens;
mod work;

use error::thrown;
use handle::{Handle, hand_over};
use journals::{Journal, JournalArgs};
use language::JavaScript;
use napi::Env;
use napi::bindgen_prelude::{Function, Object, Promise, Unknown};
use napi_derive::napi;
use sondage::Error;
use sondage_ffi::client::Client;
use sondage_ffi::{Attachment, Call, operations};
use tokens::{Provider, Store, StoreArgs};

#[doc = sondage::about!(connect)]
#[napi(catch_unwind)]
pub fn connect(
    env: &Env,
    settings: Unknown<'_>,
    provider: Option<Function<'_, (), Promise<String>>>,
    store: Option<Function<'_, StoreArgs, Promise<Option<String>>>>,
) -> napi::Result<Handle> {
    let provider = provider.map(|function| Provider::new(&function)).transpose()?;
    let client = match store.map(|function| Store::new(&function)).transpose()? {
        Some(store) => Client::with_store::<JavaScript>(settings, provider, store),
        None => Client::new::<JavaScript>(settings, provider),
    };
    Ok(client.map_err(|error| thrown(env, &error))?.into())
}

#[doc = sondage::about!(offer_journal)]
#[napi(catch_unwind)]
pub fn offer_journal(
    name: String,
    ask: Function<'_, JournalArgs, Promise<Vec<String>>>,
) -> napi::Result<String> {
    Ok(sondage_ffi::offer_journal(name, Journal::new(&ask)?))
}

#[doc = sondage::about!(make)]
#[napi(catch_unwind)]
pub fn make<'env>(env: &'env Env, method: String, args: Unknown<'env>) -> napi::Result<Unknown<'env>> {
    hand_over(env, sondage_ffi::make(Call { method: &method, args, with: Attachment::None }))
}

/// Throws an error if an argument has properties that a copy of it would not have.
#[napi(catch_unwind)]
pub fn check_own(env: &Env, value: Object<'_>, argument: String) -> napi::Result<()> {
    sondage_node_values::check_own(&value)
        .map_err(|fault| thrown(env, &Error::invalid_argument(fault.under(&argument).to_string())))
}

/// Runs the command `sondage` with the arguments of a process, and returns its exit code.
#[napi(catch_unwind)]
pub fn command(arguments: Vec<String>) -> u8 {
    default_signals();
    sondage_cli::run(arguments.into_iter().map(Into::into))
}

/// Ctrl-C ends this process like any other program. Otherwise the signal handlers of Node.js and of the command would call
/// each other forever.
#[allow(unsafe_code)]
fn default_signals() {
    #[cfg(unix)]
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the default action runs no code in this process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// The names of the operations, in the order of the table: `call` and `pages` take the index.
#[napi(catch_unwind)]
pub fn operation_names() -> Vec<String> {
    operations::rows::<JavaScript>().iter().map(|row| sondage::error::camel(row.name)).collect()
}
