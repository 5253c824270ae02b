//! The interviews of a survey as a table, with labels, and each on a page of its own.

use super::shell::{live_switch, moment, pages, table};
use super::{ConsolePage, ConsoleVisit, nothing};
use crate::refusal::Refusal;
use crate::world::{Interview, Survey, SurveyVariable};
use maud::{Markup, html};
use serde_json::Value;

/// Interviews per page.
const SIZE: usize = 50;

pub(super) fn show(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        let count = survey.interviews.len();
        let page = visit.query.number("page").unwrap_or(1).clamp(1, count.div_ceil(SIZE).max(1));
        let newest_first = survey.interviews.values().rev();
        let rows = html! {
            @for interview in newest_first.skip((page - 1) * SIZE).take(SIZE) { (row(visit, survey, interview)) }
        };
        let codes = survey.variables.iter().map(|variable| variable.code.as_str());
        let columns: Vec<&str> = ["Interview", "State", "Member", "Language", "Ended"].into_iter().chain(codes).collect();
        let body = html! {
            p { a href=(visit.path(format_args!("surveys/{id}"))) { "The questionnaire" } }
            (live_switch())
            div id="interviews" data-live {
                p.hint { (count) " interviews, " (survey.completed()) " completed. The newest come first." }
                (table("Interviews with labels", &columns, &rows))
            }
            (pages(&visit.path(format_args!("surveys/{id}/interviews")), page, count, SIZE))
        };
        Ok(ConsolePage::new(format!("Interviews: {}", survey.name), "surveys", body))
    })
}

fn row(visit: &ConsoleVisit<'_>, survey: &Survey, interview: &Interview) -> Markup {
    html! {
        tr {
            th scope="row" {
                a href=(path(visit, survey.id, &interview.id)) title=(interview.id) { (interview.id.get(..8).unwrap_or_default()) }
            }
            td { (interview.state) }
            td { (member(visit, interview)) }
            td { @if let Some(language) = &interview.language { (language) } }
            td { @if let Some(end) = interview.end { (moment(end)) } }
            @for (at, variable) in survey.variables.iter().enumerate() {
                td { (variable.label_of(interview.answers.get(at).unwrap_or(&Value::Null))) }
            }
        }
    }
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
        let rows = html! {
            @for (at, variable) in survey.variables.iter().enumerate() {
                (answer(variable, interview.answers.get(at).unwrap_or(&Value::Null)))
            }
        };
        let other_columns = interview.custom.iter().chain(&interview.url);
        let body = html! {
            p { a href=(visit.path(format_args!("surveys/{}/interviews", survey.id))) { "All interviews of the survey" } }
            dl {
                dt { "Interview" } dd { code { (interview.id) } }
                dt { "State" } dd { (interview.state) }
                @if interview.origin.is_some() { dt { "Member" } dd { (member(visit, interview)) } }
                @if let Some(language) = &interview.language { dt { "Language" } dd { (language) } }
                @for (name, time) in times { @if let Some(time) = time { dt { (name) } dd { (moment(time)) } } }
                @for (name, value) in other_columns { dt { (name) } dd { (value) } }
            }
            (table("Answers", &["Question", "Answer", "Code", "Column"], &rows))
            p { a href={ "/interview/" (interview.id) } { "The respondent's page" } }
        };
        Ok(ConsolePage::new(format!("Interview: {}", survey.name), "surveys", body))
    })
}

fn answer(variable: &SurveyVariable, answer: &Value) -> Markup {
    let label = variable.label_of(answer);
    let code = match answer {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    html! {
        tr {
            td.wraps {
                (variable.question)
                @if let Some(part) = variable.row.as_ref().or(variable.choice.as_ref()) { ": " (part) }
            }
            td.wraps { @if answer.is_null() { span.hint { "no answer" } } @else { (label) } }
            td { @if label != code { (code) } }
            th scope="row" { code { (variable.code) } }
        }
    }
}
