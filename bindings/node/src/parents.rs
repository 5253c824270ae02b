//! The parent span of each call, requested from JavaScript.

#![allow(dead_code)] // only JavaScript calls `ask_parents`

use napi::Env;
use napi::bindgen_prelude::{Function, FunctionRef};
use napi_derive::napi;
use std::cell::RefCell;

type AskParent = FunctionRef<(), Option<String>>;

thread_local! {
    /// Per thread: each worker has its own.
    static CURRENT: RefCell<Option<AskParent>> = const { RefCell::new(None) };
}

/// Sets the function that returns the current span, a W3C `traceparent` or nothing, for each call; `null`
/// removes it.
#[napi(catch_unwind)]
pub fn ask_parents(current: Option<Function<'_, (), Option<String>>>) -> napi::Result<()> {
    let current = current.map(|function| function.create_ref()).transpose()?;
    CURRENT.with(|kept| *kept.borrow_mut() = current);
    Ok(())
}

/// The current span.
pub fn current(env: &Env) -> napi::Result<Option<String>> {
    CURRENT.with(|kept| match &*kept.borrow() {
        Some(function) => function.borrow_back(env)?.call(()),
        None => Ok(None),
    })
}
