//! Lists as each language reads them: a `Flow` in Kotlin, an `AsyncSequence` in Swift, and for blocking clients a `Sequence`.

use super::super::Generated;
use super::super::prose;
use super::operations::{ListMethod, arguments, with_filter};
use super::types::{conditions, in_swift, kotlin as kotlin_type, swift as swift_type};
use super::{IN_KOTLIN, IN_SWIFT, at_parameter, camel, generated};
use sondage::internals::schema::{FieldSchema, Type};
use sondage::operations;
use std::fmt::Write;

const FROM: &str = "crates/sondage/src/operations.rs";

/// What the client has in addition to uniffi's methods.
pub fn kotlin() -> Generated {
    let when = "A page is read when its first row is collected.";
    let imports = "\nimport kotlinx.coroutines.flow.Flow\n";
    let body = kotlin_lists(imports, "Client", "Flow", ("rowsOf", "next"), when);
    generated("kotlin/src/main/kotlin/sondage/Lists.kt", FROM, &body)
}

/// The same for the blocking client, which phones do not have.
pub fn blocking_kotlin() -> Generated {
    let when = "A page is read when its first row is asked for, and blocks until then.";
    let body = kotlin_lists("", "BlockingClient", "Sequence", ("rowsInTurn", "nextBlocking"), when);
    generated("kotlin/src/server/kotlin/sondage/BlockingLists.kt", FROM, &body)
}

/// An interface of which the client is one: a class of a test that stands for the client can have other rows.
fn kotlin_lists(
    imports: &str,
    client: &str,
    sequence: &str,
    (reader, next): (&str, &str),
    when: &str,
) -> String {
    let mut body = format!(
        "package sondage\n{imports}\n/** The lists of a client, row by row. */\npublic interface {client}Lists {{\n    \
         private val client get() = this as {client}Interface\n"
    );
    for list in operations::ALL.iter().filter_map(|row| ListMethod::of(row)) {
        body.push_str(&kdoc(&list, when));
        let _ = writeln!(body, "    public fun {}(", camel(&list.rows()));
        for parameter in parameters(&list, &kotlin_type, "null", "Long?") {
            let _ = writeln!(body, "        {parameter},");
        }
        let _ = writeln!(body, "    ): {sequence}<{}> =", kotlin_type(list.item));
        let (pages, arguments) = (camel(&list.pages()), names(&list).join(", "));
        let _ = writeln!(body, "        {reader}({{ client.{pages}({arguments}) }}) {{ it.{next}() }}");
    }
    body + "}\n"
}

/// Methods of the client.
pub fn swift() -> Generated {
    let when = "A page is read when its first row is requested.";
    let read = "{ try await pages.next() }";
    generated("swift/Sources/Sondage/Lists.swift", FROM, &swift_lists("Client", "Rows", read, when))
}

/// Methods of the blocking client.
pub fn blocking_swift() -> Generated {
    let when = "Each element is a row, or the error with which the list ends. A page is read when its first row is requested, and \
                blocks until then.";
    let body = swift_lists("BlockingClient", "BlockingRows", "{ try pages.nextBlocking() }", when);
    generated("swift/Sources/Sondage/Server/BlockingLists.swift", FROM, &body)
}

fn swift_lists(client: &str, rows: &str, read: &str, when: &str) -> String {
    let body = format!("import Foundation\n\nextension {client} {{\n");
    let mut methods = Vec::new();
    for row in operations::ALL {
        let Some(list) = ListMethod::of(row) else { continue };
        let mut method = triple(&list, when);
        let _ = writeln!(method, "    public func {}(", camel(&list.rows()));
        let parameters = parameters(&list, &swift_type, "nil", "Int64?");
        method.push_str(
            &parameters.iter().map(|line| format!("        {line}")).collect::<Vec<_>>().join(",\n"),
        );
        let item = swift_type(list.item);
        let labelled: Vec<String> = names(&list).iter().map(|name| labelled(name)).collect();
        let _ = writeln!(method, "\n    ) -> {rows}<{item}> {{");
        let _ = writeln!(method, "        {rows} {{");
        let _ = writeln!(
            method,
            "            let pages = try self.{}({})",
            camel(&list.pages()),
            labelled.join(", ")
        );
        let _ = write!(method, "            return {read}\n        }}\n    }}\n");
        methods.push(method);
    }
    body + &methods.join("\n") + "}\n"
}

/// An argument that is passed on in Swift.
pub fn labelled(name: &str) -> String {
    if name == "where" { format!("{name}: `{name}`") } else { format!("{name}: {name}") }
}

fn names(list: &ListMethod) -> Vec<String> {
    let fields = list.needed.iter().chain(&list.taken).map(|field| camel(field.name));
    let filter = conditions(&list.taken).map(|_| "where".to_owned());
    fields.chain(filter).chain(["pageSize".to_owned()]).collect()
}

fn parameters(
    list: &ListMethod,
    ty: &dyn Fn(&'static Type) -> String,
    none: &str,
    number: &str,
) -> Vec<String> {
    let needed =
        list.needed.iter().map(|field: &&FieldSchema| format!("{}: {}", camel(field.name), ty(field.ty)));
    let taken = list.taken.iter().map(|field| format!("{}: {} = {none}", camel(field.name), ty(field.ty)));
    // In Swift `in` is a keyword, except as a label.
    let word = if none == "nil" { "`where`" } else { "where" };
    let class = if none == "nil" { in_swift("Filter") } else { "Filter" };
    let filter = conditions(&list.taken).map(|_| format!("{word}: {class}? = {none}"));
    needed.chain(taken).chain(filter).chain([format!("pageSize: {number} = {none}")]).collect()
}

fn sentences(list: &ListMethod, when: &str, mark: &str) -> Vec<String> {
    let what = list.rows().replace('_', " ");
    let mut lines =
        prose::wrap(&format!("All {what}: the list is complete or ends with an error. {when}"), 3, 0);
    lines.push(String::new());
    let arguments = with_filter(arguments(list.needed.iter().chain(&list.taken)), &list.taken)
        + "\n- `pageSize`: Rows per page. The number of calls is limited, so large pages are better.";
    for line in arguments.lines() {
        lines.extend(prose::wrap(&at_parameter(line, mark), 3, 2));
    }
    lines
}

fn kdoc(list: &ListMethod, when: &str) -> String {
    let mut out = String::from("\n    /**\n");
    for line in sentences(list, when, IN_KOTLIN) {
        let _ = writeln!(out, "     *{}", line.strip_prefix("  ").unwrap_or(&line).trim_end());
    }
    out + "     */\n"
}

fn triple(list: &ListMethod, when: &str) -> String {
    let mut out = String::new();
    for line in sentences(list, when, IN_SWIFT) {
        let _ = writeln!(out, "    ///{}", line.strip_prefix("  ").unwrap_or(&line).trim_end());
    }
    out
}
