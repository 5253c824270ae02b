//! The parts that all pages share: the frame, the menu, and the headers.

use super::{ConsolePage, ConsoleStep, ConsoleVisit, SCRIPT_PATH, STYLE_PATH};
use crate::refusal::Refusal;
use crate::server::Reply;
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use std::borrow::Cow;

/// Stricter than the policy of other pages: forms may be sent to our own pages only.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const MENU: [(&str, &str); 9] = [
    ("", "Overview"),
    ("panels", "Panels"),
    ("surveys", "Surveys"),
    ("outbox", "Outbox"),
    ("distribution", "Distribution"),
    ("webhooks", "Webhooks"),
    ("ledger", "Ledger"),
    ("faults", "Faults"),
    ("clock", "Clock"),
];

/// A page of the console.
/// `problem` is why a form was not accepted; it stands above the form.
pub(super) fn framed(
    visit: &ConsoleVisit<'_>,
    status: StatusCode,
    page: &ConsolePage,
    problem: Option<&str>,
) -> Reply {
    let now = visit.shared.clock.now();
    let body = html! {
        a.skip href="#main" { "Skip to the content" }
        header.top {
            a.brand href=(visit.path("")) { "sondage " span { "sandbox" } }
            p { "Account " (visit.tenant) br; "Clock " time datetime=(now.to_rfc3339()) { (moment(now)) } }
            nav aria-label="Console" {
                ul {
                    @for (part, name) in MENU {
                        li { a href=(visit.path(part)) aria-current=[(part == page.part).then_some("page")] { (name) } }
                    }
                    li { a href="/docs" { "API" } }
                }
            }
        }
        main id="main" tabindex="-1" {
            h1 { (page.title) }
            @if let Some(done) = visit.query.get("done").and_then(said) { p.said role="status" { (done) } }
            @if let Some(problem) = problem { p role="alert" { (problem) } }
            (page.body)
        }
        footer { "Invented people, and a survey in the public domain. Everything ends with the program." }
    };
    reply(status, &document(&format!("{} - sondage sandbox", page.title), "framed", &body))
}

/// The message after a form. Only texts of this list are shown, with numbers, so that a link cannot inject one.
fn said(done: &str) -> Option<Cow<'static, str>> {
    const TEXTS: [(&str, &str); 18] = [
        ("invited", "The invitation was sent. It is in the outbox."),
        ("sent", "The messages were sent. They are in the outbox."),
        ("panel", "The panel was created."),
        ("copied", "The questionnaire was copied."),
        ("loaded", "The survey was loaded."),
        ("registered", "The webhook was registered."),
        ("unregistered", "The webhook was removed."),
        ("again", "The event is sent again."),
        ("changed", "The change was made."),
        ("closed", "The survey was closed."),
        ("opened", "The survey was opened again."),
        ("answered", "People have answered the survey."),
        ("cleared", "The ledger was cleared."),
        ("bodies", "The ledger keeps the bodies of requests from now on."),
        ("fault", "The fault was added."),
        ("removed", "The fault was removed."),
        ("moved", "The clock was moved."),
        ("reset", "The clock shows the computer's time again."),
    ];
    let (name, numbers) = done.split_once('.').unwrap_or((done, ""));
    if name == "imported" {
        return super::import::said(
            &numbers.split('.').map_while(|number| number.parse().ok()).collect::<Vec<_>>(),
        )
        .map(Cow::Owned);
    }
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| Cow::Borrowed(*text))
}

/// A refusal as a page of the console.
pub(super) fn refused(visit: &ConsoleVisit<'_>, refusal: &Refusal) -> Reply {
    let body =
        html! { p role="alert" { (refusal.message) } p { a href=(visit.path("")) { "To the overview" } } };
    framed(visit, refusal.status, &ConsolePage::new("This did not work", "none", body), None)
}

/// After a form, the browser is redirected, so that reloading the page does not send the form again.
pub(super) fn go_on(visit: &ConsoleVisit<'_>, step: &ConsoleStep) -> Reply {
    if step.done.is_empty() {
        return elsewhere(&step.next);
    }
    let mark = if step.next.contains('?') { '&' } else { '?' };
    elsewhere(&format!("{}{mark}done={}", visit.path(&step.next), step.done))
}

pub(super) fn elsewhere(path: &str) -> Reply {
    let mut reply = reply(StatusCode::SEE_OTHER, &html! {});
    reply.set("location", path);
    reply
}

/// The page for a request without the key.
pub(super) fn locked() -> Reply {
    let body = html! {
        main {
            h1 { "The console is locked" }
            p {
                "The address of the console has a key that is new in each run. " code { "sondage sandbox" } " prints the address; \
                 programs find it in the facts of the sandbox, as " code { "console_url" } "."
            }
            p { a href="/docs" { "The API of this sandbox" } }
        }
    };
    reply(StatusCode::FORBIDDEN, &document("The console is locked", "narrow", &body))
}

/// A page with nothing but a message.
pub(super) fn alone(status: StatusCode, title: &str, message: &str) -> Reply {
    let body = html! { main { h1 { (title) } p { (message) } } };
    reply(status, &document(title, "narrow", &body))
}

/// The header of pages without a menu.
fn bar() -> Markup {
    html! { header.bar { p.brand { "sondage " span { "sandbox" } } } }
}

/// A whole document.
pub(super) fn document(title: &str, class: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(STYLE_PATH);
                script src=(SCRIPT_PATH) defer {}
            }
            body class=(class) {
                @if class == "narrow" { (bar()) }
                (body)
            }
        }
    }
}

pub(super) fn reply(status: StatusCode, document: &Markup) -> Reply {
    let mut reply = Reply::html(status, document.0.clone());
    guard(&mut reply);
    reply
}

/// The page is the one that the browser shows.
pub(super) fn unchanged(etag: &str) -> Reply {
    let mut reply = Reply::new(StatusCode::NOT_MODIFIED, "text/html; charset=utf-8", "");
    guard(&mut reply);
    reply.set("cache-control", "no-store");
    reply.set("etag", etag);
    reply
}

/// One of our files. It contains no data of the account.
pub(super) fn file(content_type: &'static str, text: &'static str) -> Reply {
    let mut reply = Reply::new(StatusCode::OK, content_type, text);
    guard(&mut reply);
    reply.set("cache-control", "no-cache");
    reply
}

/// A file of the account's data.
pub(super) fn download(name: &str, text: Vec<u8>) -> Reply {
    let mut reply = Reply::new(StatusCode::OK, "text/csv; charset=utf-8", text);
    guard(&mut reply);
    reply.set("cache-control", "no-store");
    reply.set("content-disposition", &format!("attachment; filename=\"{name}\""));
    reply
}

/// A name for a file: small letters, digits and hyphens.
pub(super) fn file_name(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

fn guard(reply: &mut Reply) {
    reply.set("content-security-policy", POLICY);
    reply.set("x-content-type-options", "nosniff");
    // Browsers must send the origin of a form, because it is checked; other sites get no referrer.
    reply.set("referrer-policy", "same-origin");
    reply.set("cross-origin-opener-policy", "same-origin");
    reply.set("cross-origin-resource-policy", "same-origin");
}

/// A table in a box that scrolls sideways, with a name for screen readers.
pub(super) fn table(name: &str, columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(name) tabindex="0" {
            table {
                caption { (name) }
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// The switch for live updates. It is hidden until the script runs, because it works only with the script.
pub(super) fn live_switch() -> Markup {
    html! { label hidden { input type="checkbox" data-toggle-live checked; "Live: show what happens at once" } }
}

/// A time for display, in UTC.
pub(super) fn moment(time: chrono::DateTime<chrono::Utc>) -> String {
    time.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}
