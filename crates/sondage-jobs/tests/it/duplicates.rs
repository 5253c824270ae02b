//! Rows with the same key, blanks around values, and keys that only look the same, over HTTP against a sandbox.

use crate::support::sandbox::client;
use sondage::internals::runtime;
use sondage::model::{FieldValue, Member};
use sondage::{Client, ErrorKind, Result};
use sondage_jobs::options::{CreateAndInviteOptions, Duplicates, ImportOptions, RowSource, UpdateOptions};
use sondage_jobs::{ImportReport, Jobs as _, RowStatus, Rows, SkipReason, UpdatePlan};
use sondage_sandbox::{Fault, Sandbox};
use std::path::PathBuf;
use std::time::Duration;

struct Scene {
    sandbox: Sandbox,
    client: Client,
    journal: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = client(&sandbox, 400);
        let name = format!("sondage-duplicates-{name}-{}.journal", std::process::id());
        Self { sandbox, client, journal: std::env::temp_dir().join(name) }
    }

    fn options(&self) -> ImportOptions {
        ImportOptions::new(self.sandbox.panel_id(), "Email").quiet(Duration::ZERO)
    }

    /// An import with a journal of its own, which is not used again.
    fn import(&self, options: ImportOptions, rows: Rows) -> Result<ImportReport> {
        let _ = std::fs::remove_file(&self.journal);
        self.resume(options, rows)
    }

    fn resume(&self, options: ImportOptions, rows: Rows) -> Result<ImportReport> {
        let import = self.client.import_members(options.journal(self.journal.clone()));
        runtime::block_on(async move { import.run(rows).await })
    }

    fn update(&self, options: UpdateOptions, rows: Rows) -> Result<UpdatePlan> {
        let update = self.client.update_members_by(options);
        runtime::block_on(async move { update.plan(rows).await })
    }

    fn members(&self, email: &str) -> Vec<Member> {
        let members = self.client.members(self.sandbox.panel_id());
        let mut members = runtime::block_on(async move { members.collect_all().await }).expect("members");
        members.retain(|member| member.text("Email") == Some(email));
        members
    }

    fn names(&self, email: &str) -> Vec<String> {
        let name = |member: &Member| member.text("FirstName").unwrap_or_default().to_owned();
        self.members(email).iter().map(name).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.journal);
    }
}

fn people(rows: &[(&str, &str)]) -> Rows {
    Rows::of(rows.iter().map(|(email, name)| [("Email", *email), ("FirstName", *name)]))
}

fn outcomes(report: &ImportReport) -> Vec<(&'static str, String)> {
    report.rows().map(|row| (row.status.as_str(), row.reason.unwrap_or_default())).collect()
}

const TWICE: [(&str, &str); 4] = [
    ("a@dup.example", "One"),
    ("b@dup.example", "Only"),
    ("a@dup.example", "Two"),
    ("a@dup.example", "Three"),
];

#[test]
fn the_first_or_the_last_of_the_rows_with_a_key_counts_if_the_caller_says_so() {
    for (duplicates, name, counting, word) in
        [(Duplicates::First, "One", 0, "first"), (Duplicates::Last, "Three", 3, "last")]
    {
        let scene = Scene::new(word);
        let options = || scene.options().duplicates(duplicates);
        let ahead = scene.import(options().dry_run(true), people(&TWICE)).expect("a report").facts();
        assert_eq!((ahead.to_create, ahead.duplicate, ahead.refused), (2, 2, 0), "{}", ahead.text);
        let report = scene.import(options(), people(&TWICE)).expect("a report");
        let reason = format!("row {counting} has the same key, and the {word} of them counts");
        for (row, (status, why)) in outcomes(&report).into_iter().enumerate() {
            let is_out = row != 1 && row != counting;
            let wanted = if is_out { ("duplicate", reason.clone()) } else { ("created", String::new()) };
            assert_eq!((status, why), wanted, "row {row}");
        }
        assert_eq!((scene.names("a@dup.example"), report.is_complete()), (vec![name.to_owned()], true));
        assert!(report.to_string().contains("2 created, 2 duplicate"), "{report}");
        // The same import again reports the same, and another one finds the member by the row that counts.
        let again = scene.resume(options(), people(&TWICE)).expect("a report");
        assert_eq!(outcomes(&again), outcomes(&report));
        let other = scene.import(options(), people(&TWICE)).expect("a report");
        assert_eq!(other.row(counting).expect("a row").status, RowStatus::Exists);
        assert_eq!(scene.sandbox.ledger().requests("CreateMembers").len(), 1);
    }
}

#[test]
fn without_that_none_of_them_counts() {
    let scene = Scene::new("error");
    let report = scene.import(scene.options(), people(&TWICE)).expect("a report");
    let statuses: Vec<&str> = outcomes(&report).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, ["refused", "created", "refused", "refused"]);
}

/// The last row counts although it cannot be imported: an earlier row may be out of date.
#[test]
fn keys_that_only_look_the_same_and_rows_that_do_not_fit_are_refused_in_any_case() {
    let scene = Scene::new("alike");
    let row = |email: &str, phone: &str| [("Email", email.to_owned()), ("CellPhoneNumber", phone.to_owned())];
    let rows = Rows::of([
        row("a@dup.example", ""),
        row("A@dup.example", ""),
        row("a@dup.example", ""),
        row("b@dup.example", "41791234567"),
        row("b@dup.example", "0791234567"),
        row("c@dup.example", ""),
        row("STRASSE@dup.example", ""),
        row("straße@dup.example", ""),
    ]);
    let report = scene.import(scene.options().duplicates(Duplicates::Last), rows).expect("a report");
    let statuses: Vec<&str> = outcomes(&report).into_iter().map(|(status, _)| status).collect();
    assert_eq!(
        statuses,
        ["refused", "refused", "refused", "duplicate", "refused", "created", "refused", "refused"]
    );
    let reasons: Vec<String> = outcomes(&report).into_iter().map(|(_, reason)| reason).collect();
    assert!(reasons[1].ends_with("has the same key, except for case or spaces"), "{reasons:?}");
    // The equal one would be no obstacle.
    assert_eq!(reasons[2], "row 1 has the same key, except for case or spaces");
    assert!(reasons[4].contains("without leading zeros"), "{reasons:?}");

    let none = Rows::of([row("d@dup.example", ""), row("d@dup.example", "07")]);
    let error = scene.import(scene.options().duplicates(Duplicates::Last), none).expect_err("an error");
    assert!(error.to_string().contains("none of the 2 rows can be imported (row 1: the column"), "{error}");
}

/// Otherwise the row of an earlier call would seem to be missing in the panel, and be sent again.
#[test]
fn an_interrupted_import_goes_on_with_the_same_choice_only() {
    let scene = Scene::new("resumed");
    let first = || scene.options().duplicates(Duplicates::First);
    scene.import(first().dry_run(true), people(&TWICE)).expect("a report");
    let reads = scene.sandbox.ledger().requests("ReadMemberList").len();
    scene.sandbox.fault(Fault::on("CreateMembers").cut_after_effect());
    let reads = u64::try_from(reads).expect("a number");
    let fault = scene.sandbox.fault(Fault::on("ReadMemberList").skip(reads).status(403).every());
    let report = scene.import(first(), people(&TWICE)).expect("a report");
    assert_eq!((report.count(RowStatus::Unknown), report.count(RowStatus::Duplicate)), (2, 2), "{report}");
    fault.remove();
    for duplicates in [Duplicates::Last, Duplicates::Error] {
        let error =
            scene.resume(scene.options().duplicates(duplicates), people(&TWICE)).expect_err("refused");
        let words = format!("with `duplicates` \"first\", and this one has {:?}", duplicates.as_str());
        assert!(error.to_string().contains(&words) && error.kind() == ErrorKind::InvalidArgument, "{error}");
    }
    let report = scene.resume(first(), people(&TWICE)).expect("a report");
    assert_eq!((report.count(RowStatus::Created), report.count(RowStatus::Duplicate)), (2, 2), "{report}");
    assert_eq!(scene.names("a@dup.example"), ["One"]);
}

#[test]
fn blanks_around_values_stay_unless_the_caller_says_otherwise() {
    let scene = Scene::new("strip");
    let rows = || {
        Rows::of([[
            ("Email", FieldValue::from("\u{a0} s@dup.example\t")),
            ("FirstName", " Ann  Lee ".into()),
            ("LastName", "  ".into()),
            ("CellPhoneNumber", " 41791234567 ".into()),
        ]])
    };
    let error = scene.import(scene.options(), rows()).expect_err("an error").to_string();
    assert!(error.contains("CellPhoneNumber"), "{error}");
    let key = people(&[(" s@dup.example", "Ann"), ("t@dup.example", " Ann ")]);
    let report = scene.import(scene.options(), key).expect("a report");
    let (status, reason) = &outcomes(&report)[0];
    assert_eq!(
        (*status, reason.as_str()),
        ("refused", "its key begins or ends with a space, which `strip` removes")
    );
    assert_eq!(scene.names("t@dup.example"), [" Ann "]);
    let report = scene.import(scene.options().strip(true), rows()).expect("a report");
    assert_eq!(report.count(RowStatus::Created), 1, "{:?}", outcomes(&report));
    assert_eq!(scene.names("s@dup.example"), ["Ann  Lee"]);
    let member = scene.members("s@dup.example").swap_remove(0);
    let value = |name: &str| member.value(name).cloned().unwrap_or(FieldValue::Null);
    assert_eq!((value("CellPhoneNumber"), value("LastName")), (41_791_234_567_i64.into(), FieldValue::Null));
    // Keys that are equal without the blanks are the same key.
    let twice = people(&[("u@dup.example ", "One"), (" u@dup.example", "Two")]);
    let options = scene.options().strip(true).duplicates(Duplicates::Last);
    let report = scene.import(options, twice).expect("a report");
    assert_eq!(report.count(RowStatus::Duplicate), 1, "{report}");
    assert_eq!(scene.names("u@dup.example"), ["Two"]);
}

#[test]
fn updates_take_the_same_choices_and_name_members_whose_keys_look_the_same() {
    let scene = Scene::new("updates");
    let mut rows = Rows::new(["FirstName", "Email"]);
    for (key, email) in [("A1", "a1@dup.example"), ("Zoé  Lee", "a2@dup.example"), ("A3", "a3@dup.example")]
    {
        rows.push(vec![key.into(), email.into()]);
    }
    scene.import(scene.options(), rows).expect("a report");
    let update = |names: &[(&str, &str)], change: fn(UpdateOptions) -> UpdateOptions| {
        let rows = Rows::of(names.iter().map(|(key, name)| [("FirstName", *key), ("LastName", *name)]));
        let plan = scene.update(change(UpdateOptions::new(scene.sandbox.panel_id(), "FirstName")), rows);
        let plan = plan.expect("a plan");
        let skipped: Vec<_> = plan.skipped.iter().map(|skipped| (skipped.row, skipped.reason)).collect();
        let new: Vec<_> = plan.changes.iter().map(|change| (change.row, change.new.clone())).collect();
        (skipped, new, plan.to_string())
    };
    let rows = [("A1", "x"), ("Zoe\u{301} Lee", "x"), ("A\u{200b}3", "x"), ("A4", "x")];
    let (skipped, changed, text) = update(&rows, |options| options);
    let similar = [1, 2].map(|row| (row, SkipReason::Similar));
    assert_eq!(skipped, [&similar[..], &[(3, SkipReason::Unknown)]].concat(), "{text}");
    assert_eq!(changed, [(0, "x".into())]);
    assert!(text.contains("2 rows with a key that a member has too, except for case"), "{text}");

    // Of rows that only look the same none counts, as in an import: the later one may be the correct one.
    let rows = [("A1", "old"), ("a\u{200b}1", "new"), ("A4", "x"), ("a4", "x"), ("A3", "x")];
    for duplicates in [Duplicates::Error, Duplicates::First, Duplicates::Last] {
        let change: fn(UpdateOptions) -> UpdateOptions = match duplicates {
            Duplicates::First => |options| options.duplicates(Duplicates::First),
            Duplicates::Last => |options| options.duplicates(Duplicates::Last),
            _ => |options| options,
        };
        let (skipped, changed, text) = update(&rows, change);
        let [twice, unknown] = [SkipReason::TwiceInRows, SkipReason::Unknown];
        assert_eq!(skipped, [(0, twice), (1, twice), (2, unknown), (3, unknown)], "{text}");
        assert_eq!(changed, [(4, "x".into())]);
    }

    let rows = [("A1", "x"), ("A1 ", " y "), ("A3", "  ")];
    let (skipped, changed, text) = update(&rows, |options| options.strip(true).duplicates(Duplicates::Last));
    assert_eq!((skipped, changed), (vec![(0, SkipReason::Duplicate)], vec![(1, "y".into())]), "{text}");
    let (skipped, changed, _) = update(&rows, |options| options.strip(true).duplicates(Duplicates::First));
    assert_eq!((skipped, changed), (vec![(1, SkipReason::Duplicate)], vec![(0, "x".into())]));
    let (skipped, ..) = update(&rows, |options| options.strip(true));
    assert_eq!(skipped, [(0, SkipReason::TwiceInRows), (1, SkipReason::TwiceInRows)]);
}

#[test]
fn plans_that_create_and_invite_take_the_same_choices() {
    let scene = Scene::new("invites");
    let [survey, template] = [scene.sandbox.survey_id(), scene.sandbox.message_template_id()];
    let row = |email: &str, name: &str| {
        [("Email", email.to_owned()), ("FirstName", name.to_owned()), ("Language", "de".to_owned())]
    };
    let rows = Rows::of([row("i@dup.example ", "One"), row("i@dup.example", " Two ")]);
    let source = RowSource::of(rows).expect("rows");
    let options =
        CreateAndInviteOptions::new(survey, scene.sandbox.panel_id(), template, "Email").rows(source);
    let plan = |options: CreateAndInviteOptions| {
        let client = scene.client.clone();
        runtime::block_on(async move { client.plan_create_and_invite(options).await }).expect("a plan")
    };
    assert_eq!(plan(options.clone()).facts().count, 0);
    let first = plan(options.clone().strip(true).duplicates(Duplicates::First)).facts();
    let plan = plan(options.strip(true).duplicates(Duplicates::Last));
    let facts = plan.facts();
    assert_eq!(facts.count, 1, "{plan}");
    assert_ne!(first.token, facts.token, "another person would be created");
    let [left_out] = &facts.rows_left_out[..] else { panic!("{facts:?}") };
    let why = left_out.why.as_deref();
    assert_eq!((left_out.row, why), (0, Some("row 1 has the same key, and the last of them counts")));
    let report = runtime::block_on(async move { plan.run(plan.token()).await }).expect("a report");
    assert!(report.stopped.is_none(), "{report}");
    assert_eq!(scene.names("i@dup.example"), ["Two"]);
}
