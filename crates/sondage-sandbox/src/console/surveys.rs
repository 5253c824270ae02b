//! Surveys and their questionnaires.

use super::shell::table;
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::delivery::Cause;
use crate::refusal::Refusal;
use crate::world::{Survey, SurveyVariable};
use maud::{Markup, html};

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let rows = html! {
            @for survey in tenant.surveys.values() {
                tr {
                    th scope="row" { a href=(visit.path(format_args!("surveys/{}", survey.id))) { (survey.name) } }
                    td.number { (survey.id) }
                    td { (survey.status) }
                    td.number { a href=(visit.path(format_args!("surveys/{}/interviews", survey.id))) { (survey.interviews.len()) } }
                    td.number { (survey.completed()) }
                }
            }
        };
        let columns = ["Name", "Id", "Status", "Interviews", "Completed"];
        Ok(ConsolePage::new("Surveys", "surveys", table("Surveys of the account", &columns, &rows)))
    })
}

pub(super) fn survey(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        let here = visit.path(format_args!("surveys/{id}"));
        let body = html! {
            p.hint { "Survey " (id) ", version " (survey.version) ", " (survey.state) ", in " (survey.languages.join(", ")) "." }
            p { a href={ (here) "/interviews" } { (survey.interviews.len()) " interviews as a table" } }
            @if survey.status == "Active" {
                p { a href={ "/survey/" (survey.public_id) } { "Answer it as a respondent" } " (its public link)" }
                form method="post" action=(here) {
                    label for="people" { "People who answer it now" }
                    input id="people" name="people" type="number" min="1" max="1000" value="10" required;
                    button name="do" value="fill" { "Let them answer" }
                    details {
                        summary { "Close the survey" }
                        p {
                            "Nobody can answer it until it is opened again, neither by its public link nor by an invitation. Webhooks are \
                             told that it was closed."
                        }
                        button.plain name="do" value="close" formnovalidate { "Yes, close it" }
                    }
                }
            }
            @if survey.status == "Closed" {
                form method="post" action=(here) {
                    p { "The survey is closed: nobody can answer it." }
                    button name="do" value="open" { "Open it again" }
                }
            }
            (questionnaire(survey))
        };
        Ok(ConsolePage::new(&survey.name, "surveys", body))
    })
}

/// The questions, in sections.
fn questionnaire(survey: &Survey) -> Markup {
    let mut sections: Vec<(&str, Vec<&SurveyVariable>)> = Vec::new();
    for variable in &survey.variables {
        match sections.last_mut() {
            Some((name, variables)) if *name == variable.section => variables.push(variable),
            _ => sections.push((&variable.section, vec![variable])),
        }
    }
    html! {
        h2 { "Questionnaire" }
        @for (name, variables) in sections {
            @let rows = html! {
                @for variable in variables {
                    tr {
                        th scope="row" { code { (variable.code) } }
                        td { (variable.kind) }
                        td.wraps {
                            (variable.question)
                            @if let Some(part) = variable.row.as_ref().or(variable.choice.as_ref()) { ": " (part) }
                        }
                        td.wraps { (choices(variable)) }
                    }
                }
            };
            @let name = if name.is_empty() { "Questions" } else { name };
            (table(name, &["Code", "Type", "Question", "Answers"], &rows))
        }
    }
}

fn choices(variable: &SurveyVariable) -> Markup {
    html! {
        @if variable.values.len() > 3 {
            details {
                summary { (variable.values.len()) " answers" }
                ul { @for (code, label) in &variable.values { li { (code) " " (label) } } }
            }
        } @else if variable.values.is_empty() {
            (variable.data_type)
        } @else {
            @for (at, (code, label)) in variable.values.iter().enumerate() { @if at > 0 { ", " } (code) " " (label) }
        }
    }
}

pub(super) fn act(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsoleStep, Refusal> {
    visit.read(|tenant| tenant.survey(id).map(|_| ()))?;
    let here = format!("surveys/{id}");
    if visit.form.get("do") == Some("close") {
        visit.shared.emit(Cause::CloseSurvey { survey_id: id });
        return Ok(ConsoleStep::new(here, "closed"));
    }
    if visit.form.get("do") == Some("open") {
        let mut world = visit.shared.world_mut();
        let survey = world.change(&visit.tenant).and_then(|(tenant, _)| tenant.surveys.get_mut(&id));
        let survey = survey.filter(|survey| survey.status == "Closed");
        let survey = survey
            .ok_or_else(|| Refusal::invalid("The survey is not closed, so it cannot be opened again."))?;
        survey.set_state("Published", visit.shared.clock.now());
        return Ok(ConsoleStep::new(here, "opened"));
    }
    let people = visit.form.number("people").filter(|people| (1..=1000).contains(people));
    let people = people.ok_or_else(|| Refusal::invalid("From 1 to 1,000 people can answer at once."))?;
    if !visit.shared.emit(Cause::Fill { survey_id: id, people }) {
        return Err(Refusal::invalid("The survey is not active, so nobody can answer it."));
    }
    Ok(ConsoleStep::new(here, "answered"))
}
