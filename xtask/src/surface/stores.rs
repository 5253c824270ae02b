//! Stores that the caller provides, for journals and for tokens: the protocols of Python and the interfaces of Node.js.

use super::prelude::*;

/// How a language calls a journal and a store of tokens, and how `open` reports that the journal is in use.
type StoreWords = [(&'static str, &'static str); 3];

const IN_PYTHON: StoreWords = [
    (
        "{journal}",
        "The methods may be `async`. They are called one at a time, on a thread of the library; `async` ones run on the event loop on \
         which the job was started, if there is one.",
    ),
    ("{tokens}", "The methods may be `async`; they then run on the caller's event loop."),
    ("{busy}", "raise `BlockingIOError`"),
];

const IN_NODE: StoreWords = [
    (
        "{journal}",
        "The methods may return promises, and are called one at a time. A blocking client takes paths only.",
    ),
    ("{tokens}", "The methods may return promises."),
    ("{busy}", "throw an error whose `code` is `EBUSY`"),
];

/// A store: its name, its documentation, and its methods with theirs.
type Store = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const STORES: [Store; 2] = [
    (
        "JournalStore",
        "Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it as `journal`.

         {journal}

         A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those before it. An error of a
         method ends the job before anything more is sent, and is the cause of the job's own error.",
        &[
            (
                "open",
                "Returns every line, in order, and locks the journal, so that no other process runs the same job. If another process has it,
                 {busy}.",
            ),
            ("append", "Appends lines. When it is done, they survive a power failure."),
            ("forget_last", "Removes the last line."),
            ("clear", "Removes every line: the job is complete and reported."),
            ("close", "Unlocks the journal, which may be opened again."),
        ],
    ),
    (
        "TokenStore",
        "Stores tokens, for example in Redis, a database or a vault. Each key belongs to one identity, so entries must be kept apart. They
         are secret. {tokens}",
        &[
            ("load", "Returns the entry of a key; nothing if there is none."),
            ("save", "Saves the entry of a key, replacing an earlier one."),
            ("forget", "Removes the entry of a key, if there is one."),
        ],
    ),
];

/// What a method takes and returns: in Python, and in Node.js.
fn signature_of(method: &str) -> [(&str, &str); 2] {
    let (python, node) = ("Awaitable[None] | None", "Promise<unknown> | unknown");
    match method {
        "open" => [
            ("", "Iterable[str] | Awaitable[Iterable[str]]"),
            ("", "Promise<Iterable<string>> | Iterable<string>"),
        ],
        "append" => [(", lines: list[str], /", python), ("lines: readonly string[]", node)],
        "load" => [
            (", key: str, /", "str | None | Awaitable[str | None]"),
            ("key: string", "Promise<string | null | undefined> | string | null | undefined"),
        ],
        "save" => [(", key: str, tokens: str, /", python), ("key: string, tokens: string", node)],
        "forget" => [(", key: str, /", python), ("key: string", node)],
        _ => [("", python), ("", node)],
    }
}

pub fn files() -> [Generated; 2] {
    let mut code = String::from(
        "\"\"\"Stores of the caller's, and what they are asked.\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Protocol\n\n\
         TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Awaitable, Iterable\n\n\
         __all__ = [\"JournalStore\", \"TokenStore\"]\n",
    );
    let mut types = String::new();
    for (name, about, methods) in STORES {
        let [python, node] = [IN_PYTHON, IN_NODE].map(|words| paragraphs(&replaced(about, &words)));
        put!(code, "\n\nclass {name}(Protocol):\n{}", docstring(&python, 4));
        let mut properties = String::new();
        for (method, docs) in methods {
            let [python, node] = [IN_PYTHON, IN_NODE].map(|words| [line(&replaced(docs, &words))]);
            let [(taken, given), (parameters, result)] = signature_of(method);
            put!(code, "\n    def {method}(self{taken}) -> {given}:\n{}        ...\n", docstring(&python, 8));
            properties += &property(&node, &format!("{}({parameters}): {result}", camel(method)));
        }
        types += &interface(&node, name, &properties);
    }
    let from = "xtask/src/surface/stores.rs";
    [generated("python/sondage/_stores.py", from, &code), generated("node/types/stores.d.ts", from, &types)]
}
