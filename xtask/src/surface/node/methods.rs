//! The methods of the clients that are not operations: their code and their types.

use super::super::methods::{MethodRow, of_the_client, rows_of};
use super::super::{Generated, prose};
use super::objects::{Made, made};
use super::options::{is_query, name_of};
use super::words::camel;
use super::{blocking, comment, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType};
use std::collections::BTreeSet;
use std::fmt::Write;

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
const SIGNAL: &str = "{ signal?: AbortSignal | undefined }";
const ROWS: &str = "@param rows Objects, also of an async iterable; a `Table`, Arrow bytes, or a CSV file as `{ path }` or a `file:` URL.";
const CODE: &str = "'use strict';
// Methods of a client that are not operations.

const { block, blockTakenFrom, blockWatched } = require('./blocking.js');
const { BlockingInterviews, BlockingMembers } = require('./blocking_lists.js');
const { attempt, object, perform } = require('./fail.js');
const { Guard } = require('./guard.js');
const { held } = require('./held.js');
const { Interviews, Members } = require('./lists.js');
const objects = require('./objects.js');
const { journalIf, onlyPlace } = require('./journals.js');
const { placeIf, placeOf } = require('./place.js');
const reports = require('./reports.js');
const { takenFrom } = require('./rows.js');
const { watched } = require('./watch.js');
const { Hook } = require('./webhooks.js');
";

/// Methods that `node/lib/client.js` implements: their signatures, and documentation in addition to the row's.
const BY_HAND: [(&str, &str, &str); 3] = [
    (
        "confirm_event",
        "confirmEvent(event: Event, options?: ConfirmOptions & { signal?: AbortSignal | undefined }): Promise<Confirmation>",
        "Bounces and opt-outs cannot be read by an id.",
    ),
    (
        "raw",
        "raw(path: string, body: JsonValue, options: CallOptions & { effect: Effect }): Promise<JsonValue>",
        "The body is sent as it is: a tenant that it needs stands in it.",
    ),
    (
        "close",
        "close(options?: { timeout?: number }): Promise<PendingWrite[]>",
        "`timeout`: for how many milliseconds. Default: 30 seconds.",
    ),
];

/// Both files.
pub fn files() -> [Generated; 2] {
    let (mut types, mut bodies, mut names) = (String::new(), Vec::new(), BTreeSet::new());
    for row in of_the_client() {
        let (made, options) = (made(row), options_of(row));
        types.push_str(&typed(row, &made, options.as_deref()));
        bodies.push(body(row, &made));
        names.extend(made.types);
        names.extend(options.filter(|name| name.ends_with("Options")).map(|name| ("options", name)));
    }
    for (name, signature, more) in BY_HAND {
        let row = rows_of("client").find(|row| row.name == name);
        let docs = row.map(|row| prose::line(row.docs)).unwrap_or_default();
        let _ = writeln!(types, "{}  {signature};", comment(&[docs, more.to_owned()], 2));
    }
    let class = format!("\nclass Methods {{\n{}}}\n", bodies.join("\n"));
    let types = format!(
        "\n/** What a client does beside the operations. */\nexport interface Methods {{\n{types}}}\n"
    );
    let types = types.clone() + &blocking::types(&types);
    let code = format!(
        "{CODE}{class}{}\nObject.assign(exports, {{ BlockingMethods, Methods }});\n",
        blocking::code(&class)
    );
    names.extend(names.clone().into_iter().filter_map(blocking::import));
    for (home, name) in [
        ("calls", "Effect"),
        ("reports", "PendingWrite"),
        ("rows", "BlockingRows"),
        ("rows", "Rows"),
        ("values", "BlockingCallOptions"),
        ("values", "CallOptions"),
        ("values", "Int"),
        ("values", "JsonValue"),
        ("webhook_entities", "Confirmation"),
        ("webhook_entities", "Event"),
        ("webhooks", "ConfirmOptions"),
        ("webhooks", "Hook"),
    ] {
        names.insert((home, name.into()));
    }
    [
        generated("node/types/methods.d.ts", FROM, &(imports(&names) + &types)),
        generated("node/lib/methods.js", FROM, &code),
    ]
}

/// The imports of a file of types.
pub fn imports(names: &BTreeSet<(&'static str, String)>) -> String {
    let homes: BTreeSet<&str> = names.iter().map(|(home, _)| *home).collect();
    let mut out = String::new();
    for home in homes {
        let own: Vec<String> =
            names.iter().filter(|(from, _)| *from == home).map(|(_, name)| name.clone()).collect();
        let line = format!("import type {{ {} }} from './{home}.js';\n", own.join(", "));
        let _ = if line.len() <= prose::WIDTH {
            write!(out, "{line}")
        } else {
            writeln!(out, "import type {{\n{}}} from './{home}.js';", prose::lines(&own, "  "))
        };
    }
    out
}

/// The type of its options.
fn options_of(row: &MethodRow) -> Option<String> {
    name_of(row).or_else(|| (row.kind == "Call").then(|| SIGNAL.to_owned()))
}

fn is_needed(row: &MethodRow) -> bool {
    row.arguments().1.iter().any(|field| field.required)
}

fn typed(row: &MethodRow, made: &Made, options: Option<&str>) -> String {
    let (first, _) = row.arguments();
    let mut parameters: Vec<String> = row.hook().map(|_| "hook: Hook".to_owned()).into_iter().collect();
    parameters.extend(first.iter().map(|field| format!("{}: {}", camel(field.name), written(field))));
    parameters.extend((row.with == "rows").then(|| "rows: Rows".to_owned()));
    let own_signal = is_query(row) || !row.progress.is_empty() || options == Some(SIGNAL);
    let signal = if own_signal || row.kind != "Call" { String::new() } else { format!(" & {SIGNAL}") };
    let asked = if is_needed(row) { "" } else { "?" };
    parameters.extend(options.map(|options| format!("options{asked}: {options}{signal}")));
    let result = if row.kind == "Call" { format!("Promise<{}>", made.ty) } else { made.ty.clone() };
    let docs = comment(&documentation(row, &first, options.is_some()), 2);
    let name = camel(row.name);
    let line = format!("  {name}({}): {result};\n", parameters.join(", "));
    if line.len() <= prose::WIDTH {
        return docs + &line;
    }
    format!("{docs}  {name}(\n{}  ): {result};\n", prose::lines(&parameters, "    "))
}

fn documentation(row: &MethodRow, first: &[&ArgumentSchema], options: bool) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(row.docs);
    paragraphs.extend(row.hook().map(|docs| format!("@param hook {docs}")));
    for field in first {
        paragraphs.push(format!("@param {} {}", camel(field.name), prose::line(field.docs)));
    }
    paragraphs.extend((row.with == "rows").then(|| ROWS.to_owned()));
    let signal = if row.kind == "Call" { " `signal` gives the call up." } else { "" };
    paragraphs.extend(options.then(|| format!("@param options What can be chosen.{signal}")));
    paragraphs
}

fn written(field: &ArgumentSchema) -> &'static str {
    match field.ty {
        ArgumentType::Path => "string | URL",
        _ => "Int",
    }
}

fn body(row: &MethodRow, made: &Made) -> String {
    let (first, named) = row.arguments();
    let name = camel(row.name);
    let mut parameters: Vec<String> = first.iter().map(|field| camel(field.name)).collect();
    let whose = parameters.first().cloned().unwrap_or_default();
    if row.hook().is_some() {
        parameters.insert(0, "hook".to_owned());
    }
    parameters.extend((row.with == "rows").then(|| "rows".to_owned()));
    let (call, choices) = (row.kind == "Call", name_of(row).is_some());
    if choices || call {
        parameters.push(if is_needed(row) { "options".into() } else { "options = {}".into() });
    }
    let word = if call { "async " } else { "" };
    let mut out = format!("  {word}{name}({}) {{\n", parameters.join(", "));
    if is_query(row) {
        let _ = write!(
            out,
            "    const {{ native, cause }} = held(this);\n    \
             return new {}(native, {whose}, object(options, 'options'), cause);\n  }}\n",
            made.ty
        );
        return out;
    }
    let mut given: Vec<String> = choices.then(|| "...given".to_owned()).into_iter().collect();
    given.extend(named.iter().filter_map(|field| {
        let key = camel(field.name);
        match field.ty {
            ArgumentType::Path => Some(format!("{key}: placeIf(given.{key})")),
            ArgumentType::Journal => Some(format!("{key}: journalIf(given.{key})")),
            _ => None,
        }
    }));
    given.extend(first.iter().map(|field| match (field.ty, camel(field.name)) {
        (ArgumentType::Path, key) => format!("{key}: placeOf({key})"),
        (_, key) => key,
    }));
    given.extend((row.with == "rows").then(|| "rows: taken".to_owned()));
    let handed = if given.is_empty() { String::new() } else { format!(", {{ {} }}", given.join(", ")) };
    let told = !row.progress.is_empty();
    let beside = match (row.guard(), row.hook()) {
        (Some(_), _) => ", Guard.native(unknownTo)",
        (_, Some(_)) => ", Hook.native(hook)",
        _ if told => ", watch",
        _ => "",
    };
    let mut taken: Vec<&str> = call.then_some("signal").into_iter().collect();
    taken.extend(told.then_some("onProgress"));
    taken.extend(row.guard().map(|_| "unknownTo"));
    taken.extend(choices.then_some("...given"));
    if !taken.is_empty() {
        let _ = writeln!(out, "    const {{ {} }} = object(options, 'options');", taken.join(", "));
    }
    let watch = if told { "watch" } else { "" };
    let rows = if row.with == "rows" { "    const taken = await takenFrom(rows, signal);\n" } else { "" };
    let _ = write!(
        out,
        "    const {{ native, cause }} = held(this);\n{rows}    \
         const work = ({watch}) => native.method('{name}'{handed}{beside});\n"
    );
    let value = match (call, told) {
        (false, _) => "attempt(work, cause)",
        (_, true) => "await watched(work, { signal, onProgress, cause })",
        _ => "await perform(work, signal, cause)",
    };
    let _ = write!(out, "    {}\n  }}\n", made.given(value));
    out
}
