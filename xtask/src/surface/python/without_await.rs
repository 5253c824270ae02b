//! Derives blocking code from code for asyncio.

use crate::surface::prelude::*;

/// Replacements, in this order.
const REPLACED: [(&str, &str); 21] = [
    (
        "A client for asyncio. Cancelling a task ends its read; a write that was sent continues.",
        "A blocking client, for any number of threads, also after a fork. Ctrl-C ends a wait.",
    ),
    ("from ._async_", "from ._blocking_"),
    ("        from asyncio import CancelledError\n\n", ""),
    ("(KeyboardInterrupt, CancelledError)", "KeyboardInterrupt"),
    ("await self._native.start(", "self._native.call("),
    (" for asyncio:", ", blocking:"),
    (" for asyncio ", " that blocks "),
    (", for asyncio", ""),
    ("a cancelled task", "Ctrl-C"),
    ("Coroutine[Any, Any, Listed[T]]", "Listed[T]"),
    ("Coroutine[Any, Any, T]", "T"),
    ("Callable, Coroutine,", "Callable,"),
    ("await told.finish(", "told.wait("),
    (".start()", ".wait()"),
    (", on_loop=True)", ")"),
    ("await ", ""),
    ("async ", ""),
    ("Async", ""),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
    ("__aiter__", "__iter__"),
];

/// `_blocking_<name>.py` from `_async_<name>.py`.
pub fn file(name: &str) -> Generated {
    let from = format!("python/sondage/_async_{name}.py");
    generated(format!("python/sondage/_blocking_{name}.py"), &from, &blocking(&source(&from)))
}

/// The blocking form of a text for asyncio.
pub fn blocking(text: &str) -> String {
    replaced(text, &REPLACED)
}
