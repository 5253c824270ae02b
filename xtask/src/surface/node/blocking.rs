//! Derives the blocking form of a text from its asynchronous form.

use super::options::{is_query, name_of};
use crate::surface::prelude::*;
use std::sync::LazyLock;

/// Replacements in code, in this order.
const CODE: [(&str, &str); 14] = [
    // It cannot wait for a store of the caller's.
    ("StoreGuard.native(unknownTo)", "Guard.native(unknownTo)"),
    ("await unknownOnly(await perform(work, signal, cause), unknownTo)", "perform(work, signal, cause)"),
    ("journalIf(", "onlyPlace("),
    ("./client.js", "./blocking_client.js"),
    ("./fail.js", "./blocking.js"),
    ("./tokens.js", "./blocking.js"),
    ("./watch.js", "./blocking.js"),
    ("./sync.js", "./blocking.js"),
    ("./downloads.js", "./blocking_downloads.js"),
    ("./lists.js", "./blocking_lists.js"),
    ("await ", ""),
    ("async ", ""),
    ("asyncDispose", "dispose"),
    ("asyncIterator", "iterator"),
];

/// Replacements in types and their documentation.
const TYPES: [(&str, &str); 18] = [
    ("'./lists.js'", "'./blocking_lists.js'"),
    (" & { signal?: AbortSignal | undefined }", ""),
    ("\n    options?: { signal?: AbortSignal | undefined },", ""),
    ("options?: { signal?: AbortSignal | undefined }", ""),
    ("signal?: AbortSignal | undefined }", "}"),
    ("; }", " }"),
    (" `signal` gives the call up.", ""),
    ("string | URL | PostgresClient", "string | URL"),
    ("T | Promise<T>", "T"),
    (
        "that returns a promise of the response.",
        "that BLOCKS THE EVENT LOOP until its response\n * has arrived: nothing else of the program runs meanwhile. It is for scripts and worker threads. A server uses `Client`.",
    ),
    ("beside the operations. */", "beside the operations, blocking. */"),
    ("for `for await`", "for `for`, which blocks at each page"),
    ("`for await`", "`for`"),
    ("`await using`", "`using`"),
    ("(await client", "(client"),
    ("Async", ""),
    ("asyncDispose", "dispose"),
    ("asyncIterator", "iterator"),
];

/// Functions with a blocking form.
const FUNCTIONS: [(&str, &str); 6] = [
    ("asking", "blockAsking"),
    ("begin", "blockBegin"),
    ("keeping", "blockKeeping"),
    ("perform", "block"),
    ("takenFrom", "blockTakenFrom"),
    ("watched", "blockWatched"),
];

/// Classes and options with a blocking form.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let known = "CallOptions Client Downloads Interviews List Members Methods Operations Rows".split(' ');
    let made = objects().filter(|(object, _)| has_twin(object)).map(|(object, _)| pascal(object));
    let told = of_the_client().filter(|row| is_query(row) || !row.progress.is_empty()).filter_map(name_of);
    known.map(str::to_owned).chain(made).chain(told).collect()
});

pub fn code(text: &str) -> String {
    named(&replaced(text, &CODE))
}

pub fn types(text: &str) -> String {
    let mut text = replaced(text, &TYPES);
    while let Some(begin) = text.find("Promise<") {
        let inner = begin + "Promise<".len();
        let mut depth = 1;
        let end = text[inner..].find(|sign| {
            depth += i32::from(sign == '<') - i32::from(sign == '>');
            depth == 0
        });
        let end = inner + end.unwrap_or_else(|| panic!("a promise of what? {}", &text[begin..]));
        text = format!("{}{}{}", &text[..begin], &text[inner..end], &text[end + 1..]);
    }
    named(&text.replace("ClientOptions", "Settings"))
}

/// Replaces names by those of the blocking form, except in comments.
fn named(text: &str) -> String {
    let is_comment = |line: &str| ["*", "/*", "//"].iter().any(|mark| line.trim_start().starts_with(mark));
    let is_end = |sign: char| !sign.is_alphanumeric();
    let line = |line: &str| -> String {
        if is_comment(line) { line.to_owned() } else { line.split_inclusive(is_end).map(other).collect() }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The blocking form of a word and the sign that ends it.
fn other(text: &str) -> String {
    let word = text.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    match FUNCTIONS.iter().find(|(name, _)| *name == word) {
        Some((_, blocking)) => text.replace(word, blocking),
        None if NAMES.contains(word) => format!("Blocking{text}"),
        None => text.to_owned(),
    }
}

/// `blocking_<name>` of each hand-written file.
pub fn files() -> [Generated; 5] {
    let files =
        ["lib/client.js", "lib/downloads.js", "lib/lists.js", "types/client.d.ts", "types/lists.d.ts"];
    files.map(|file| {
        let from = format!("node/{file}");
        let form = if file.starts_with("lib") { code } else { types };
        generated(format!("node/{}", file.replace('/', "/blocking_")), &from, &form(&source(&from)))
    })
}
