//! What all bindings share that convert values with serde, and the documentation of their common parts.

/// The maximum nesting depth of arguments: a list that contains itself has no end.
pub const DEEPEST: u8 = 100;

/// The struct by which serde passes raw JSON.
pub const RAW: &str = "$serde_json::private::RawValue";

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
