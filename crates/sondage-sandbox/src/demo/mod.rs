//! The seed: three accounts with a panel, a real survey, a small varied survey, and messages.

mod anes;
mod feedback;
mod incentives;
mod people;
mod waves;

use crate::account::DataCenter;
use crate::random::SeededRng;
use crate::world::{
    MessageTemplate, MessageText, Panel, PlatformState, Seeded, Survey, Tenant, User, Workspace,
};
use chrono::{DateTime, Utc};

pub(crate) use anes::completed;
pub(crate) use people::member;
pub(crate) use waves::Wave;

/// The accounts: name, data center, number of panel members.
const ACCOUNTS: [(&str, DataCenter, u64); 3] =
    [("demo", DataCenter::Eu, 200), ("other", DataCenter::Eu, 20), ("alpine", DataCenter::Swiss, 20)];

/// Fills a state. The same `seed` makes the same ids, members and answers.
pub(crate) fn fill(world: &mut PlatformState, seed: u64, secret: impl Fn() -> String) -> Vec<Seeded> {
    let accounts = ACCOUNTS.iter().zip(seed..);
    accounts
        .map(|((name, data_center, members), seed)| {
            account(world, seed, name, *data_center, *members, &secret)
        })
        .collect()
}

fn account(
    world: &mut PlatformState,
    seed: u64,
    name: &str,
    data_center: DataCenter,
    members: u64,
    secret: impl Fn() -> String,
) -> Seeded {
    let password = secret();
    let user = |role: &str, may_write| User {
        name: format!("{role}@{name}.example.com"),
        password: password.clone(),
        may_write,
    };
    let users = vec![user("admin", true), user("reader", false)];
    let mut tenant = Tenant::new(name, data_center, secret(), users);
    tenant.redirect_uris.push(format!("https://{name}.example.com/callback"));
    // An address that an app on a phone receives, as in docs/login-on-phones.md.
    tenant.redirect_uris.push("com.example.app:/back".to_owned());
    let ids = &mut world.ids;
    let workspace_id = ids.next();
    tenant.workspaces.insert(workspace_id, Workspace { id: workspace_id, name: "Demo".to_owned() });
    let panel_id = ids.next();
    let customer_panel_id = ids.next();
    let survey_id = ids.next();
    let feedback_survey_id = ids.next();
    let message_template_id = ids.next();
    let mut panel = Panel::new(panel_id, workspace_id, "Newsletter readers", people::fields());
    for number in 0..members {
        let member = member(seed, number, ids.next_member());
        panel.members.insert(member.id, member);
    }
    let mut customers = Panel::new(customer_panel_id, workspace_id, "Customers", people::customer_fields());
    for number in 0..12 {
        let member = people::customer(seed, number, ids.next_member());
        customers.members.insert(member.id, member);
    }
    let survey = anes::survey(survey_id, workspace_id, seed);
    let feedback = feedback::survey(feedback_survey_id, workspace_id, seed, &mut panel);
    *tenant.incentives = incentives::incentives(workspace_id * 100, seed, feedback.interviews.values());
    tenant.panels.extend([(panel_id, panel), (customer_panel_id, customers)]);
    tenant.surveys.extend([(survey_id, survey), (feedback_survey_id, feedback)]);
    tenant.templates.insert(message_template_id, invitation(message_template_id, workspace_id));
    let reminder = ids.next();
    tenant.templates.insert(reminder, self::reminder(reminder, workspace_id));
    world.tenants.push(tenant);
    Seeded {
        tenant: name.to_owned(),
        data_center,
        workspace_id,
        panel_id,
        customer_panel_id,
        survey_id,
        feedback_survey_id,
        message_template_id,
    }
}

/// A survey without questions and interviews.
pub(crate) fn empty_survey(id: i64, workspace_id: i64, name: &str, modified: DateTime<Utc>) -> Survey {
    Survey {
        id,
        workspace_id,
        public_id: SeededRng::for_item(id.unsigned_abs(), 4_000_000).guid(),
        name: name.to_owned(),
        state: "Published",
        status: "Active",
        version: id * 10,
        default_language: "en".to_owned(),
        languages: vec!["en".to_owned()],
        modified,
        created: (modified, "admin".to_owned()),
        definition: None,
        configuration: None,
        not_carried_out: Vec::new(),
        exits: Vec::new(),
        variables: Vec::new(),
        interviews: crate::world::Entities::default(),
    }
}

/// A time in the seed, in seconds since 1970.
pub(crate) fn moment(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or(DateTime::UNIX_EPOCH)
}

/// The text block of the messages that an invitation can replace.
const BLOCK: &str = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11";

fn invitation(id: i64, workspace_id: i64) -> MessageTemplate {
    let texts = [
        ("en", "We would like your opinion", "Dear reader, please take five minutes for our survey: {link}"),
        (
            "de",
            "Ihre Meinung zählt",
            "Liebe Leserin, lieber Leser, bitte nehmen Sie sich fünf Minuten: {link}",
        ),
        (
            "fr",
            "Votre avis nous intéresse",
            "Chère lectrice, cher lecteur, merci de répondre à notre enquête : {link}",
        ),
    ];
    template(id, workspace_id, "Invitation", &texts)
}

fn reminder(id: i64, workspace_id: i64) -> MessageTemplate {
    let texts = [
        ("en", "A reminder", "You can still take part: {link}"),
        ("de", "Zur Erinnerung", "Sie können noch teilnehmen: {link}"),
    ];
    template(id, workspace_id, "Reminder", &texts)
}

fn template(
    id: i64,
    workspace_id: i64,
    name: &str,
    texts: &[(&'static str, &'static str, &'static str)],
) -> MessageTemplate {
    let text = |(locale, subject, content): &(&'static str, &'static str, &'static str)| MessageText {
        locale,
        subject,
        content: format!("<p data-text-block=\"{BLOCK}\">{content}</p>"),
    };
    let texts = texts.iter().map(text).collect();
    MessageTemplate { id, workspace_id, name: name.to_owned(), default_locale: "en", texts }
}

#[cfg(test)]
mod tests {
    use crate::profile::Profile;
    use crate::world::questionnaire::Respondents;
    use crate::world::survey::VariableRole;
    use crate::{Builder, Content};

    /// The waves had people who were asked for a fee though they had visited no library.
    #[test]
    fn no_demo_has_an_answer_to_a_question_that_is_not_asked() {
        let profile = Profile::default();
        let mut screened = 0;
        for content in [Content::Demo, Content::Waves] {
            let (world, ..) = Builder::default().content(content).new_world().unwrap();
            for survey in world.tenants.iter().flat_map(|tenant| tenant.surveys.values()) {
                let questions = Respondents::new(survey, &profile);
                for interview in survey.interviews.values() {
                    let course = questions.course(interview, &interview.answers);
                    let answered = survey.variables.iter().zip(&interview.answers).zip(course.shown);
                    for ((variable, answer), is_shown) in answered {
                        let is_kept = is_shown || answer.is_null() || variable.role == VariableRole::Count;
                        assert!(is_kept, "{}: {} = {answer} in {}", survey.name, variable.code, interview.id);
                    }
                    if let Some(exit) = course.exit {
                        screened += 1;
                        assert_eq!(interview.state, exit.state, "{}: {}", survey.name, interview.id);
                    }
                }
            }
        }
        assert!(screened > 10, "{screened}");
    }
}
