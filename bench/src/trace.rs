//! What the trace takes of a call, without the call.

use crate::download::builder;
use crate::process::thread_cpu;
use sondage::internals::call::memory::next_id;
use sondage::internals::trace::{of, trace_calls};
use sondage::{Error, Response};

/// Prints the CPU seconds of this many calls' traces, of which a client keeps so many entries.
pub fn measure(entries: u32, calls: usize) {
    // Nothing is sent.
    let client = builder("9").trace_entries(entries).build().expect("a client");
    let answer: sondage::Result<Response<()>> = Err(Error::invalid_argument("not sent"));
    let tracer = of(&client);
    trace_calls(&tracer, 1000.min(calls), next_id, &answer);
    let began = thread_cpu();
    trace_calls(&tracer, calls, next_id, &answer);
    println!("{}", (thread_cpu() - began).as_secs_f64());
}
