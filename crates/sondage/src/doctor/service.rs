//! How the two servers respond: the token, the API, the clock, the permissions, pages and paths. Every request only
//! reads.

use super::network::Reachable;
use super::report::{HealthCheck, HealthTopic};
use crate::call::probe::Probed;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{
    Paging, ReadCreditBalanceRequest, ReadSurveyListRequest, ReadWebHookListRequest,
    ReadWorkspaceListRequest, WebHook,
};
use crate::operation::Operation;
use crate::operations::{self, ReadWorkspaceList};
use crate::{Client, text};
use chrono::TimeDelta;

/// A clock that is off by more than this is reported. Responses contain whole seconds, and take a moment to arrive.
const FAR: TimeDelta = TimeDelta::minutes(1);

/// The parts of the account that were read.
#[derive(Default)]
pub(super) struct Seen {
    pub web_hooks: Option<Vec<WebHook>>,
}

pub(super) async fn examine(client: &Client, ways: &Reachable, checks: &mut Vec<HealthCheck>) -> Seen {
    let mut observations = Seen::default();
    let has_token = if ways.auth {
        token(client, checks).await
    } else {
        let why = "the authentication server cannot be reached";
        checks.push(HealthCheck::skipped(HealthTopic::AuthenticationServer, why));
        checks.push(HealthCheck::skipped(HealthTopic::Token, why));
        false
    };
    if !ways.base {
        checks.push(HealthCheck::skipped(HealthTopic::Service, "the API cannot be reached"));
        return observations;
    }
    let answers = if has_token {
        account(client, &mut observations, checks).await
    } else {
        service(client, checks).await
    };
    if answers {
        checks.push(clock(client));
        checks.push(paths(client).await);
    }
    observations
}

/// Requests a token.
async fn token(client: &Client, checks: &mut Vec<HealthCheck>) -> bool {
    let host = client.config().auth_url.host_str().unwrap_or_default().to_owned();
    let Err(error) = client.engine().tokens.token(None).await else {
        let finding = text!("the authentication server {host} has issued a token");
        checks.push(HealthCheck::passed(HealthTopic::AuthenticationServer, finding));
        checks.push(HealthCheck::passed(HealthTopic::Token, "the credentials are accepted"));
        return true;
    };
    match error.kind() {
        ErrorKind::Network | ErrorKind::UnexpectedResponse | ErrorKind::RateLimited => {
            checks.push(HealthCheck::of(HealthTopic::AuthenticationServer, &error));
            let why = "the server did not answer like an authentication server";
            checks.push(HealthCheck::skipped(HealthTopic::Token, why));
        }
        _ => {
            let finding = text!("the authentication server {host} answers");
            checks.push(HealthCheck::passed(HealthTopic::AuthenticationServer, finding));
            checks.push(HealthCheck::of(HealthTopic::Token, &error));
        }
    }
    false
}

/// Reads parts of the account, and finds out what the credentials are permitted to read. Returns whether the API
/// responded as one.
async fn account(client: &Client, seen: &mut Seen, checks: &mut Vec<HealthCheck>) -> bool {
    let mut permissions = Asked::default();
    let request = ReadWorkspaceListRequest::new();
    let workspaces = match client.pages::<ReadWorkspaceList>(request).collect_all().await {
        Err(error) if error.kind() != ErrorKind::PermissionDenied => {
            return answered(client, &error, checks);
        }
        known => permissions.note(ReadWorkspaceList::INFO.name, known).unwrap_or_default(),
    };
    let hooks = client.read_web_hook_list(ReadWebHookListRequest::new()).await;
    seen.web_hooks = permissions.note("ReadWebHookList", hooks).map(|answer| answer.web_hooks);
    permissions.note("ReadCreditBalance", client.read_credit_balance(ReadCreditBalanceRequest::new()).await);
    if let Some(workspace) = workspaces.first() {
        let mut request = ReadSurveyListRequest::new(workspace.id);
        request.paging = Some(Paging::new(1, client.list_facts(ReadWorkspaceList::INFO.name).first_page()));
        permissions.note("ReadSurveyList", client.read_survey_list(request).await);
    }
    checks.push(permissions.service(client));
    checks.push(permissions.rights());
    checks.push(first_page(client));
    true
}

/// What the calls have shown: nothing else is reported.
#[derive(Default)]
struct Asked {
    may: Vec<&'static str>,
    may_not: Vec<(&'static str, Error)>,
    /// Calls that failed for a reason that says nothing about permissions.
    failed: Vec<(&'static str, Error)>,
}

impl Asked {
    fn note<T>(&mut self, name: &'static str, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => {
                self.may.push(name);
                return Some(value);
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => self.may_not.push((name, error)),
            Err(error) => self.failed.push((name, error)),
        }
        None
    }

    /// The budget has a check of its own.
    fn service(&self, client: &Client) -> HealthCheck {
        let host = client.config().base_url.host_str().unwrap_or_default();
        match self.failed.iter().find(|(_, error)| error.kind() != ErrorKind::BudgetSpent) {
            None => HealthCheck::passed(HealthTopic::Service, text!("the API at {host} answers")),
            Some((name, error)) => HealthCheck::warning(
                HealthTopic::Service,
                text!("the API at {host} answers, but {name} failed: {}", error.happened()),
                error.hint().to_owned(),
            ),
        }
    }

    fn rights(&self) -> HealthCheck {
        let names =
            |of: &[(&'static str, Error)]| of.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        if let Some((_, error)) = self.may_not.first() {
            let finding = text!("the credentials may not call {}", names(&self.may_not));
            return HealthCheck::warning(HealthTopic::Rights, finding, error.hint().to_owned());
        }
        if !self.failed.is_empty() {
            let finding = text!("it is not known whether the credentials may call {}", names(&self.failed));
            return HealthCheck::skipped(HealthTopic::Rights, finding);
        }
        HealthCheck::passed(HealthTopic::Rights, text!("the credentials may call {}", self.may.join(", ")))
    }
}

/// Lists begin with page 0 or 1. The client detects which, but a wrong setting costs a call for each list.
fn first_page(client: &Client) -> HealthCheck {
    let config = client.config();
    match client.list_facts(ReadWorkspaceList::INFO.name).proven() {
        None => HealthCheck::skipped(HealthTopic::FirstPage, "no list shows the number of its first page"),
        Some(number) if number == config.first_page => {
            HealthCheck::passed(HealthTopic::FirstPage, text!("lists begin with page {number}, as set"))
        }
        Some(number) => HealthCheck::warning(
            HealthTopic::FirstPage,
            text!(
                "lists begin with page {number}, and {} is {}",
                config.place("first_page"),
                config.first_page
            ),
            text!("Set `first_page` to {number}: until then, each list takes more calls."),
        ),
    }
}

/// Interprets the failure of the first call. Returns whether the API responded as one.
fn answered(client: &Client, error: &Error, checks: &mut Vec<HealthCheck>) -> bool {
    let config = client.config();
    let host = config.base_url.host_str().unwrap_or_default();
    match (error.kind(), error.status()) {
        (ErrorKind::Authentication, _) => {
            checks.retain(|check| check.check != HealthTopic::Token);
            checks.push(HealthCheck::of(HealthTopic::Token, error));
            checks.push(HealthCheck::passed(HealthTopic::Service, text!("the API at {host} answers")));
            true
        }
        // The budget has a check of its own.
        (ErrorKind::BudgetSpent, _) => {
            checks.push(HealthCheck::skipped(HealthTopic::Service, "the day's budget allows no call"));
            false
        }
        (ErrorKind::RateLimited, _) => {
            let finding = error.happened().clone();
            checks.push(HealthCheck::warning(HealthTopic::Service, finding, error.hint().to_owned()));
            true
        }
        (ErrorKind::Api | ErrorKind::UnexpectedResponse, Some(404 | 405)) => {
            let finding = text!("{host} does not have the API: it answers 404");
            let cure = text!("Check the address, {}.", config.place("base_url"));
            checks.push(HealthCheck::failed(HealthTopic::Service, finding, cure));
            false
        }
        (ErrorKind::UnexpectedResponse, _) => {
            let cure =
                text!("Check the address, {}. If it is right, please report this.", config.place("base_url"));
            checks.push(HealthCheck::failed(HealthTopic::Service, error.happened().clone(), cure));
            false
        }
        _ => {
            checks.push(HealthCheck::of(HealthTopic::Service, error));
            false
        }
    }
}

/// A request without a token: does a server respond at the address?
async fn service(client: &Client, checks: &mut Vec<HealthCheck>) -> bool {
    let config = client.config();
    let host = config.base_url.host_str().unwrap_or_default();
    match client.engine().probe(ReadWorkspaceList::INFO.path).await {
        Ok(Probed { is_page: true, .. }) => {
            let finding = text!("{host} answers with a web page");
            let cure = text!("Check the address, {}.", config.place("base_url"));
            checks.push(HealthCheck::failed(HealthTopic::Service, finding, cure));
            false
        }
        Ok(Probed { .. }) => {
            let finding = text!("{host} answers; only a call with a token can show whether it is the API");
            checks.push(HealthCheck::passed(HealthTopic::Service, finding));
            true
        }
        Err(error) => answered(client, &error, checks),
    }
}

fn clock(client: &Client) -> HealthCheck {
    let Some(ahead) = client.service_ahead() else {
        return HealthCheck::skipped(HealthTopic::Clock, "the service's responses have no date");
    };
    if ahead.abs() <= FAR {
        return HealthCheck::passed(HealthTopic::Clock, "the clock agrees with that of the service");
    }
    let by = ahead.abs();
    let by = if by >= TimeDelta::hours(2) {
        format!("{} hours", by.num_hours())
    } else {
        format!("{} minutes", by.num_minutes())
    };
    let direction = if ahead > TimeDelta::zero() { "slow" } else { "fast" };
    HealthCheck::warning(
        HealthTopic::Clock,
        text!("the clock of this computer is {by} {direction}, compared with that of the service"),
        "Set the clock, or let the computer set it over the network: tokens, webhooks and times in conditions depend on it.",
    )
}

/// Which of its possible paths an operation has at this service. A GET has no effect on any of them.
async fn paths(client: &Client) -> HealthCheck {
    let published_first = client.config().published_paths;
    for row in operations::ALL.iter().filter(|row| row.has_published_path()) {
        let paths = row.paths(published_first);
        let mut existing = Vec::new();
        for path in &paths {
            match client.engine().probe(path).await {
                Ok(Probed { status, is_page }) => existing.push(status != 404 && !is_page),
                Err(error) => return HealthCheck::skipped(HealthTopic::Paths, error.happened().clone()),
            }
        }
        if existing[0] {
            continue;
        }
        if !existing.contains(&true) {
            let finding = text!("the service has none of the known paths for {}", row.name);
            return HealthCheck::skipped(HealthTopic::Paths, finding);
        }
        let finding = text!("the service has another path for {} than the one that is tried first", row.name);
        let cure = text!(
            "Set `published_paths` to {}: until then, the first such call of a client takes one call more.",
            !published_first
        );
        return HealthCheck::warning(HealthTopic::Paths, finding, cure);
    }
    HealthCheck::passed(HealthTopic::Paths, "the paths that are tried first are those of the service")
}
