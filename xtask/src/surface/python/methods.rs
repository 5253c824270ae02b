//! The methods of a client that are not operations, blocking and for asyncio.

use super::objects::{Made, made};
use super::without_await::blocking;
use super::{Parameter, braces};
use crate::surface::prelude::*;

pub const LABELS: &str = "labels: Labels instead of codes (`True`), or in addition (`\"both\"`).";
const ROWS: &str = "rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file or an Excel workbook (`Csv` and \
                    `Workbook` say how to read it; all texts, so that no digit is lost), or dictionaries.";
const PROGRESS: &str = "progress: A progress callback, or whether to show a progress bar. Default: a bar in a terminal or notebook, if it takes more than a second.";
const HEAD: &str = r#""""What a client does beside the operations, for asyncio."""

from __future__ import annotations

from ._convert import ABSENT, filter_of, several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Any, Literal

    from ._condition import Filter
    from ._create import Rows
    from ._files import Path
    from ._guard import Guard
    from ._models.panel import NewMember
    from ._native import Handle
    from ._progress import Progress, Reporter
    from ._queries import AsyncInterviews, AsyncMembers
    from ._stores import JournalStore
    from ._table import Labels
    from .types import DistributionChannel, EventType, InterviewState, WorkflowType
    from .webhooks import Hook
"#;

pub fn files() -> [Generated; 2] {
    let mut types = BTreeSet::new();
    let mut body = String::from(
        "\n\nclass AsyncMethods:\n    \"\"\"What a client does beside the operations, for asyncio.\"\"\"\n\n    \
         __slots__ = ()\n    _native: Handle\n",
    );
    for row in of_the_client() {
        put!(body, "\n{}", method(row));
        if query_of(row).is_none() {
            types.extend(made(row).home);
        }
        types.extend((!row.progress.is_empty()).then(|| ("_reports", row.progress.to_owned())));
    }
    let mut head = HEAD.to_owned();
    for (home, name) in types {
        put!(head, "    from .{home} import {name}\n");
    }
    let text = head + &body;
    [
        generated("python/sondage/_async_methods.py", FROM_METHODS, &text),
        generated("python/sondage/_blocking_methods.py", FROM_METHODS, &blocking(&text)),
    ]
}

fn query_of(row: &MethodRow) -> Option<&'static str> {
    match row.name {
        "members" => Some("AsyncMembers"),
        "interviews" => Some("AsyncInterviews"),
        _ => None,
    }
}

fn method(row: &MethodRow) -> String {
    let (query, made) = (query_of(row), made(row));
    let (first, mut named) = row.arguments();
    // Methods of the result in Python.
    named.retain(|field| query.is_none() || !["order_by", "descending"].contains(&field.name));
    let described = |field: &&ArgumentSchema| (parameter(field), documentation(field));
    let own = |typed: &str, about: &str| (typed.to_owned(), about.to_owned());
    let hook = row.hook().map(|about| own("hook: Hook", &format!("hook: {about}")));
    let mut positional: Vec<Parameter> = hook.into_iter().chain(first.iter().map(described)).collect();
    positional.extend((row.with == "rows").then(|| own("rows: Rows", ROWS)));
    let mut optional: Vec<Parameter> = named.iter().map(described).collect();
    let guard =
        row.guard().map(|about| own("unknown_to: Guard | None = None", &format!("unknown_to: {about}")));
    optional.extend(guard);
    optional.extend((row.name == "interviews").then(|| own("labels: Labels = False", LABELS)));
    let progress = if query.is_some() { "Progress" } else { row.progress };
    let reporter = format!("progress: Reporter[{progress}] = None");
    optional.extend((!progress.is_empty()).then(|| own(&reporter, PROGRESS)));
    let word = if row.kind == "Call" { "async def" } else { "def" };
    let (head, result) = (format!("{word} {}", row.name), query.unwrap_or(&made.class));
    let head = super::method(&head, [positional, optional], result, paragraphs(row.docs), vec![]);
    let body = query.map_or_else(|| call(row, &made), |class| of_a_query(row, class, first[0], &named));
    head + &body
}

pub fn parameter(field: &ArgumentSchema) -> String {
    let name = field.name;
    let ty = match field.ty {
        ArgumentType::NotAvailable => return format!("{name}: int | None = 9_999_999"),
        ArgumentType::Word(words) if words.name == "InterviewState" => {
            return format!("{name}: InterviewState | None = None");
        }
        // With the default first.
        ArgumentType::Word(_) => {
            let default = field.default_word().map_or_else(String::new, |word| format!(" = \"{word}\""));
            return format!("{name}: {}{default}", types::of_option(field.ty, PYTHON));
        }
        ty => types::of_option(ty, PYTHON),
    };
    match (field.required, field.default) {
        _ if field.absent.is_some() => format!("{name}: {ty} = ABSENT"),
        (true, _) => format!("{name}: {ty}"),
        (false, None) => format!("{name}: {ty} | None = None"),
        (false, Some("true")) => format!("{name}: {ty} = True"),
        (false, Some("false")) => format!("{name}: {ty} = False"),
        (false, Some(default)) => format!("{name}: {ty} = {default}"),
    }
}

fn documentation(field: &ArgumentSchema) -> String {
    let text = documented(field.docs, field.absent, PYTHON);
    match field.ty {
        ArgumentType::Time => format!("{}: {text} In seconds.", field.name),
        ArgumentType::Filter => {
            format!("{}: {}; see `sondage.field`.", field.name, text.trim_end_matches('.'))
        }
        _ => format!("{}: {text}", field.name),
    }
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
fn of_a_query(row: &MethodRow, class: &str, whose: &ArgumentSchema, named: &[&ArgumentSchema]) -> String {
    let entry = |field: &&ArgumentSchema| format!("\"{}\": {}", field.name, handed(field));
    let choices = braces(&named.iter().map(entry).collect::<Vec<_>>(), 8);
    let labels = if row.name == "interviews" { "labels" } else { "False" };
    format!(
        "        from ._queries import {class}\n\n        choices = {choices}\n        \
         return {class}(self._native, {}, choices, {labels}, progress)\n",
        whose.name
    )
}

fn call(row: &MethodRow, made: &Made) -> String {
    let (first, named) = row.arguments();
    let fields = || first.iter().chain(&named);
    let mut out = String::new();
    if fields().any(|field| field.ty == ArgumentType::Path) {
        out += "        from os import fsencode\n\n";
    }
    if fields().any(|field| field.ty == ArgumentType::Journal) {
        out += "        from ._journals import journal_of\n";
    }
    if row.with == "rows" {
        out += "        from ._create import with_rows\n";
    }
    out += &made.import();
    let progress = row.progress;
    if !progress.is_empty() {
        put!(out, "        from ._progress import Observer\n        from ._reports import {progress}\n");
    }
    if !out.is_empty() {
        out += "\n";
    }
    let mut given = "";
    if !row.argument.is_empty() {
        let entries = fields().map(|field| format!("\"{}\": {}", field.wire, handed(field)));
        put!(out, "        arguments = {}\n", braces(&entries.collect::<Vec<_>>(), 8));
        given = match row.with {
            // The core checks rows of an import against the panel.
            "rows" if ["ImportOptions", "CreateAndInviteOptions"].contains(&row.argument) => {
                ", *with_rows(arguments, rows, typed=True)"
            }
            "rows" => ", *with_rows(arguments, rows)",
            "hook" => ", arguments, hook._native",
            "guard" => ", arguments, unknown_to and unknown_to._native",
            _ if !progress.is_empty() => ", arguments, told.watch",
            _ => ", arguments",
        };
    }
    let work = format!("self._native.method(\"{}\"{given})", row.name);
    match (row.kind, progress) {
        ("Call", "") => out + &made.given(&format!("await {work}.start()"), 8),
        ("Call", _) => {
            put!(out, "        with Observer(progress, {progress}, self._native) as told:\n");
            out + &made.given(&format!("await told.finish({work})"), 12)
        }
        _ => out + &made.given(&work, 8),
    }
}
