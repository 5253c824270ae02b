//! A new panel.

use super::program::{self, Snippet};
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::refusal::Refusal;
use maud::html;
use serde_json::{Value, json};
use sondage::operation::Operation as _;
use sondage::operations::{CreatePanel, UpdatePanel};

const TYPES: [&str; 4] = ["String", "Number", "Real", "Date"];

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    let workspaces = visit.read(|tenant| {
        Ok(tenant
            .workspaces
            .values()
            .map(|workspace| (workspace.id, workspace.name.clone()))
            .collect::<Vec<_>>())
    })?;
    let now = visit.kept("workspace", "");
    let body = html! {
        form method="post" action=(visit.path("panels/new")) {
            label for="name" { "Name" }
            input id="name" name="name" maxlength="256" required value=(visit.kept("name", ""));
            @if workspaces.len() > 1 {
                label for="workspace" { "Workspace" }
                select id="workspace" name="workspace" {
                    @for (id, name) in &workspaces { option value=(id) selected[id.to_string() == now] { (name) } }
                }
            } @else {
                @for (id, _) in &workspaces { input type="hidden" name="workspace" value=(id); }
            }
            label for="fields" { "Fields of its own, one a line" }
            textarea id="fields" name="fields" rows="4" placeholder="Division\nPoints: Number" aria-describedby="about-fields" {
                (visit.kept("fields", ""))
            }
            p.hint id="about-fields" {
                "Every panel has the fields of the service, such as Email and Language. A type follows after a colon: " (TYPES.join(", ")) "."
            }
            button { "Create the panel" }
        }
        (program::same(&snippets(&workspaces)))
    };
    Ok(ConsolePage::new("New panel", "panels", body))
}

fn snippets(workspaces: &[(i64, String)]) -> Vec<Snippet> {
    let workspace = workspaces.first().map(|(id, _)| *id);
    program::operation(
        CreatePanel::INFO,
        &json!({ "workspaceId": workspace, "name": "Readers", "panelType": "Basic" }),
    )
}

/// The fields of a form as `UpdatePanel` takes them.
fn fields(text: &str) -> Result<Vec<Value>, Refusal> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let field = |line: &str| {
        let (name, kind) = line.split_once(':').unwrap_or((line, "String"));
        let kind = kind.trim();
        let known = TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(kind));
        let known = known.ok_or_else(|| {
            let types = TYPES.join(", ");
            Refusal::invalid(format!(
                "The field {name} has the type `{kind}`, but must have one of {types}. Nothing was created."
            ))
        })?;
        Ok(json!({ "name": name.trim(), "type": known }))
    };
    lines.map(field).collect()
}

pub(super) fn act(visit: &ConsoleVisit<'_>) -> Result<ConsoleStep, Refusal> {
    let name = visit.form.get("name").ok_or_else(|| Refusal::invalid("Name the panel."))?;
    let added = fields(visit.form.get("fields").unwrap_or_default())?;
    let workspace = visit.form.number::<i64>("workspace");
    let made = visit.run(
        CreatePanel::INFO.name,
        &json!({ "workspaceId": workspace, "name": name, "panelType": "Basic" }),
    )?;
    let made: Value = serde_json::from_slice(&made).unwrap_or_default();
    let id = made["id"].as_i64().unwrap_or_default();
    if !added.is_empty()
        && let Err(refusal) =
            visit.run(UpdatePanel::INFO.name, &json!({ "panelId": id, "addedFields": added }))
    {
        // A panel that lacks its fields is of no use.
        visit.run("DeletePanel", &json!({ "panelId": id, "keepInterviews": false }))?;
        return Err(Refusal { message: format!("{} Nothing was created.", refusal.message), ..refusal });
    }
    Ok(ConsoleStep::new(format!("panels/{id}"), "panel"))
}
