//! Random panels with every reason for exclusion: the plan equals what the sandbox sends, member by member, and each excluded
//! member has the right reason.
//!
//! `SONDAGE_LONG=1` uses 1,000 panels instead of 200, `SONDAGE_SEED` other ones.

use crate::support::sandbox::config;
use fastrand::Rng;
use sondage::blocking::Client;
use sondage::condition::field;
use sondage::model::{
    CellPhoneItem, CreateMembersRequest, CreatePanelRequest, DistributionChannel, EmailItem, FieldValue,
    InviteMembersRequest, NewMember, OptOutOperation, WriteOptOutListRequest,
};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{InviteOptions, RemindOptions};
use sondage_sandbox::{EffectKind, Sandbox};
use std::collections::HashSet;
use std::time::Instant;

const DAY: i64 = 86_400;

/// A member, and what the test has done with it.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // independent events: any combination is possible
struct Person {
    id: i64,
    email: Option<String>,
    phone: Option<i64>,
    language: Option<&'static str>,
    group: &'static str,
    opted_out: bool,
    /// Opted out by telephone number only: a reminder by mail is sent nevertheless.
    by_number: bool,
    /// A mail bounced permanently.
    bounced: bool,
    invited: bool,
    /// How many days ago an invitation was sent.
    contacts: Vec<usize>,
}

struct Scene {
    sandbox: Sandbox,
    client: Client,
    /// The invitation has a text in English, German and French; the reminder in English and German.
    templates: [i64; 2],
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::new(config(&sandbox, 100)).expect("a client");
        let listed = client
            .read_message_template_list(sondage::model::ReadMessageTemplateListRequest::new("en"))
            .expect("templates");
        let templates: Vec<i64> = listed.message_templates.iter().map(|template| template.id).collect();
        Self { sandbox, client, templates: templates.try_into().expect("two templates") }
    }

    /// Members to whom the platform has sent a message by an operation, since its ledger was cleared.
    fn sent(&self, operation: &str) -> Vec<i64> {
        let effects = self.sandbox.ledger().effects(operation);
        let messages = effects.into_iter().filter(|effect| effect.kind == EffectKind::MessagesSent);
        let mut ids: Vec<i64> =
            messages.flat_map(|effect| effect.ids).map(|id| id.parse().expect("a number")).collect();
        ids.sort_unstable();
        ids
    }

    fn panel(&self, rng: &mut Rng, trial: usize) -> (i64, Vec<Person>) {
        let request = CreatePanelRequest::new(self.sandbox.workspace_id(), "Readers", "Basic");
        let panel = self.client.create_panel(request).expect("a panel").id.expect("an id");
        let count = 1 + rng.usize(..30);
        let mut people: Vec<Person> = (0..count).map(|number| person(rng, trial, number)).collect();
        let rows = people.iter().map(|it| {
            let text = |name: &str, value: &str| (name.to_owned(), FieldValue::from(value));
            let mut values = vec![text("FirstName", it.group)];
            values.extend(it.email.as_deref().map(|email| text("Email", email)));
            values.extend(it.language.map(|language| text("Language", language)));
            values.extend(it.phone.map(|phone| ("CellPhoneNumber".to_owned(), FieldValue::from(phone))));
            NewMember::of(values)
        });
        let made = self.client.create_members(CreateMembersRequest::new(panel, rows)).expect("members");
        assert!(made.validation_issues.is_empty(), "{:?}", made.validation_issues);
        for (it, id) in people.iter_mut().zip(made.members_ids) {
            it.id = id.expect("an id");
        }
        (panel, people)
    }

    /// Invites some of them, some days ago.
    fn happen(&self, rng: &mut Rng, panel: i64, people: &mut [Person]) {
        let days = rng.choice([1, 5, 20]).unwrap();
        let chosen: Vec<i64> = people.iter().map(|it| it.id).filter(|_| rng.usize(..3) == 0).collect();
        if chosen.is_empty() {
            return;
        }
        let this = rng.usize(..2) == 0;
        let survey = if this { self.sandbox.survey_id() } else { self.sandbox.feedback_survey_id() };
        let mut request = InviteMembersRequest::new(survey, panel, self.templates[0]);
        let mail = rng.usize(..4) != 0;
        request.channel = Some(if mail { DistributionChannel::Email } else { DistributionChannel::Sms });
        request.member_ids = Some(chosen);
        self.sandbox.ledger().clear();
        self.sandbox.clock().advance_seconds(-DAY * i64::try_from(days).expect("days"));
        self.client.invite_members(request).expect("an invitation");
        self.sandbox.clock().reset();
        let sent: HashSet<i64> = self.sent("InviteMembers").into_iter().collect();
        for it in people.iter_mut().filter(|it| sent.contains(&it.id)) {
            it.contacts.push(days);
            it.invited |= this;
            it.bounced |= mail && it.email.as_deref().is_some_and(|email| email.ends_with(".invalid"));
        }
    }

    fn opt_out(&self, rng: &mut Rng, panel: i64, person: &mut Person) {
        let mut request = WriteOptOutListRequest::new();
        if rng.usize(..2) == 0 {
            request.panel_id = Some(panel);
        } else {
            request.workspace_id = Some(self.sandbox.workspace_id());
        }
        match (rng.usize(..3), &person.email, person.phone) {
            (0, Some(email), _) => {
                let email = if rng.usize(..2) == 0 { email.to_uppercase() } else { email.clone() };
                request.emails = Some(vec![EmailItem::new(email, OptOutOperation::Add)]);
                person.by_number = false;
            }
            (1, _, Some(phone)) => {
                request.cell_phones = Some(vec![CellPhoneItem::new(phone, OptOutOperation::Add)]);
                person.by_number |= !person.opted_out;
            }
            _ => {
                self.sandbox.opt_out(person.id);
                person.by_number = false;
                person.opted_out = true;
                return;
            }
        }
        self.client.write_opt_out_list(request).expect("the list");
        person.opted_out = true;
    }
}

impl Scene {
    /// Some of the invited members answer or opt out; the others are reminded. Returns how many.
    fn remind(
        &self,
        rng: &mut Rng,
        panel: i64,
        distributor: i64,
        people: &mut [Person],
        shown: &str,
    ) -> usize {
        let mut answered = HashSet::new();
        for member in self.client.members(panel).interviews() {
            let member = member.expect("a member");
            let by = |it: &&sondage::model::MemberInterview| it.distributor_id == Some(distributor);
            if let Some(interview) = member.interviews.iter().find(by)
                && rng.usize(..3) == 0
            {
                assert!(self.sandbox.complete_interview(&interview.id, &[]));
                answered.insert(member.id);
            }
        }
        for it in people.iter_mut() {
            if rng.usize(..6) == 0 {
                self.opt_out(rng, panel, it);
            }
        }
        let dead = |it: &Person| it.email.as_deref().is_some_and(|email| email.ends_with(".invalid"));
        let group = (rng.usize(..2) == 0).then_some("A");
        let due = people.iter().filter(|it| group.is_none_or(|group| it.group == group));
        let due = due.filter(|it| !answered.contains(&it.id) && (!it.opted_out || it.by_number) && !dead(it));
        let wanted: Vec<i64> = due.map(|it| it.id).collect();
        let mut options = RemindOptions::new(distributor, self.templates[1]).other_languages(true);
        options.filter = group.map(|group| field("FirstName").is_equal_to(group));
        self.sandbox.ledger().clear();
        let plan = self.client.plan_remind(options).expect("a plan");
        assert_eq!(plan.members(), wanted, "{shown}");
        self.sandbox.ledger().clear();
        let report = plan.wait(plan.token()).expect("a report");
        if wanted.is_empty() {
            assert!(self.sandbox.ledger().requests("*").is_empty(), "{shown}");
            return 0;
        }
        assert!(report.reminder_id.is_some());
        assert_eq!(self.sent("RemindMembers"), wanted, "{shown}");
        assert_eq!(self.sandbox.ledger().requests("*").len() as u64, plan.calls(), "{shown}");
        wanted.len()
    }
}

fn person(rng: &mut Rng, trial: usize, number: usize) -> Person {
    let domain = if rng.usize(..6) == 0 { "dead.invalid" } else { "example.com" };
    let unique = i64::try_from(trial * 1000 + number).expect("a number");
    Person {
        email: (rng.usize(..5) != 0).then(|| format!("p{unique}@{domain}")),
        phone: (rng.usize(..3) != 0).then_some(41_790_000_000 + unique),
        language: rng.choice([None, Some("de"), Some("de-CH"), Some("en"), Some("fr"), Some("it")]).unwrap(),
        group: rng.choice(["A", "B", "C"]).unwrap(),
        ..Person::default()
    }
}

/// The options of a plan, and the expected result.
struct Wanted {
    options: InviteOptions,
    members: Vec<i64>,
    left_out: Vec<(i64, &'static str)>,
}

fn wanted(scene: &Scene, rng: &mut Rng, panel: i64, people: &[Person]) -> Wanted {
    let template = rng.usize(..2);
    let languages: &[&str] =
        if template == 0 { &["en", "de", "de-CH", "fr"] } else { &["en", "de", "de-CH"] };
    let mut options = InviteOptions::new(scene.sandbox.survey_id(), panel, scene.templates[template]);
    let mail = rng.usize(..3) != 0;
    options.channel = (!mail).then_some(DistributionChannel::Sms);
    options.cap = (rng.usize(..3) == 0).then(|| 1 + rng.usize(..10));
    options.pause_days = (rng.usize(..2) == 0).then(|| rng.choice([3, 10, 30]).unwrap());
    options.again = rng.usize(..3) == 0;
    options.other_languages = rng.usize(..3) == 0;
    options.workspace_id = (rng.usize(..2) == 0).then(|| scene.sandbox.workspace_id());
    let group = (rng.usize(..2) == 0).then(|| rng.choice(["A", "B"]).unwrap());
    options.filter = group.map(|group| field("FirstName").is_equal_to(group));
    let (mut members, mut left_out) = (Vec::new(), Vec::new());
    for it in people.iter().filter(|it| group.is_none_or(|group| it.group == group)) {
        let reachable = if mail { it.email.is_some() } else { it.phone.is_some() };
        let recent = |pause: usize| it.contacts.iter().any(|days| *days <= pause);
        let reason = if !reachable {
            "no_address"
        } else if it.opted_out {
            "opted_out"
        } else if it.bounced && mail {
            "bounced"
        } else if it.invited && !options.again {
            "invited"
        } else if options.pause_days.is_some_and(recent) {
            "contacted"
        } else if !options.other_languages && it.language.is_some_and(|it| !languages.contains(&it)) {
            "no_text"
        } else if options.cap.is_some_and(|cap| members.len() >= cap) {
            "beyond_cap"
        } else {
            members.push(it.id);
            continue;
        };
        left_out.push((it.id, reason));
    }
    Wanted { options, members, left_out }
}

#[test]
fn a_plan_is_what_leaves_the_platform() {
    let long = std::env::var_os("SONDAGE_LONG").is_some();
    let seed = std::env::var("SONDAGE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1996);
    let (trials, begun) = (if long { 1_000_usize } else { 200 }, Instant::now());
    let (scene, mut rng) = (Scene::new(), Rng::with_seed(seed));
    let (mut messages, mut reminders, mut empty, mut reasons) = (0, 0, 0, HashSet::new());
    for trial in 0..trials {
        if long && trial > 0 && trial.is_multiple_of(100) {
            println!("{trial} of {trials} panels after {} s", begun.elapsed().as_secs());
        }
        let (panel, mut people) = scene.panel(&mut rng, trial);
        for _ in 0..rng.usize(..4) {
            scene.happen(&mut rng, panel, &mut people);
        }
        for it in &mut people {
            if rng.usize(..5) == 0 {
                scene.opt_out(&mut rng, panel, it);
            }
        }
        let Wanted { options, members, left_out } = wanted(&scene, &mut rng, panel, &people);
        let mail = options.channel.is_none();
        scene.sandbox.ledger().clear();
        let shown = format!("seed {seed}, panel {trial}: {options:?}");
        reasons.extend(left_out.iter().map(|(_, reason)| *reason));
        let plan = scene.client.plan_invite(options).expect("a plan");
        let told: Vec<_> = plan.left_out().iter().map(|left| (left.member, left.reason.as_str())).collect();
        assert_eq!((plan.members(), &told), (&members[..], &left_out), "{shown}");
        scene.sandbox.ledger().clear();
        let report = plan.wait(plan.token()).expect("a report");
        if members.is_empty() {
            assert!(scene.sandbox.ledger().requests("*").is_empty(), "{shown}");
            empty += 1;
            continue;
        }
        assert_eq!(scene.sent("InviteMembers"), members, "{shown}");
        assert_eq!(scene.sandbox.ledger().requests("*").len() as u64, plan.calls(), "{shown}");
        messages += members.len();
        if mail {
            let distributor = report.distributor_id.expect("a distributor");
            people.retain(|it| members.contains(&it.id));
            reminders += scene.remind(&mut rng, panel, distributor, &mut people, &shown);
        }
    }
    assert!(reminders > 0, "somebody was reminded");
    assert_eq!(reasons.len(), 7, "every reason was met: {reasons:?}");
    let seconds = begun.elapsed().as_secs();
    println!(
        "{trials} panels, {messages} messages, {reminders} reminders, {empty} without an audience, 0 more and 0 less than planned, {seconds} s"
    );
}
