//! An invitation of many members: first the plan with its reasons, then the messages.

use super::client::{said, wait};
use super::listing::{Column, Listing, grouped};
use super::program::{self, Snippet};
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::api;
use crate::refusal::Refusal;
use maud::{Markup, html};
use sondage::condition::Expression;
use sondage_jobs::options::InviteOptions;
use sondage_jobs::{Jobs as _, LeftOut, LeftOutReason, SendPlan, SendPlanFacts};

/// What a form or a link chose.
struct Chosen {
    survey: i64,
    template: i64,
    filter: String,
    channel: String,
}

impl Chosen {
    fn of(read: impl Fn(&str) -> Option<String>) -> Result<Self, Refusal> {
        let number = |name: &str, what: &str| {
            let number = read(name).and_then(|text| text.parse().ok());
            number.ok_or_else(|| Refusal::invalid(format!("Choose a {what}. Nothing was sent.")))
        };
        Ok(Self {
            survey: number("survey", "survey")?,
            template: number("template", "message")?,
            filter: read("where").unwrap_or_default(),
            channel: read("channel").unwrap_or_else(|| "Email".to_owned()),
        })
    }

    fn options(&self, panel: i64) -> Result<InviteOptions, Refusal> {
        let mut options = InviteOptions::new(self.survey, panel, self.template);
        options.channel = Some(self.channel.as_str().into());
        if !self.filter.is_empty() {
            options.filter = Some(Expression::of_members(&self.filter).map_err(|error| said(&error))?);
        }
        Ok(options)
    }
}

pub(super) fn show(visit: &ConsoleVisit<'_>, panel: i64) -> Result<ConsolePage, Refusal> {
    let name = visit.read(|tenant| Ok(tenant.panel(panel)?.name.clone()))?;
    // A form that was refused shows its own plan again, not that of another page.
    let fields = visit.chosen();
    let chosen = fields.get("survey").map(|_| Chosen::of(|name| fields.get(name).map(str::to_owned)));
    let planned = chosen.as_ref().map(|chosen| plan(visit, panel, chosen.as_ref().map_err(Refusal::clone)?));
    let body = html! {
        p { a href=(visit.path(format_args!("panels/{panel}"))) { "All members of " (name) } }
        @match &planned {
            Some(Ok(plan)) => (confirm(visit, panel, &plan.facts())),
            Some(Err(refusal)) => p role="alert" { (refusal.message) },
            None => {}
        }
        (form(visit, panel, planned.is_some())?)
        (program::same(&snippets(visit, panel, chosen.as_ref().and_then(|chosen| chosen.as_ref().ok()))))
    };
    let refusal = planned.as_ref().and_then(|planned| planned.as_ref().err());
    Ok(ConsolePage::new(format!("Invite members of {name}"), "panels", body).refused(refusal))
}

fn form(visit: &ConsoleVisit<'_>, panel: i64, is_planned: bool) -> Result<Markup, Refusal> {
    visit.read(|tenant| {
        let (survey, template, channel) = (visit.kept("survey", ""), visit.kept("template", ""), visit.kept("channel", "Email"));
        Ok(html! {
            form method="get" action=(visit.path(format_args!("panels/{panel}/invite"))) {
                @if is_planned { h2 { "Another plan" } }
                label for="survey" { "Survey" }
                select id="survey" name="survey" {
                    @for known in tenant.surveys.values().filter(|survey| survey.status == "Active") {
                        option value=(known.id) selected[known.id.to_string() == survey] { (known.name) }
                    }
                }
                label for="template" { "Message" }
                select id="template" name="template" {
                    @for known in tenant.templates.values() { option value=(known.id) selected[known.id.to_string() == template] { (known.name) } }
                }
                label for="where" { "Only members where" }
                input id="where" name="where" value=(visit.kept("where", "")) placeholder="Division=Sales and Language in [de, fr]";
                label for="channel" { "Channel" }
                select id="channel" name="channel" {
                    @for known in ["Email", "Sms", "WhatsApp"] { option value=(known) selected[known == channel] { (known) } }
                }
                button { "Show the plan" }
                p.hint { "Nothing is sent yet: the plan says whom the message reaches, and why others get none." }
            }
        })
    })
}

fn plan(visit: &ConsoleVisit<'_>, panel: i64, chosen: &Chosen) -> Result<SendPlan, Refusal> {
    let options = chosen.options(panel)?;
    // In the words of the filter that a person wrote, and not of the conditions of a call.
    let profile = visit.shared.profile();
    visit.read(|tenant| api::members_where(tenant.panel(panel)?, &chosen.filter, &profile).map(drop))?;
    wait(visit, |client| async move { client.plan_invite(options).await })
}

/// Whom it reaches, and who is left out.
fn confirm(visit: &ConsoleVisit<'_>, panel: i64, facts: &SendPlanFacts) -> Markup {
    let reasons: Vec<(LeftOutReason, usize)> = LeftOutReason::ALL
        .into_iter()
        .map(|reason| (reason, facts.left_out.iter().filter(|left| left.reason == reason).count()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let columns = vec![
        Column::new("Member", |left: &LeftOut| left.member.to_string())
            .heading()
            .link(move |left| visit.path(format_args!("panels/{panel}/{}", left.member))),
        Column::new("Why", |left: &LeftOut| left.reason.of(1).to_owned()).filter(),
    ];
    #[allow(clippy::cast_precision_loss)] // at most some thousand members
    let share = |count: usize| count as f64 / facts.matches.max(1) as f64;
    html! {
        h2 { "The plan" }
        p.big { "The message reaches " strong { (grouped(facts.count)) } " of " (grouped(facts.matches)) " members." }
        div.scroll {
            table.bars {
                caption.unseen { "Who gets the message" }
                thead { tr { th scope="col" { "Members" } td {} th.number scope="col" { "Number" } } }
                tbody {
                    tr { th scope="row" { "get the message" } td.gauge { (super::results::bar(share(facts.count))) } td.number { (grouped(facts.count)) } }
                    @for (reason, count) in &reasons {
                        tr.aside { th scope="row" { (reason.of(*count)) } td.gauge { (super::results::bar(share(*count))) } td.number { (grouped(*count)) } }
                    }
                }
            }
        }
        p.hint { "It costs " (facts.calls) " calls." }
        @if facts.count > 0 {
            form method="post" action=(visit.path(format_args!("panels/{panel}/invite"))) {
                @for name in ["survey", "template", "where", "channel"] {
                    input type="hidden" name=(name) value=(visit.chosen().get(name).unwrap_or_default());
                }
                button name="token" value=(facts.token) { "Invite " (grouped(facts.count)) @if facts.count == 1 { " member" } @else { " members" } }
            }
        } @else { p { "Nobody would get it, so there is nothing to send." } }
        @if !facts.left_out.is_empty() {
            h3 { "Who gets none" }
            (Listing::new(visit, "left", "Members who are left out", columns).show(facts.left_out.clone()))
        }
    }
}

pub(super) fn act(visit: &ConsoleVisit<'_>, panel: i64) -> Result<ConsoleStep, Refusal> {
    let chosen = Chosen::of(|name| visit.form.get(name).map(str::to_owned))?;
    let token = visit.form.get("token").unwrap_or_default().to_owned();
    let plan = plan(visit, panel, &chosen)?;
    if !plan.is_confirmed_by(&token) {
        let why =
            "The members have changed since the plan was made, so nothing was sent. Look at the plan again.";
        return Err(Refusal::invalid(why));
    }
    let report = wait(visit, |_| async move { plan.run(&token).await })?;
    if let Some(error) = &report.stopped {
        return Err(said(error));
    }
    let next = report.distributor_id.map_or_else(|| "outbox".to_owned(), |id| format!("distribution/{id}"));
    Ok(ConsoleStep::new(next, "sent"))
}

fn snippets(visit: &ConsoleVisit<'_>, panel: i64, chosen: Option<&Chosen>) -> Vec<Snippet> {
    let (survey, template, filter, channel) = if let Some(chosen) = chosen {
        let ids = (chosen.survey.to_string(), chosen.template.to_string());
        (ids.0, ids.1, chosen.filter.as_str(), chosen.channel.as_str())
    } else {
        let first = visit.read(|tenant| {
            let survey = tenant.surveys.values().find(|survey| survey.status == "Active");
            Ok((survey.map(|survey| survey.id), tenant.templates.values().next().map(|template| template.id)))
        });
        let (survey, template) = first.unwrap_or_default();
        let text = |id: Option<i64>| id.map_or_else(|| "ID".to_owned(), |id| id.to_string());
        (text(survey), text(template), "", "Email")
    };
    let narrowed =
        if filter.is_empty() { String::new() } else { format!(" --where {}", program::quoted(filter)) };
    let by = if channel == "Email" { String::new() } else { format!(" --channel {channel}") };
    let command = format!("sondage invite {survey} {panel} --template {template}{narrowed}{by}");
    let mut all = vec![Snippet::new("Command", command)];
    // A filter is an expression there, not a text.
    if filter.is_empty() {
        all.push(Snippet::new(
            "Python",
            format!(
                "plan = client.plan_invite(survey_id={survey}, panel_id={panel}, message_template_id={template}, channel={channel:?})\nprint(plan)\nplan.run(confirm=plan.token)"
            ),
        ));
        all.push(Snippet::new(
            "Node.js",
            format!(
                "const plan = await client.planInvite({{ surveyId: {survey}, panelId: {panel}, messageTemplateId: {template}, channel: '{channel}' }});\nconsole.log(`${{plan}}`);\nawait plan.run({{ confirm: plan.token }});"
            ),
        ));
    }
    all
}
