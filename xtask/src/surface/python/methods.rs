//! The methods of a client that are no operations, blocking and for asyncio.

use super::super::methods::{Method, of_the_client};
use super::super::{Generated, prose};
use super::operations::signature;
use super::{braces, docstring, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType, OptionsSchema};
use std::fmt::Write;

/// What Python makes of a method: the one part of it that is a manner of the language.
struct Manner {
    name: &'static str,
    /// The module of its result, the class of the blocking one, and of the one for asyncio.
    result: (&'static str, &'static str, &'static str),
    /// What makes a result of what the compiled part gives; empty: the class.
    convert: &'static str,
    /// Options that are methods of the result in Python.
    elsewhere: &'static [&'static str],
}

const MANNERS: [Manner; 9] = [
    Manner { name: "members", result: ("_queries", "Members", "AsyncMembers"), convert: "", elsewhere: &[] },
    Manner {
        name: "interviews",
        result: ("_queries", "Interviews", "AsyncInterviews"),
        convert: "",
        elsewhere: &["order_by", "descending"],
    },
    Manner {
        name: "create_members_from",
        result: ("_import", "ImportReport", "ImportReport"),
        convert: "",
        elsewhere: &[],
    },
    Manner {
        name: "import_members",
        result: ("_import", "ImportReport", "ImportReport"),
        convert: "",
        elsewhere: &[],
    },
    Manner {
        name: "plan_update",
        result: ("_update", "UpdatePlan", "AsyncUpdatePlan"),
        convert: "",
        elsewhere: &[],
    },
    Manner {
        name: "plan_invite",
        result: ("_message", "MessagePlan", "AsyncMessagePlan"),
        convert: "",
        elsewhere: &[],
    },
    Manner {
        name: "plan_remind",
        result: ("_message", "MessagePlan", "AsyncMessagePlan"),
        convert: "",
        elsewhere: &[],
    },
    Manner {
        name: "field_report",
        result: ("_reports", "FieldReport", "FieldReport"),
        convert: "field_report_of",
        elsewhere: &[],
    },
    Manner {
        name: "archive_answers",
        result: ("_reports", "ArchiveReport", "ArchiveReport"),
        convert: "archive_report_of",
        elsewhere: &[],
    },
];

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
const LABELS: &str = "labels: Labels in the place of codes (`True`), or beside them (`\"both\"`).";
const ROWS: &str = "rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file (all texts, so that no digit is \
                    lost), or dictionaries.";
const PROGRESS: &str = "progress: A progress callback, or whether to show a progress bar. Default: a bar in a terminal \
                        or notebook, when it takes more than a second.";

/// The methods, for both clients.
pub fn file() -> Generated {
    let mut body = String::from(
        "\"\"\"What a client does beside the operations: a part of the two clients.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from ._given import several\n\n\
         TYPE_CHECKING = False\nif TYPE_CHECKING:\n\
         \x20   from collections.abc import Iterable\n\
         \x20   from datetime import datetime\n\
         \x20   from typing import Literal\n\n\
         \x20   from ._archive import Reporter as ArchiveReporter\n\
         \x20   from ._condition import Expression\n\
         \x20   from ._create import Rows\n\
         \x20   from ._files import Path\n\
         \x20   from ._import import ImportReport\n\
         \x20   from ._message import AsyncMessagePlan, MessagePlan\n\
         \x20   from ._native import Handle\n\
         \x20   from ._progress import Reporter\n\
         \x20   from ._reports import ArchiveReport, FieldReport\n\
         \x20   from ._queries import AsyncInterviews, AsyncMembers, Interviews, Members\n\
         \x20   from ._table import Labels\n\
         \x20   from ._update import AsyncUpdatePlan, UpdatePlan\n",
    );
    for (prefix, what) in [("", ""), ("Async", ", for asyncio")] {
        let _ = write!(
            body,
            "\n\nclass {prefix}Methods:\n    \"\"\"What a client does beside the operations{what}.\"\"\"\n\n    \
             __slots__ = ()\n    _native: Handle\n"
        );
        for manner in &MANNERS {
            let _ = write!(body, "\n{}", method(manner, !prefix.is_empty()));
        }
    }
    generated("python/sondage/_methods.py", FROM, &body)
}

fn is_query(manner: &Manner) -> bool {
    manner.result.0 == "_queries"
}

/// What says whose the call is comes first and without its name: ids, places, rows. Several numbers have names, because nobody
/// sees when two of them change places.
fn is_positional(field: &ArgumentSchema, options: &OptionsSchema) -> bool {
    let number = |field: &&ArgumentSchema| field.required && field.ty == ArgumentType::Int;
    let numbers = options.fields.iter().filter(number).count();
    field.required && (field.ty == ArgumentType::Path || field.ty == ArgumentType::Int && numbers == 1)
}

fn method(manner: &Manner, asynchronous: bool) -> String {
    let method = of_the_client(manner.name);
    let shown =
        |field: &&&ArgumentSchema| field.ty != ArgumentType::Rows && !manner.elsewhere.contains(&field.name);
    let fields: Vec<&ArgumentSchema> = method.options.fields.iter().filter(|f| shown(&f)).collect();
    let (first, named): (Vec<_>, Vec<_>) =
        fields.iter().copied().partition(|field| is_positional(field, method.options));
    let mut parameters = vec!["self".to_owned()];
    parameters.extend(first.iter().map(|field| parameter(field)));
    if method.rows {
        parameters.push("rows: Rows".into());
    }
    parameters.push("*".into());
    parameters.extend(named.iter().map(|field| parameter(field)));
    if manner.name == "interviews" {
        parameters.push("labels: Labels = False".into());
    }
    if method.progress {
        let reporter = if is_query(manner) { "Reporter" } else { "ArchiveReporter" };
        parameters.push(format!("progress: {reporter} = None"));
    }
    let class = if asynchronous { manner.result.2 } else { manner.result.1 };
    let word = if asynchronous && !is_query(manner) { "async def" } else { "def" };
    let mut out = signature(&format!("{word} {}", method.name), &parameters, class);
    out.push_str(&docstring(&documentation(manner, &method, &first, &named), 8));
    if is_query(manner) {
        out.push_str(&query(manner, class, &fields));
    } else {
        out.push_str(&call(manner, &method, class, &fields, asynchronous));
    }
    out
}

fn parameter(field: &ArgumentSchema) -> String {
    let ty = match field.ty {
        ArgumentType::Bool => "bool",
        ArgumentType::Int | ArgumentType::Count => "int",
        ArgumentType::Text => "str",
        ArgumentType::Texts => "Iterable[str]",
        ArgumentType::Timestamp => "datetime",
        ArgumentType::Time => "float",
        ArgumentType::Path => "Path",
        ArgumentType::Filter => "Expression",
        ArgumentType::Rows => "Rows",
        ArgumentType::Word(words) => return chosen(field, words),
    };
    match (field.required, field.default) {
        (true, _) => format!("{}: {ty}", field.name),
        (false, None) => format!("{}: {ty} | None = None", field.name),
        (false, Some("true")) => format!("{}: {ty} = True", field.name),
        (false, Some("false")) => format!("{}: {ty} = False", field.name),
        (false, Some(default)) => format!("{}: {ty} = {default}", field.name),
    }
}

/// One of several words, the default first among those that are said.
fn chosen(field: &ArgumentSchema, words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let default = field.default_word().map_or_else(String::new, |word| format!(" = \"{word}\""));
    format!("{}: Literal[{}]{default}", field.name, quoted.join(", "))
}

fn documentation(
    manner: &Manner,
    method: &Method,
    first: &[&ArgumentSchema],
    named: &[&ArgumentSchema],
) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(method.docs);
    let line = |field: &&ArgumentSchema| {
        let text = prose::line(field.docs).replace("`false`", "`False`").replace("`true`", "`True`");
        let text = if field.ty == ArgumentType::Time { format!("{text} In seconds.") } else { text };
        let filter = field.ty == ArgumentType::Filter;
        let text =
            if filter { format!("{}; see `sondage.field`.", text.trim_end_matches('.')) } else { text };
        format!("{}: {text}", field.name)
    };
    let mut texts: Vec<String> = first.iter().map(line).collect();
    texts.extend(method.rows.then(|| ROWS.to_owned()));
    texts.extend(named.iter().map(line));
    texts.extend((manner.name == "interviews").then(|| LABELS.to_owned()));
    texts.extend(method.progress.then(|| PROGRESS.to_owned()));
    let mut lines = vec!["Args:".to_owned()];
    for text in texts {
        // The lines are indented once more by the docstring.
        lines.extend(prose::wrap(&text, 4 + 8, 4).into_iter().map(|line| line[8..].to_owned()));
    }
    paragraphs.push(lines.join("\n"));
    paragraphs
}

/// How an argument is handed to the compiled part.
fn handed(field: &ArgumentSchema) -> String {
    let name = field.name;
    match field.ty {
        ArgumentType::Texts => format!("{name} if {name} is None else several({name})"),
        ArgumentType::Filter => format!("{name} if {name} is None else {name}.data"),
        ArgumentType::Path if field.required => format!("fsencode({name})"),
        ArgumentType::Path => format!("{name} if {name} is None else fsencode({name})"),
        _ => name.to_owned(),
    }
}

/// A query reads nothing before it is asked for its rows.
fn query(manner: &Manner, class: &str, fields: &[&ArgumentSchema]) -> String {
    let (whose, rest) = fields.split_first().map_or(("", fields), |(first, rest)| (first.name, rest));
    let entries: Vec<String> =
        rest.iter().map(|field| format!("\"{}\": {}", field.name, handed(field))).collect();
    let labels = if manner.name == "interviews" { "labels" } else { "False" };
    let choices = braces(&entries, 8);
    format!(
        "        from .{} import {class}\n\n        choices = {choices}\n        \
         return {class}(self._native, {whose}, choices, {labels}, progress)\n",
        manner.result.0
    )
}

fn call(
    manner: &Manner,
    method: &Method,
    class: &str,
    fields: &[&ArgumentSchema],
    asynchronous: bool,
) -> String {
    let convert = if manner.convert.is_empty() { class } else { manner.convert };
    let mut out = String::new();
    if fields.iter().any(|field| field.ty == ArgumentType::Path) {
        out.push_str("        from os import fsencode\n\n");
    }
    let module = manner.result.0;
    if method.progress {
        out.push_str(
            "        from ._archive import ArchiveProgress\n        from ._progress import Observer\n",
        );
        let _ = writeln!(out, "        from .{module} import {convert}");
    } else if manner.name == "import_members" {
        let _ = writeln!(out, "        from .{module} import {convert}, with_rows");
    } else if !method.rows {
        let _ = writeln!(out, "        from .{module} import {convert}");
    } else {
        out.push_str("        from ._create import with_rows\n");
        let _ = writeln!(out, "        from .{module} import {convert}");
    }
    let entries: Vec<String> =
        fields.iter().map(|field| format!("\"{}\": {}", field.wire, handed(field))).collect();
    let _ = write!(out, "\n        arguments = {}\n", braces(&entries, 8));
    let name = method.name;
    let given = match (method.rows, method.progress) {
        (true, _) => "*with_rows(arguments, rows)",
        (false, true) => "arguments, told.watch",
        (false, false) => "arguments",
    };
    if method.progress {
        out.push_str("        with Observer(progress, ArchiveProgress) as told:\n");
        let _ = writeln!(out, "            work = self._native.method(\"{name}\", {given})");
        let wait = if asynchronous { "await told.finish(work)" } else { "told.wait(work)" };
        let _ = writeln!(out, "            return {convert}({wait})");
    } else {
        let _ = writeln!(out, "        work = self._native.method(\"{name}\", {given})");
        let wait = if asynchronous { "await work.start()" } else { "work.wait()" };
        let _ = writeln!(out, "        return {convert}({wait})");
    }
    out
}
