//! The methods of the clients that are not operations: their code and their types.

use super::blocking;
use super::imports::imports;
use super::objects::{Made, made};
use super::options::{is_query, name_of};
use crate::surface::prelude::*;

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
const { StoreGuard, unknownOnly } = require('./store_guard.js');
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

pub fn files() -> [Generated; 2] {
    let (mut types, mut bodies) = (String::new(), Vec::new());
    for row in of_the_client() {
        let made = made(row);
        types += &typed(row, &made);
        bodies.push(body(row, &made));
    }
    for (name, signature, more) in BY_HAND {
        let row = rows_of("client").find(|row| row.name == name);
        let docs = row.map(|row| line(row.docs)).unwrap_or_default();
        types += &property(&[docs, more.to_owned()], signature);
    }
    let class = format!("\nclass Methods {{\n{}}}\n", bodies.join("\n"));
    let types = interface(&["What a client does beside the operations.".into()], "Methods", &types);
    let types = types.clone() + &blocking::types(&types);
    let code = format!(
        "{CODE}{class}{}\nObject.assign(exports, {{ BlockingMethods, Methods }});\n",
        blocking::code(&class)
    );
    [
        generated("node/types/methods.d.ts", FROM_METHODS, &(imports(&types, "./", "methods") + &types)),
        generated("node/lib/methods.js", FROM_METHODS, &code),
    ]
}

fn is_needed(row: &MethodRow) -> bool {
    row.arguments().1.iter().any(|field| field.required)
}

/// The arguments before the options: the name of each, its type and its documentation.
fn arguments(row: &MethodRow) -> Vec<(String, String, String)> {
    let hook = row.hook().map(|about| ("hook".to_owned(), "Hook".to_owned(), format!("@param hook {about}")));
    let argument = |field: &ArgumentSchema| {
        let name = camel(field.name);
        let about = format!("@param {name} {}", line(field.docs));
        (name, types::of_option(field.ty, NODE), about)
    };
    let rows = (row.with == "rows").then(|| ("rows".to_owned(), "Rows".to_owned(), ROWS.to_owned()));
    hook.into_iter().chain(row.arguments().0.into_iter().map(argument)).chain(rows).collect()
}

fn typed(row: &MethodRow, made: &Made) -> String {
    let call = row.kind == "Call";
    let (mut docs, mut parameters) = (paragraphs(row.docs), Vec::new());
    for (name, ty, about) in arguments(row) {
        parameters.push(format!("{name}: {ty}"));
        docs.push(about);
    }
    let options = match name_of(row) {
        Some(name) if call && !is_query(row) && row.progress.is_empty() => Some(format!("{name} & {SIGNAL}")),
        Some(name) => Some(name),
        None => call.then(|| SIGNAL.to_owned()),
    };
    if let Some(options) = options {
        let mark = if is_needed(row) { "" } else { "?" };
        parameters.push(format!("options{mark}: {options}"));
        let signal = if call { " `signal` gives the call up." } else { "" };
        docs.push(format!("@param options What can be chosen.{signal}"));
    }
    let result = if call { format!("Promise<{}>", made.ty) } else { made.ty.clone() };
    let begin = camel(row.name) + "(";
    comment(&docs, 2) + &on_lines(["  ", "    "], &begin, &parameters, &format!("): {result};\n"))
}

fn body(row: &MethodRow, made: &Made) -> String {
    let (first, named) = row.arguments();
    let name = camel(row.name);
    let mut parameters: Vec<String> = arguments(row).into_iter().map(|(name, ..)| name).collect();
    let (call, choices) = (row.kind == "Call", name_of(row).is_some());
    if choices || call {
        parameters.push(if is_needed(row) { "options".into() } else { "options = {}".into() });
    }
    let word = if call { "async " } else { "" };
    let mut out = format!("  {word}{name}({}) {{\n", parameters.join(", "));
    if is_query(row) {
        put!(
            out,
            "    const {{ native, cause }} = held(this);\n    \
             return new {}(native, {}, object(options, 'options'), cause);\n  }}\n",
            made.ty,
            parameters[0]
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
    let beside = match row.with {
        "guard" => ", StoreGuard.native(unknownTo)",
        "hook" => ", Hook.native(hook)",
        _ if told => ", watch",
        _ => "",
    };
    let taken =
        [(call, "signal"), (told, "onProgress"), (row.with == "guard", "unknownTo"), (choices, "...given")];
    let taken = join(taken.into_iter().filter(|(is_taken, _)| *is_taken).map(|(_, name)| name), ", ");
    if !taken.is_empty() {
        put!(out, "    const {{ {taken} }} = object(options, 'options');\n");
    }
    let watch = if told { "watch" } else { "" };
    let rows = if row.with == "rows" { "    const taken = await takenFrom(rows, signal);\n" } else { "" };
    let value = match (call, told) {
        (false, _) => "attempt(work, cause)",
        (_, true) => "await watched(work, { signal, onProgress, cause })",
        _ if row.with == "guard" => "await unknownOnly(await perform(work, signal, cause), unknownTo)",
        _ => "await perform(work, signal, cause)",
    };
    put!(
        out,
        "    const {{ native, cause }} = held(this);\n{rows}    \
         const work = ({watch}) => native.method('{name}'{handed}{beside});\n    {}\n  }}\n",
        made.given(value)
    );
    out
}
