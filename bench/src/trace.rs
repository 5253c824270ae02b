//! What the trace takes of a call, without the call.

use crate::download::builder;
use crate::process::thread_cpu;
use sondage::internals::call::sent_writes::next_id;
use sondage::internals::trace::{of, trace_calls};
use sondage::{Error, Response};
use std::time::Duration;

/// Prints the CPU seconds of this many calls' traces, of which a client keeps so many entries.
pub fn measure(entries: u32, calls: usize) {
    println!("{}", between(entries, calls, thread_cpu).as_secs_f64());
}

/// The same without a clock, for callgrind, in which the clock's library does not work.
pub fn count(entries: u32, calls: usize) {
    between(entries, calls, || Duration::ZERO);
}

fn between(entries: u32, calls: usize, clock: fn() -> Duration) -> Duration {
    // Nothing is sent.
    let client = builder("9").trace_entries(entries).build().expect("a client");
    let answer: sondage::Result<Response<()>> = Err(Error::invalid_argument("not sent"));
    let tracer = of(&client);
    trace_calls(&tracer, 1000.min(calls), next_id, &answer);
    let began = clock();
    trace_calls(&tracer, calls, next_id, &answer);
    clock() - began
}
