//! The table of what exists in which language, from the rows of methods. A gap needs a reason here.

use super::methods::{core, data, jobs};
use super::prelude::*;

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

/// The head, and capabilities without a row, by hand.
const BESIDE: &str = "\
| what | Rust | Python | Node.js | Kotlin | Swift | why not |
|---|---|---|---|---|---|---|
| every operation, async and blocking | yes | yes | yes | yes | yes |  |
| complete lists | `pages` | iterator | async iterator | `Flow`, `Sequence` | `AsyncSequence`, `Sequence` |  |
| the sandbox in the process | yes | yes | yes | test artefact | test artefact | a phone's library stays small |
| tables as data frames | Arrow | pandas, polars, pyarrow, DuckDB, Spark | `apache-arrow`, rows | no | no | tables need Arrow |
| a token store of one's own | yes | yes | yes | yes, Keystore | yes, Keychain |  |
| the whole response of an operation | `with_response` | `with_response` | `withResponse` | no | no | errors have the status and the request id; the trace has those of every call |
| the arguments of a webhook's registration | `registration` | `registration` | `registration` | no | no | `ensureWebHook` takes the webhook; a call of one's own takes its `url` and `securityToken` |
| OpenTelemetry | observer `on_trace` | yes | yes | no | no | `trace()` and `logTo` give the same data; apps have other collectors |
";

/// Methods that the lines above have, by object.
const APART: [(&str, &str); 3] = [("pages", "table"), ("client", "whole"), ("hook", "registration")];

/// Why a method of `sondage-data` is missing on phones; empty if it exists there.
fn gap(row: &MethodRow) -> &'static str {
    GAPS.iter().find(|(name, _)| name.is_empty() || is_about(name, row)).map_or("", |(_, why)| why)
}

fn is_about(name: &str, row: &MethodRow) -> bool {
    name == row.object || name == format!("{}.{}", row.object, row.name)
}

/// The methods of each object: one line with those that phones have, and one with those that they lack.
pub fn table() -> String {
    let tables = [
        (core::OBJECTS, core::ROWS, (|_| "") as fn(&MethodRow) -> &'static str),
        (jobs::OBJECTS, jobs::ROWS, |_| ""),
        (data::OBJECTS, data::ROWS, gap),
    ];
    let mut out = String::from(BESIDE);
    for (objects, rows, why) in tables {
        for (object, about) in objects {
            let own =
                || rows.iter().filter(|row| row.object == *object && !APART.contains(&(object, row.name)));
            let mut reasons: Vec<&str> = own().map(why).collect();
            reasons.dedup();
            for reason in reasons {
                let names = join(
                    own().filter(|row| why(row) == reason).map(|row| format!("`{}`", camel(row.name))),
                    ", ",
                );
                let phone = if reason.is_empty() { "yes" } else { "no" };
                let about = line(about);
                let about = about.trim_end_matches('.');
                put!(out, "| {about}: {names} | yes | yes | yes | {phone} | {phone} | {reason} |\n");
            }
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
            assert!(rows().any(|row| is_about(name, row)), "`{name}` is not a row any more");
        }
    }
}
