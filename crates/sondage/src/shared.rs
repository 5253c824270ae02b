//! What all bindings share that convert values with serde, and the documentation of their common parts.

use serde::de::{Expected, Unexpected};
use std::fmt::Display;

/// The maximum nesting depth of arguments: a list that contains itself has no end.
pub const DEEPEST: u8 = 100;

/// The struct by which serde passes raw JSON.
pub const RAW: &str = "$serde_json::private::RawValue";

/// What serde has found instead of what it expects, without the names of Rust's types. `nothing`: the language's `null`.
pub fn mismatch(found: &Unexpected<'_>, expected: &dyn Expected, nothing: &str) -> String {
    let description = match found {
        Unexpected::Unit => nothing.to_owned(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Bool(truth) => truth_word(*truth, nothing).to_owned(),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Bytes(_) => "bytes".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map if nothing == "None" => "a dictionary".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        // An integer that is wider than those of serde: "integer `7` as i128".
        Unexpected::Other(words) => words.split('`').nth(1).unwrap_or(words).to_owned(),
        other => other.to_string(),
    };
    let most = |largest: u64| format!("an integer from 0 to {largest}");
    let expected = match expected.to_string().as_str() {
        "usize" | "u64" => "an integer of at least 0".to_owned(),
        "u32" => most(u32::MAX.into()),
        "u16" => most(u16::MAX.into()),
        "u8" => most(u8::MAX.into()),
        "i64" | "i32" => "an integer".to_owned(),
        "f64" | "f32" => "a number".to_owned(),
        words => words.to_owned(),
    };
    format!("must be {expected}, not {description}")
}

/// A boolean as a language writes it. `nothing`: its `null`.
fn truth_word(truth: bool, nothing: &str) -> &'static str {
    match (truth, nothing) {
        (true, "None") => "True",
        (false, "None") => "False",
        (true, _) => "true",
        (false, _) => "false",
    }
}

/// A number that JSON cannot represent. `nothing`: the language's `null`.
pub fn unsendable(number: impl Display, nothing: &str) -> String {
    format!(
        "is {number}, which cannot be sent and is the code of no answer: leave it out, or use {nothing} where there may be no value"
    )
}

/// A number as JavaScript writes it.
pub fn in_javascript(number: f64) -> String {
    number.to_string().replace("inf", "Infinity")
}

/// The path of an argument, without the name that a package gives to rows from objects.
pub fn of_caller(path: &str) -> String {
    path.replacen("rows.objects[", "rows[", 1)
}

/// The documentation of what several bindings have: `#[doc = sondage::about!(pages)]`. Only for this project's own crates.
#[doc(hidden)]
#[macro_export]
macro_rules! about {
    (handles) => {
        "The one class for all objects with methods."
    };
    (handle) => {
        "A client, a query, a table, a sandbox, ..."
    };
    (pages) => {
        "The complete list of a paged operation."
    };
    (connect) => {
        "A client. Nothing is sent before its first call."
    };
    (make) => {
        "Makes a handle, or calls a method that needs none."
    };
    (offer_journal) => {
        "Offers a journal to the call whose `journal` is the text that this returns. `ask` is called with what to do and lines."
    };
    (path) => {
        "The path, innermost part first."
    };
    (under) => {
        "The same fault, one level further out."
    };
    (at) => {
        "The same fault, inside a list."
    };
    (wide) => {
        "An integer that is not interpreted here: a value from a response is sent back unchanged."
    };
    (raw) => {
        "Passes the models' unknown fields, and raw JSON, separately."
    };
}
