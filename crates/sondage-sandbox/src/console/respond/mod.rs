//! The pages for respondents, behind the links of messages and the public link of a survey, where a person answers.
//!
//! They need no key, as the links of the service need none. They are for browsers, which accept HTML: programs that follow a
//! link get the same response as without the console.

mod grid;
mod paging;
mod questions;
mod values;

use super::form::ConsoleForm;
use super::{gate, shell};
use crate::delivery::NextStep;
use crate::profile::Profile;
use crate::server::{BufferedRequest, Reply};
use crate::state::ServerState;
use crate::world::questionnaire::{Course, Respondents};
use crate::world::{Interview, PlatformState, Survey, SurveyVariable};
use http::{Method, StatusCode};
use maud::{Markup, html};
use paging::Pages;
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
    let wish = form.get("do").unwrap_or("send");
    let (survey_id, interview_id, language, answers, (next_page, (state, message))) = {
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
        let shown = questions.course(respondent, &respondent.answers).shown;
        let pages = Pages::of(&survey.variables, &survey.exits, &shown);
        // Without a page, the interview goes on where it stopped.
        let number = query.number::<usize>("page").map_or(respondent.page, |page| page.saturating_sub(1));
        let number = number.min(pages.count - 1);
        let on_page = pages.on(number, &shown);
        let page = RespondentPage::new(
            survey,
            query.get("language").or(respondent.language.as_deref()),
            (&on_page, number, pages.count),
            &profile,
        );
        if !sent {
            let given = GivenAnswers::saved(&survey.variables, interview);
            let note = query.get("saved").map(|_| SAVED).or(query.get("more").map(|_| MORE));
            return Some(page.show(&given, note, StatusCode::OK));
        }
        let goes_on = !matches!(wish, "later" | "back");
        let mut given =
            GivenAnswers::read((&page.variables, &on_page), &form, profile.not_available, goes_on);
        if !given.problems.is_empty() {
            return Some(page.show(&given, None, StatusCode::BAD_REQUEST));
        }
        // The answers of other pages stay.
        for (at, variable) in survey.variables.iter().enumerate().filter(|(at, _)| !on_page[*at]) {
            let saved = respondent.answers.get(at).cloned().unwrap_or_default();
            given.answers.insert(variable.code.clone(), saved);
        }
        let values: Vec<Value> = survey
            .variables
            .iter()
            .map(|variable| given.answers.get(&variable.code).cloned().unwrap_or_default())
            .collect();
        let Course { shown: next, exit } = questions.course(respondent, &values);
        let next_pages = Pages::of(&survey.variables, &survey.exits, &next);
        let here = next_pages.on(number, &next);
        let has_more = here.iter().zip(&shown).any(|(next, shown)| *next && !*shown);
        let next_page = match wish {
            "later" => Some((number, "saved")),
            "back" => Some((number.saturating_sub(1), "")),
            _ if has_more => Some((number, "more")),
            _ if number + 1 < next_pages.count => Some((number + 1, "")),
            _ => None,
        };
        if next_page.is_none() {
            // Somebody may have skipped a page by its address.
            given.require((&page.variables, &next));
            if !given.problems.is_empty() {
                return Some(page.show(&given, None, StatusCode::BAD_REQUEST));
            }
        }
        // What is not asked any more has no answer.
        let asked = survey.variables.iter().zip(next).filter(|(_, is_asked)| *is_asked);
        let answers: Map<String, Value> = asked
            .filter_map(|(variable, _)| given.answers.get_key_value(&variable.code))
            .map(|(code, answer)| (code.clone(), answer.clone()))
            .collect();
        let language = query.get("language").and_then(|wanted| survey.language(wanted)).cloned();
        let message = exit.and_then(|exit| exit.message(&page.language));
        let end = (exit.map_or("Completed", |exit| exit.state), message);
        (survey.id, interview.map(|interview| interview.id.clone()), language, answers, (next_page, end))
    };
    let saved = {
        let next = next_page.map_or(NextStep::End(state), |(page, _)| NextStep::Page(page));
        shared.take_part(survey_id, interview_id, language.clone(), &answers, next)
    };
    if let Err(why) = shared.check_stored() {
        return Some(shell::alone(StatusCode::INTERNAL_SERVER_ERROR, "Not stored", &why));
    }
    Some(match (saved, next_page) {
        (Err(refusal), _) => shell::alone(refusal.status, "Nothing was saved", &refusal.message),
        (Ok(_), None) => {
            let arrived = "Your answers have arrived. You can close this page.";
            shell::alone(StatusCode::OK, "Thank you", message.as_deref().unwrap_or(arrived))
        }
        (Ok(id), Some(next)) => onward(&id, language.as_deref(), next),
    })
}

/// Leads to a page of an interview, with a note.
fn onward(id: &str, language: Option<&str>, (page, note): (usize, &str)) -> Reply {
    let page = (page + 1).to_string();
    let note = (note, if note.is_empty() { "" } else { "yes" });
    let query =
        ConsoleForm::default().link(&[("language", language.unwrap_or_default()), ("page", &page), note]);
    shell::elsewhere(&format!("/interview/{id}{query}"))
}

const SAVED: &str = "Your answers are saved. Open the same link later, and go on where you stopped.";
const MORE: &str = "Your answers are saved. They lead to further questions.";

/// A survey as a respondent sees it.
struct RespondentPage<'a> {
    survey: &'a Survey,
    /// Its columns, with labels in the respondent's language.
    variables: Cow<'a, [SurveyVariable]>,
    language: String,
    shown: &'a [bool],
    /// The page, counted from 0, and how many there are.
    page: (usize, usize),
    not_available: Option<i64>,
}

impl<'a> RespondentPage<'a> {
    fn new(
        survey: &'a Survey,
        language: Option<&str>,
        (shown, page, count): (&'a [bool], usize, usize),
        profile: &Profile,
    ) -> Self {
        let language = language.and_then(|wanted| survey.language(wanted));
        let language = language.unwrap_or(&survey.default_language).clone();
        let variables = survey.variables_in(&language);
        Self { survey, variables, language, shown, page: (page, count), not_available: profile.not_available }
    }

    fn show(&self, given: &GivenAnswers, note: Option<&str>, status: StatusCode) -> Reply {
        let survey = self.survey;
        let questions =
            Form { variables: &self.variables, shown: self.shown, given, not_available: self.not_available };
        let body = html! {
            a.skip href="#main" { "Skip to the questions" }
            main id="main" tabindex="-1" dir=(direction(&self.language)) {
                h1 dir="auto" { (survey.name) }
                @if survey.definition.is_some() && survey.languages.len() > 1 {
                    nav aria-label="Language" {
                        @for language in &survey.languages {
                            a href=(format!("?language={language}&page={}", self.page.0 + 1)) aria-current=[(*language == self.language).then_some("true")] {
                                (language)
                            }
                            " "
                        }
                    }
                }
                (self.progress())
                @if let Some(note) = note { p.said role="status" dir="ltr" { (note) } }
                @if !given.problems.is_empty() {
                    div role="alert" {
                        p dir="ltr" { "Nothing was saved yet. Please change:" }
                        ul { @for problem in &given.problems { li dir="auto" { (problem) } } }
                    }
                }
                form method="post" lang=(self.language) {
                    (questions.questions())
                    div.send lang="en" dir="ltr" {
                        @if self.page.0 + 1 < self.page.1 { button name="do" value="next" { "Next" } }
                        @else { button name="do" value="send" { "Send the answers" } }
                        @if self.page.0 > 0 { button.plain name="do" value="back" formnovalidate { "Back" } }
                        button.plain name="do" value="later" formnovalidate { "Save, and go on later" }
                    }
                }
            }
        };
        shell::reply(status, &shell::document(&survey.name, "narrow", &body))
    }

    /// How far the respondent is, if there are several pages.
    fn progress(&self) -> Markup {
        let (page, count) = self.page;
        html! {
            @if count > 1 {
                p.progress dir="ltr" { label for="progress" { "Page " (page + 1) " of " (count) } progress id="progress" max=(count) value=(page) {} }
            }
        }
    }
}

/// The direction of writing of a language.
fn direction(language: &str) -> &'static str {
    const RIGHT_TO_LEFT: [&str; 6] = ["ar", "fa", "he", "ps", "ur", "yi"];
    let language = language.split('-').next().unwrap_or_default().to_ascii_lowercase();
    if RIGHT_TO_LEFT.contains(&language.as_str()) { "rtl" } else { "ltr" }
}
