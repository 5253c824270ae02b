//! Panics on demand, in debug builds only: the tests use them to show that no panic ends the process.

#![allow(dead_code)] // only JavaScript calls them

use crate::language::{JavaScript, ready};
use crate::work::Work;
use napi_derive::napi;
use sondage_ffi::Output;

/// Panics on the thread of JavaScript.
#[napi(catch_unwind)]
pub fn panic_now() {
    panic!("asked for by a test");
}

/// Panics in the core.
#[napi(catch_unwind)]
pub fn panic_in_core() -> Work {
    Work::new(Box::pin(async { panic!("asked for by a test") }))
}

/// Panics while a result is turned into JavaScript values.
#[napi(catch_unwind)]
pub fn panic_in_answer() -> Work {
    let panicking = || Output::<JavaScript>::Value(ready(|_| panic!("asked for by a test")));
    Work::new(Box::pin(async move { Ok(panicking()) }))
}
