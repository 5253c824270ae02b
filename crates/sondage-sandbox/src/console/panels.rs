//! Panels, their members, and actions on a member.

use super::shell::{moment, pages, table};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, interviews as interview_pages};
use crate::api;
use crate::delivery::Cause;
use crate::refusal::Refusal;
use crate::world::{Member, Panel, Tenant};
use maud::{Markup, html};
use serde_json::Value;

/// Members per page.
const SIZE: usize = 50;

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let rows = html! {
            @for panel in tenant.panels.values() {
                tr {
                    th scope="row" { a href=(visit.path(format_args!("panels/{}", panel.id))) { (panel.name) } }
                    td.number { (panel.id) }
                    td.number { (panel.members.len()) }
                    td.number { (panel.fields.len()) }
                }
            }
        };
        let body = table("Panels of the account", &["Name", "Id", "Members", "Fields"], &rows);
        Ok(ConsolePage::new("Panels", "panels", body))
    })
}

pub(super) fn panel(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let panel = tenant.panel(id)?;
        let count = panel.members.len();
        let page = visit.query.number("page").unwrap_or(1).clamp(1, count.div_ceil(SIZE).max(1));
        let members = panel.members.values().skip((page - 1) * SIZE).take(SIZE);
        let path = visit.path(format_args!("panels/{id}"));
        let columns: Vec<&str> = ["Member", "Interviews"]
            .into_iter()
            .chain(panel.fields.iter().map(|field| field.name.as_str()))
            .collect();
        let rows = html! {
            @for member in members {
                tr {
                    th scope="row" { a href={ (path) "/" (member.id) } { (member.id) } }
                    td.number { (member.interviews.len()) }
                    @for value in &member.values { td { (plain(value)) } }
                }
            }
        };
        let fields = html! {
            @for field in &panel.fields {
                tr {
                    th scope="row" { (field.name) } td { (field.display_name) } td { (field.kind) }
                    td { @if field.mandatory { "mandatory " } @if field.unique { "unique" } }
                }
            }
        };
        let body = html! {
            p.hint { "Panel " (panel.id) ", " (count) " members." }
            (table("Members", &columns, &rows))
            (pages(&path, page, count, SIZE))
            h2 { "Fields" }
            (table("Fields of the panel", &["Name", "Shown as", "Type", "Rules"], &fields))
        };
        Ok(ConsolePage::new(&panel.name, "panels", body))
    })
}

pub(super) fn member(visit: &ConsoleVisit<'_>, panel: i64, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let panel = tenant.panel(panel)?;
        let member = found(panel, id)?;
        let body = html! {
            p { a href=(visit.path(format_args!("panels/{}", panel.id))) { "All members of " (panel.name) } }
            dl {
                @for field in &panel.fields { dt { (field.display_name) } dd { (plain(panel.value(member, &field.name))) } }
                dt { "Created" } dd { (moment(member.created_at)) " by " (member.created_by) }
                dt { "Messages" } dd { @if member.opted_out { "opted out" } @else { "can get messages" } }
            }
            h2 { "Interviews" }
            (interviews(visit, tenant, member))
            h2 { "Invite" }
            (invitation(visit, tenant, panel, member))
            h2 { "What else happens" }
            form method="post" action=(visit.path(format_args!("panels/{}/{id}", panel.id))) {
                @if member.opted_out {
                    button.plain name="do" value="optIn" { "Opts in again" }
                } @else {
                    button.plain name="do" value="optOut" { "Opts out" }
                }
                button.plain name="do" value="bounce" { "The last message bounces" }
            }
        };
        Ok(ConsolePage::new(format!("Member {id}"), "panels", body))
    })
}

fn interviews(visit: &ConsoleVisit<'_>, tenant: &Tenant, member: &Member) -> Markup {
    let interviews = member.interviews.iter().rev().filter_map(|(survey, id)| {
        let survey = tenant.surveys.get(survey)?;
        Some((survey, survey.interviews.get(id)?))
    });
    let rows = html! {
        @for (survey, interview) in interviews {
            tr {
                th scope="row" { a href=(visit.path(format_args!("surveys/{}/interviews", survey.id))) { (survey.name) } }
                td { (interview.state) }
                td {
                    a href=(interview_pages::path(visit, survey.id, &interview.id)) { "Answers" } " · "
                    a href={ "/interview/" (interview.id) } { "The respondent's page" }
                }
            }
        }
    };
    table("Interviews of the member", &["Survey", "State", "Links"], &rows)
}

fn invitation(visit: &ConsoleVisit<'_>, tenant: &Tenant, panel: &Panel, member: &Member) -> Markup {
    html! {
        form method="post" action=(visit.path(format_args!("panels/{}/{}", panel.id, member.id))) {
            div.row {
                div {
                    label for="survey" { "Survey" }
                    select id="survey" name="survey" {
                        @for survey in tenant.surveys.values().filter(|survey| survey.status == "Active") {
                            option value=(survey.id) { (survey.name) }
                        }
                    }
                }
                div {
                    label for="template" { "Message" }
                    select id="template" name="template" {
                        @for template in tenant.templates.values() { option value=(template.id) { (template.name) } }
                    }
                }
            }
            button name="do" value="invite" { "Invite by e-mail" }
        }
    }
}

pub(super) fn act(visit: &ConsoleVisit<'_>, panel: i64, id: i64) -> Result<ConsoleStep, Refusal> {
    visit.read(|tenant| found(tenant.panel(panel)?, id).map(|_| ()))?;
    let here = format!("panels/{panel}/{id}");
    let cause = match visit.form.get("do") {
        Some("invite") => {
            let chosen =
                |name| visit.form.number(name).ok_or_else(|| Refusal::invalid(format!("Choose a {name}.")));
            let invitation = (chosen("survey")?, panel, chosen("template")?, id);
            api::invite_member(visit.shared, visit.here, &visit.tenant, invitation)?;
            return Ok(ConsoleStep::new(here, "invited"));
        }
        Some("optIn") => Cause::OptIn { member_id: id },
        Some("optOut") => Cause::OptOut { member_id: id },
        Some("bounce") => Cause::Bounce { member_id: id },
        _ => return Err(Refusal::invalid("Nothing was chosen, so nothing was changed.")),
    };
    visit.shared.emit(cause);
    Ok(ConsoleStep::new(here, "changed"))
}

fn found(panel: &Panel, id: i64) -> Result<&Member, Refusal> {
    panel.members.get(&id).ok_or_else(|| Refusal::not_found("MemberNotFound", "member", id))
}

/// A value as text; empty if there is none.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
