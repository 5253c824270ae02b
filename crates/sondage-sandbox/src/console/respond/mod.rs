//! The pages for respondents, behind the links of messages and the public link of a survey, where a person answers.
//!
//! They need no key, as the links of the service need none. They are for browsers, which accept HTML: programs that follow a
//! link get the same response as without the console.

mod grid;
mod questions;
mod values;

use super::form::ConsoleForm;
use super::{gate, shell};
use crate::profile::Profile;
use crate::server::{BufferedRequest, Reply};
use crate::state::ServerState;
use crate::world::questionnaire::Respondents;
use crate::world::{Interview, PlatformState, Survey, SurveyVariable};
use http::{Method, StatusCode};
use maud::html;
use questions::Form;
use serde_json::{Map, Value};
use std::borrow::Cow;
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
    let query = ConsoleForm::parse(received.query.as_bytes());
    let (now, profile) = (shared.clock.now(), shared.profile());
    let is_complete = form.get("do") != Some("later");
    let (survey_id, interview_id, language, answers, has_more) = {
        let world = shared.world();
        let (survey, interview) = behind(&world, &received.path)?;
        if sent && !gate::is_ours(&received.headers) {
            let why = "The form was not sent by this page, so nothing was saved. Open the link again.";
            return Some(shell::alone(StatusCode::FORBIDDEN, &survey.name, why));
        }
        if let Some(why) = survey.closed_to(interview, now) {
            return Some(shell::alone(StatusCode::OK, &survey.name, why));
        }
        let questions = Respondents::new(survey, &profile);
        let stranger = Interview::new(String::new(), now, "survey");
        let respondent = interview.unwrap_or(&stranger);
        let shown = questions.shown(respondent, &respondent.answers);
        let page = RespondentPage::new(
            survey,
            query.get("language").or(respondent.language.as_deref()),
            &shown,
            &profile,
        );
        if !sent {
            let given = GivenAnswers::saved(&survey.variables, interview);
            return Some(page.show(&given, query.get("more").is_some(), StatusCode::OK));
        }
        let given = GivenAnswers::read((&page.variables, &shown), &form, profile.not_available, is_complete);
        if !given.problems.is_empty() {
            return Some(page.show(&given, false, StatusCode::BAD_REQUEST));
        }
        let answers = given.answers;
        let values: Vec<Value> = survey
            .variables
            .iter()
            .map(|variable| answers.get(&variable.code).cloned().unwrap_or_default())
            .collect();
        let next = questions.shown(respondent, &values);
        let has_more = next.iter().zip(&shown).any(|(next, shown)| *next && !*shown);
        // What is not asked any more has no answer.
        let asked = survey.variables.iter().zip(next).filter(|(_, is_asked)| *is_asked);
        let answers: Map<String, Value> = asked
            .filter_map(|(variable, _)| answers.get_key_value(&variable.code))
            .map(|(code, answer)| (code.clone(), answer.clone()))
            .collect();
        let language = query.get("language").and_then(|wanted| survey.language(wanted)).cloned();
        (survey.id, interview.map(|interview| interview.id.clone()), language, answers, has_more)
    };
    let is_complete = is_complete && !has_more;
    let saved = shared.take_part(survey_id, interview_id, language.clone(), &answers, is_complete);
    if let Err(why) = shared.check_stored() {
        return Some(shell::alone(StatusCode::INTERNAL_SERVER_ERROR, "Not stored", &why));
    }
    Some(match saved {
        Err(refusal) => shell::alone(refusal.status, "Nothing was saved", &refusal.message),
        Ok(_) if is_complete => {
            shell::alone(StatusCode::OK, "Thank you", "Your answers have arrived. You can close this page.")
        }
        Ok(id) => {
            let language = language.map(|language| format!("language={language}"));
            let more = has_more.then(|| "more=yes".to_owned());
            let query: Vec<String> = language.into_iter().chain(more).collect();
            let mark = if query.is_empty() { "" } else { "?" };
            shell::elsewhere(&format!("/interview/{id}{mark}{}", query.join("&")))
        }
    })
}

/// A survey as a respondent sees it.
struct RespondentPage<'a> {
    survey: &'a Survey,
    /// Its columns, with labels in the respondent's language.
    variables: Cow<'a, [SurveyVariable]>,
    language: String,
    shown: &'a [bool],
    not_available: Option<i64>,
}

impl<'a> RespondentPage<'a> {
    fn new(survey: &'a Survey, language: Option<&str>, shown: &'a [bool], profile: &Profile) -> Self {
        let language = language.and_then(|wanted| survey.language(wanted));
        let language = language.unwrap_or(&survey.default_language).clone();
        let variables = survey.variables_in(&language);
        Self { survey, variables, language, shown, not_available: profile.not_available }
    }

    fn show(&self, given: &GivenAnswers, has_more: bool, status: StatusCode) -> Reply {
        let survey = self.survey;
        let questions =
            Form { variables: &self.variables, shown: self.shown, given, not_available: self.not_available };
        let body = html! {
            a.skip href="#main" { "Skip to the questions" }
            main id="main" tabindex="-1" {
                h1 dir="auto" { (survey.name) }
                @if survey.definition.is_some() && survey.languages.len() > 1 {
                    nav aria-label="Language" {
                        @for language in &survey.languages {
                            a href=(format!("?language={language}")) aria-current=[(*language == self.language).then_some("true")] {
                                (language)
                            }
                            " "
                        }
                    }
                }
                @if has_more { p role="status" { "Your answers are saved. They lead to further questions." } }
                @if !given.problems.is_empty() {
                    div role="alert" {
                        p { "Nothing was saved yet. Please change:" }
                        ul { @for problem in &given.problems { li dir="auto" { (problem) } } }
                    }
                }
                form method="post" lang=(self.language) dir=(direction(&self.language)) {
                    (questions.questions())
                    div lang="en" dir="ltr" {
                        button name="do" value="send" { "Send the answers" }
                        button.plain name="do" value="later" { "Save, and go on later" }
                    }
                }
            }
        };
        shell::reply(status, &shell::document(&survey.name, "narrow", &body))
    }
}

/// The direction of writing of a language.
fn direction(language: &str) -> &'static str {
    const RIGHT_TO_LEFT: [&str; 6] = ["ar", "fa", "he", "ps", "ur", "yi"];
    let language = language.split('-').next().unwrap_or_default().to_ascii_lowercase();
    if RIGHT_TO_LEFT.contains(&language.as_str()) { "rtl" } else { "ltr" }
}
