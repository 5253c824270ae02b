//! Members that one call creates from rows and invites, against a sandbox. According to its ledger, exactly the plan is created
//! and sent, whatever happens to the call, and each row has its true outcome.
//!
//! `SONDAGE_LONG=1` takes 900 cells instead of 150, `SONDAGE_SEED` other ones.

use crate::support::happens::{HAPPENS, Happens, LATE};
use crate::support::sandbox::config;
use SendStatus::{Done, Refused, Unknown};
use fastrand::Rng;
use sondage::blocking::Client;
use sondage::internals::runtime;
use sondage::model::{
    CreateMembersRequest, CreatePanelRequest, EmailItem, FieldValue, NewMember, OptOutOperation,
    PanelMemberField, PanelMemberFieldType, ReadPanelRequest, WriteOptOutListRequest, WritePanelRequest,
};
use sondage::{Error, ErrorKind};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{CreateAndInviteOptions, RowSource};
use sondage_jobs::{JournalSummary, Rows, SendPlan, SendReport, SendStatus};
use sondage_sandbox::{EffectKind, Fault, FaultAction, Sandbox};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Numbers the journals of the scenes.
static SCENES: AtomicUsize = AtomicUsize::new(0);

/// A row: its values by the names of fields.
type Row = Vec<(&'static str, FieldValue)>;

fn row(email: &str, language: &str) -> Row {
    vec![("Email", email.into()), ("Language", language.into())]
}

struct Scene {
    sandbox: Sandbox,
    client: Client,
    panel: i64,
    journal: PathBuf,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.journal);
    }
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::new(config(&sandbox, 100)).expect("a client");
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let name = format!("sondage-newcomers-{}-{number}.journal", std::process::id());
        let mut scene = Self { sandbox, client, panel: 0, journal: std::env::temp_dir().join(name) };
        scene.panel = scene.new_panel();
        scene
    }

    fn new_panel(&self) -> i64 {
        let request = CreatePanelRequest::new(self.sandbox.workspace_id(), "Newcomers", "Basic");
        self.client.create_panel(request).expect("a panel").id.expect("a number")
    }

    fn options(&self, rows: impl IntoIterator<Item = Row>) -> CreateAndInviteOptions {
        let rows = RowSource::of(Rows::of(rows)).expect("rows");
        let [survey, template] = [self.sandbox.survey_id(), self.sandbox.message_template_id()];
        CreateAndInviteOptions::new(survey, self.panel, template, "Email").rows(rows).quiet(Duration::ZERO)
    }

    fn with_journal(&self, rows: impl IntoIterator<Item = Row>) -> CreateAndInviteOptions {
        self.options(rows).journal(self.journal.clone())
    }

    fn plan(&self, options: CreateAndInviteOptions) -> SendPlan {
        self.client.plan_create_and_invite(options).expect("a plan")
    }

    fn create(&self, emails: &[&str]) -> Vec<i64> {
        let members = emails.iter().map(|email| NewMember::of([("Email", *email)]));
        let made = self.client.create_members(CreateMembersRequest::new(self.panel, members));
        made.expect("members").members_ids.into_iter().flatten().collect()
    }

    fn add_field(&self, name: &str, kind: PanelMemberFieldType) {
        let mut field = PanelMemberField::new();
        (field.name, field.field_type) = (Some(name.to_owned()), Some(kind));
        let mut change = WritePanelRequest::new(self.panel);
        change.added_fields = Some(vec![field]);
        self.client.update_panel(change).expect("a change");
    }

    fn remove_field(&self, name: &str) {
        let panel = self.client.read_panel(ReadPanelRequest::new(self.panel)).expect("an answer").panel;
        let mut fields = panel.expect("a panel").groups.into_iter().flat_map(|group| group.fields);
        let mut change = WritePanelRequest::new(self.panel);
        change.removed_fields = fields.find(|field| field.name == name).map(|field| vec![field.id]);
        self.client.update_panel(change).expect("a change");
    }

    fn opt_out(&self, email: &str) {
        let mut request = WriteOptOutListRequest::new();
        request.panel_id = Some(self.panel);
        request.emails = Some(vec![EmailItem::new(email, OptOutOperation::Add)]);
        self.client.write_opt_out_list(request).expect("the list");
    }

    /// The panel's members: how many have each address.
    fn people(&self) -> BTreeMap<String, Vec<i64>> {
        let mut people: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for member in self.client.members(self.panel).fields(["Email"]) {
            let member = member.expect("a member");
            people.entry(member.text("Email").unwrap_or_default().to_owned()).or_default().push(member.id);
        }
        people
    }

    /// The members to whom messages went, in ascending order.
    fn sent(&self) -> Vec<i64> {
        let effects = self.sandbox.ledger().effects("CreateAndInviteMembers");
        let sent = effects.into_iter().filter(|it| it.kind == EffectKind::MessagesSent);
        let mut ids: Vec<i64> = sent.flat_map(|it| it.ids).map(|id| id.parse().expect("a number")).collect();
        ids.sort_unstable();
        ids
    }

    fn calls(&self) -> u64 {
        self.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64
    }

    /// Waits for a call whose caller has given up.
    fn settle(&self) {
        let end = Instant::now() + Duration::from_secs(30);
        while !self.client.as_async().pending_writes().is_empty() {
            assert!(Instant::now() < end, "a call that does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn statuses(report: &SendReport) -> Vec<SendStatus> {
    report.rows.iter().map(|row| row.status).collect()
}

fn refused<T: std::fmt::Debug>(result: sondage::Result<T>, why: &str) -> Error {
    let error = result.expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    let text = error.to_string();
    assert!(text.contains(why) && text.matches("Nothing was ").count() == 1, "{error}");
    error
}

fn run(plan: &SendPlan) -> SendReport {
    plan.wait(plan.token()).expect("a report")
}

#[test]
fn every_row_is_invited_or_left_out_for_a_reason() {
    let scene = Scene::new();
    let there = scene.create(&["old@example.com", "Near@example.com"]);
    scene.opt_out("NO@example.com");
    let rows = [
        row("ada@example.com", "de"),
        row("old@example.com", "de"),
        row("near@example.com", "de"),
        row("twin@example.com", "de"),
        row("twin@example.com", "en"),
        row("no@example.com", "de"),
        row("it@example.com", "it"),
        vec![("Email", "bea@example.com".into()), ("CellPhoneNumber", "0791234567".into())],
        row("", "de"),
        vec![("Email", "cem@example.com".into()), ("CellPhoneNumber", "41791234567".into())],
        row("dan@example.com", "de"),
    ];
    let plan = scene.plan(scene.options(rows).cap(2_usize));
    assert_eq!((plan.rows(), plan.count(), plan.matches()), (&[0, 9][..], 2, 11));
    assert!(plan.members().is_empty() && plan.left_out().is_empty());
    let left = plan.rows_left_out();
    let told: Vec<(i64, &str, Option<i64>)> =
        left.iter().map(|left| (left.row, left.reason.as_str(), left.member)).collect();
    let wanted = [
        (1, "exists", Some(there[0])),
        (2, "exists", None),
        (3, "same_key", None),
        (4, "same_key", None),
        (5, "opted_out", None),
        (6, "no_text", None),
        (7, "invalid", None),
        (8, "invalid", None),
        (10, "beyond_cap", None),
    ];
    assert_eq!(told, wanted);
    let why = |at: usize| left[at].why.as_deref().unwrap_or_default();
    assert_eq!(why(1), format!("the member {} has the same key, except for case or spaces", there[1]));
    assert_eq!(why(3), "row 3 has the same key");
    assert_eq!(why(6), "the column \"CellPhoneNumber\" needs an integer without leading zeros");
    assert_eq!(why(7), "it has no key");
    let text = plan.to_string();
    assert!(
        text.contains(
            "creates and invites 2 of 11: 2 do not fit the panel, 2 have the keys of other rows, 2 are in the panel already, 1 \
             opted out, 1 has no text in the own language, 1 is beyond the cap\n"
        ),
        "{text}"
    );
    assert!(text.contains("1 to send, and 2 to read the new members back"), "{text}");

    scene.sandbox.ledger().clear();
    let report = run(&plan);
    assert_eq!(scene.calls(), plan.calls(), "the plan predicted the number of calls");
    let people = scene.people();
    let [ada, cem] = ["ada@example.com", "cem@example.com"].map(|email| people[email][0]);
    assert_eq!((scene.sent(), people.len()), (vec![ada, cem], 4));
    assert_eq!((report.done, report.rows.len(), report.complete), (2, 11, true), "{report:?}");
    assert_eq!(report.members, [ada, cem]);
    let of = |row: usize| (report.rows[row].status, report.rows[row].member_id);
    assert_eq!((of(0), of(9)), ((Done, Some(ada)), (Done, Some(cem))));
    assert_eq!(of(1), (SendStatus::LeftOut, Some(there[0])));
    assert_eq!(report.rows[8].reason.as_deref(), Some("invalid: it has no key"));
    assert!(report.distributor_id.is_some() && report.stopped.is_none());
    let again = scene.client.plan_create_and_invite(scene.options([row("ada@example.com", "de")]));
    let again = again.expect("a plan");
    assert!(again.to_string().contains("0 of 1: 1 is in the panel already"), "{again}");
    assert!(again.to_string().contains("nobody is left: running it sends nothing"), "{again}");
    let (none, sent) =
        (scene.client.plan_create_and_invite(scene.options([])).expect("a plan"), scene.sent());
    for plan in [again, none] {
        let report = run(&plan);
        assert_eq!((plan.count(), report.done, report.complete), (0, 0, true), "{report:?}");
        assert!(report.to_string().contains("nothing was sent") || report.rows.len() == 1, "{report}");
    }
    assert_eq!(scene.sent(), sent);
}

#[test]
fn what_cannot_be_planned_is_refused_and_changes_nothing() {
    let scene = Scene::new();
    let plan = |options| scene.client.plan_create_and_invite(options);
    let ada = || [row("ada@example.com", "de")];
    refused(plan(scene.options(ada()).cap(0_usize)), "`cap` is 0");
    refused(plan(scene.options(ada()).channel("Letter")), "`channel` is \"Letter\"");
    assert_eq!(scene.sandbox.ledger().requests("ReadPanel").len(), 0, "that needs no reading");
    refused(plan(scene.options([vec![("Mail", "a@example.com".into())]])), "the columns number 1; it has");
    let mut other = scene.options(ada());
    other.key = "FirstName".to_owned();
    refused(plan(other), "no column \"FirstName\" to use as the key");
    let names = ["Email", "Email"];
    let mut twice = Rows::new(names);
    twice.push(vec!["a@example.com".into(), "b@example.com".into()]);
    refused(RowSource::of(twice), "number 1 and 2 of the rows have the same name");

    let made = plan(scene.options(ada())).expect("a plan");
    refused(made.wait("1-aaaaaa"), "does not confirm this plan");
    scene.create(&["ada@example.com"]);
    refused(made.wait(made.token()), "0 added (nobody), 1 removed (row 0)");

    scene.add_field("Room", PanelMemberFieldType::Number);
    let bea = vec![("Email", "bea@example.com".into()), ("Room", "7".into())];
    let made = plan(scene.options([bea])).expect("a plan");
    scene.remove_field("Room");
    scene.add_field("Room", PanelMemberFieldType::String);
    refused(
        made.wait(made.token()),
        "then the fields Email (String), Room (Number), now the fields Email (String), Room (String)",
    );
    assert!(scene.sent().is_empty() && !scene.people().contains_key("bea@example.com"));
}

#[test]
fn a_row_that_the_service_refuses_is_told_from_those_that_it_takes() {
    let scene = Scene::new();
    let rows = || [row("ada@example.com", "de"), row("not an address", "de"), row("bea@example.com", "de")];
    let report = run(&scene.plan(scene.with_journal(rows())));
    assert_eq!(statuses(&report), [Done, Refused, Done], "{report:?}");
    assert!(report.rows[1].reason.as_deref().is_some_and(|why| why.contains("not valid")), "{report:?}");
    assert_eq!((report.refused, report.complete, scene.sent().len()), (1, true, 2));

    let journal = std::fs::read_to_string(&scene.journal).expect("a journal");
    assert!(!journal.contains("example.com") && !journal.contains("not an address"), "{journal}");
    let shown = JournalSummary::read(&scene.journal).expect("a journal");
    assert_eq!((shown.done, shown.refused, shown.ended), (2, 1, true), "{shown}");
    let calls = scene.calls();
    let told = run(&scene.plan(scene.with_journal(rows())));
    assert_eq!((statuses(&told), scene.calls()), (statuses(&report), calls), "told without a call");
    assert_eq!((told.members, told.resumed), (report.members, true));
    let other = || [row("ada@example.com", "de"), row("dan@example.com", "de"), row("bea@example.com", "de")];
    refused(scene.client.plan_create_and_invite(scene.with_journal(other())), "its rows, its message");
    refused(
        scene.client.plan_create_and_invite(scene.with_journal(rows()).sender_name("Ada")),
        "its message, its survey",
    );
}

#[test]
fn a_call_without_an_answer_is_found_by_the_next_run() {
    for (fault, done) in [
        (Fault::on("CreateAndInviteMembers").cut_after_effect(), true),
        (
            Fault::on("CreateAndInviteMembers").times(9).action(FaultAction::NotSuccess {
                error_code: "Busy".to_owned(),
                error_message: "Not now.".to_owned(),
            }),
            false,
        ),
    ] {
        let scene = Scene::new();
        let rows =
            || [row("ada@example.com", "de"), row("not an address", "de"), row("bea@example.com", "de")];
        scene.sandbox.fault(fault);
        let plan = scene.plan(scene.with_journal(rows()));
        let ran = plan.wait(plan.token());
        scene.sandbox.clear_faults();
        if done {
            let report = ran.expect("a report");
            assert_eq!(statuses(&report), [Unknown; 3]);
            assert!(report.stopped.is_some_and(|error| error.kind() == ErrorKind::OutcomeUnknown));
            let shown = JournalSummary::read(&scene.journal).expect("a journal").to_string();
            assert!(shown.contains("sent and not answered: [0, 1, 2]"), "{shown}");
        } else {
            assert!(ran.expect_err("a refusal").changed_nothing() && scene.sent().is_empty());
        }
        let next = scene.plan(scene.with_journal(rows()));
        assert_eq!(next.count(), if done { 1 } else { 3 }, "{next}");
        if done {
            let sent: Vec<_> = next.rows_left_out().iter().map(|left| left.reason.as_str()).collect();
            assert_eq!(sent, ["sent", "sent"]);
        }
        let report = run(&next);
        assert_eq!(statuses(&report), [Done, Refused, Done], "{report:?}");
        assert_eq!((report.members, scene.sent().len()), (scene.sent(), 2));
    }
}

#[test]
fn a_member_who_is_not_seen_yet_is_not_called_refused() {
    let scene = Scene::new();
    let rows = || [row("ada@example.com", "de"), row("bea@example.com", "de")];
    let plan = scene.plan(scene.with_journal(rows()));
    // Reading the list after the call fails.
    scene.sandbox.fault(Fault::on("ReadMemberList").skip(3).every().status(403));
    let report = run(&plan);
    scene.sandbox.clear_faults();
    assert_eq!((statuses(&report), report.members.len()), (vec![Done, Done], 0), "{report:?}");
    assert!(report.stopped.as_ref().is_some_and(|error| error.status() == Some(403)), "{report:?}");
    let told = run(&scene.plan(scene.with_journal(rows())));
    assert_eq!((statuses(&told), told.members), (vec![Done, Done], scene.sent()));
}

/// The plan of a cell: the rows, and for each whether a call may create a member from it; `None`: the service refuses it.
struct Wanted {
    rows: Vec<Row>,
    meant: Vec<Option<bool>>,
}

impl Scene {
    fn wanted(&self, rng: &mut Rng, cell: usize) -> Wanted {
        let mut wanted = Wanted { rows: Vec::new(), meant: Vec::new() };
        for number in 0..2 + rng.usize(..8) {
            let email = format!("p{cell}x{number}@example.com");
            // The first two rows ensure that there is a call that creates a member.
            let (meant, row) = match if number == 0 { 9 } else { rng.usize(..9) } {
                0 => {
                    self.create(&[&email]);
                    (Some(false), row(&email, "de"))
                }
                1 => {
                    self.opt_out(&email);
                    (Some(false), row(&email, "de"))
                }
                2 => (Some(false), row(&email, "it")),
                3 => (Some(false), row("", "de")),
                4 => (None, row(&format!("{number} no address"), "de")),
                _ => (Some(true), row(&email, "de")),
            };
            wanted.rows.push(row);
            wanted.meant.push(meant);
        }
        wanted
    }

    /// Compares a report with the panel and the ledger. Returns whether everything is done or refused.
    fn judge(&self, what: &str, wanted: &Wanted, before: &BTreeMap<String, Vec<i64>>, report: &SendReport) {
        let (people, sent) = (self.people(), self.sent());
        assert_eq!(sent.iter().collect::<HashSet<_>>().len(), sent.len(), "{what}: {sent:?}");
        assert_eq!(report.rows.len(), wanted.rows.len(), "{what}: a row for each");
        let mut reached = 0;
        for (at, told) in report.rows.iter().enumerate() {
            let email = wanted.rows[at][0].1.as_str().unwrap_or_default();
            let there = people.get(email).map(Vec::as_slice).unwrap_or_default();
            assert!(there.len() <= 1, "{what}, row {at}: twice in the panel");
            let new = there.first().filter(|id| sent.contains(id));
            reached += usize::from(new.is_some());
            let was = before.contains_key(email) && new.is_none();
            let fits = match (told.status, wanted.meant[at]) {
                (Done, Some(true)) => new.is_some() && told.member_id.is_none_or(|id| Some(&id) == new),
                (Unknown, Some(true)) => there.is_empty() || new.is_some(),
                (Unknown | Refused | SendStatus::NotSent, None) | (SendStatus::NotSent, Some(true)) => {
                    there.is_empty()
                }
                (SendStatus::LeftOut, Some(false)) => there.is_empty() || was,
                _ => false,
            };
            assert!(fits, "{what}, row {at}: {told:?}, in the panel {there:?}, messages to {sent:?}");
        }
        assert_eq!(reached, sent.len(), "{what}: a message that belongs to no row");
    }

    /// The report of a run whose caller gives up after the call was sent.
    fn given_up(&self, plan: &SendPlan) -> sondage::Result<SendReport> {
        let (running, ledger) = (plan.clone(), self.sandbox.ledger());
        runtime::block_on(async move {
            tokio::select! {
                done = running.run(running.token()) => done,
                () = async {
                    while ledger.requests("CreateAndInviteMembers").is_empty() {
                        tokio::time::sleep(Duration::from_millis(2)).await;
                    }
                } => Ok(running.report()),
            }
        })
    }

    fn cell(&mut self, rng: &mut Rng, cell: usize, (name, happens): Happens) {
        self.panel = self.new_panel();
        let wanted = self.wanted(rng, cell);
        let journal = rng.usize(..4) > 0;
        let what = format!("{cell}: {name}, journal {journal}, {:?}", wanted.meant);
        let _ = std::fs::remove_file(&self.journal);
        let before = self.people();
        let options = || {
            if journal { self.with_journal(wanted.rows.clone()) } else { self.options(wanted.rows.clone()) }
        };
        self.sandbox.ledger().clear();
        let plan = self.client.plan_create_and_invite(options());
        let plan = plan.unwrap_or_else(|error| panic!("{what}: {error}"));
        let meant = wanted.meant.iter().filter(|meant| **meant != Some(false)).count();
        assert_eq!(plan.count(), meant, "{what}: {plan}");
        self.sandbox.ledger().clear();
        self.sandbox.fault(happens(Fault::on("CreateAndInviteMembers")));
        let ran = if name == LATE { self.given_up(&plan) } else { plan.wait(plan.token()) };
        self.settle();
        self.sandbox.clear_faults();
        let nothing = name == HAPPENS[0].0;
        assert!(!nothing || self.calls() == plan.calls(), "{what}: {} of {}", self.calls(), plan.calls());
        let mut report = match ran {
            Ok(report) => report,
            Err(error) => {
                assert!(error.changed_nothing() && self.sent().is_empty(), "{what}: {error}");
                plan.report()
            }
        };
        self.judge(&what, &wanted, &before, &report);
        // The same plan is made again and continues; without a journal, only if nothing was sent.
        let again = |report: &SendReport| !report.complete && (journal || report.unknown == 0);
        for _ in 0..4 {
            if !again(&report) {
                break;
            }
            match self.client.plan_create_and_invite(options()).and_then(|plan| plan.wait(plan.token())) {
                Ok(next) => report = next,
                Err(error) => panic!("{what}, again: {error}"),
            }
            self.judge(&format!("{what}, again"), &wanted, &before, &report);
        }
        assert!(!again(&report), "{what}: {report:?}");
        if journal {
            assert_eq!(report.unknown, 0, "{what}: an invitation is found by what it leaves: {report:?}");
            let calls = self.calls();
            let told = self.client.plan_create_and_invite(options()).and_then(|plan| plan.wait(plan.token()));
            let told = told.unwrap_or_else(|error| panic!("{what}, told again: {error}"));
            assert_eq!(self.calls(), calls, "{what}: a finished journal is told without a call");
            assert_eq!(told.members, report.members, "{what}");
        }
    }
}

#[test]
fn what_is_planned_is_created_and_sent_once_whatever_happens() {
    let begun = Instant::now();
    let long = std::env::var_os("SONDAGE_LONG").is_some();
    let seed = std::env::var("SONDAGE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1996);
    let (cells, mut rng, mut scene) = (if long { 900 } else { 150 }, Rng::with_seed(seed), Scene::new());
    let mut sent = 0;
    for cell in 0..cells {
        scene.cell(&mut rng, cell, HAPPENS[cell % HAPPENS.len()]);
        sent += scene.sent().len();
    }
    assert!(sent > cells);
    println!(
        "{cells} plans that create and invite, {} with a fault, {sent} people, 0 twice, 0 against the plan, {} s",
        cells - cells / HAPPENS.len(),
        begun.elapsed().as_secs()
    );
}
