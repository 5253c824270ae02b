//! The links of a member's interviews, and the pages behind them.
//!
//! They contain an unguessable GUID and need no token. They are not permanent: they stop working when the survey closes.
// API 3.4

use super::ApiCall;
use crate::clock::wire;
use crate::pdf;
use crate::profile::AnswersLink;
use crate::state::ServerState;
use crate::world::{Interview, Member, Survey, Tenant};
use maud::{DOCTYPE, html};
use serde_json::{Value, json};

/// Builds the links of one data center.
pub(super) struct Links<'a> {
    base_url: &'a str,
}

impl<'a> Links<'a> {
    pub(super) fn new(call: &ApiCall<'a>) -> Self {
        Self { base_url: &call.shared.address(call.data_center).api }
    }

    /// A member's interviews in wire format.
    // API 3.4
    pub(super) fn of_member(&self, tenant: &Tenant, member: &Member) -> Vec<Value> {
        let interviews = member.interviews.iter().filter_map(|(survey, id)| {
            let survey = tenant.surveys.get(survey)?;
            Some(self.to_json(survey, survey.interviews.get(id)?))
        });
        interviews.collect()
    }

    fn to_json(&self, survey: &Survey, found: &Interview) -> Value {
        let (base, id) = (self.base_url, &found.id);
        json!({
            "id": id,
            "state": found.state,
            "surveyId": survey.id,
            "surveyVersionId": survey.version,
            "surveyName": survey.name,
            "surveyState": survey.state,
            "answersLink": format!("{base}/answers/{id}"),
            "interviewLink": interview(base, id),
            "startDate": found.start.map(wire),
            "endDate": found.end.map(wire),
            "samplingProjectId": found.origin.map(|origin| origin.sampling_project_id),
            "distributorId": found.origin.map(|origin| origin.distributor_id),
        })
    }
}

/// The URL of an interview.
pub(super) fn interview(base_url: &str, id: &str) -> String {
    format!("{base_url}/interview/{id}")
}

/// The public URL of a survey.
pub(super) fn survey(base_url: &str, survey: &Survey, language: &str) -> String {
    format!("{base_url}/survey/{}?language={language}", survey.public_id)
}

/// The URL of a document.
pub(super) fn download(base_url: &str, token: &str) -> String {
    format!("{base_url}/download/{token}")
}

/// Whether a path belongs to a link.
pub(crate) fn is_link(path: &str) -> bool {
    ["/answers/", "/download/", "/interview/", "/survey/"].iter().any(|kind| path.starts_with(kind))
}

/// The page behind a link: a content type and a body.
pub(crate) fn follow(shared: &ServerState, path: &str) -> Option<(&'static str, Vec<u8>)> {
    let (kind, id) = path.strip_prefix('/')?.split_once('/')?;
    let world = shared.world();
    if kind == "download" {
        let tenant = world.tenants.iter().find(|tenant| tenant.downloads.contains_key(id))?;
        let download = tenant.downloads.get(id).filter(|download| download.until > shared.clock.now())?;
        let survey = tenant.surveys.get(&download.survey_id)?;
        return Some(document(survey, survey.interviews.get(&download.interview)?));
    }
    let mut surveys = world.tenants.iter().flat_map(|tenant| tenant.surveys.values());
    if kind == "survey" {
        let survey = surveys.find(|survey| survey.public_id == id)?;
        return Some(page(&survey.name, &[format!("Survey {}: {}", survey.id, survey.state)]));
    }
    let (survey, interview) = surveys.find_map(|survey| Some((survey, survey.interviews.get(id)?)))?;
    match kind {
        "answers" => Some(match shared.profile().answers_link {
            AnswersLink::Pdf => document(survey, interview),
            AnswersLink::PrintPage => page(&survey.name, &answers(survey, interview)),
        }),
        "interview" => {
            Some(page(&survey.name, &[format!("Interview {}: {}", interview.id, interview.state)]))
        }
        _ => None,
    }
}

fn document(survey: &Survey, interview: &Interview) -> (&'static str, Vec<u8>) {
    ("application/pdf", pdf::document(&survey.name, &answers(survey, interview)))
}

fn page(title: &str, lines: &[String]) -> (&'static str, Vec<u8>) {
    let page = html! {
        (DOCTYPE)
        meta charset="utf-8";
        title { (title) }
        h1 { (title) }
        @for line in lines { p { (line) } }
    };
    ("text/html; charset=utf-8", page.into_string().into_bytes())
}

fn answers(survey: &Survey, interview: &Interview) -> Vec<String> {
    let mut lines = vec![format!("Interview {} - {}", interview.id, interview.state)];
    for (variable, answer) in survey.variables.iter().zip(&interview.answers) {
        let text = if answer.is_null() { "null".to_owned() } else { variable.label_of(answer) };
        lines.push(format!("{}: {text}", variable.question));
    }
    lines
}
