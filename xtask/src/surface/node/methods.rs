//! The methods of the clients that are not operations: their code and their types.

use super::super::methods::{MethodRow, of_the_client};
use super::super::{Generated, prose};
use super::objects::{Made, made};
use super::options::{is_query, name_of};
use super::words::camel;
use super::{comment, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType};
use std::collections::BTreeSet;
use std::fmt::Write;

const FROM: &str = "the methods.rs of crates/sondage and crates/sondage-data";
const SIGNAL: &str = "{ signal?: AbortSignal | undefined }";
const ROWS: &str =
    "@param rows Objects, a `Table`, Arrow bytes, or a CSV file as `{ path }` or a `file:` URL.";
const CODE: &str = "'use strict';
// Methods of a client that are not operations.

const { watched } = require('./downloads.js');
const { attempt, object, perform } = require('./fail.js');
const { Guard } = require('./guard.js');
const { held } = require('./held.js');
const { BlockingInterviews, BlockingMembers, Interviews, Members } = require('./lists.js');
const objects = require('./objects.js');
const { placeIf, placeOf } = require('./place.js');
const reports = require('./reports.js');
const { rowsOf } = require('./rows.js');
const { Hook } = require('./webhooks.js');
";

/// Both files.
pub fn files() -> [Generated; 2] {
    let (mut types, mut code) = (String::new(), CODE.to_owned());
    let mut names = BTreeSet::new();
    for (name, what, blocks) in [
        ("Methods", "Methods of a client that are not operations.", false),
        ("BlockingMethods", "The same, blocking.", true),
    ] {
        let _ = write!(types, "\n/** {what} */\nexport interface {name} {{\n");
        let _ = write!(code, "\nclass {name} {{\n");
        let mut bodies = Vec::new();
        for row in of_the_client() {
            let (made, options) = (made(row, blocks), options_of(row, blocks));
            types.push_str(&typed(row, &made, options.as_deref(), blocks));
            bodies.push(body(row, &made, blocks));
            names.extend(made.types);
            names.extend(options.filter(|name| name.ends_with("Options")).map(|name| ("options", name)));
        }
        types.push_str("}\n");
        code += &(bodies.join("\n") + "}\n");
    }
    code.push_str("\nObject.assign(exports, { BlockingMethods, Methods });\n");
    names.insert(("rows", "Rows".into()));
    names.insert(("values", "Int".into()));
    names.insert(("webhooks", "Hook".into()));
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
fn options_of(row: &MethodRow, blocks: bool) -> Option<String> {
    match name_of(row) {
        Some(name) if blocks && (is_query(row) || !row.progress.is_empty()) => {
            Some(format!("Blocking{name}"))
        }
        Some(name) => Some(name),
        None => (row.kind == "Call" && !blocks).then(|| SIGNAL.to_owned()),
    }
}

fn is_needed(row: &MethodRow) -> bool {
    row.arguments().1.iter().any(|field| field.required)
}

fn typed(row: &MethodRow, made: &Made, options: Option<&str>, blocks: bool) -> String {
    let (first, _) = row.arguments();
    let mut parameters: Vec<String> = row.hook().map(|_| "hook: Hook".to_owned()).into_iter().collect();
    parameters.extend(first.iter().map(|field| format!("{}: {}", camel(field.name), written(field))));
    parameters.extend((row.with == "rows").then(|| "rows: Rows".to_owned()));
    let own_signal =
        is_query(row) || !row.progress.is_empty() || options == Some(SIGNAL) || row.kind != "Call";
    let signal = if blocks || own_signal { String::new() } else { format!(" & {SIGNAL}") };
    let asked = if is_needed(row) { "" } else { "?" };
    parameters.extend(options.map(|options| format!("options{asked}: {options}{signal}")));
    let result = if blocks || row.kind != "Call" { made.ty.clone() } else { format!("Promise<{}>", made.ty) };
    let docs = comment(&documentation(row, &first, options.is_some(), blocks), 2);
    let name = camel(row.name);
    let line = format!("  {name}({}): {result};\n", parameters.join(", "));
    if line.len() <= prose::WIDTH {
        return docs + &line;
    }
    format!("{docs}  {name}(\n{}  ): {result};\n", prose::lines(&parameters, "    "))
}

fn documentation(row: &MethodRow, first: &[&ArgumentSchema], options: bool, blocks: bool) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(row.docs);
    if let (true, Some(last)) = (blocks, paragraphs.last_mut()) {
        last.push_str(match row.kind {
            "Call" => " Blocks.",
            "Immediate" if !is_query(row) => "",
            _ => " Each page blocks.",
        });
    }
    paragraphs.extend(row.hook().map(|docs| format!("@param hook {docs}")));
    for field in first {
        paragraphs.push(format!("@param {} {}", camel(field.name), prose::line(field.docs)));
    }
    paragraphs.extend((row.with == "rows").then(|| ROWS.to_owned()));
    let signal = if !blocks && row.kind == "Call" { " `signal` cancels the call." } else { "" };
    paragraphs.extend(options.then(|| format!("@param options What can be chosen.{signal}")));
    paragraphs
}

fn written(field: &ArgumentSchema) -> &'static str {
    match field.ty {
        ArgumentType::Path => "string | URL",
        _ => "Int",
    }
}

fn body(row: &MethodRow, made: &Made, blocks: bool) -> String {
    let (first, named) = row.arguments();
    let name = camel(row.name);
    let mut parameters: Vec<String> = first.iter().map(|field| camel(field.name)).collect();
    let whose = parameters.first().cloned().unwrap_or_default();
    if row.hook().is_some() {
        parameters.insert(0, "hook".to_owned());
    }
    parameters.extend((row.with == "rows").then(|| "rows".to_owned()));
    let call = row.kind == "Call";
    let choices = name_of(row).is_some();
    if choices || call && !blocks {
        parameters.push(if is_needed(row) { "options".into() } else { "options = {}".into() });
    }
    let word = if call && !blocks { "async " } else { "" };
    let mut out = format!("  {word}{name}({}) {{\n", parameters.join(", "));
    if is_query(row) {
        let (class, cause) =
            if blocks { (format!("Blocking{}", pascal(&name)), "") } else { (pascal(&name), ", cause") };
        let _ = write!(
            out,
            "    const {{ native{cause} }} = held(this);\n    \
             return new {class}(native, {whose}, object(options, 'options'){cause});\n  }}\n"
        );
        return out;
    }
    let mut given: Vec<String> = choices.then(|| "...given".to_owned()).into_iter().collect();
    given.extend(named.iter().filter(|field| field.ty == ArgumentType::Path).map(|field| {
        let key = camel(field.name);
        format!("{key}: placeIf(given.{key})")
    }));
    given.extend(first.iter().map(|field| match (field.ty, camel(field.name)) {
        (ArgumentType::Path, key) => format!("{key}: placeOf({key})"),
        (_, key) => key,
    }));
    given.extend((row.with == "rows").then(|| "rows: rowsOf(rows)".to_owned()));
    let handed = if given.is_empty() { String::new() } else { format!(", {{ {} }}", given.join(", ")) };
    let told = !row.progress.is_empty() && !blocks;
    let beside = match (row.guard(), told) {
        (Some(_), _) => ", Guard.native(unknownTo)",
        (_, true) => ", watch",
        _ if row.hook().is_some() => ", Hook.native(hook)",
        _ => "",
    };
    let calls = format!("native.method('{name}'{handed}{beside})");
    let mut taken = Vec::new();
    taken.extend((call && !blocks).then_some("signal"));
    taken.extend(told.then_some("onProgress"));
    taken.extend(row.guard().map(|_| "unknownTo"));
    taken.extend(choices.then_some("...given"));
    if taken == ["...given"] {
        out.push_str("    const given = object(options, 'options');\n");
    } else if !taken.is_empty() {
        let _ = writeln!(out, "    const {{ {} }} = object(options, 'options');", taken.join(", "));
    }
    let cause = if call && !blocks { ", cause" } else { "" };
    let watch = if told { "watch" } else { "" };
    let _ =
        write!(out, "    const {{ native{cause} }} = held(this);\n    const work = ({watch}) => {calls};\n");
    let value = match (call, blocks, told) {
        (false, ..) => "attempt(work)",
        (_, true, _) => "attempt(() => work().wait())",
        (.., true) => "await watched(work, { signal, onProgress, cause })",
        _ => "await perform(work, signal, cause)",
    };
    let _ = write!(out, "    {}\n  }}\n", made.given(value, blocks));
    out
}

fn pascal(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}
