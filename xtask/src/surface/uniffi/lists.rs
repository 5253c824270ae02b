//! Lists as each language reads them: a `Flow` in Kotlin, an `AsyncSequence` in Swift, and for blocking clients, which phones do
//! not have, a `Sequence`.

use super::operations::ListMethod;
use super::{IN_KOTLIN, IN_SWIFT, at_parameter, marked};
use crate::surface::prelude::*;
use types::{KOTLIN, SWIFT};

/// What the clients have in addition to uniffi's methods.
pub fn files() -> [Generated; 4] {
    let flow = "\nimport kotlinx.coroutines.flow.Flow\n";
    let collected = "A page is read when its first row is collected.";
    let requested = "A page is read when its first row is requested.";
    let asked = "A page is read when its first row is asked for, and blocks until then.";
    let element = "Each element is a row, or the error with which the list ends. A page is read when its first row is requested, and \
                   blocks until then.";
    [
        (
            "kotlin/src/main/kotlin/sondage/Lists.kt",
            kotlin(flow, "Client", "Flow", ["rowsOf", "next"], collected),
        ),
        (
            "kotlin/src/server/kotlin/sondage/BlockingLists.kt",
            kotlin("", "BlockingClient", "Sequence", ["rowsInTurn", "nextBlocking"], asked),
        ),
        (
            "swift/Sources/Sondage/Lists.swift",
            swift("Client", "Rows", "{ try await pages.next() }", requested),
        ),
        (
            "swift/Sources/Sondage/Server/BlockingLists.swift",
            swift("BlockingClient", "BlockingRows", "{ try pages.nextBlocking() }", element),
        ),
    ]
    .map(|(path, body)| generated(path, "crates/sondage/src/operations.rs", &body))
}

fn lists() -> impl Iterator<Item = ListMethod> {
    operations::ALL.iter().filter_map(|row| ListMethod::of(row))
}

/// An interface of which the client is one: a class of a test that stands for the client can have other rows.
fn kotlin(imports: &str, client: &str, sequence: &str, [reader, next]: [&str; 2], when: &str) -> String {
    let method = |list: ListMethod| {
        let (parameters, names) = arguments(&list, KOTLIN);
        format!(
            "\n    /**\n{}     */\n    public fun {}(\n{}    ): {sequence}<{}> =\n        \
             {reader}({{ client.{}({}) }}) {{ it.{next}() }}\n",
            marked(sentences(&list, when, IN_KOTLIN), "     *"),
            camel(&list.rows()),
            lines(&parameters, "        "),
            types::held(list.item, KOTLIN),
            camel(&list.pages()),
            names.join(", ")
        )
    };
    format!(
        "package sondage\n{imports}\n/** The lists of a client, row by row. */\npublic interface {client}Lists {{\n    \
         private val client get() = this as {client}Interface\n{}}}\n",
        lists().map(method).collect::<String>()
    )
}

fn swift(client: &str, rows: &str, read: &str, when: &str) -> String {
    let method = |list: ListMethod| {
        let (parameters, names) = arguments(&list, SWIFT);
        format!(
            "{}    public func {}(\n{}\n    ) -> {rows}<{}> {{\n        {rows} {{\n            \
             let pages = try self.{}({})\n            return {read}\n        }}\n    }}\n",
            marked(sentences(&list, when, IN_SWIFT), "    ///"),
            camel(&list.rows()),
            join(parameters.iter().map(|line| format!("        {line}")), ",\n"),
            types::held(list.item, SWIFT),
            camel(&list.pages()),
            join(names.iter().map(|name| labelled(name)), ", ")
        )
    };
    let protocol = if client == "Client" { requirements() } else { String::new() };
    format!("import Foundation\n\nextension {client} {{\n{}}}\n{protocol}", join(lists().map(method), "\n"))
}

/// The lists as a part of the client's protocol: with all arguments, as another class writes them, and with optional ones, as
/// they are called. One overload lacks the size of pages: otherwise it would be the default of the requirement.
fn requirements() -> String {
    let (mut required, mut optional) = (String::new(), String::new());
    for list in lists() {
        let (parameters, names) = arguments(&list, SWIFT);
        let (method, item) = (camel(&list.rows()), types::held(list.item, SWIFT));
        let plain = join(parameters.iter().map(|one| one.replace(" = nil", "")), ", ");
        put!(required, "    func {method}({plain}) -> Rows<{item}>\n");
        let given = join(names.iter().map(|name| labelled(name)), ", ");
        let (size, others) = ("pageSize: Int64", &parameters[..parameters.len() - 1]);
        let sized = join(others.iter().map(String::as_str).chain([size]), ", ");
        for (parameters, given) in [
            (others.join(", "), given.replace("pageSize: pageSize", "pageSize: nil")),
            (sized, given.replace("pageSize: pageSize", "pageSize: Int64?(pageSize)")),
        ] {
            put!(
                optional,
                "\n    public func {method}({parameters}) -> Rows<{item}> {{\n        {method}({given})\n    }}\n"
            );
        }
        let none = format!("Rows(of: [], failing: SondageError.notFaked(\"{method}\"))");
        put!(optional, "\n    public func {method}({plain}) -> Rows<{item}> {{\n        {none}\n    }}\n");
    }
    format!(
        "\n/// The lists of a client. A class of a test that stands for one returns `Rows(of: [...])`.\npublic protocol ClientLists {{\n{required}}}\n\n\
         extension ClientLists {{{optional}}}\n"
    )
}

/// An argument that is passed on in Swift, where `where` is a keyword, except as a label.
pub fn labelled(name: &str) -> String {
    format!("{name}: {}", variable(name, SWIFT))
}

/// The name of a parameter in its function.
pub fn variable(name: &str, language: usize) -> String {
    if name == "where" && language == SWIFT { format!("`{name}`") } else { name.to_owned() }
}

/// The parameters of a list, and their names.
fn arguments(list: &ListMethod, language: usize) -> (Vec<String>, Vec<String>) {
    let (filter, number, none) =
        if language == SWIFT { (in_swift("Filter"), "Int64", "nil") } else { ("Filter", "Long", "null") };
    let (mut parameters, mut names) = (Vec::new(), Vec::new());
    for field in list.arguments.all() {
        let default =
            if matches!(field.ty, Type::Optional(_)) { format!(" = {none}") } else { String::new() };
        names.push(camel(field.name));
        parameters.push(format!("{}: {}{default}", camel(field.name), types::held(field.ty, language)));
    }
    let filter = list.arguments.conditions().map(|_| ("where", filter));
    for (name, ty) in filter.into_iter().chain([("pageSize", number)]) {
        names.push(name.to_owned());
        parameters.push(format!("{}: {ty}? = {none}", variable(name, language)));
    }
    (parameters, names)
}

fn sentences(list: &ListMethod, when: &str, mark: &str) -> Vec<String> {
    let what = list.rows().replace('_', " ");
    let mut lines = wrap(&format!("All {what}: the list is complete or ends with an error. {when}"), 3, 0);
    lines.push("   ".to_owned());
    lines.extend(list.docs().lines().flat_map(|line| wrap(&at_parameter(line, mark), 3, 2)));
    lines.into_iter().map(|line| line[3..].to_owned()).collect()
}
