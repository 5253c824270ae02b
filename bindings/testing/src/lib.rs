//! The sandbox as C functions, for the test packages of Kotlin and Swift. `include/sondage_testing.h` documents them.
//!
//! Every function returns a new text that the caller frees, or null.
#![allow(unsafe_code)] // functions of C take pointers

use chrono::DateTime;
use serde::Deserialize;
use sondage_sandbox::{Attempt, Builder, Cause, Content, Fault, Fill, GivenRows, Sandbox};
use std::ffi::{CStr, CString, c_char};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

/// How long one step of waiting for deliveries takes at most.
const STEP: Duration = Duration::from_millis(20);

/// The contents of a sandbox in addition to the demo data.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct SandboxSeed {
    /// Which surveys it has.
    content: Content,
    /// Additional members.
    members: u64,
    /// A CSV file with a row for each interview.
    data: Option<PathBuf>,
    /// The code plan of these interviews.
    code_plan: Option<PathBuf>,
    /// Questionnaires in the form of the editor's export.
    surveys: Vec<PathBuf>,
    /// How many invented people have answered each of them.
    fill: Option<usize>,
    /// A folder in which the sandbox is kept.
    state: Option<PathBuf>,
}

impl SandboxSeed {
    fn start(self) -> io::Result<Sandbox> {
        let mut builder = Sandbox::builder().content(self.content).extra_members(self.members);
        if let Some(path) = self.data {
            builder = builder.data(path);
        }
        if let Some(path) = self.code_plan {
            builder = builder.code_plan(path);
        }
        if let Some(people) = self.fill {
            builder = builder.fill(people);
        }
        if let Some(folder) = self.state {
            builder = builder.state(folder);
        }
        self.surveys.into_iter().fold(builder, Builder::survey).start_blocking()
    }
}

/// Starts a sandbox with the options in a JSON object. If it returns null, `why` contains the reason.
///
/// # Safety
/// `options` ends with a zero byte, and `why` must be valid for writing a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sondage_testing_start(
    options: *const c_char,
    why: *mut *mut c_char,
) -> *mut Sandbox {
    // SAFETY: as documented.
    let options = unsafe { text(options) };
    let started = caught(|| {
        let seed: SandboxSeed = serde_json::from_str(&options).map_err(|error| error.to_string())?;
        seed.start().map_err(|error| error.to_string())
    });
    match started.and_then(|started| started) {
        Ok(sandbox) => Box::into_raw(Box::new(sandbox)),
        Err(reason) => {
            // SAFETY: the caller passes a valid pointer to write to.
            unsafe { why.write(owned(&reason)) };
            std::ptr::null_mut()
        }
    }
}

/// Stops a sandbox, and waits until its ports are closed.
///
/// # Safety
/// `sandbox` comes from `sondage_testing_start` and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sondage_testing_stop(sandbox: *mut Sandbox) {
    // SAFETY: as documented.
    let sandbox = unsafe { Box::from_raw(sandbox) };
    let _ = caught(|| sandbox.stop());
}

/// Frees a text.
///
/// # Safety
/// `text` comes from a function of this library, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sondage_testing_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: as documented.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// Queries or controls a sandbox. A response that begins with `+` contains a value as text; one that begins with
/// `-` contains the reason of the failure.
///
/// # Safety
/// `sandbox` is running, and the texts end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sondage_testing_ask(
    sandbox: *const Sandbox,
    what: *const c_char,
    argument: *const c_char,
) -> *mut c_char {
    // SAFETY: as documented.
    let (sandbox, what, argument) = unsafe { (&*sandbox, text(what), text(argument)) };
    let answer = caught(|| ask(sandbox, &what, &argument)).and_then(|answer| answer);
    owned(&match answer {
        Ok(value) => format!("+{value}"),
        Err(reason) => format!("-{reason}"),
    })
}

fn ask(sandbox: &Sandbox, what: &str, argument: &str) -> Result<String, String> {
    Ok(match what {
        "fact" => {
            let facts = serde_json::to_value(sandbox.facts()).map_err(|error| error.to_string())?;
            let fact = facts.get(argument).ok_or_else(|| format!("a sandbox has no fact `{argument}`"))?;
            fact.as_str().map_or_else(|| fact.to_string(), str::to_owned)
        }
        "fault" => {
            let fault: Fault = serde_json::from_str(argument)
                .map_err(|error| format!("the fault is not understood ({error}); nothing was changed"))?;
            sandbox.fault(fault);
            String::new()
        }
        "fill" => {
            let fill: Fill = serde_json::from_str(argument).map_err(|error| error.to_string())?;
            sandbox.fill(&fill).map_err(|error| error.to_string())?.join("\n")
        }
        "answer" => {
            let given: GivenRows = serde_json::from_str(argument).map_err(|error| error.to_string())?;
            sandbox.answer(&given).map_err(|error| error.to_string())?.join("\n")
        }
        "snapshot" => {
            sandbox.snapshot(argument).map(|()| String::new()).map_err(|error| error.to_string())?
        }
        "restore" => sandbox.restore(argument).map(|()| String::new()).map_err(|error| error.to_string())?,
        "reset" => sandbox.reset().map(|()| String::new()).map_err(|error| error.to_string())?,
        "survey_ids" => {
            let lines = sandbox.survey_ids().iter().map(|(name, id)| format!("{id} {name}"));
            lines.collect::<Vec<_>>().join("\n")
        }
        "clear" => {
            sandbox.clear_faults();
            sandbox.ledger().clear();
            String::new()
        }
        "emit" => {
            let cause: Cause = serde_json::from_str(argument)
                .map_err(|error| format!("the cause is not understood ({error}); nothing was changed"))?;
            sandbox.emit(cause).to_string()
        }
        "deliveries" => sandbox.deliveries().log().iter().map(Attempt::line).collect::<Vec<_>>().join("\n"),
        // A caller that waits calls again, so that the receiver of an event can ask the sandbox in between.
        "settle" => sandbox.deliveries().settle(STEP).to_string(),
        "drain" => sandbox.deliveries().drain(STEP).to_string(),
        "requests" => sandbox.ledger().requests(argument).len().to_string(),
        "effects" => sandbox.ledger().effects(argument).len().to_string(),
        "token_requests" => sandbox.ledger().token_requests().len().to_string(),
        "revoke_tokens" => {
            sandbox.revoke_tokens();
            String::new()
        }
        "advance" => {
            let seconds = argument.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let seconds = seconds.ok_or_else(|| format!("`{argument}` is not a number of seconds"))?;
            sandbox.clock().advance(seconds);
            stored(sandbox)?
        }
        "freeze" => {
            let time = DateTime::parse_from_rfc3339(argument);
            let time =
                time.map_err(|_| format!("`{argument}` is not a time such as 2026-03-02T09:00:00Z"))?;
            sandbox.clock().freeze(time.to_utc());
            stored(sandbox)?
        }
        "reset_clock" => {
            sandbox.clock().reset();
            stored(sandbox)?
        }
        _ => return Err(format!("a sandbox cannot be asked for `{what}`")),
    })
}

/// The change of the clock is stored, too.
fn stored(sandbox: &Sandbox) -> Result<String, String> {
    sandbox.ensure_stored().map(|()| String::new()).map_err(|error| error.to_string())
}

/// A panic must not cross into another language.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let reason = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let reason = reason.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("the sandbox failed: {}", reason.unwrap_or_default())
    })
}

/// # Safety
/// The text ends with a zero byte.
unsafe fn text(given: *const c_char) -> String {
    // SAFETY: as documented.
    unsafe { CStr::from_ptr(given) }.to_string_lossy().into_owned()
}

fn owned(text: &str) -> *mut c_char {
    CString::new(text.replace('\0', "")).unwrap_or_default().into_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(sandbox: &Sandbox, what: &str, argument: &str) -> String {
        let (what, argument) = (CString::new(what).unwrap(), CString::new(argument).unwrap());
        // SAFETY: all three outlive the call.
        let answer = unsafe { sondage_testing_ask(sandbox, what.as_ptr(), argument.as_ptr()) };
        // SAFETY: the response is a text of its own, freed once.
        let parsed = unsafe { text(answer) };
        // SAFETY: as above.
        unsafe { sondage_testing_free(answer) };
        parsed
    }

    #[test]
    fn a_sandbox_is_started_asked_and_stopped_through_pointers() {
        let mut why = std::ptr::null_mut();
        // SAFETY: `why` is valid for writing.
        let sandbox = unsafe { sondage_testing_start(c"{}".as_ptr(), &raw mut why) };
        assert!(!sandbox.is_null() && why.is_null());
        // SAFETY: it is running.
        let running = unsafe { &*sandbox };
        let base = asked(running, "fact", "base_url");
        assert!(base.starts_with("+http://127.0.0.1:"), "{base}");
        assert_eq!(asked(running, "requests", "*"), "+0");
        assert_eq!(asked(running, "clear", ""), "+");
        assert_eq!(asked(running, "emit", r#"{"kind": "bounce", "memberId": 1}"#), "+false");
        assert_eq!(asked(running, "settle", ""), "+true");
        assert_eq!(asked(running, "deliveries", ""), "+");
        for (what, argument, says) in [
            ("fact", "colour", "no fact `colour`"),
            ("fault", "{}", "nothing was changed"),
            ("emit", r#"{"kind": "bonce"}"#, "`bounce`"),
            ("advance", "soon", "not a number of seconds"),
            ("freeze", "soon", "not a time such as"),
            ("dance", "", "cannot be asked"),
        ] {
            let error = asked(running, what, argument);
            assert!(error.starts_with('-') && error.contains(says), "{error}");
        }
        // SAFETY: it is not used afterwards.
        unsafe { sondage_testing_stop(sandbox) };
    }

    #[test]
    fn its_content_is_named() {
        let mut why = std::ptr::null_mut();
        // SAFETY: `why` is valid for writing.
        let sandbox = unsafe { sondage_testing_start(c"{\"content\": \"waves\"}".as_ptr(), &raw mut why) };
        // SAFETY: it is running.
        let ids = asked(unsafe { &*sandbox }, "fact", "survey_ids");
        assert!(ids.contains("Library visitors 2025") && ids.contains("Library visitors 2026"), "{ids}");
        // SAFETY: it is not used afterwards.
        unsafe { sondage_testing_stop(sandbox) };
        // SAFETY: as above.
        let none = unsafe { sondage_testing_start(c"{\"content\": \"wave\"}".as_ptr(), &raw mut why) };
        // SAFETY: the reason is a text of its own.
        assert!(none.is_null() && unsafe { text(why) }.contains("expected `demo` or `waves`"));
        // SAFETY: it is freed once.
        unsafe { sondage_testing_free(why) };
    }
}
