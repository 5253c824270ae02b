//! Surveys and their questionnaires.

use super::listing::{Column, Listing, grouped};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, nothing};
use crate::delivery::Cause;
use crate::refusal::Refusal;
use crate::world::{Survey, SurveyVariable};
use maud::{Markup, html};
use serde_json::{Value, json};
use sondage::internals::plain_text;
use sondage::operation::Operation as _;
use sondage::operations::CreateSurvey;

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let path = |survey: &Survey, rest: &str| visit.path(format_args!("surveys/{}{rest}", survey.id));
        let columns = vec![
            Column::new("Name", |survey: &&Survey| survey.name.clone())
                .heading()
                .link(move |survey| path(survey, "")),
            Column::new("Id", |survey: &&Survey| survey.id.to_string()).number(),
            Column::new("Status", |survey: &&Survey| survey.status.to_owned()).filter(),
            Column::new("Questions", |survey: &&Survey| survey.variables.len().to_string()).number(),
            Column::new("Interviews", |survey: &&Survey| survey.interviews.len().to_string())
                .number()
                .link(move |survey| path(survey, "/interviews")),
            Column::new("Completed", |survey: &&Survey| survey.completed().to_string()).number(),
            Column::new("Answers", |_: &&Survey| "Results".to_owned())
                .unordered()
                .link(move |survey| path(survey, "/results")),
        ];
        let rows = tenant.surveys.values().collect();
        let body = html! {
            p.links { a.button href=(visit.path("surveys/new")) { "Load a survey" } }
            (Listing::new(visit, "", "Surveys of the account", columns).show(rows))
        };
        Ok(ConsolePage::new("Surveys", "surveys", body))
    })
}

/// Links between the pages of a survey.
pub(super) fn tabs(visit: &ConsoleVisit<'_>, survey: &Survey, current: &str) -> Markup {
    html! {
        nav.tabs aria-label="Survey" {
            @for (page, name) in [("", "Questionnaire"), ("results", "Results"), ("interviews", "Interviews")] {
                @let path = if page.is_empty() { String::new() } else { format!("/{page}") };
                a href={ (visit.path(format_args!("surveys/{}{path}", survey.id))) } aria-current=[(page == current).then_some("page")] { (name) }
            }
        }
    }
}

pub(super) fn survey(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        let here = visit.path(format_args!("surveys/{id}"));
        let body = html! {
            (tabs(visit, survey, ""))
            p.hint {
                "Survey " (id) ", version " (survey.version) ", " (survey.state) ", in " (survey.languages.join(", ")) "; "
                (grouped(survey.interviews.len())) " interviews, " (grouped(survey.completed())) " completed."
            }
            @if survey.status == "Active" {
                p { a href={ "/survey/" (survey.public_id) } { "Answer it as a respondent" } " (its public link)" }
                form method="post" action=(here) {
                    label for="people" { "People who answer it now" }
                    input id="people" name="people" type="number" min="1" max="1000" value=(visit.kept("people", "10")) required;
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
            (questionnaire(visit, survey))
            details {
                summary { "Copy the survey" }
                form method="post" action=(here) {
                    label for="name" { "Name of the copy" }
                    input id="name" name="name" required value=(visit.kept("name", &format!("{} (copy)", survey.name)));
                    button name="do" value="copy" { "Copy the questionnaire" }
                }
                p.hint { "The copy has the same questions and no interviews, and can be answered at once." }
            }
        };
        Ok(ConsolePage::new(&survey.name, "surveys", body))
    })
}

/// The questions.
fn questionnaire(visit: &ConsoleVisit<'_>, survey: &Survey) -> Markup {
    let columns = vec![
        Column::new("Code", |variable: &&SurveyVariable| variable.code.clone())
            .heading()
            .shown(|variable| html! { code { (variable.code) } }),
        Column::new("Section", |variable: &&SurveyVariable| variable.section.clone()).filter(),
        Column::new("Type", |variable: &&SurveyVariable| variable.kind.to_owned()).filter(),
        Column::new("Question", |variable: &&SurveyVariable| question(variable)).wraps(),
        Column::new("Answers", |variable: &&SurveyVariable| labels(variable))
            .wraps()
            .shown(|variable| choices(variable)),
    ];
    html! {
        h2 { "Questionnaire" }
        (Listing::new(visit, "", "Questions", columns).show(survey.variables.iter().collect()))
    }
}

/// The text of a column: its question, with the row or the choice.
pub(super) fn question(variable: &SurveyVariable) -> String {
    let text = plain_text(&variable.question);
    match variable.row.as_ref().or(variable.choice.as_ref()) {
        Some(part) => format!("{text}: {}", plain_text(part)),
        None => text.into_owned(),
    }
}

fn labels(variable: &SurveyVariable) -> String {
    let labels: Vec<String> = variable.values.iter().map(|(code, label)| format!("{code} {label}")).collect();
    if labels.is_empty() { variable.data_type.to_owned() } else { labels.join(", ") }
}

/// Many answers are folded.
fn choices(variable: &SurveyVariable) -> Markup {
    html! {
        @if variable.values.len() > 3 {
            details {
                summary { (variable.values.len()) " answers" }
                ul { @for (code, label) in &variable.values { li { (code) " " (label) } } }
            }
        } @else {
            (labels(variable))
        }
    }
}

pub(super) fn act(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsoleStep, Refusal> {
    visit.read(|tenant| tenant.survey(id).map(|_| ()))?;
    let here = format!("surveys/{id}");
    if visit.form.get("do") == Some("close") {
        visit.shared.emit(Cause::CloseSurvey { survey_id: id }).map_err(Refusal::invalid)?;
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
    if visit.form.get("do") == Some("copy") {
        return copy(visit, id);
    }
    let people = visit.form.number("people").filter(|people| (1..=1000).contains(people));
    let people = people.ok_or_else(|| Refusal::invalid("From 1 to 1,000 people can answer at once."))?;
    if !visit.shared.emit(Cause::Fill { survey_id: id, people }).map_err(Refusal::invalid)? {
        return Err(Refusal::invalid("The survey is not active, so nobody can answer it."));
    }
    Ok(ConsoleStep::new(here, "answered"))
}

/// A survey with the same questionnaire and no interviews.
fn copy(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsoleStep, Refusal> {
    let name = visit.form.get("name").ok_or_else(|| Refusal::invalid("Name the copy."))?;
    let request = visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        Ok(json!({
            "workspaceId": survey.workspace_id, "name": name, "surveyDefinition": survey.published_questionnaire(),
            "surveyConfiguration": survey.configuration,
        }))
    })?;
    let made: Value =
        serde_json::from_slice(&visit.run(CreateSurvey::INFO.name, &request)?).unwrap_or_default();
    let copied = made["surveyId"].as_i64().unwrap_or_default();
    let mut world = visit.shared.world_mut();
    let survey = world.change(&visit.tenant).and_then(|(tenant, _)| tenant.surveys.get_mut(&copied));
    survey.ok_or_else(nothing)?.set_state("Published", visit.shared.clock.now());
    Ok(ConsoleStep::new(format!("surveys/{copied}"), "copied"))
}
