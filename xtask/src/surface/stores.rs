//! Stores that the caller provides, for journals and for tokens: the protocols of Python and the interfaces of Node.js.

use super::{Generated, node, python};
use heck::ToLowerCamelCase as _;
use std::fmt::Write as _;

/// The terms of a language: how it calls a journal and a store of tokens, and how `open` reports that the journal is in use.
struct StoreWords {
    journal: &'static str,
    tokens: &'static str,
    busy: &'static str,
}

const PYTHON: StoreWords = StoreWords {
    journal: "The methods may be `async`. They are called one at a time, on a thread of the library; `async` ones run on the event loop on \
              which the job was started, if there is one.",
    tokens: "The methods may be `async`; they then run on the caller's event loop.",
    busy: "raise `BlockingIOError`",
};

const NODE: StoreWords = StoreWords {
    journal: "The methods may return promises, and are called one at a time. A blocking client takes paths only.",
    tokens: "The methods may return promises.",
    busy: "throw an error whose `code` is `EBUSY`",
};

/// A store: its name, its documentation, and its methods with theirs.
type Store = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STORES: [Store; 2] = [
    (
        "JournalStore",
        &[
            "Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it as `journal`.",
            "{journal}",
            "A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those before it. An error of a \
             method ends the job before anything more is sent, and is the cause of the job's own error.",
        ],
        &[
            (
                "open",
                "Returns every line, in order, and locks the journal, so that no other process runs the same job. If another process has it, \
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
        &[
            "Stores tokens, for example in Redis, a database or a vault. Each key belongs to one identity, so entries must be kept apart. They \
             are secret. {tokens}",
        ],
        &[
            ("load", "Returns the entry of a key; nothing if there is none."),
            ("save", "Saves the entry of a key, replacing an earlier one."),
            ("forget", "Removes the entry of a key, if there is one."),
        ],
    ),
];

impl StoreWords {
    fn say(&self, docs: &str) -> String {
        docs.replace("{journal}", self.journal).replace("{tokens}", self.tokens).replace("{busy}", self.busy)
    }
}

/// Both files.
pub fn files() -> [Generated; 2] {
    [in_python(), in_node()]
}

fn in_python() -> Generated {
    let mut body = String::from(
        "\"\"\"Stores of the caller's, and what they are asked.\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Protocol\n\n\
         TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Awaitable, Iterable\n\n\
         __all__ = [\"JournalStore\", \"TokenStore\"]\n",
    );
    for (class, about, methods) in STORES {
        let about: Vec<String> = about.iter().map(|docs| PYTHON.say(docs)).collect();
        let _ = write!(body, "\n\nclass {class}(Protocol):\n{}", python::docstring(&about, 4));
        for (name, docs) in methods {
            let takes = match *name {
                "append" => ", lines: list[str], /",
                "load" | "forget" => ", key: str, /",
                "save" => ", key: str, tokens: str, /",
                _ => "",
            };
            let returns = match *name {
                "open" => "Iterable[str] | Awaitable[Iterable[str]]",
                "load" => "str | None | Awaitable[str | None]",
                _ => "Awaitable[None] | None",
            };
            let docs = python::docstring(&[PYTHON.say(docs)], 8);
            let _ = write!(body, "\n    def {name}(self{takes}) -> {returns}:\n{docs}        ...\n");
        }
    }
    python::generated("python/sondage/_stores.py", "xtask/src/surface/stores.rs", &body)
}

fn in_node() -> Generated {
    let mut body = String::new();
    for (interface, about, methods) in STORES {
        let about: Vec<String> = about.iter().map(|docs| NODE.say(docs)).collect();
        let _ = write!(body, "\n{}export interface {interface} {{\n", node::comment(&about, 0));
        for (name, docs) in methods {
            let takes = match *name {
                "append" => "lines: readonly string[]",
                "load" | "forget" => "key: string",
                "save" => "key: string, tokens: string",
                _ => "",
            };
            let returns = match *name {
                "open" => "Promise<Iterable<string>> | Iterable<string>",
                "load" => "Promise<string | null | undefined> | string | null | undefined",
                _ => "Promise<unknown> | unknown",
            };
            body.push_str(&node::comment(&[NODE.say(docs)], 2));
            let _ = writeln!(body, "  {}({takes}): {returns};", name.to_lower_camel_case());
        }
        body.push_str("}\n");
    }
    node::generated("node/types/stores.d.ts", "xtask/src/surface/stores.rs", &body)
}
