//! Derives blocking code from code for asyncio.

use super::super::Generated;
use super::generated;
use std::fs;
use std::path::Path;

/// The replacements, in this order.
const REPLACED: [(&str, &str); 15] = [
    ("from ._async_", "from ._blocking_"),
    (" for asyncio:", ", blocking:"),
    (" for asyncio ", " that blocks "),
    (", for asyncio", ""),
    ("a cancelled task", "Ctrl-C"),
    ("Coroutine[Any, Any, Listed[T]]", "Listed[T]"),
    ("Coroutine[Any, Any, T]", "T"),
    ("Callable, Coroutine,", "Callable,"),
    ("await told.finish(", "told.wait("),
    (".start()", ".wait()"),
    ("await ", ""),
    ("async ", ""),
    ("Async", ""),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
];

/// `_blocking_<name>.py` from `_async_<name>.py`.
pub fn file(name: &str) -> Generated {
    let from = format!("python/sondage/_async_{name}.py");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(&from);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{from}: {error}"));
    let text = REPLACED
        .iter()
        .fold(text, |text, (wrong, right)| text.replace(wrong, right))
        .replace("__aiter__", "__iter__");
    generated(format!("python/sondage/_blocking_{name}.py"), &from, &text)
}
