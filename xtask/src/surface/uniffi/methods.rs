//! The methods of the client that are not operations: their declarations for uniffi, from the rows and options of the
//! table, and variants with a progress callback in Kotlin and Swift.

use super::lists::{labelled, variable};
use super::{IN_KOTLIN, IN_SWIFT, at_parameter, marked, name};
use crate::surface::methods::{options, rows_without_arrow};
use crate::surface::prelude::*;
use types::{KOTLIN, RUST, SWIFT, of_option};

const FROM: &str = "crates/sondage/src/methods.rs";
const INDEX: &str = "#[rustfmt::skip]
mod client;
#[macro_use]
#[rustfmt::skip]
mod objects;
#[rustfmt::skip]
mod reports;
#[rustfmt::skip]
mod watches;
#[rustfmt::skip]
mod words;

use crate::prelude;
pub use objects::*;
pub use reports::*;
pub use watches::*;
pub use words::*;
";

/// A row whose argument is a struct of options.
pub type Job = (&'static MethodRow, &'static OptionsSchema);

/// The rows that are generated. Only the blocking clients of servers have the last one of each language.
pub fn files() -> [Generated; 7] {
    let kotlin = [
        ("", kotlin("Client", "suspend ")),
        ("\nimport kotlinx.coroutines.runBlocking\n", kotlin("BlockingClient", "")),
    ]
    .map(|(imports, methods)| format!("package sondage\n{imports}{methods}"));
    [
        generated("bindings/uniffi/src/methods/mod.rs", FROM, INDEX),
        generated("bindings/uniffi/src/methods/client.rs", FROM, &client()),
        generated("bindings/uniffi/src/methods/watches.rs", FROM, &watches()),
        generated("kotlin/src/main/kotlin/sondage/Methods.kt", FROM, &kotlin[0]),
        generated("kotlin/src/server/kotlin/sondage/BlockingMethods.kt", FROM, &kotlin[1]),
        generated(
            "swift/Sources/Sondage/Methods.swift",
            FROM,
            &swift("Client", "async throws", "@Sendable @escaping "),
        ),
        generated(
            "swift/Sources/Sondage/Server/BlockingMethods.swift",
            FROM,
            &swift("BlockingClient", "throws", ""),
        ),
    ]
}

/// Rows that need no Arrow. Lists are generated from the operations. The compiler checks that every row has a function
/// (`rows.rs`).
fn rows() -> impl Iterator<Item = &'static MethodRow> {
    of_the_client()
        .filter(|row| row.name != "members" && rows_without_arrow().any(|known| known.name == row.name))
}

/// The methods with options that make calls, or those that do not.
pub fn jobs(kind: &str) -> impl Iterator<Item = Job> {
    let rows = rows().filter(move |row| !row.argument.is_empty() && row.kind == kind);
    rows.map(|row| (row, options(row.argument)))
}

fn watched() -> impl Iterator<Item = Job> {
    jobs("Call").filter(|(row, _)| !row.progress.is_empty())
}

/// A row for each method, which `bindings/uniffi/src/method.rs` expands.
fn client() -> String {
    let mut body = String::from("use super::prelude::*;\n");
    // A phone's library is built without arguments that only the receiving side of webhooks has.
    for (attribute, of_webhooks) in [("", false), ("#[cfg(feature = \"webhook\")]\n", true)] {
        let jobs = jobs("Call").filter(|(row, _)| ["hook", "guard"].contains(&row.with) == of_webhooks);
        put!(body, "\n{attribute}jobs! {{\n{}}}\n", join(jobs.map(job), "\n"));
    }
    let clients = jobs("Immediate").inspect(|(row, _)| assert_eq!(row.result, "Client"));
    put!(body, "\nclients! {{\n{}}}\n", join(clients.map(job), "\n"));
    for (kind, word) in [("Call", "calls"), ("Immediate", "values")] {
        let plain = rows().filter(|row| row.argument.is_empty() && row.kind == kind).map(|row| {
            let result = row.result.replace(" < ", "<").replace(" >", ">");
            format!("{}    {}() -> {result};\n", rustdoc(&paragraphs(row.docs), 4), row.name)
        });
        put!(body, "\n{word}! {{\n{}}}\n", join(plain, "\n"));
    }
    body
}

/// Required and optional parameters.
fn arguments(options: &'static OptionsSchema) -> [Vec<&'static ArgumentSchema>; 2] {
    let (required, optional) = options.fields.iter().partition(|field| field.required);
    [required, optional]
}

/// Whether a guard is passed in addition to options. Rows are an option of their own.
pub fn has_guard(row: &MethodRow) -> bool {
    assert!(["", "guard", "hook", "rows"].contains(&row.with), "{} takes a {}", row.name, row.with);
    row.guard().is_some()
}

fn watch_of(progress: &str) -> String {
    progress.replace("Progress", "Watch")
}

fn job((row, options): Job) -> String {
    let mut docs = documentation(row, options);
    let with = if has_guard(row) { " unknown_to: Guard " } else { "" };
    let mut watch = String::new();
    if !row.progress.is_empty() {
        docs.push("- `watch`: Receives the progress.".to_owned());
        watch = format!(" watch: {} ", watch_of(row.progress));
    }
    let docs: Vec<String> = paragraphs(row.docs).into_iter().chain([docs.join("\n")]).collect();
    // A result with methods is an object, which uniffi reference-counts.
    let result = if row.class == "handle" { format!("Arc<{}>", row.result) } else { row.result.to_owned() };
    let hook = row.hook().map_or("", |_| " hook: Hook ");
    let [needs, takes] = arguments(options).map(|fields| -> String {
        let field = |field: &ArgumentSchema| {
            let ty = of_option(field.ty, RUST);
            let typed = match field.default {
                _ if field.required => ty,
                // uniffi has no default that is a variant.
                Some(default) if !matches!(field.ty, ArgumentType::Word(_)) => format!("{ty} = {default}"),
                _ => format!("Option<{ty}> = None"),
            };
            format!("            {}: {typed},\n", name(field.name))
        };
        fields.into_iter().map(field).collect()
    });
    format!(
        "{}    {}({}) -> {result} {{\n        given {{{hook}}}\n        needs {{\n{needs}        }}\n        takes {{\n{takes}        }}\n        \
         with {{{with}}}\n        watch {{{watch}}}\n    }}\n",
        rustdoc(&docs, 4),
        row.name,
        options.name
    )
}

/// The documentation of each argument.
fn documentation(row: &MethodRow, options: &'static OptionsSchema) -> Vec<String> {
    let mut docs: Vec<String> = row.hook().map(|about| format!("- `hook`: {about}")).into_iter().collect();
    docs.extend(arguments(options).into_iter().flatten().map(|field| {
        let about = documented(field.docs, field.absent, RUST);
        let default = match (field.ty, field.default_word()) {
            (ArgumentType::Word(_), Some(word)) => format!(" Default: `\"{word}\"`."),
            _ => String::new(),
        };
        format!("- `{}`: {about}{default}", camel(field.name))
    }));
    docs.extend(row.guard().map(|about| format!("- `unknownTo`: {about}")));
    docs
}

/// The watch type for the progress of a job.
fn watches() -> String {
    let watch = |(row, _): Job| {
        format!(
            "    /// Sees how far `{}` is: hand it over, and look at it now and then.\n    {}: {};\n",
            camel(row.name),
            watch_of(row.progress),
            row.progress
        )
    };
    format!("use super::prelude::*;\n\nwatches! {{\n{}}}\n", watched().map(watch).collect::<String>())
}

/// The parameters of a method with a progress callback, and the names of its arguments.
pub fn parameters((row, options): Job, language: usize) -> (String, Vec<String>) {
    let (indent, none) = if language == SWIFT { ("        ", "nil") } else { ("    ", "null") };
    let (mut parameters, mut names) = (String::new(), Vec::new());
    let mut add = |name: &str, ty: &str, default: &str| {
        put!(parameters, "{indent}{}: {ty}{default},\n", variable(name, language));
        names.push(name.to_owned());
    };
    for field in arguments(options).into_iter().flatten() {
        let default = match field.default {
            _ if field.required => String::new(),
            Some(default) if !matches!(field.ty, ArgumentType::Word(_)) => format!(" = {default}"),
            _ => format!("? = {none}"),
        };
        add(&camel(field.name), &of_option(field.ty, language), &default);
    }
    if has_guard(row) {
        let guard = if language == SWIFT { in_swift("Guard") } else { "Guard" };
        add("unknownTo", guard, &format!("? = {none}"));
    }
    (parameters, names)
}

fn kotlin(client: &str, suspends: &str) -> String {
    let method = |(row, options): Job| {
        let (parameters, names) = parameters((row, options), KOTLIN);
        let (method, watch, given) = (camel(row.name), watch_of(row.progress), names.join(", "));
        let (caller, body) = if suspends.is_empty() {
            ("thread", format!("runBlocking {{ asynchronous().{method}({given}) {{ progress(it) }} }}"))
        } else {
            let call = format!("{method}({given}, watch)");
            ("coroutine", format!("{watch}().use {{ watch -> telling(watch::now, progress) {{ {call} }} }}"))
        };
        let docs = comment_of(row, options, &format!(", called in the {caller} of the caller"), " *");
        let (progress, report) = (row.progress, row.result);
        format!(
            "\n/**\n{docs} */\npublic {suspends}fun {client}.{method}(\n{parameters}    \
             progress: {suspends}({progress}) -> Unit,\n): {report} =\n    {body}\n"
        )
    };
    watched().map(method).collect()
}

fn swift(client: &str, mode: &str, escaping: &str) -> String {
    let (own, telling, whose, caller) = if escaping.is_empty() {
        let caller = ", called in the thread of the caller";
        ("        let client = asynchronous()\n", "try tellingWhileBlocked", "client", caller)
    } else {
        ("", "try await telling", "self", "")
    };
    let method = |(row, options): Job| {
        let (parameters, names) = parameters((row, options), SWIFT);
        let given = join(names.iter().map(|name| labelled(name)), ", ");
        let (method, watch) = (camel(row.name), watch_of(row.progress));
        let (progress, report) = (row.progress, row.result);
        format!(
            "{}    public func {method}(\n{parameters}        progress: {escaping}({progress}) {mode} -> Void\n    ) {mode} -> {report} {{\n        \
             let watch = {watch}()\n{own}        return {telling}({{ watch.now() }}, progress) {{\n            \
             try await {whose}.{method}({given}, watch: watch)\n        }}\n    }}\n",
            comment_of(row, options, caller, "    ///")
        )
    };
    format!("import Foundation\n\nextension {client} {{\n{}}}\n", join(watched().map(method), "\n"))
}

/// The documentation of a method with a progress callback, each of its lines after `mark`.
fn comment_of(row: &MethodRow, options: &'static OptionsSchema, caller: &str, mark: &str) -> String {
    let mut docs = documentation(row, options);
    docs.push(format!("- `progress`: A progress callback{caller}. An error that it throws ends the work."));
    let at = if mark == " *" { IN_KOTLIN } else { IN_SWIFT };
    let wrapped = |text: &str| wrap(text, mark.len() + 1, 0);
    let about =
        paragraphs(row.docs).into_iter().flat_map(|text| wrapped(&text).into_iter().chain([String::new()]));
    let lines: Vec<String> =
        about.chain(docs.iter().flat_map(|line| wrap(&at_parameter(line, at), mark.len() + 1, 2))).collect();
    marked(lines.iter().map(|line| line.trim()), mark)
}
