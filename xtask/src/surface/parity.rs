//! The table of what exists in which language, from the rows of methods. A gap needs a reason here.

use super::methods::{MethodRow, core, data, jobs};
use super::node::words::camel;
use super::prose;
use std::fmt::Write;

/// Why Kotlin and Swift lack the methods of an object, or one method of it (`object.method`). The first match counts.
const GAPS: [(&str, &str); 8] = [
    ("client.import_members", ""),
    ("import_report.facts", ""),
    ("import_report.rows", ""),
    ("client.create_members_from", "`importMembers` does the same and can be resumed"),
    (
        "client.plan_update",
        "rows are changed on servers; `importMembers` with `existing = UPDATE` updates people by a key",
    ),
    ("update_plan", "see `planUpdate`"),
    ("client", "a table of answers is for analysis; `readInterviewListCompact` reads the rows"),
    ("", "tables need Arrow, which is too large for a phone"),
];

/// Capabilities without a row, by hand: the capability, Rust, Python, Node.js, Kotlin and Swift, and the reason for gaps.
const BESIDE: [[&str; 7]; 8] = [
    ["every operation, async and blocking", "yes", "yes", "yes", "yes", "yes", ""],
    [
        "complete lists",
        "`pages`",
        "iterator",
        "async iterator",
        "`Flow`, `Sequence`",
        "`AsyncSequence`, `Sequence`",
        "",
    ],
    [
        "the sandbox in the process",
        "yes",
        "yes",
        "yes",
        "test artefact",
        "test artefact",
        "a phone's library stays small",
    ],
    [
        "tables as data frames",
        "Arrow",
        "pandas, polars, pyarrow, DuckDB, Spark",
        "`apache-arrow`, rows",
        "no",
        "no",
        "tables need Arrow",
    ],
    ["a token store of one's own", "yes", "yes", "yes", "yes, Keystore", "yes, Keychain", ""],
    [
        "the whole response of an operation",
        "`with_response`",
        "`with_response`",
        "`withResponse`",
        "no",
        "no",
        "errors have the status and the request id; the trace has those of every call",
    ],
    [
        "the arguments of a webhook's registration",
        "`registration`",
        "`registration`",
        "`registration`",
        "no",
        "no",
        "`ensureWebHook` takes the webhook; a call of one's own takes its `url` and `securityToken`",
    ],
    [
        "OpenTelemetry",
        "observer `on_trace`",
        "yes",
        "yes",
        "no",
        "no",
        "`trace()` and `logTo` give the same data; apps have other collectors",
    ],
];

/// Why a method of `sondage-data` is missing on phones; empty if it exists there.
fn gap(row: &MethodRow) -> &'static str {
    let method = format!("{}.{}", row.object, row.name);
    let fits = |name: &str| name == method || name == row.object || name.is_empty();
    GAPS.iter().find(|(name, _)| fits(name)).map_or("", |(_, why)| why)
}

/// The methods of an object: one line with those that phones have, and one with those that they lack.
fn lines(
    object: &str,
    about: &str,
    rows: &[&MethodRow],
    why: fn(&MethodRow) -> &'static str,
    out: &mut String,
) {
    let mut reasons: Vec<&str> = rows.iter().map(|row| why(row)).collect();
    reasons.dedup();
    for reason in reasons {
        let names: Vec<_> = rows
            .iter()
            .filter(|row| row.object == object && why(row) == reason)
            .map(|row| format!("`{}`", camel(row.name)))
            .collect();
        let about = prose::line(about);
        let (about, names) = (about.trim_end_matches('.'), names.join(", "));
        let phone = if reason.is_empty() { "yes" } else { "no" };
        let _ = writeln!(out, "| {about}: {names} | yes | yes | yes | {phone} | {phone} | {reason} |");
    }
}

/// The objects and rows of a table, and why phones lack a row.
type Table = (&'static [(&'static str, &'static str)], &'static [MethodRow], fn(&MethodRow) -> &'static str);

const TABLES: [Table; 3] = [
    (core::OBJECTS, core::ROWS, |_| ""),
    (jobs::OBJECTS, jobs::ROWS, |_| ""),
    (data::OBJECTS, data::ROWS, gap),
];

pub fn table() -> String {
    let mut out = String::from(
        "| what | Rust | Python | Node.js | Kotlin | Swift | why not |\n|---|---|---|---|---|---|---|\n",
    );
    for [what, rust, python, node, kotlin, swift, why] in BESIDE {
        let _ = writeln!(out, "| {what} | {rust} | {python} | {node} | {kotlin} | {swift} | {why} |");
    }
    for (objects, rows, why) in TABLES {
        for (object, about) in objects {
            // Methods that phones lack are in the lines above.
            let apart = [("pages", "table"), ("client", "whole"), ("hook", "registration")];
            let in_line = |row: &&MethodRow| row.object == *object && !apart.contains(&(*object, row.name));
            lines(object, about, &rows.iter().filter(in_line).collect::<Vec<_>>(), why, &mut out);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::methods::rows;
    use super::*;

    #[test]
    fn every_gap_has_a_reason_and_every_reason_a_gap() {
        for line in table().lines().filter(|line| line.contains("| no |")) {
            let why = line.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
            assert!(!why.trim().is_empty() && why != "no", "{line}");
        }
        for (name, _) in GAPS.iter().filter(|(name, _)| !name.is_empty()) {
            let known =
                |row: &MethodRow| *name == row.object || *name == format!("{}.{}", row.object, row.name);
            assert!(rows().any(known), "`{name}` is not a row any more");
        }
    }
}
