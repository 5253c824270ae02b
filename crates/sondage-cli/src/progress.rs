//! How far a job is, for somebody at a terminal: a line on standard error that changes while it runs.

use sondage::config::ClientBuilder;
use sondage::trace::TraceKind;
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Whether the line is there, and has no end yet.
static OPEN: AtomicBool = AtomicBool::new(false);

/// A client that tells of the rows it reads, and of the rows or messages that its jobs have dealt with.
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

/// Ends the line, before something else is shown.
pub fn end() {
    if OPEN.swap(false, Relaxed) {
        eprintln!();
    }
}
