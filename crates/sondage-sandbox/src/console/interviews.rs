//! The interviews of a survey as a table, with labels.

use super::shell::{live_switch, moment, pages, table};
use super::{ConsolePage, ConsoleVisit};
use crate::refusal::Refusal;
use crate::world::{Interview, Survey};
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
        let given = survey.variables.iter().map(|variable| variable.code.as_str());
        let columns: Vec<&str> = ["Interview", "State", "Member", "Language", "Ended"].into_iter().chain(given).collect();
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
            th scope="row" { a href={ "/interview/" (interview.id) } title=(interview.id) { (interview.id.get(..8).unwrap_or_default()) } }
            td { (interview.state) }
            td {
                @if let Some(origin) = interview.origin {
                    a href=(visit.path(format_args!("panels/{}/{}", origin.panel_id, origin.member_id))) { (origin.member_id) }
                }
            }
            td { @if let Some(language) = &interview.language { (language) } }
            td { @if let Some(end) = interview.end { (moment(end)) } }
            @for (at, variable) in survey.variables.iter().enumerate() {
                td { (variable.label_of(interview.answers.get(at).unwrap_or(&Value::Null))) }
            }
        }
    }
}
