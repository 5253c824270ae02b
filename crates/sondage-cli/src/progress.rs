//! The line on standard error that says how far a job is and what a command waits for, and the sentence with which Ctrl-C ends a
//! command.

use crate::output::failed;
use crate::sandbox::Signals;
use sondage::config::ClientBuilder;
use sondage::reports::{PendingCall, PendingWrite};
use sondage::trace::TraceKind;
use sondage::{Client, blocking};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A wait as long as this is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the line is updated while a command waits.
const TICK: Duration = Duration::from_millis(500);

static LINE: Mutex<StatusLine> =
    Mutex::new(StatusLine { progress: String::new(), wait: String::new(), width: 0 });

/// A line that is rewritten in place.
struct StatusLine {
    progress: String,
    wait: String,
    /// The characters that are displayed.
    width: usize,
}

impl StatusLine {
    fn draw(&mut self) {
        let gap = if self.progress.is_empty() || self.wait.is_empty() { "" } else { "  " };
        let text = format!("{}{gap}{}", self.progress, self.wait);
        let width = text.chars().count();
        if width > 0 || self.width > 0 {
            eprint!("\r{text:<old$}", old = self.width);
            self.width = width;
        }
    }

    /// Leaves the progress as a line of its own, and removes what the command waited for.
    fn end(&mut self) {
        self.wait.clear();
        self.draw();
        if self.progress.is_empty() {
            eprint!("\r");
        } else {
            eprintln!();
        }
        (self.width, self.progress) = (0, String::new());
    }
}

fn line() -> MutexGuard<'static, StatusLine> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Displays how far a job is, if a person watches.
pub fn report(text: String) {
    if io::stderr().is_terminal() {
        let mut line = line();
        line.progress = text;
        line.draw();
    }
}

/// Makes the client display how many rows it has read, and how many rows or messages its jobs have processed.
pub fn shown(builder: ClientBuilder) -> ClientBuilder {
    let (read, done) = (AtomicU64::new(0), AtomicU64::new(0));
    builder.on_trace(move |entry| {
        let counted = match entry.kind {
            TraceKind::Page => &read,
            TraceKind::Step => &done,
            _ => return,
        };
        counted.fetch_add(entry.rows.unwrap_or_default(), Relaxed);
        report(format!("{} read, {} done", read.load(Relaxed), done.load(Relaxed)));
    })
}

/// Terminates the line before something else is displayed.
pub fn end() {
    let mut line = line();
    if line.width > 0 {
        line.end();
    }
}

/// Displays a note, on a line of its own.
pub fn note(text: impl std::fmt::Display) {
    end();
    eprintln!("note: {text}");
}

/// The client of a command. While it waits for long, a person sees for what; Ctrl-C says what was under way.
pub fn connect(builder: &ClientBuilder) -> io::Result<blocking::Client> {
    connect_async(builder).map(blocking::Client::from)
}

/// The same for a command that runs tasks.
pub fn connect_async(builder: &ClientBuilder) -> io::Result<Client> {
    let client = connect_quietly(builder)?;
    say_when_interrupted(&client);
    Ok(client)
}

/// The same for a command with an answer of its own to Ctrl-C.
pub fn connect_quietly(builder: &ClientBuilder) -> io::Result<Client> {
    let client = builder.build().map_err(failed)?;
    show_waits(&client);
    Ok(client)
}

/// Shows a person what the client waits for.
pub fn show_waits(client: &Client) {
    if !io::stderr().is_terminal() {
        return;
    }
    let client = client.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(TICK);
            show_wait(&client.pending_calls());
        }
    });
}

/// Makes Ctrl-C say what it has ended.
pub fn say_when_interrupted(client: &Client) {
    let client = client.clone();
    std::thread::spawn(move || end_when_interrupted(&client));
}

/// Displays the call that has waited longest, if one has waited for long.
fn show_wait(calls: &[PendingCall]) {
    let waits =
        calls.iter().filter(|call| call.idle >= PATIENCE || call.wait.is_some_and(|wait| wait >= PATIENCE));
    let text = waits.max_by_key(|call| call.idle).map(ToString::to_string).unwrap_or_default();
    let mut line = line();
    if line.wait != text {
        line.wait = text;
        line.draw();
    }
}

/// A folder with answers that Ctrl-C must not leave.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes this folder if Ctrl-C ends the command.
pub fn remove_when_interrupted(folder: &Path) {
    *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
}

fn end_when_interrupted(client: &Client) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let arrived = runtime.and_then(|runtime| runtime.block_on(async { Ok(Signals::listen()?.wait().await) }));
    if let Ok(exit_code) = arrived {
        end();
        eprintln!("sondage: {}", interrupted(&client.pending_writes(), &client.pending_calls()));
        if let Some(folder) = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = std::fs::remove_dir_all(folder);
        }
        std::process::exit(exit_code);
    }
}

/// What Ctrl-C has ended.
fn interrupted(writes: &[PendingWrite], calls: &[PendingCall]) -> String {
    let names = |names: Vec<&str>| names.join(", ");
    if !writes.is_empty() {
        let names = names(writes.iter().map(|write| write.operation.as_str()).collect());
        return format!(
            "interrupted. {names} had been sent and had no response yet: whether it took effect is unknown. `sondage reconcile` \
             finds out. What has a journal is resumed by the same command."
        );
    }
    match calls {
        [] => "interrupted. No write was under way.".to_owned(),
        calls => {
            let names = names(calls.iter().map(|call| call.operation.as_str()).collect());
            format!("interrupted while waiting for {names}. No write was under way.")
        }
    }
}
