//! The pages for respondents, behind the links of messages and the public link of a survey, where a person answers.
//!
//! They need no key, as the links of the service need none. They are for browsers, which accept HTML: programs that follow a
//! link get the same response as without the console.

mod questions;
mod values;

use super::form::ConsoleForm;
use super::{gate, shell};
use crate::server::{BufferedRequest, Reply};
use crate::state::ServerState;
use crate::world::{Interview, PlatformState, Survey};
use http::{Method, StatusCode};
use maud::html;
use questions::questionnaire;
use values::GivenAnswers;

/// Whether a request comes from a respondent's browser.
pub(crate) fn is_respondent(received: &BufferedRequest) -> bool {
    let link = ["/interview/", "/survey/"].iter().any(|kind| received.path.starts_with(kind));
    match received.method {
        Method::GET => link && gate::leads_here(&received.headers),
        Method::POST => link,
        _ => false,
    }
}

/// The survey behind a link, and the interview if the link belongs to one.
fn behind<'w>(world: &'w PlatformState, path: &str) -> Option<(&'w Survey, Option<&'w Interview>)> {
    let (kind, id) = path.strip_prefix('/')?.split_once('/')?;
    let mut surveys = world.tenants.iter().flat_map(|tenant| tenant.surveys.values());
    if kind == "survey" {
        return surveys.find(|survey| survey.public_id == id).map(|survey| (survey, None));
    }
    surveys.find_map(|survey| Some((survey, Some(survey.interviews.get(id)?))))
}

/// The page, or the page after its form. `None` if there is nothing behind the link.
pub(crate) fn answer(shared: &ServerState, received: &BufferedRequest) -> Option<Reply> {
    let sent = received.method == Method::POST;
    let form = ConsoleForm::parse(&received.body);
    let (survey_id, interview_id, answers, language) = {
        let world = shared.world();
        let (survey, interview) = behind(&world, &received.path)?;
        if sent && !gate::is_ours(&received.headers) {
            let why = "The form was not sent by this page, so nothing was saved. Open the link again.";
            return Some(shell::alone(StatusCode::FORBIDDEN, &survey.name, why));
        }
        if let Some(why) = survey.closed_to(interview, shared.clock.now()) {
            return Some(shell::alone(StatusCode::OK, &survey.name, why));
        }
        if !sent {
            return Some(page(survey, &GivenAnswers::saved(survey, interview), StatusCode::OK));
        }
        let form_answers = GivenAnswers::read(survey, &form);
        if !form_answers.problems.is_empty() {
            return Some(page(survey, &form_answers, StatusCode::BAD_REQUEST));
        }
        let language = ConsoleForm::parse(received.query.as_bytes()).get("language").map(str::to_owned);
        (survey.id, interview.map(|interview| interview.id.clone()), form_answers.answers, language)
    };
    let complete = form.get("do") != Some("later");
    let saved = shared.take_part(survey_id, interview_id, language, &answers, complete);
    Some(match saved {
        Err(refusal) => shell::alone(refusal.status, "Nothing was saved", &refusal.message),
        Ok(_) if complete => {
            shell::alone(StatusCode::OK, "Thank you", "Your answers have arrived. You can close this page.")
        }
        Ok(id) => shell::elsewhere(&format!("/interview/{id}")),
    })
}

fn page(survey: &Survey, given: &GivenAnswers, status: StatusCode) -> Reply {
    let body = html! {
        a.skip href="#main" { "Skip to the questions" }
        main id="main" tabindex="-1" {
            h1 { (survey.name) }
            @if !given.problems.is_empty() {
                div role="alert" {
                    p { "Nothing was saved yet. Please change:" }
                    ul { @for problem in &given.problems { li { (problem) } } }
                }
            }
            form method="post" lang=(survey.default_language) {
                (questionnaire(survey, given))
                div lang="en" {
                    button name="do" value="send" { "Send the answers" }
                    button.plain name="do" value="later" { "Save, and go on later" }
                }
            }
        }
    };
    shell::reply(status, &shell::document(&survey.name, "narrow", &body))
}
