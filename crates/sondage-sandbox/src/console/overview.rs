//! The contents of the account, and how a program connects to it.

use super::{ConsolePage, ConsoleVisit};
use crate::refusal::Refusal;
use maud::html;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    let address = visit.shared.address(visit.here);
    let others: Vec<String> = {
        let world = visit.shared.world();
        let here = world.tenants.iter().filter(|tenant| tenant.data_center == visit.here);
        here.map(|tenant| tenant.name.clone()).collect()
    };
    let root = visit.base.strip_suffix(&format!("{}/", visit.tenant)).unwrap_or(&visit.base);
    visit.read(|tenant| {
        let members: usize = tenant.panels.values().map(|panel| panel.members.len()).sum();
        let interviews: usize = tenant.surveys.values().map(|survey| survey.interviews.len()).sum();
        let requests = visit.shared.ledger.count_of_requests();
        let counts = [
            ("panels", members, "members of panels"),
            ("surveys", interviews, "interviews"),
            ("distribution", tenant.distributors.len() + tenant.reminders.len(), "invitations and reminders"),
            ("webhooks", tenant.web_hooks.len(), "webhooks"),
            ("ledger", requests, "requests so far"),
        ];
        let body = html! {
            p { "A survey platform that runs in your process, for trying and testing. What programs do to it shows here; what you \
                 do here, programs see." }
            ul.cards {
                @for (part, count, what) in counts { li { strong { (count) } a href=(visit.path(part)) { (what) } } }
            }
            h2 { "Connect a program" }
            dl {
                dt { "Address of the API" } dd { code { (address.api) } }
                dt { "Login" } dd { code { (address.auth) } }
                dt { "Account" } dd { code { (tenant.name) } }
                dt { "Client id" } dd { code { (tenant.client_id()) } }
                dt { "Client secret" } dd { "printed by the program that started the sandbox, and shown nowhere else" }
            }
            h2 { "A tour" }
            ol {
                li { "Open a " a href=(visit.path("panels")) { "panel" } ", choose a member, and invite it to a survey." }
                li { "Read the message in the " a href=(visit.path("outbox")) { "outbox" } ", follow its link, and answer." }
                li { "Look at the results of the " a href=(visit.path("surveys")) { "survey" } " as bars." }
                li { "Add a " a href=(visit.path("faults")) { "fault" } ", call the API, and watch the " a href=(visit.path("ledger")) { "ledger" } "." }
            }
            h2 { "Accounts" }
            ul {
                @for name in &others {
                    li { a href={ (root) (name) "/" } aria-current=[(*name == visit.tenant).then_some("true")] { (name) } }
                }
            }
        };
        Ok(ConsolePage::new("Overview", "", body))
    })
}
