//! The methods of a journal that the caller provides: the protocol of Python and the interface of Node.js.

use super::{Generated, node, python};
use heck::ToLowerCamelCase as _;
use std::fmt::Write as _;

/// The terms of a language: the type of a path, the options of plans, and how `open` reports that the journal is in use.
struct JournalWords {
    calls: &'static str,
    busy: &'static str,
}

const PYTHON: JournalWords = JournalWords {
    calls: "The methods may be `async`. They are called one at a time, on a thread of the library; `async` ones run on the event loop on \
            which the job was started, if there is one.",
    busy: "raise `BlockingIOError`",
};

const NODE: JournalWords = JournalWords {
    calls: "The methods may return promises, and are called one at a time. A blocking client takes paths only.",
    busy: "throw an error whose `code` is `EBUSY`",
};

const ABOUT: [&str; 3] = [
    "Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it as `journal`.",
    "{calls}",
    "A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those before it. An error of a \
     method ends the job before anything more is sent, and is the cause of the job's own error.",
];

/// The methods, and whether they take or return lines.
const METHODS: [(&str, &str); 5] = [
    (
        "open",
        "Returns every line, in order, and locks the journal, so that no other process runs the same job. If another process has it, \
         {busy}.",
    ),
    ("append", "Appends lines. When it is done, they survive a power failure."),
    ("forget_last", "Removes the last line."),
    ("clear", "Removes every line: the job is complete and reported."),
    ("close", "Unlocks the journal, which may be opened again."),
];

impl JournalWords {
    fn say(&self, docs: &str) -> String {
        docs.replace("{calls}", self.calls).replace("{busy}", self.busy)
    }
}

/// Both files.
pub fn files() -> [Generated; 2] {
    [in_python(), in_node()]
}

fn in_python() -> Generated {
    let mut body = String::from(
        "\"\"\"What a journal of the caller's is asked.\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Protocol\n\n\
         TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Awaitable, Iterable\n\n\
         __all__ = [\"JournalStore\"]\n\n\nclass JournalStore(Protocol):\n",
    );
    body.push_str(&python::docstring(&ABOUT.map(|docs| PYTHON.say(docs)), 4));
    for (name, docs) in METHODS {
        let (takes, returns) = match name {
            "open" => ("", "Iterable[str] | Awaitable[Iterable[str]]"),
            "append" => (", lines: list[str], /", "Awaitable[None] | None"),
            _ => ("", "Awaitable[None] | None"),
        };
        let _ = write!(body, "\n    def {name}(self{takes}) -> {returns}:\n");
        body.push_str(&python::docstring(&[PYTHON.say(docs)], 8));
        body.push_str("        ...\n");
    }
    python::generated("python/sondage/_journal_store.py", "xtask/src/surface/journals.rs", &body)
}

fn in_node() -> Generated {
    let mut body = format!(
        "\n{}export interface JournalStore {{\n",
        node::comment(&ABOUT.map(|docs| NODE.say(docs)), 0)
    );
    for (name, docs) in METHODS {
        let (takes, returns) = match name {
            "open" => ("", "Promise<Iterable<string>> | Iterable<string>"),
            "append" => ("lines: readonly string[]", "Promise<unknown> | unknown"),
            _ => ("", "Promise<unknown> | unknown"),
        };
        body.push_str(&node::comment(&[NODE.say(docs)], 2));
        let _ = writeln!(body, "  {}({takes}): {returns};", name.to_lower_camel_case());
    }
    body.push_str("}\n");
    node::generated("node/types/journals.d.ts", "xtask/src/surface/journals.rs", &body)
}
