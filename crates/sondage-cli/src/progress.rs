//! Progress of a job on a terminal: a line on standard error that is updated while the job runs.

use sondage::config::ClientBuilder;
use sondage::trace::TraceKind;
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Whether the line is displayed and not yet terminated.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Makes the client display how many rows it has read, and how many rows or messages its jobs have processed.
pub fn shown(builder: ClientBuilder) -> ClientBuilder {
    if !io::stderr().is_terminal() {
        return builder;
    }
    let (read, done) = (AtomicU64::new(0), AtomicU64::new(0));
    builder.on_trace(move |entry| {
        let counted = match entry.kind {
            TraceKind::Page => &read,
            TraceKind::Step => &done,
            _ => return,
        };
        counted.fetch_add(entry.rows.unwrap_or_default(), Relaxed);
        OPEN.store(true, Relaxed);
        eprint!("\r{} read, {} done ", read.load(Relaxed), done.load(Relaxed));
    })
}

/// Terminates the line before something else is displayed.
pub fn end() {
    if OPEN.swap(false, Relaxed) {
        eprintln!();
    }
}
