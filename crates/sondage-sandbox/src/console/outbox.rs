//! Sent messages, shown as they arrive.

use super::listing::{Column, Listing};
use super::shell::{live_switch, moment};
use super::{ConsolePage, ConsoleVisit, nothing};
use crate::refusal::Refusal;
use crate::world::{Contact, Distributor, Mail, Member, Panel, Tenant};
use chrono::{DateTime, Utc};
use maud::{Markup, html};

/// A message to a member.
struct OutboxMessage<'a> {
    distributor: &'a Distributor,
    panel: &'a Panel,
    member: &'a Member,
    subject: &'static str,
    content: String,
}

impl<'a> OutboxMessage<'a> {
    fn new(tenant: &'a Tenant, distributor: &'a Distributor, member: i64) -> Option<Self> {
        let panel = tenant.panels.get(&distributor.panel_id)?;
        let member = panel.members.get(&member)?;
        let language = panel.value(member, "Language").as_str().unwrap_or_default();
        let template = tenant.templates.get(&distributor.template_id);
        let written = template.and_then(|template| template.written(language, &distributor.text_blocks));
        let (subject, content) = written.unwrap_or(("(no subject)", String::new()));
        Some(Self { distributor, panel, member, subject, content })
    }

    /// The address to which it went.
    fn to(&self) -> String {
        match Contact::of(self.panel, self.member, &self.distributor.channel) {
            Some(Contact::Email(address)) => address,
            Some(Contact::Phone(number)) => format!("+{number}"),
            None => "an address that was deleted".to_owned(),
        }
    }

    fn kind(&self) -> &'static str {
        if self.distributor.reminds.is_some() { "Reminder" } else { "Invitation" }
    }

    /// The interview of the invitation.
    fn interview(&self, tenant: &Tenant) -> Option<String> {
        let survey = tenant.surveys.get(&self.distributor.survey_id)?;
        let origin = self.distributor.reminds.unwrap_or(self.distributor.id);
        let ids = self.member.interviews.iter().rev().map(|(_, id)| id);
        let mut interviews = ids.filter_map(|id| survey.interviews.get(id));
        interviews
            .find(|interview| interview.origin.is_some_and(|known| known.distributor_id == origin))
            .map(|interview| interview.id.clone())
    }
}

/// An entry of the outbox.
enum OutboxEntry<'a> {
    /// A message of a distributor to a member.
    Message(&'a Distributor, i64),
    /// A single mail, with its number.
    Mail(usize, &'a Mail),
}

/// All sent messages, the newest first.
fn sent(tenant: &Tenant) -> Vec<(DateTime<Utc>, OutboxEntry<'_>)> {
    let distributors = tenant.distributors.values().chain(tenant.reminders.values());
    let executed = distributors.filter_map(|distributor| Some((distributor.executed?, distributor)));
    let messages = executed.flat_map(|(at, distributor)| {
        distributor.sent.iter().map(move |member| (at, OutboxEntry::Message(distributor, *member)))
    });
    let mails =
        tenant.mails.iter().enumerate().map(|(number, mail)| (mail.at, OutboxEntry::Mail(number, mail)));
    // Messages with the same time are in the order in which they were created.
    let mut all: Vec<_> = mails.rev().chain(messages).collect();
    all.sort_by_key(|(at, entry)| match entry {
        OutboxEntry::Message(distributor, _) => std::cmp::Reverse((*at, distributor.id)),
        OutboxEntry::Mail(..) => std::cmp::Reverse((*at, 0)),
    });
    all
}

pub(super) fn list(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let all = sent(tenant);
        let columns = vec![
            Column::new("Sent", |(at, _): &(DateTime<Utc>, OutboxEntry<'_>)| moment(*at)),
            Column::new("Subject", |(_, entry): &(_, OutboxEntry<'_>)| entry.subject(tenant))
                .heading()
                .linked(|(_, entry)| entry.path(visit, tenant)),
            Column::new("To", |(_, entry): &(_, OutboxEntry<'_>)| entry.to(tenant)).name(),
            Column::new("Kind", |(_, entry): &(_, OutboxEntry<'_>)| entry.kind().to_owned()).filter(),
            Column::new("Channel", |(_, entry): &(_, OutboxEntry<'_>)| entry.channel().to_owned()).filter(),
        ];
        let body = html! {
            (live_switch())
            div id="messages" data-live {
                p.hint { "Messages: " (all.len()) ". Nothing leaves this machine." }
                @if all.is_empty() {
                    p { "Invite members, in a program or on the page of a panel: their messages are shown here." }
                    p.links { a.button href=(visit.path("panels")) { "To the panels" } }
                } @else { (Listing::new(visit, "", "Messages", columns).show(all)) }
            }
        };
        Ok(ConsolePage::new("Outbox", "outbox", body))
    })
}

impl<'a> OutboxEntry<'a> {
    fn message(&self, tenant: &'a Tenant) -> Option<OutboxMessage<'a>> {
        match self {
            Self::Message(distributor, member) => OutboxMessage::new(tenant, distributor, *member),
            Self::Mail(..) => None,
        }
    }

    fn subject(&self, tenant: &'a Tenant) -> String {
        match self {
            Self::Mail(_, mail) => mail.subject.clone(),
            Self::Message(..) => {
                self.message(tenant).map_or("A message", |message| message.subject).to_owned()
            }
        }
    }

    fn to(&self, tenant: &'a Tenant) -> String {
        match self {
            Self::Mail(_, mail) => mail.to.clone(),
            Self::Message(..) => self
                .message(tenant)
                .map_or_else(|| "a member who was deleted".to_owned(), |message| message.to()),
        }
    }

    fn path(&self, visit: &ConsoleVisit<'_>, tenant: &'a Tenant) -> Option<String> {
        Some(match self {
            Self::Mail(number, _) => visit.path(format_args!("outbox/mail/{number}")),
            Self::Message(distributor, member) => {
                self.message(tenant)?;
                visit.path(format_args!("outbox/{}/{member}", distributor.id))
            }
        })
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Mail(..) => "Mail",
            Self::Message(distributor, _) if distributor.reminds.is_some() => "Reminder",
            Self::Message(..) => "Invitation",
        }
    }

    fn channel(&self) -> &str {
        match self {
            Self::Mail(..) => "Email",
            Self::Message(distributor, _) => &distributor.channel,
        }
    }
}

pub(super) fn mail(visit: &ConsoleVisit<'_>, number: usize) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let mail = tenant.mails.get(number).ok_or_else(nothing)?;
        let body = html! {
            p { a href=(visit.path("outbox")) { "All messages" } }
            (letter(Some(&mail.from), &mail.to, &mail.subject, Some(mail.at), &html! { (plain(&mail.content).trim_end()) }))
            p.hint { "Mail outside an invitation, from ExecuteSendMail." }
        };
        Ok(ConsolePage::new("Message", "outbox", body))
    })
}

/// A message as it arrives.
fn letter(from: Option<&str>, to: &str, subject: &str, at: Option<DateTime<Utc>>, text: &Markup) -> Markup {
    html! {
        article.message aria-label="Message" {
            dl {
                @if let Some(from) = from { dt { "From" } dd { (from) } }
                dt { "To" } dd { (to) }
                dt { "Subject" } dd { strong { (subject) } }
                @if let Some(time) = at { dt { "Sent" } dd { (moment(time)) } }
            }
            div { (text) }
        }
    }
}

pub(super) fn message(
    visit: &ConsoleVisit<'_>,
    distributor: i64,
    member: i64,
) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let carrier = tenant.distributors.get(&distributor).or_else(|| tenant.reminders.get(&distributor));
        let carrier = carrier.filter(|distributor| distributor.sent.contains(&member)).ok_or_else(nothing)?;
        let message = OutboxMessage::new(tenant, carrier, member).ok_or_else(nothing)?;
        let body = html! {
            p { a href=(visit.path("outbox")) { "All messages" } }
            (letter(carrier.from.as_deref(), &message.to(), message.subject, carrier.executed, &text(&message, tenant)))
            p.hint {
                (message.kind()) " to " a href=(visit.path(format_args!("panels/{}/{member}", carrier.panel_id))) { "member " (member) }
                ", by " (carrier.channel) ", from " (carrier.operation) "."
            }
        };
        Ok(ConsolePage::new("Message", "outbox", body))
    })
}

/// The text, with its link.
fn text(message: &OutboxMessage<'_>, tenant: &Tenant) -> Markup {
    let interview = message.interview(tenant);
    html! {
        @for (at, part) in message.content.split("{link}").enumerate() {
            @if at > 0 {
                @if let Some(id) = &interview { a href={ "/interview/" (id) } { "/interview/" (id) } }
                @else { "(the interview was deleted)" }
            }
            (plain(part))
        }
    }
}

/// A text without its tags, so that it cannot run scripts here; the end of a paragraph becomes a line break.
fn plain(html: &str) -> String {
    without_tags(&html.replace("</p>", "\n").replace("<br>", "\n"))
}

fn without_tags(html: &str) -> String {
    let mut inside = false;
    let text = html.chars().filter(|c| {
        let is_text = !inside && *c != '<';
        inside = if inside { *c != '>' } else { *c == '<' };
        is_text
    });
    text.collect()
}
