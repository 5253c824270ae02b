//! A journal in JavaScript: an object that the caller provides.

use napi::Status;
use napi::bindgen_prelude::{FnArgs, Function, Promise};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use sondage::error::CallersError;
use sondage::internals::runtime;
use sondage_ffi::LineStore;
use std::{fmt, io};

/// The method to call, and its lines.
pub type JournalArgs = FnArgs<(String, Vec<String>)>;

/// What `node/lib/journals.js` throws if another process has the journal.
const BUSY: &str = "busy";

/// A journal behind a JavaScript function. The function is unreferenced, so that a dropped plan does not keep the
/// process alive.
pub struct Journal(
    ThreadsafeFunction<JournalArgs, Promise<Vec<String>>, JournalArgs, Status, false, true, 0>,
);

impl Journal {
    /// A journal that calls `function`, which `node/lib/journals.js` has made.
    pub fn new(function: &Function<'_, JournalArgs, Promise<Vec<String>>>) -> napi::Result<Self> {
        Ok(Self(function.build_threadsafe_function().weak::<true>().build()?))
    }
}

impl LineStore for Journal {
    fn ask(&mut self, what: &'static str, lines: &[String]) -> io::Result<Vec<String>> {
        let args: JournalArgs = (what.to_owned(), lines.to_vec()).into();
        if what == "close" {
            // This code may run on the JavaScript thread, which would then wait for itself.
            self.0.call(args, ThreadsafeFunctionCallMode::NonBlocking);
            return Ok(Vec::new());
        }
        let answer = async {
            match self.0.call_async(args).await {
                Ok(promise) => promise.await,
                Err(error) => Err(error),
            }
        };
        runtime::handle().block_on(answer).map_err(|error| failed(&error.reason))
    }
}

fn failed(reason: &str) -> io::Error {
    if reason == BUSY {
        return io::ErrorKind::ResourceBusy.into();
    }
    let (number, message) = reason.split_once('\0').unwrap_or(("", reason));
    io::Error::other(CallersError::of(JournalFailure {
        number: number.parse().ok(),
        message: message.to_owned(),
    }))
}

/// An exception of the caller's code, which `node/lib/failures.js` keeps under its number.
#[derive(Debug)]
pub struct JournalFailure {
    pub number: Option<u32>,
    message: String,
}

impl fmt::Display for JournalFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JournalFailure {}
