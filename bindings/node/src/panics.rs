//! Panics on demand, in debug builds only: the tests hold with them that no panic ends the process.

#![allow(dead_code)] // only JavaScript calls them

use crate::work::Work;
use napi_derive::napi;

/// Panics on the thread of JavaScript.
#[napi(catch_unwind)]
pub fn panic_now() {
    panic!("asked for by a test");
}

/// Panics in the core.
#[napi(catch_unwind)]
pub fn panic_in_core() -> Work {
    Work::new(async { if true { panic!("asked for by a test") } else { Ok(()) } })
}

/// Panics while a result is turned into JavaScript values.
#[napi(catch_unwind)]
pub fn panic_in_answer() -> Work {
    Work::with(async { Ok(()) }, |_, ()| panic!("asked for by a test"))
}
