//! The methods of the client that are not operations: their declarations for uniffi, from the rows and options of the
//! table, and variants with a progress callback in Kotlin and Swift.

use super::super::methods::{MethodRow, of_the_client, options, rows_without_arrow};
use super::super::selections::{Nothing, documented};
use super::super::{Generated, prose};
use super::lists::labelled;
use super::types::{self, of_option};
use super::{camel, docs, generated};
use sondage::arguments::{ArgumentSchema, OptionsSchema};
use std::fmt::Write;

const FROM: &str = "crates/sondage/src/methods.rs";

/// What is passed in addition to options: its name in a row, the name of the argument, its type, and its documentation.
const BESIDE: [(&str, &str, &str, &str); 1] =
    [("guard", "unknown_to", "Guard", "Excludes events that this guard has marked as handled.")];

const WATCH: &str = "Receives the progress.";

/// The rows that are generated.
pub fn files() -> Vec<Generated> {
    vec![
        index(),
        client(),
        super::objects::file(),
        watches(),
        kotlin(),
        blocking_kotlin(),
        swift(),
        blocking_swift(),
    ]
}

/// Rows that need no Arrow. Lists are generated from the operations. The compiler checks that every row has a function
/// (`rows.rs`).
fn rows() -> impl Iterator<Item = &'static MethodRow> {
    of_the_client()
        .filter(|row| row.name != "members" && rows_without_arrow().any(|known| known.name == row.name))
}

/// Rows whose argument is a struct of options.
fn with_options(kind: &str) -> impl Iterator<Item = (&'static MethodRow, &'static OptionsSchema)> {
    rows()
        .filter(move |row| !row.argument.is_empty() && row.kind == kind)
        .map(|row| (row, options(row.argument)))
}

/// The methods that make calls.
fn jobs() -> impl Iterator<Item = (&'static MethodRow, &'static OptionsSchema)> {
    with_options("Call")
}

fn index() -> Generated {
    let body = "#[rustfmt::skip]\nmod client;\n#[macro_use]\n#[rustfmt::skip]\nmod objects;\n#[rustfmt::skip]\nmod reports;\n#[rustfmt::skip]\nmod watches;\n\n\
                use crate::prelude;\npub use objects::*;\npub use reports::*;\npub use watches::*;\n";
    generated("bindings/uniffi/src/methods/mod.rs", FROM, body)
}

/// A row for each method, which `bindings/uniffi/src/method.rs` expands.
fn client() -> Generated {
    let mut body = String::from("use super::prelude::*;\n");
    for (attribute, of_webhooks) in [("", false), ("#[cfg(feature = \"webhook\")]\n", true)] {
        let jobs = jobs().filter(|(row, _)| is_of_webhooks(row) == of_webhooks);
        let jobs: Vec<String> = jobs.map(|(row, options)| job(row, options)).collect();
        let _ = write!(body, "\n{attribute}jobs! {{\n{}}}\n", jobs.join("\n"));
    }
    let clients = with_options("Immediate").inspect(|(row, _)| assert_eq!(row.result, "Client"));
    let clients: Vec<String> = clients.map(|(row, options)| job(row, options)).collect();
    let _ = write!(body, "\nclients! {{\n{}}}\n", clients.join("\n"));
    for (kind, word) in [("Call", "calls"), ("Immediate", "values")] {
        let plain = rows().filter(|row| row.argument.is_empty() && row.kind == kind);
        let plain: Vec<String> = plain
            .map(|row| {
                let docs = docs(&prose::paragraphs(row.docs), 4);
                let result = row.result.replace(" < ", "<").replace(" >", ">");
                format!("{docs}    {}() -> {result};\n", row.name)
            })
            .collect();
        let _ = write!(body, "\n{word}! {{\n{}}}\n", plain.join("\n"));
    }
    generated("bindings/uniffi/src/methods/client.rs", FROM, &body)
}

/// Whether a method takes an argument that only the receiving side of webhooks has. A phone's library is built without it.
fn is_of_webhooks(row: &MethodRow) -> bool {
    row.hook().is_some() || row.with == "guard"
}

/// Required and optional parameters.
fn arguments(
    options: &'static OptionsSchema,
) -> (Vec<&'static ArgumentSchema>, Vec<&'static ArgumentSchema>) {
    options.fields.iter().partition(|field| field.required)
}

fn beside(row: &MethodRow) -> Option<&'static (&'static str, &'static str, &'static str, &'static str)> {
    // Rows are an option of their own.
    if row.with.is_empty() || row.with == "rows" || row.hook().is_some() {
        return None;
    }
    let found = BESIDE.iter().find(|(with, ..)| *with == row.with);
    Some(found.unwrap_or_else(|| panic!("`{}` takes a {}, which is not in BESIDE", row.name, row.with)))
}

fn watch_of(progress: &str) -> String {
    progress.replace("Progress", "Watch")
}

fn job(row: &MethodRow, options: &'static OptionsSchema) -> String {
    let (needed, taken) = arguments(options);
    let mut paragraphs = prose::paragraphs(row.docs);
    let mut lines = said(row, options);
    if !row.progress.is_empty() {
        lines.push(format!("- `watch`: {WATCH}"));
    }
    paragraphs.push(lines.join("\n"));
    let mut out = docs(&paragraphs, 4);
    // A result with methods is an object, which uniffi reference-counts.
    let result = if row.class == "handle" { format!("Arc<{}>", row.result) } else { row.result.to_owned() };
    let _ = writeln!(out, "    {}({}) -> {result} {{", row.name, options.name);
    let given = row.hook().map_or("", |_| " hook: Hook ");
    let _ = writeln!(out, "        given {{{given}}}");
    out.push_str("        needs {\n");
    for field in needed {
        let _ = writeln!(out, "            {}: {},", types::name(field.name), of_option(field.ty)[0]);
    }
    out.push_str("        }\n        takes {\n");
    for field in taken {
        let (name, [ty, ..]) = (types::name(field.name), of_option(field.ty));
        let _ = match field.default {
            Some(default) => writeln!(out, "            {name}: {ty} = {default},"),
            None => writeln!(out, "            {name}: Option<{ty}> = None,"),
        };
    }
    let with = beside(row).map_or_else(String::new, |(_, name, ty, _)| format!(" {name}: {ty} "));
    let watch =
        if row.progress.is_empty() { String::new() } else { format!(" watch: {} ", watch_of(row.progress)) };
    let _ = writeln!(out, "        }}\n        with {{{with}}}\n        watch {{{watch}}}\n    }}");
    out
}

/// The documentation of each argument.
fn said(row: &MethodRow, options: &'static OptionsSchema) -> Vec<String> {
    let (needed, taken) = arguments(options);
    let all = needed.into_iter().chain(taken);
    let mut lines: Vec<String> = row.hook().map(|docs| format!("- `hook`: {docs}")).into_iter().collect();
    lines.extend(all.map(|field| {
        let docs = documented(field.docs, field.absent, Nothing::KotlinAndSwift);
        format!("- `{}`: {docs}", camel(field.name))
    }));
    lines.extend(beside(row).map(|(_, name, _, docs)| format!("- `{}`: {docs}", camel(name))));
    lines
}

/// The watch type for the progress of a job.
fn watches() -> Generated {
    let mut body = String::from("use super::prelude::*;\n\nwatches! {\n");
    for (row, _) in watched() {
        let method = camel(row.name);
        let _ = writeln!(
            body,
            "    /// Sees how far `{method}` is: hand it over, and look at it now and then.\n    {}: {};",
            watch_of(row.progress),
            row.progress
        );
    }
    body.push_str("}\n");
    generated("bindings/uniffi/src/methods/watches.rs", FROM, &body)
}

fn kotlin() -> Generated {
    let body = kotlin_methods("Client", "suspend ");
    generated("kotlin/src/main/kotlin/sondage/Methods.kt", FROM, &format!("package sondage\n{body}"))
}

/// Methods that the blocking client has and phones lack.
fn blocking_kotlin() -> Generated {
    let body = kotlin_methods("BlockingClient", "");
    let body = format!("package sondage\n\nimport kotlinx.coroutines.runBlocking\n{body}");
    generated("kotlin/src/server/kotlin/sondage/BlockingMethods.kt", FROM, &body)
}

/// The documentation, parameters and names of arguments of a method with a progress callback.
fn with_progress(
    (row, options): (&MethodRow, &'static OptionsSchema),
    caller: &str,
    parameter: impl Fn(&str, &str, Option<&str>) -> String,
) -> (Vec<String>, String, Vec<String>) {
    let language = usize::from(caller != "coroutine" && caller != "thread") + 1;
    let whose =
        if language == 2 { caller.to_owned() } else { format!(", called in the {caller} of the caller") };
    let mut lines = said(row, options);
    lines.push(format!("- `progress`: A progress callback{whose}. An error that it throws ends the work."));
    let (needed, taken) = arguments(options);
    let mut parameters = String::new();
    for field in needed.iter().chain(&taken) {
        let default = if field.required { None } else { Some(field.default.unwrap_or_default()) };
        parameters += &parameter(&camel(field.name), of_option(field.ty)[language], default);
    }
    let mut names: Vec<String> = needed.iter().chain(&taken).map(|field| camel(field.name)).collect();
    if let Some((_, name, ty, _)) = beside(row) {
        parameters +=
            &parameter(&camel(name), if language == 2 { types::in_swift(ty) } else { ty }, Some(""));
        names.push(camel(name));
    }
    (lines, parameters, names)
}

/// Methods with progress.
fn watched() -> impl Iterator<Item = (&'static MethodRow, &'static OptionsSchema)> {
    jobs().filter(|(row, _)| !row.progress.is_empty())
}

fn kotlin_methods(client: &str, suspends: &str) -> String {
    let parameter = |name: &str, ty: &str, default: Option<&str>| match default {
        None => format!("    {name}: {ty},\n"),
        Some("") => format!("    {name}: {ty}? = null,\n"),
        Some(default) => format!("    {name}: {ty} = {default},\n"),
    };
    let method = |(row, options): (&'static MethodRow, _)| {
        let caller = if suspends.is_empty() { "thread" } else { "coroutine" };
        let (lines, parameters, names) = with_progress((row, options), caller, parameter);
        let (method, watch, given) = (camel(row.name), watch_of(row.progress), names.join(", "));
        let body = if suspends.is_empty() {
            format!("runBlocking {{ asynchronous().{method}({given}) {{ progress(it) }} }}")
        } else {
            format!(
                "{watch}().use {{ watch -> telling(watch::now, progress) {{ {method}({given}, watch) }} }}"
            )
        };
        let (progress, report, docs) = (row.progress, row.result, comment(row.docs, &lines, " *"));
        format!(
            "\n/**\n{docs} */\npublic {suspends}fun {client}.{method}(\n{parameters}    \
             progress: {suspends}({progress}) -> Unit,\n): {report} =\n    {body}\n"
        )
    };
    watched().map(method).collect()
}

fn swift() -> Generated {
    let body = swift_methods("Client", "async throws", "@Sendable @escaping ");
    generated("swift/Sources/Sondage/Methods.swift", FROM, &body)
}

/// Methods that the blocking client has and phones lack.
fn blocking_swift() -> Generated {
    let body = swift_methods("BlockingClient", "throws", "");
    generated("swift/Sources/Sondage/Server/BlockingMethods.swift", FROM, &body)
}

fn swift_methods(client: &str, mode: &str, escaping: &str) -> String {
    let blocking = escaping.is_empty();
    let parameter = |name: &str, ty: &str, default: Option<&str>| {
        let name = if name == "where" { "`where`" } else { name };
        match default {
            None => format!("        {name}: {ty},\n"),
            Some("") => format!("        {name}: {ty}? = nil,\n"),
            Some(default) => format!("        {name}: {ty} = {default},\n"),
        }
    };
    let method = |(row, options): (&'static MethodRow, _)| {
        let caller = if blocking { ", called in the thread of the caller" } else { "" };
        let (lines, parameters, names) = with_progress((row, options), caller, parameter);
        let given = names.iter().map(|name| labelled(name)).collect::<Vec<_>>().join(", ");
        let (own, telling, whose) = if blocking {
            ("        let client = asynchronous()\n", "try tellingWhileBlocked", "client")
        } else {
            ("", "try await telling", "self")
        };
        let (method, progress, report, watch) =
            (camel(row.name), row.progress, row.result, watch_of(row.progress));
        format!(
            "{}    public func {method}(\n{parameters}        progress: {escaping}({progress}) {mode} -> Void\n    ) {mode} -> {report} {{\n        \
             let watch = {watch}()\n{own}        return {telling}({{ watch.now() }}, progress) {{\n            \
             try await {whose}.{method}({given}, watch: watch)\n        }}\n    }}\n",
            comment(row.docs, &lines, "    ///")
        )
    };
    let methods: Vec<String> = watched().map(method).collect();
    format!("import Foundation\n\nextension {client} {{\n{}}}\n", methods.join("\n"))
}

/// Documentation, each of its lines after `mark`.
fn comment(text: &str, lines: &[String], mark: &str) -> String {
    let mut out = String::new();
    let mut put = |line: &str| {
        let _ = writeln!(out, "{}", format!("{mark} {}", line.trim()).trim_end());
    };
    for paragraph in prose::paragraphs(text) {
        for line in prose::wrap(&paragraph, mark.len() + 1, 0) {
            put(&line);
        }
        put("");
    }
    for line in lines {
        let line = super::at_parameter(line, if mark == " *" { super::IN_KOTLIN } else { super::IN_SWIFT });
        for line in prose::wrap(&line, mark.len() + 1, 2) {
            put(&line);
        }
    }
    out
}
