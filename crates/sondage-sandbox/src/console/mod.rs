//! The console: pages that show the state of the platform in a browser.
//!
//! Their addresses begin with an unguessable key that is new in each run, so that neither web pages nor programs of other
//! users can open them. A form is accepted only from our own pages. Requests to the console are not recorded in the ledger,
//! and faults do not hit them.
//!
//! All pages are written with `maud`, which escapes each value; their content security policy forbids all scripts but our
//! file.

mod client;
mod clock;
mod curl;
mod distribution;
mod faults;
mod form;
mod gate;
mod import;
mod interviews;
mod invite;
mod ledger;
mod listing;
mod load;
mod outbox;
mod overview;
mod panel_new;
mod panels;
mod program;
mod respond;
mod results;
mod shell;
mod surveys;
#[cfg(test)]
mod tests;
mod upload;
mod webhooks;

pub(crate) use gate::{came_from, leads_here};
pub(crate) use respond::{answer as respond, is_respondent};

use crate::account::DataCenter;
use crate::api;
use crate::refusal::Refusal;
use crate::server::{BufferedRequest, Reply};
use crate::state::ServerState;
use crate::world::Tenant;
use form::ConsoleForm;
use http::header::{ETAG, IF_NONE_MATCH};
use http::{Method, StatusCode};
use maud::Markup;
use serde_json::Value;
use sondage::internals::hex::sha256;
use std::cell::RefCell;

/// The path of the console.
const PREFIX: &str = "/console";
/// The style sheet of all pages, including the login. It needs no key.
pub(crate) const STYLE_PATH: &str = "/console/style.css";
/// The script, also for pages that need no key.
pub(crate) const SCRIPT_PATH: &str = "/console/console.js";
const SCRIPT: &str = include_str!("console.js");

/// Whether a path belongs to the console.
pub(crate) fn is_console(path: &str) -> bool {
    path.strip_prefix(PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The address of the console of a sandbox.
pub(crate) fn address(base_url: &str, key: &str) -> String {
    format!("{base_url}{PREFIX}/{key}/")
}

/// A request to the console that has passed the gate.
struct ConsoleVisit<'a> {
    shared: &'a ServerState,
    here: DataCenter,
    /// The account that is shown.
    tenant: String,
    /// The path of the account's pages.
    base: String,
    query: ConsoleForm,
    form: ConsoleForm,
    /// A file that a page offers instead of itself.
    download: RefCell<Option<(String, Vec<u8>)>>,
}

/// The content of a page.
struct ConsolePage {
    title: String,
    /// The menu entry to which it belongs.
    part: &'static str,
    body: Markup,
    /// 400 of a page whose filter or plan is not accepted: it has the sentence, and the form with what was written.
    status: StatusCode,
}

/// The result of a form: the path to redirect to, below that of the account, and the message to show. Without one, the path is a whole one.
struct ConsoleStep {
    next: String,
    /// The name of the message, and the numbers in it: `imported.5.1.0`.
    done: String,
}

impl ConsoleStep {
    fn new(next: impl Into<String>, done: &str) -> Self {
        Self { next: next.into(), done: done.to_owned() }
    }

    /// With numbers for the message.
    fn counted(next: impl Into<String>, done: &str, numbers: &[usize]) -> Self {
        let words: Vec<String> =
            std::iter::once(done.to_owned()).chain(numbers.iter().map(usize::to_string)).collect();
        Self::new(next, &words.join("."))
    }

    /// To a page that is not one of the account, such as a document.
    fn elsewhere(path: impl Into<String>) -> Self {
        Self::new(path, "")
    }
}

impl ConsolePage {
    fn new(title: impl Into<String>, part: &'static str, body: Markup) -> Self {
        Self { title: title.into(), part, body, status: StatusCode::OK }
    }

    /// The page with the status of a refusal, if there is one.
    fn refused(self, refusal: Option<&Refusal>) -> Self {
        Self { status: refusal.map_or(self.status, |refusal| refusal.status), ..self }
    }
}

impl ConsoleVisit<'_> {
    /// A path below the account's pages.
    fn path(&self, rest: impl std::fmt::Display) -> String {
        format!("{}{rest}", self.base)
    }

    /// Reads from the account.
    fn read<T>(&self, look: impl FnOnce(&Tenant) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let world = self.shared.world();
        look(world.tenant(&self.tenant).ok_or_else(nothing)?)
    }

    /// Carries out an operation in the account, and returns its response.
    fn run(&self, operation: &str, request: &Value) -> Result<Vec<u8>, Refusal> {
        api::run_operation(self.shared, self.here, &self.tenant, operation, request)
    }

    /// The form of a step that was refused, or what a link has named.
    fn chosen(&self) -> &ConsoleForm {
        if self.form.is_empty() { &self.query } else { &self.form }
    }

    /// What was written into a field of a form that was not accepted, or named by a link; otherwise a value to begin with.
    fn kept<'a>(&'a self, name: &str, first: &'a str) -> &'a str {
        if self.form.is_empty() {
            self.query.get(name).unwrap_or(first)
        } else {
            self.form.get(name).unwrap_or_default()
        }
    }

    /// Offers rows as a CSV file in place of the page.
    fn offer(&self, name: &str, rows: impl Iterator<Item = Vec<String>>) {
        // A byte order mark, without which spreadsheets read another encoding.
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::from("\u{feff}"));
        let written = rows.into_iter().all(|row| writer.write_record(&row).is_ok());
        if let (true, Ok(text)) = (written, writer.into_inner()) {
            *self.download.borrow_mut() = Some((format!("{}.csv", shell::file_name(name)), text));
        }
    }
}

fn nothing() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "UnknownPath", "The console has no such page.")
}

/// The response to a request to the console.
pub(crate) fn answer(shared: &ServerState, here: DataCenter, received: &BufferedRequest) -> Reply {
    match received.path.as_str() {
        STYLE_PATH => return shell::file("text/css; charset=utf-8", sondage_openapi::STYLE),
        SCRIPT_PATH => return shell::file("text/javascript; charset=utf-8", SCRIPT),
        _ => {}
    }
    let Some(rest) = gate::unlocked(shared, received) else { return shell::locked() };
    if let Err(refusal) = gate::admit(received) {
        return shell::alone(refusal.status, "Not accepted", &refusal.message);
    }
    shared.catch_up();
    let (tenant, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let Some(tenant) = known(shared, here, tenant) else {
        return shell::alone(StatusCode::NOT_FOUND, "Not found", "The console has no such page.");
    };
    let base = format!("{PREFIX}/{}/{tenant}/", shared.console_key);
    let query = ConsoleForm::parse(received.query.as_bytes());
    let form = match upload::form(&shared.uploads, received) {
        Ok(form) => form,
        Err(refusal) => return shell::alone(refusal.status, "Not accepted", &refusal.message),
    };
    let download = RefCell::default();
    let visit = ConsoleVisit { shared, here, tenant, base, query, form, download };
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    if received.method == Method::POST {
        let step = act(&visit, &parts).and_then(|step| {
            shared.store_clock();
            shared.check_stored().map_err(Refusal::not_stored).map(|()| step)
        });
        return match step {
            Ok(step) => shell::go_on(&visit, &step),
            // The form again, with what was written into it.
            Err(refusal) => match show(&visit, &parts) {
                Ok(page) => shell::framed(&visit, refusal.status, &page, Some(&refusal.message)),
                Err(_) => shell::refused(&visit, &refusal),
            },
        };
    }
    if let ["surveys", survey, "results.svg"] = parts[..] {
        return id(survey)
            .and_then(|survey| results::svg(&visit, survey))
            .unwrap_or_else(|refusal| shell::refused(&visit, &refusal));
    }
    let page = match show(&visit, &parts) {
        Ok(page) => page,
        Err(refusal) => return shell::refused(&visit, &refusal),
    };
    if let Some((name, text)) = visit.download.take() {
        return shell::download(&name, text);
    }
    // A live page asks each second whether there is something new; its clock is none.
    let etag = etag(&page);
    if received.headers.get(IF_NONE_MATCH).is_some_and(|known| *known == etag) {
        return shell::unchanged(&etag);
    }
    let mut reply = shell::framed(&visit, page.status, &page, None);
    reply.set(ETAG.as_str(), &etag);
    reply
}

/// A digest of what a page shows.
fn etag(page: &ConsolePage) -> String {
    format!("\"{}\"", sha256(page.body.0.as_bytes()))
}

/// An account of this data center by its name; without a name, the first one.
fn known(shared: &ServerState, here: DataCenter, name: &str) -> Option<String> {
    let world = shared.world();
    let mut tenants = world.tenants.iter().filter(|tenant| tenant.data_center == here);
    tenants.find(|tenant| name.is_empty() || tenant.name == name).map(|tenant| tenant.name.clone())
}

fn show(visit: &ConsoleVisit<'_>, parts: &[&str]) -> Result<ConsolePage, Refusal> {
    match parts {
        [] => overview::show(visit),
        ["panels"] => panels::list(visit),
        ["panels", "new"] => panel_new::show(visit),
        ["panels", panel] => panels::panel(visit, id(panel)?),
        ["panels", panel, "import"] => import::show(visit, id(panel)?),
        ["panels", panel, "invite"] => invite::show(visit, id(panel)?),
        ["panels", panel, member] => panels::member(visit, id(panel)?, id(member)?),
        ["surveys"] => surveys::list(visit),
        ["surveys", "new"] => Ok(load::show(visit)),
        ["surveys", survey] => surveys::survey(visit, id(survey)?),
        ["surveys", survey, "results"] => results::show(visit, id(survey)?),
        ["surveys", survey, "interviews"] => interviews::show(visit, id(survey)?),
        ["surveys", survey, "interviews", interview] => interviews::one(visit, id(survey)?, interview),
        ["outbox"] => outbox::list(visit),
        ["outbox", "mail", number] => outbox::mail(visit, number.parse().map_err(|_| nothing())?),
        ["outbox", distributor, member] => outbox::message(visit, id(distributor)?, id(member)?),
        ["distribution"] => distribution::show(visit),
        ["distribution", distributor] => distribution::one(visit, id(distributor)?),
        ["webhooks"] => webhooks::show(visit),
        ["webhooks", "new"] => Ok(webhooks::new(visit)),
        ["webhooks", "attempts", number] => webhooks::attempt(visit, number.parse().map_err(|_| nothing())?),
        ["ledger"] => Ok(ledger::show(visit)),
        ["ledger", number] => ledger::one(visit, number.parse().map_err(|_| nothing())?),
        ["faults"] => Ok(faults::show(visit)),
        ["clock"] => Ok(clock::show(visit)),
        _ => Err(nothing()),
    }
}

fn act(visit: &ConsoleVisit<'_>, parts: &[&str]) -> Result<ConsoleStep, Refusal> {
    match parts {
        ["panels", "new"] => panel_new::act(visit),
        ["panels", panel, "import"] => import::act(visit, id(panel)?),
        ["panels", panel, "invite"] => invite::act(visit, id(panel)?),
        ["panels", panel, member] => panels::act(visit, id(panel)?, id(member)?),
        ["surveys", "new"] => load::act(visit),
        ["surveys", survey] => surveys::act(visit, id(survey)?),
        ["surveys", survey, "interviews", interview] => interviews::document(visit, id(survey)?, interview),
        ["webhooks", rest @ ..] => webhooks::act(visit, rest),
        ["ledger"] => ledger::act(visit),
        ["faults"] => faults::act(visit),
        ["clock"] => clock::act(visit),
        _ => Err(nothing()),
    }
}

fn id(text: &str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| nothing())
}
