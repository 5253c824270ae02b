//! The methods of a client that are not operations, blocking and for asyncio.

use super::super::methods::{MethodRow, of_the_client};
use super::super::selections::{Nothing, documented};
use super::super::{Generated, prose};
use super::objects::{Made, made};
use super::operations::signature;
use super::without_await::blocking;
use super::{braces, docstring, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType, InterviewState};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lazy queries, and those of their options that are methods of the result in Python.
const QUERIES: [(&str, &str, &[&str]); 2] =
    [("members", "Members", &[]), ("interviews", "Interviews", &["order_by", "descending"])];

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
/// The documentation of labels.
pub const LABELS: &str = "labels: Labels instead of codes (`True`), or in addition (`\"both\"`).";
const ROWS: &str = "rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file (all texts, so that no digit is \
                    lost), or dictionaries.";
const PROGRESS: &str = "progress: A progress callback, or whether to show a progress bar. Default: a bar in a terminal or notebook, if it takes more than a second.";
const HEAD: &str = r#""""What a client does beside the operations, for asyncio."""

from __future__ import annotations

from ._convert import ABSENT, filter_of, several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Literal

    from ._condition import Filter
    from ._create import Rows
    from ._files import Path
    from ._guard import Guard
    from ._native import Handle
    from ._progress import Progress, Reporter
    from ._queries import AsyncInterviews, AsyncMembers
    from ._stores import JournalStore
    from ._table import Labels
    from .types import InterviewState
    from .webhooks import Hook
"#;

/// The methods: a file for each client.
pub fn files() -> [Generated; 2] {
    let mut types = BTreeSet::new();
    let mut body = String::from(
        "\n\nclass AsyncMethods:\n    \"\"\"What a client does beside the operations, for asyncio.\"\"\"\n\n    \
         __slots__ = ()\n    _native: Handle\n",
    );
    for row in of_the_client() {
        let _ = write!(body, "\n{}", method(row));
        if query_of(row).is_none() {
            types.extend(made(row).types);
        }
        types.extend((!row.progress.is_empty()).then(|| ("_reports", row.progress.to_owned())));
    }
    let mut head = HEAD.to_owned();
    for (home, name) in types {
        let _ = writeln!(head, "    from .{home} import {name}");
    }
    let text = head + &body;
    [
        generated("python/sondage/_async_methods.py", FROM, &text),
        generated("python/sondage/_blocking_methods.py", FROM, &blocking(&text)),
    ]
}

fn query_of(row: &MethodRow) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    QUERIES.iter().find(|(name, ..)| *name == row.name)
}

fn method(row: &MethodRow) -> String {
    let query = query_of(row);
    let elsewhere = query.map_or(&[][..], |(.., elsewhere)| elsewhere);
    let (first, mut named) = row.arguments();
    named.retain(|field| !elsewhere.contains(&field.name));
    let mut parameters = vec!["self".to_owned()];
    parameters.extend(row.hook().map(|_| "hook: Hook".into()));
    parameters.extend(first.iter().map(|field| parameter(field)));
    if row.with == "rows" {
        parameters.push("rows: Rows".into());
    }
    let positional = parameters.len();
    parameters.push("*".into());
    parameters.extend(named.iter().map(|field| parameter(field)));
    parameters.extend(row.guard().map(|_| "unknown_to: Guard | None = None".into()));
    if row.name == "interviews" {
        parameters.push("labels: Labels = False".into());
    }
    if query.is_some() {
        parameters.push("progress: Reporter[Progress] = None".into());
    } else if !row.progress.is_empty() {
        parameters.push(format!("progress: Reporter[{}] = None", row.progress));
    }
    if parameters.len() == positional + 1 {
        parameters.pop();
    }
    let made = made(row);
    let class = query.map_or(made.class.clone(), |(_, class, _)| format!("Async{class}"));
    let word = if row.kind == "Call" { "async def" } else { "def" };
    let mut out = signature(&format!("{word} {}", row.name), &parameters, &class);
    out.push_str(&docstring(&documentation(row, &first, &named), 8));
    if query.is_some() {
        out.push_str(&of_a_query(row, &class, &named));
    } else {
        out.push_str(&call(row, &made));
    }
    out
}

/// A parameter, with its type and its default.
pub fn parameter(field: &ArgumentSchema) -> String {
    let ty = match field.ty {
        ArgumentType::Bool => "bool",
        ArgumentType::Int | ArgumentType::Count => "int",
        ArgumentType::Text => "str",
        ArgumentType::Texts => "Iterable[str]",
        ArgumentType::Ints => "Iterable[int]",
        ArgumentType::Timestamp => "datetime",
        ArgumentType::Time => "float",
        ArgumentType::Path => "Path",
        ArgumentType::Journal => "Path | JournalStore",
        ArgumentType::Filter => "Filter",
        ArgumentType::Rows => "Rows",
        ArgumentType::Blocks => "Mapping[str, Mapping[str, str]]",
        ArgumentType::Codes => "Mapping[str, Sequence[float | str]]",
        ArgumentType::Word(words) => return chosen(field, words),
    };
    if field.absent.is_some() {
        return format!("{}: {ty} = ABSENT", field.name);
    }
    match (field.required, field.default) {
        (true, _) => format!("{}: {ty}", field.name),
        (false, None) => format!("{}: {ty} | None = None", field.name),
        (false, Some("true")) => format!("{}: {ty} = True", field.name),
        (false, Some("false")) => format!("{}: {ty} = False", field.name),
        (false, Some(default)) => format!("{}: {ty} = {default}", field.name),
    }
}

/// One of several words, with the default first.
fn chosen(field: &ArgumentSchema, words: &[&str]) -> String {
    if words == InterviewState::KNOWN {
        return format!("{}: InterviewState | None = None", field.name);
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let default = field.default_word().map_or_else(String::new, |word| format!(" = \"{word}\""));
    format!("{}: Literal[{}]{default}", field.name, quoted.join(", "))
}

fn documentation(row: &MethodRow, first: &[&ArgumentSchema], named: &[&ArgumentSchema]) -> Vec<String> {
    let line = |field: &&ArgumentSchema| {
        let text = documented(field.docs, field.absent, Nothing::Python);
        let text = if field.ty == ArgumentType::Time { format!("{text} In seconds.") } else { text };
        let filter = field.ty == ArgumentType::Filter;
        let text =
            if filter { format!("{}; see `sondage.field`.", text.trim_end_matches('.')) } else { text };
        format!("{}: {text}", field.name)
    };
    let mut texts: Vec<String> = row.hook().map(|docs| format!("hook: {docs}")).into_iter().collect();
    texts.extend(first.iter().map(line));
    texts.extend((row.with == "rows").then(|| ROWS.to_owned()));
    texts.extend(named.iter().map(line));
    texts.extend(row.guard().map(|docs| format!("unknown_to: {docs}")));
    texts.extend((row.name == "interviews").then(|| LABELS.to_owned()));
    texts.extend((query_of(row).is_some() || !row.progress.is_empty()).then(|| PROGRESS.to_owned()));
    with_arguments(prose::paragraphs(row.docs), texts)
}

/// Paragraphs, followed by the documentation of arguments.
pub fn with_arguments(mut paragraphs: Vec<String>, texts: Vec<String>) -> Vec<String> {
    if texts.is_empty() {
        return paragraphs;
    }
    let mut lines = vec!["Args:".to_owned()];
    for text in texts {
        // The docstring indents the lines once more.
        lines.extend(prose::wrap(&text, 4 + 8, 4).into_iter().map(|line| line[8..].to_owned()));
    }
    paragraphs.push(lines.join("\n"));
    paragraphs
}

/// How an argument is passed to the native module.
fn handed(field: &ArgumentSchema) -> String {
    let name = field.name;
    match field.ty {
        ArgumentType::Texts | ArgumentType::Ints => format!("several({name})"),
        ArgumentType::Filter => format!("{name} if {name} is None else filter_of({name})"),
        ArgumentType::Journal => format!("{name} if {name} is None else journal_of({name}, on_loop=True)"),
        ArgumentType::Path if field.required => format!("fsencode({name})"),
        ArgumentType::Path => format!("{name} if {name} is None else fsencode({name})"),
        _ => name.to_owned(),
    }
}

/// A query reads nothing before its rows are requested.
fn of_a_query(row: &MethodRow, class: &str, named: &[&ArgumentSchema]) -> String {
    let entries: Vec<String> =
        named.iter().map(|field| format!("\"{}\": {}", field.name, handed(field))).collect();
    let labels = if row.name == "interviews" { "labels" } else { "False" };
    let (whose, _) = row.arguments();
    format!(
        "        from ._queries import {class}\n\n        choices = {}\n        \
         return {class}(self._native, {}, choices, {labels}, progress)\n",
        braces(&entries, 8),
        whose[0].name
    )
}

fn call(row: &MethodRow, made: &Made) -> String {
    let (first, named) = row.arguments();
    let fields = || first.iter().chain(&named);
    let mut out = String::new();
    if fields().any(|field| field.ty == ArgumentType::Path) {
        out.push_str("        from os import fsencode\n\n");
    }
    if fields().any(|field| field.ty == ArgumentType::Journal) {
        out.push_str("        from ._journals import journal_of\n");
    }
    if row.with == "rows" {
        out.push_str("        from ._create import with_rows\n");
    }
    if let Some((home, maker)) = &made.maker {
        let _ = writeln!(out, "        from .{home} import {maker}");
    }
    if !row.progress.is_empty() {
        let _ = write!(
            out,
            "        from ._progress import Observer\n        from ._reports import {}\n",
            row.progress
        );
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let mut given = "";
    if !row.argument.is_empty() {
        let entries: Vec<String> =
            fields().map(|field| format!("\"{}\": {}", field.wire, handed(field))).collect();
        let _ = writeln!(out, "        arguments = {}", braces(&entries, 8));
        given = match row.with {
            // The core checks rows of an import against the panel.
            "rows" if ["ImportOptions", "CreateAndInviteOptions"].contains(&row.argument) => {
                ", *with_rows(arguments, rows, typed=True)"
            }
            "rows" => ", *with_rows(arguments, rows)",
            "hook" => ", arguments, hook._native",
            "guard" => ", arguments, unknown_to and unknown_to._native",
            _ if !row.progress.is_empty() => ", arguments, told.watch",
            _ => ", arguments",
        };
    }
    let work = format!("self._native.method(\"{}\"{given})", row.name);
    if row.kind != "Call" {
        return out + &made.given(&work, 8);
    }
    if row.progress.is_empty() {
        return out + &made.given(&format!("await {work}.start()"), 8);
    }
    let _ = writeln!(out, "        with Observer(progress, {}) as told:", row.progress);
    out + &made.given(&format!("await told.finish({work})"), 12)
}
