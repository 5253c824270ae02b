//! The methods of the clients that are no operations and have options, as they are typed.

use super::super::methods::{Method, of_the_client};
use super::super::{Generated, prose};
use super::words::camel;
use super::{comment, generated};
use sondage::arguments::{ArgumentSchema, ArgumentType};
use std::fmt::Write;

/// What Node.js makes of a method: its options and its result, and those of the client that blocks.
struct TypedMethod {
    name: &'static str,
    options: (&'static str, &'static str),
    result: (&'static str, &'static str),
    /// Whether the call is a promise that a signal ends. Otherwise what it gives makes the calls.
    call: bool,
    /// Whether the options bring their own signal.
    own_signal: bool,
}

const fn called(
    name: &'static str,
    options: (&'static str, &'static str),
    result: (&'static str, &'static str),
) -> TypedMethod {
    TypedMethod { name, options, result, call: true, own_signal: false }
}

const TYPED: [TypedMethod; 8] = [
    TypedMethod {
        call: false,
        own_signal: true,
        ..called("members", ("MembersOptions", "BlockingMembersOptions"), ("Members", "BlockingMembers"))
    },
    TypedMethod {
        call: false,
        own_signal: true,
        ..called(
            "interviews",
            ("InterviewsOptions", "BlockingInterviewsOptions"),
            ("Interviews", "BlockingInterviews"),
        )
    },
    called(
        "create_members_from",
        ("CreateFromOptions", "CreateFromOptions"),
        ("ImportReport", "ImportReport"),
    ),
    called(
        "import_members",
        ("ImportMembersOptions", "ImportMembersOptions"),
        ("ImportReport", "ImportReport"),
    ),
    called("plan_update", ("PlanUpdateOptions", "PlanUpdateOptions"), ("UpdatePlan", "BlockingUpdatePlan")),
    TypedMethod {
        own_signal: true,
        ..called(
            "archive_answers",
            ("ArchiveOptions", "BlockingArchiveOptions"),
            ("ArchiveReport", "ArchiveReport"),
        )
    },
    called("field_report", ("FieldReportOptions", "FieldReportOptions"), ("FieldReport", "FieldReport")),
    called("missed_events", ("MissedOptions", "MissedOptions"), ("MissedEvents", "MissedEvents")),
];

const HEAD: &str = "import type { BlockingUpdatePlan, ImportReport, Rows, UpdatePlan } from './jobs.js';
import type { BlockingInterviews, BlockingMembers, Interviews, Members } from './lists.js';
import type {
  ArchiveOptions,
  BlockingArchiveOptions,
  BlockingInterviewsOptions,
  BlockingMembersOptions,
  CreateFromOptions,
  FieldReportOptions,
  ImportMembersOptions,
  InterviewsOptions,
  MembersOptions,
  MissedOptions,
  PlanUpdateOptions,
} from './options.js';
import type { ArchiveReport, FieldReport, MissedEvents } from './reports.js';
import type { Int } from './values.js';
";

const SIGNAL: &str = " & { signal?: AbortSignal | undefined }";
const ROWS: &str =
    "@param rows Objects, a `Table`, Arrow bytes, or a CSV file as `{ path }` or a `file:` URL.";

pub fn types() -> Generated {
    let mut body = String::from(HEAD);
    for (name, what, blocks) in [
        ("Methods", "What a client does beside the operations.", false),
        ("BlockingMethods", "The same, blocking.", true),
    ] {
        let _ = write!(body, "\n/** {what} */\nexport interface {name} {{\n");
        for typed in &TYPED {
            body.push_str(&method(typed, blocks));
        }
        body.push_str("}\n");
    }
    let from = "the methods.rs of crates/sondage and crates/sondage-data";
    generated("node/types/methods.d.ts", from, &body)
}

fn method(typed: &TypedMethod, blocks: bool) -> String {
    let method = of_the_client(typed.name);
    let is_first = |field: &&ArgumentSchema| {
        field.required && matches!(field.ty, ArgumentType::Int | ArgumentType::Path)
    };
    let first: Vec<_> = method.options.fields.iter().filter(is_first).collect();
    let needed = method.options.fields.iter().any(|field| field.required && !is_first(&field));
    let mut parameters: Vec<String> =
        first.iter().map(|field| format!("{}: {}", camel(field.name), written(field))).collect();
    if method.rows {
        parameters.push("rows: Rows".into());
    }
    let (options, result) = if blocks {
        (typed.options.1.to_owned(), typed.result.1.to_owned())
    } else {
        let signal = if typed.own_signal { "" } else { SIGNAL };
        let result = typed.result.0;
        let promised = if typed.call { format!("Promise<{result}>") } else { result.to_owned() };
        (format!("{}{signal}", typed.options.0), promised)
    };
    parameters.push(format!("options{}: {options}", if needed { "" } else { "?" }));
    let docs = comment(&documentation(typed, &method, &first, blocks), 2);
    let line = format!("  {}({}): {result};\n", camel(typed.name), parameters.join(", "));
    if line.len() <= prose::WIDTH {
        return docs + &line;
    }
    format!("{docs}  {}(\n{}  ): {result};\n", camel(typed.name), prose::lines(&parameters, "    "))
}

fn documentation(
    typed: &TypedMethod,
    method: &Method,
    first: &[&ArgumentSchema],
    blocks: bool,
) -> Vec<String> {
    let mut paragraphs = prose::paragraphs(method.docs);
    if let (true, Some(last)) = (blocks, paragraphs.last_mut()) {
        last.push_str(if typed.call { " Blocks." } else { " Each page blocks." });
    }
    for field in first {
        paragraphs.push(format!("@param {} {}", camel(field.name), prose::line(field.docs)));
    }
    paragraphs.extend(method.rows.then(|| ROWS.to_owned()));
    let signal = !blocks && typed.call;
    let options =
        if signal { "What can be chosen. `signal` gives the call up." } else { "What can be chosen." };
    paragraphs.push(format!("@param options {options}"));
    paragraphs
}

fn written(field: &ArgumentSchema) -> &'static str {
    match field.ty {
        ArgumentType::Path => "string | URL",
        _ => "Int",
    }
}
