//! Messages that were sent, each as it arrives.

use super::shell::{live_switch, moment, pages, table};
use super::{ConsolePage, ConsoleVisit, nothing};
use crate::refusal::Refusal;
use crate::world::{Contact, Distributor, Member, MessageText, Panel, Tenant};
use maud::{Markup, html};

/// Messages on a page.
const SIZE: usize = 50;

/// A message to a member.
struct OutboxMessage<'a> {
    distributor: &'a Distributor,
    panel: &'a Panel,
    member: &'a Member,
    text: Option<&'a MessageText>,
}

impl<'a> OutboxMessage<'a> {
    fn new(tenant: &'a Tenant, distributor: &'a Distributor, member: i64) -> Option<Self> {
        let panel = tenant.panels.get(&distributor.panel_id)?;
        let member = panel.members.get(&member)?;
        let language = panel.value(member, "Language").as_str().unwrap_or_default();
        let text =
            tenant.templates.get(&distributor.template_id).and_then(|template| template.text(language));
        Some(Self { distributor, panel, member, text })
    }

    /// The address to which it went.
    fn to(&self) -> String {
        match Contact::of(self.panel, self.member, &self.distributor.channel) {
            Some(Contact::Email(address)) => address,
            Some(Contact::Phone(number)) => format!("+{number}"),
            None => "an address that was deleted".to_owned(),
        }
    }

    fn subject(&self) -> &'static str {
        self.text.map_or("(no subject)", |text| text.subject)
    }

    fn kind(&self) -> &'static str {
        if self.distributor.reminds.is_some() { "Reminder" } else { "Invitation" }
    }

    /// The interview of the invitation.
    fn interview(&self, tenant: &Tenant) -> Option<String> {
        let survey = tenant.surveys.get(&self.distributor.survey_id)?;
        let origin = self.distributor.reminds.unwrap_or(self.distributor.id);
        let ids = self.member.interviews.iter().rev().map(|(_, id)| id);
        let mut found = ids.filter_map(|id| survey.interviews.get(id));
        found
            .find(|interview| interview.origin.is_some_and(|known| known.distributor_id == origin))
            .map(|interview| interview.id.clone())
    }
}

/// All that were sent, the newest first.
fn sent(tenant: &Tenant) -> Vec<&Distributor> {
    let mut sent: Vec<&Distributor> = tenant.distributors.values().chain(tenant.reminders.values()).collect();
    sent.retain(|distributor| distributor.executed.is_some() && !distributor.sent.is_empty());
    sent.sort_by_key(|distributor| std::cmp::Reverse((distributor.executed, distributor.id)));
    sent
}

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let all = sent(tenant);
        let count: usize = all.iter().map(|distributor| distributor.sent.len()).sum();
        let page = visit.query.number("page").unwrap_or(1).clamp(1, count.div_ceil(SIZE).max(1));
        let each = all.iter().flat_map(|distributor| distributor.sent.iter().map(|member| (*distributor, *member)));
        let shown = each.skip((page - 1) * SIZE).take(SIZE);
        let rows = html! {
            @for (distributor, member) in shown {
                tr {
                    td { @if let Some(time) = distributor.executed { (moment(time)) } }
                    @if let Some(message) = OutboxMessage::new(tenant, distributor, member) {
                        th scope="row" {
                            a href=(visit.path(format_args!("outbox/{}/{member}", distributor.id))) { (message.subject()) }
                        }
                        td { (message.to()) } td { (message.kind()) } td { (distributor.channel) }
                    } @else {
                        th scope="row" { "A message" } td { "to a member who was deleted" } td {} td { (distributor.channel) }
                    }
                }
            }
        };
        let body = html! {
            (live_switch())
            div id="messages" data-live {
                p.hint { "Messages: " (count) ". Nothing leaves this machine." }
                @if count == 0 { p { "Invite members, in a program or on the page of a member: their messages are shown here." } }
                @else { (table("Messages", &["Sent", "Subject", "To", "Kind", "Channel"], &rows)) }
            }
            (pages(&visit.path("outbox"), page, count, SIZE))
        };
        Ok(ConsolePage::new("Outbox", "outbox", body))
    })
}

pub(super) fn message(
    visit: &ConsoleVisit<'_>,
    distributor: i64,
    member: i64,
) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let found = tenant.distributors.get(&distributor).or_else(|| tenant.reminders.get(&distributor));
        let found = found.filter(|distributor| distributor.sent.contains(&member)).ok_or_else(nothing)?;
        let message = OutboxMessage::new(tenant, found, member).ok_or_else(nothing)?;
        let body = html! {
            p { a href=(visit.path("outbox")) { "All messages" } }
            article.message aria-label="Message" {
                dl {
                    @if let Some(from) = &found.from { dt { "From" } dd { (from) } }
                    dt { "To" } dd { (message.to()) }
                    dt { "Subject" } dd { strong { (message.subject()) } }
                    @if let Some(time) = found.executed { dt { "Sent" } dd { (moment(time)) } }
                }
                div { (text(&message, tenant)) }
            }
            p.hint {
                (message.kind()) " to " a href=(visit.path(format_args!("panels/{}/{member}", found.panel_id))) { "member " (member) }
                ", by " (found.channel) ", from " (found.operation) "."
            }
        };
        Ok(ConsolePage::new("Message", "outbox", body))
    })
}

/// The text, with its link. Templates are HTML; their tags are left out, so that a template can run nothing here.
fn text(message: &OutboxMessage<'_>, tenant: &Tenant) -> Markup {
    let content = message.text.map_or_else(String::new, |text| without_tags(&text.content));
    let interview = message.interview(tenant);
    let parts = content.split("{link}");
    html! {
        p {
            @for (at, part) in parts.enumerate() {
                @if at > 0 {
                    @if let Some(id) = &interview { a href={ "/interview/" (id) } { "/interview/" (id) } }
                    @else { "(the interview was deleted)" }
                }
                (part)
            }
        }
    }
}

fn without_tags(html: &str) -> String {
    let mut inside = false;
    let text = html.chars().filter(|c| {
        let kept = !inside && *c != '<';
        inside = if inside { *c != '>' } else { *c == '<' };
        kept
    });
    text.collect()
}
