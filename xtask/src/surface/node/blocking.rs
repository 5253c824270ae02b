//! Derives the blocking form of a text from its asynchronous form.

use super::super::Generated;
use super::super::methods::{has_twin, objects, of_the_client};
use super::{generated, words::pascal};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// Replacements in code, in this order.
const CODE: [(&str, &str); 11] = [
    ("journalIf(", "onlyPlace("),
    ("./client.js", "./blocking_client.js"),
    ("./fail.js", "./blocking.js"),
    ("./tokens.js", "./blocking.js"),
    ("./watch.js", "./blocking.js"),
    ("./downloads.js", "./blocking_downloads.js"),
    ("./lists.js", "./blocking_lists.js"),
    ("await ", ""),
    ("async ", ""),
    ("asyncDispose", "dispose"),
    ("asyncIterator", "iterator"),
];

/// Replacements in types and their documentation.
const TYPES: [(&str, &str); 17] = [
    ("'./lists.js'", "'./blocking_lists.js'"),
    (" & { signal?: AbortSignal | undefined }", ""),
    ("\n    options?: { signal?: AbortSignal | undefined },", ""),
    ("options?: { signal?: AbortSignal | undefined }", ""),
    ("signal?: AbortSignal | undefined }", "}"),
    ("; }", " }"),
    (" `signal` gives the call up.", ""),
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
    let known = [
        "CallOptions",
        "Client",
        "Downloads",
        "Interviews",
        "List",
        "Members",
        "Methods",
        "Operations",
        "Rows",
    ];
    let made = objects().filter(|(object, _)| has_twin(object)).map(|(object, _)| pascal(object));
    let told = of_the_client().filter(|row| super::options::is_query(row) || !row.progress.is_empty());
    known.map(str::to_owned).into_iter().chain(made).chain(told.filter_map(super::options::name_of)).collect()
});

/// Code in its blocking form.
pub fn code(text: &str) -> String {
    named(&CODE.iter().fold(text.to_owned(), |text, (wrong, right)| text.replace(wrong, right)))
}

/// Types in their blocking form.
pub fn types(text: &str) -> String {
    let mut text = TYPES.iter().fold(text.to_owned(), |text, (wrong, right)| text.replace(wrong, right));
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

/// The file with the blocking form of something, if it has one.
pub fn import((home, name): (&'static str, String)) -> Option<(&'static str, String)> {
    let home = match home {
        "client" => "blocking_client",
        "lists" => "blocking_lists",
        home => home,
    };
    NAMES.contains(&name).then(|| (home, format!("Blocking{name}")))
}

/// Replaces names by those of the blocking form, except in comments.
fn named(text: &str) -> String {
    let is_comment = |line: &str| ["*", "/*", "//"].iter().any(|mark| line.trim_start().starts_with(mark));
    let line = |line: &str| if is_comment(line) { line.to_owned() } else { renamed(line) };
    text.split_inclusive('\n').map(line).collect()
}

fn renamed(line: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for sign in line.chars() {
        if sign.is_alphanumeric() {
            word.push(sign);
            continue;
        }
        out += &other(&std::mem::take(&mut word));
        out.push(sign);
    }
    out + &other(&word)
}

fn other(word: &str) -> String {
    match FUNCTIONS.iter().find(|(name, _)| *name == word) {
        Some((_, blocking)) => (*blocking).to_owned(),
        None if NAMES.contains(word) => format!("Blocking{word}"),
        None => word.to_owned(),
    }
}

/// `blocking_<name>` of each hand-written file.
pub fn files() -> Vec<Generated> {
    let read = |from: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(from);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{from}: {error}"))
    };
    let code = ["client", "downloads", "lists"].map(|name| {
        let from = format!("node/lib/{name}.js");
        generated(format!("node/lib/blocking_{name}.js"), &from, &code(&read(&from)))
    });
    let types = ["client", "lists"].map(|name| {
        let from = format!("node/types/{name}.d.ts");
        generated(format!("node/types/blocking_{name}.d.ts"), &from, &types(&read(&from)))
    });
    code.into_iter().chain(types).collect()
}
