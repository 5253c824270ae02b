//! An import of members from a file: first the plan, then the import.

use super::client::{self, wait};
use super::listing::grouped;
use super::program::{self, Snippet};
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::refusal::Refusal;
use crate::uploads::Upload;
use maud::{Markup, html};
use sondage::Client;
use sondage_data::{Csv, file_rows, row_stream};
use sondage_jobs::options::{ImportOptions, JournalPlace};
use sondage_jobs::{Existing, ImportFacts, Jobs as _};
use std::sync::Arc;

const EXISTING: [(&str, &str); 3] = [
    ("skip", "Leave them as they are"),
    ("update", "Update them with the values of their rows"),
    ("error", "Import nothing at all"),
];

/// The most rows whose reasons are shown.
const REASONS: usize = 20;

pub(super) fn show(visit: &ConsoleVisit<'_>, panel: i64) -> Result<ConsolePage, Refusal> {
    let (name, fields) = visit.read(|tenant| {
        let panel = tenant.panel(panel)?;
        Ok((panel.name.clone(), panel.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>()))
    })?;
    // An import that was refused shows its own plan again.
    let is_planned = visit.form.is_empty() || visit.form.get("do") == Some("import");
    let file = visit.chosen().get("file").filter(|_| is_planned);
    let planned = file.map(|id| plan(visit, panel, id));
    let body = html! {
        p { a href=(visit.path(format_args!("panels/{panel}"))) { "All members of " (name) } }
        @match &planned {
            Some(Ok((upload, facts, _))) if is_done(facts) => {
                p { (upload.name) " was imported before: " (grouped(facts.created)) " members were created, and " (grouped(facts.updated)) " updated. Choose it again to compare it with the members as they are now." }
                (form(visit, panel, &fields))
            }
            Some(Ok((upload, facts, reasons))) => (confirm(visit, panel, upload, facts, reasons)),
            Some(Err(refusal)) => { p role="alert" { (refusal.message) } (form(visit, panel, &fields)) },
            None => (form(visit, panel, &fields)),
        }
        (program::same(&snippets(visit, panel, planned.as_ref().and_then(|planned| planned.as_ref().ok()))))
    };
    Ok(ConsolePage::new(format!("Import into {name}"), "panels", body))
}

fn form(visit: &ConsoleVisit<'_>, panel: i64, fields: &[String]) -> Markup {
    let (key, existing) = (visit.kept("key", "Email"), visit.kept("existing", "skip"));
    html! {
        form method="post" enctype="multipart/form-data" action=(visit.path(format_args!("panels/{panel}/import"))) {
            label for="file" { "CSV file or workbook (.xlsx), whose first line names the fields" }
            input id="file" name="file" type="file" accept=".csv,.txt,.tsv,.xlsx" required;
            label for="key" { "Field that identifies a person" }
            select id="key" name="key" { @for field in fields { option value=(field) selected[field == key] { (field) } } }
            label for="existing" { "Members who exist already" }
            select id="existing" name="existing" {
                @for (value, text) in EXISTING { option value=(value) selected[value == existing] { (text) } }
            }
            button { "Show the plan" }
            p.hint { "Nothing is imported yet: the plan says what would happen. Fields of this panel: " (fields.join(", ")) "." }
        }
    }
}

/// Whether nothing is left of an import, because it was made before: its journal has what became of the rows.
fn is_done(facts: &ImportFacts) -> bool {
    facts.to_create + facts.to_update == 0 && facts.created + facts.updated > 0
}

/// What the import would do.
fn confirm(
    visit: &ConsoleVisit<'_>,
    panel: i64,
    upload: &Upload,
    facts: &ImportFacts,
    reasons: &[(usize, String)],
) -> Markup {
    let counts = [
        ("Would be created", facts.to_create, "good"),
        ("Would be updated", facts.to_update, "good"),
        ("Exist already, and stay as they are", facts.exists + facts.unchanged, ""),
        ("Refused", facts.refused, "bad"),
        ("Left out: another row has the same key", facts.duplicate, "warn"),
    ];
    let sends = facts.to_create + facts.to_update;
    html! {
        h2 { "The plan for " (upload.name) }
        dl.counts {
            dt { "Rows" } dd { (facts.length) }
            @for (name, count, class) in counts { dt { (name) } dd class=[(count > 0 && !class.is_empty()).then_some(class)] { (count) } }
            @if let Some(cost) = &facts.cost { dt { "Cost" } dd { (cost.calls) " calls" } }
        }
        (refused_rows(reasons, facts.refused))
        form method="post" action=(visit.path(format_args!("panels/{panel}/import"))) {
            @for name in ["file", "key", "existing"] { input type="hidden" name=(name) value=(visit.chosen().get(name).unwrap_or_default()); }
            @if sends > 0 { button name="do" value="import" { "Import " (sends) @if sends == 1 { " row" } @else { " rows" } } }
            @else { p { "There is nothing to import." } }
            a href=(visit.path(format_args!("panels/{panel}/import"))) { "Choose another file" }
        }
    }
}

fn refused_rows(reasons: &[(usize, String)], refused: usize) -> Markup {
    html! {
        @if !reasons.is_empty() {
            h3 { "Rows that are refused" }
            ul { @for (row, why) in reasons { li { "Row " (row) ": " (why) } } }
            p.hint { "Row 1 is the one below the names of the fields. Rows without a value are not counted." }
            @if refused > reasons.len() { p.hint { (refused - reasons.len()) " more." } }
        }
    }
}

type Planned = (Arc<Upload>, ImportFacts, Vec<(usize, String)>);

fn plan(visit: &ConsoleVisit<'_>, panel: i64, file: &str) -> Result<Planned, Refusal> {
    let chosen = |name: &str| visit.chosen().get(name).unwrap_or_default().to_owned();
    run(visit, panel, file, (chosen("key"), chosen("existing")), true)
}

fn run(
    visit: &ConsoleVisit<'_>,
    panel: i64,
    file: &str,
    (key, existing): (String, String),
    is_plan: bool,
) -> Result<Planned, Refusal> {
    let gone = || Refusal::invalid("The file is not kept any more. Choose it again. Nothing was imported.");
    let upload = visit.shared.uploads.find(file).ok_or_else(gone)?;
    let existing = match existing.as_str() {
        "update" => Existing::Update,
        "error" => Existing::Error,
        _ => Existing::Skip,
    };
    let journal = JournalPlace::from(upload.path().with_extension("journal"));
    let options = ImportOptions::new(panel, key).existing(existing).dry_run(is_plan).journal(journal);
    let own = Arc::clone(&upload);
    let import = move |client: Client| async move {
        let rows = row_stream(file_rows(&own.path(), &Csv::new(), None)?)?;
        client.import_members(options).rows_from(1).run_stream(rows).await
    };
    let report = wait(visit, import)
        .map_err(|refusal| Refusal { message: upload.without_folder(&refusal.message), ..refusal })?;
    let reasons = report.rows();
    let reasons = reasons.filter_map(|row| row.reason.map(|why| (row.row, why)));
    let reasons = reasons.take(REASONS).collect();
    if let Some(error) = report.stopped.as_ref().filter(|_| !is_plan) {
        // Some may have been imported before.
        let refusal = client::said(error);
        return Err(Refusal { message: format!("{} {report}.", refusal.message), ..refusal });
    }
    Ok((upload, report.facts(), reasons))
}

pub(super) fn act(visit: &ConsoleVisit<'_>, panel: i64) -> Result<ConsoleStep, Refusal> {
    let form = &visit.form;
    let file = form.get("file").ok_or_else(|| Refusal::invalid("Choose a file."))?;
    let chosen = |name: &str| form.get(name).unwrap_or_default().to_owned();
    if form.get("do") == Some("import") {
        let (_, facts, _) = run(visit, panel, file, (chosen("key"), chosen("existing")), false)?;
        let numbers = [
            facts.length,
            facts.created,
            facts.updated,
            facts.exists + facts.unchanged,
            facts.duplicate,
            facts.refused,
        ];
        return Ok(ConsoleStep::counted(format!("panels/{panel}"), "imported", &numbers));
    }
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("file", file)
        .append_pair("key", &chosen("key"))
        .append_pair("existing", &chosen("existing"));
    Ok(ConsoleStep::elsewhere(visit.path(format_args!("panels/{panel}/import?{}", query.finish()))))
}

/// What became of the rows: all, created, updated, unchanged, left out and refused.
pub(super) fn said(numbers: &[usize]) -> Option<String> {
    let [all, created, updated, unchanged, duplicate, refused] = *numbers else { return None };
    let others = [
        (created, "was created", "were created"),
        (updated, "was updated", "were updated"),
        (unchanged, "exists already and stays as it is", "exist already and stay as they are"),
        (
            duplicate,
            "was left out, because another row has its key",
            "were left out, because other rows have their keys",
        ),
        (refused, "was refused, for the reason in the plan", "were refused, for the reasons in the plan"),
    ];
    let parts: Vec<String> = others
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, several)| format!("{} {}", grouped(count), if count == 1 { one } else { several }))
        .collect();
    let rows = if all == 1 { "row" } else { "rows" };
    Some(format!("{} of {} {rows} imported: {}.", grouped(created + updated), grouped(all), parts.join(", ")))
}

fn snippets(visit: &ConsoleVisit<'_>, panel: i64, planned: Option<&Planned>) -> Vec<Snippet> {
    let file = planned.map_or("people.csv", |(upload, ..)| upload.name.as_str());
    let (key, existing) = (visit.kept("key", "Email"), visit.kept("existing", "skip"));
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let quoted = if file.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        file.to_owned()
    } else {
        program::quoted(file)
    };
    let (command, python, node) = if existing == "skip" {
        (String::new(), String::new(), String::new())
    } else {
        (
            format!(" --existing {existing}"),
            format!(", existing={}", text(existing)),
            format!(", existing: {}", text(existing)),
        )
    };
    vec![
        Snippet::new("Command", format!("sondage import {panel} {quoted} --key {key}{command} --dry-run")),
        Snippet::new(
            "Python",
            format!(
                "from pathlib import Path\n\nclient.import_members({panel}, Path({}), key={}{python}, dry_run=True)",
                text(file),
                text(key)
            ),
        ),
        Snippet::new(
            "Node.js",
            format!(
                "await client.importMembers({panel}, {{ path: {} }}, {{ key: {}{node}, dryRun: true }});",
                text(file),
                text(key)
            ),
        ),
    ]
}
