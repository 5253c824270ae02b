//! Panels, their members, and actions on a member.

use super::interviews::filter_form;
use super::listing::{Column, Listing, grouped};
use super::shell::moment;
use super::{ConsolePage, ConsoleStep, ConsoleVisit, interviews as interview_pages};
use crate::api;
use crate::delivery::Cause;
use crate::refusal::Refusal;
use crate::world::{Contact, Interview, Member, Panel, PanelField, Survey, Tenant};
use maud::{Markup, html};
use serde_json::{Value, json};

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let columns = vec![
            Column::new("Name", |panel: &&Panel| panel.name.clone())
                .heading()
                .link(|panel| visit.path(format_args!("panels/{}", panel.id))),
            Column::new("Id", |panel: &&Panel| panel.id.to_string()).number(),
            Column::new("Members", |panel: &&Panel| panel.members.len().to_string()).number(),
            Column::new("Fields", |panel: &&Panel| panel.fields.len().to_string()).number(),
        ];
        let body = html! {
            p.links { a.button href=(visit.path("panels/new")) { "New panel" } }
            (Listing::new(visit, "", "Panels of the account", columns).show(tenant.panels.values().collect()))
        };
        Ok(ConsolePage::new("Panels", "panels", body))
    })
}

pub(super) fn panel(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    let profile = visit.shared.profile();
    let filter = visit.query.get("where").unwrap_or_default();
    visit.read(|tenant| {
        let panel = tenant.panel(id)?;
        let found = api::members_where(panel, filter, &profile);
        let refusal = found.as_ref().err().cloned();
        let fields = vec![
            Column::new("Name", |field: &&PanelField| field.name.clone()).heading(),
            Column::new("Shown as", |field: &&PanelField| field.display_name.clone()),
            Column::new("Type", |field: &&PanelField| field.kind.to_owned()),
            Column::new("Rules", |field: &&PanelField| {
                let rules = [(field.mandatory, "mandatory"), (field.unique, "unique")];
                rules.into_iter().filter_map(|(is_set, rule)| is_set.then_some(rule)).collect::<Vec<_>>().join(", ")
            }),
        ];
        let body = html! {
            p.hint { "Panel " (panel.id) ", " (grouped(panel.members.len())) " members." }
            p.links {
                a.button href=(visit.path(format_args!("panels/{id}/import"))) { "Import a file" }
                a.button href=(visit.path(format_args!("panels/{id}/invite"))) { "Invite members" }
            }
            (filter_form(filter, "Division=Sales and Language=de"))
            @match found {
                Err(refusal) => p role="alert" { (refusal.message) },
                Ok(members) => (Listing::new(visit, "", "Members", columns(visit, panel)).fixed(2).show(members)),
            }
            h2 { "Fields" }
            (Listing::new(visit, "fields", "Fields of the panel", fields).show(panel.fields.iter().collect()))
        };
        Ok(ConsolePage::new(&panel.name, "panels", body).refused(refusal.as_ref()))
    })
}

fn columns<'a>(visit: &'a ConsoleVisit<'_>, panel: &'a Panel) -> Vec<Column<'a, &'a Member>> {
    let path = move |id: i64| visit.path(format_args!("panels/{}/{id}", panel.id));
    let mut columns = vec![
        Column::new("Member", |member: &&Member| member.id.to_string())
            .heading()
            .link(move |member| path(member.id)),
        Column::new("Interviews", |member: &&Member| member.interviews.len().to_string()).number(),
    ];
    columns.extend(panel.fields.iter().enumerate().map(|(at, field)| {
        let column = Column::new(field.name.clone(), move |member: &&Member| {
            member.values.get(at).map(plain).unwrap_or_default()
        });
        if field.kind == "String" { column.filter_of_few() } else { column }
    }));
    columns
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
            h2 { "What else can happen" }
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
    let columns = vec![
        Column::new("Survey", |(survey, _): &(&Survey, &Interview)| survey.name.clone())
            .heading()
            .link(|(survey, _)| visit.path(format_args!("surveys/{}/interviews", survey.id))),
        Column::new("State", |(_, interview): &(&Survey, &Interview)| interview.state.to_owned()),
        Column::new("Links", |(_, interview): &(&Survey, &Interview)| interview.id.clone())
            .unordered()
            .shown(|(survey, interview)| {
                html! {
                    a href=(interview_pages::path(visit, survey.id, &interview.id)) { "Answers" } " · "
                    a href={ "/interview/" (interview.id) } { "The respondent's page" }
                }
            }),
    ];
    let rows: Vec<_> = interviews.collect();
    html! {
        @if rows.is_empty() { p.hint { "The member was not invited to a survey yet." } }
        @else { (Listing::new(visit, "", "Interviews of the member", columns).show(rows)) }
    }
}

/// The form of an invitation, or why none can reach the member.
fn invitation(visit: &ConsoleVisit<'_>, tenant: &Tenant, panel: &Panel, member: &Member) -> Markup {
    let reason = match Contact::of(panel, member, "Email") {
        _ if member.opted_out => Some("The member has opted out, so no message can be sent."),
        None => Some("The member has no e-mail address, so no message can be sent."),
        Some(_) => None,
    };
    if let Some(reason) = reason {
        return html! { p { (reason) } };
    }
    html! {
        form method="post" action=(visit.path(format_args!("panels/{}/{}", panel.id, member.id))) {
            div.row {
                div {
                    label for="survey" { "Survey" }
                    select id="survey" name="survey" {
                        @for survey in tenant.surveys.values().filter(|survey| survey.status == "Active") {
                            option value=(survey.id) selected[survey.id.to_string() == visit.kept("survey", "")] { (survey.name) }
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
            let chosen = |name| {
                visit.form.number::<i64>(name).ok_or_else(|| Refusal::invalid(format!("Choose a {name}.")))
            };
            visit.run(
                "InviteMembers",
                &json!({
                    "surveyId": chosen("survey")?, "panelId": panel, "messageTemplateId": chosen("template")?,
                    "channel": "Email", "memberIds": [id],
                }),
            )?;
            return Ok(ConsoleStep::new(here, "invited"));
        }
        Some("optIn") => Cause::OptIn { member_id: id },
        Some("optOut") => Cause::OptOut { member_id: id },
        Some("bounce") => Cause::Bounce { member_id: id },
        _ => return Err(Refusal::invalid("Nothing was chosen, so nothing was changed.")),
    };
    visit.shared.emit(cause).map_err(Refusal::invalid)?;
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
