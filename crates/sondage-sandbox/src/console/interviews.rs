//! The interviews of a survey as a table, with labels, and each on a page of its own.

use super::listing::{Column, Listing, grouped};
use super::panels::plain;
use super::program::{self, Snippet};
use super::shell::{live_switch, moment};
use super::surveys::{question, tabs};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, nothing};
use crate::api;
use crate::refusal::Refusal;
use crate::world::{Interview, Survey, SurveyVariable};
use chrono::{DateTime, Utc};
use maud::{Markup, html};
use serde_json::{Value, json};
use sondage::operation::Operation as _;
use sondage::operations::ReadInterview;

pub(super) fn show(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    let profile = visit.shared.profile();
    let filter = visit.query.get("where").unwrap_or_default();
    visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        let found = api::interviews_where(tenant, survey, filter, &profile);
        let refusal = found.as_ref().err().cloned();
        let body = html! {
            (tabs(visit, survey, "interviews"))
            (filter_form(filter, "State=Completed and age>=18"))
            (live_switch())
            div id="interviews" data-live {
                @match found {
                    Err(refusal) => p role="alert" { (refusal.message) },
                    Ok(mut rows) => {
                        p.hint {
                            (grouped(rows.len())) " interviews, " (grouped(rows.iter().filter(|row| row.state == "Completed").count()))
                            " completed. The newest come first."
                        }
                        ({ rows.reverse(); "" })
                        (Listing::new(visit, "", "Interviews with labels", columns(visit, survey)).fixed(5).show(rows))
                    }
                }
            }
        };
        Ok(ConsolePage::new(format!("Interviews: {}", survey.name), "surveys", body).refused(refusal.as_ref()))
    })
}

/// A filter as text, which the list above a table takes.
pub(super) fn filter_form(filter: &str, example: &str) -> Markup {
    html! {
        form.tools method="get" aria-label="Filter" {
            label.unseen for="where" { "Only where" }
            input id="where" name="where" value=(filter) placeholder={ "Only where: " (example) };
            button.plain { "Filter" }
        }
    }
}

fn columns<'a>(visit: &'a ConsoleVisit<'_>, survey: &'a Survey) -> Vec<Column<'a, &'a Interview>> {
    let optional = |time: Option<DateTime<Utc>>| time.map(moment).unwrap_or_default();
    let mut columns = vec![
        Column::new("Interview", |row: &&Interview| row.id.clone()).heading().shown(move |row| {
            html! { a href=(path(visit, survey.id, &row.id)) title=(row.id) { (row.id.get(..8).unwrap_or_default()) } }
        }),
        Column::new("State", |row: &&Interview| row.state.to_owned()).filter(),
        Column::new("Member", |row: &&Interview| {
            row.origin.map(|origin| origin.member_id.to_string()).unwrap_or_default()
        })
        .number()
        .shown(move |row| member(visit, row)),
        Column::new("Language", |row: &&Interview| row.language.clone().unwrap_or_default()).filter(),
        Column::new("Ended", move |row: &&Interview| optional(row.end)),
    ];
    columns.extend(survey.variables.iter().enumerate().map(|(at, variable)| {
        Column::new(variable.code.clone(), move |row: &&Interview| {
            variable.label_of(row.answers.get(at).unwrap_or(&Value::Null))
        })
    }));
    columns
}

/// The page of an interview.
pub(super) fn path(visit: &ConsoleVisit<'_>, survey: i64, interview: &str) -> String {
    visit.path(format_args!("surveys/{survey}/interviews/{interview}"))
}

fn member(visit: &ConsoleVisit<'_>, interview: &Interview) -> Markup {
    html! {
        @if let Some(origin) = interview.origin {
            a href=(visit.path(format_args!("panels/{}/{}", origin.panel_id, origin.member_id))) { (origin.member_id) }
        }
    }
}

/// The answers of one interview.
pub(super) fn one(visit: &ConsoleVisit<'_>, survey: i64, id: &str) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let survey = tenant.survey(survey)?;
        let interview = survey.interviews.get(id).ok_or_else(nothing)?;
        let times = [
            ("Begun", interview.start),
            ("Ended", interview.end),
            ("Changed", interview.updated_at),
            ("Expires", interview.expiry),
        ];
        let columns = vec![
            Column::new("Question", |(variable, _): &(&SurveyVariable, &Value)| question(variable)).wraps(),
            Column::new("Answer", |(variable, answer): &(&SurveyVariable, &Value)| variable.label_of(answer))
                .wraps()
                .shown(|(variable, answer)| html! {
                    @if answer.is_null() { span.hint { "no answer" } } @else { (variable.label_of(answer)) }
                }),
            Column::new("Code", |(_, answer): &(&SurveyVariable, &Value)| plain(answer)),
            Column::new("Column", |(variable, _): &(&SurveyVariable, &Value)| variable.code.clone())
                .heading()
                .shown(|(variable, _)| html! { code { (variable.code) } }),
        ];
        let answers = survey.variables.iter().enumerate();
        let rows = answers.map(|(at, variable)| (variable, interview.answers.get(at).unwrap_or(&Value::Null))).collect();
        let other_columns = interview.custom.iter().chain(&interview.url);
        let body = html! {
            (tabs(visit, survey, "interview"))
            dl {
                dt { "Interview" } dd { code { (interview.id) } }
                dt { "State" } dd { (interview.state) }
                @if interview.origin.is_some() { dt { "Member" } dd { (member(visit, interview)) } }
                @if let Some(origin) = interview.origin {
                    dt { "Invitation" } dd { a href=(visit.path(format_args!("outbox/{}/{}", origin.distributor_id, origin.member_id))) { "The message" } }
                }
                @if let Some(language) = &interview.language { dt { "Language" } dd { (language) } }
                @for (name, time) in times { @if let Some(time) = time { dt { (name) } dd { (moment(time)) } } }
                @for (name, value) in other_columns { dt { (name) } dd { (value) } }
            }
            form method="post" action=(path(visit, survey.id, &interview.id)) {
                button.plain name="do" value="pdf" { "The answers as PDF" }
                a href={ "/interview/" (interview.id) } { "The respondent's page" }
            }
            (Listing::new(visit, "", "Answers", columns).show(rows))
            (program::same(&snippets(survey.id, &interview.id)))
        };
        Ok(ConsolePage::new(format!("Interview: {}", survey.name), "surveys", body))
    })
}

fn snippets(survey: i64, interview: &str) -> Vec<Snippet> {
    let request = json!({ "surveyId": survey, "interviewId": interview });
    program::operation(ReadInterview::INFO, &request)
}

/// A PDF of the answers, behind a link as `DownloadAnswers` returns it.
pub(super) fn document(
    visit: &ConsoleVisit<'_>,
    survey: i64,
    interview: &str,
) -> Result<ConsoleStep, Refusal> {
    let request = json!({ "surveyId": survey, "interviewId": interview, "showPartialCompleted": true });
    let body = visit.run("DownloadAnswers", &request)?;
    let link = serde_json::from_slice::<Value>(&body).ok();
    let link = link.and_then(|body| url::Url::parse(body["downloadUrl"].as_str()?).ok());
    Ok(ConsoleStep::elsewhere(link.ok_or_else(nothing)?.path()))
}
