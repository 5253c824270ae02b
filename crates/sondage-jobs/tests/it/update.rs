//! Updates of members from rows, over HTTP against a sandbox: what is planned, sent and reported.

use crate::support;
use crate::support::sandbox::client;
use sondage::condition::field;
use sondage::model::*;
use sondage::{Client, ErrorKind, Result, internals::runtime};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{ImportOptions, UpdateOptions};
use sondage_jobs::{Rows, SkipReason, UpdatePlan, UpdateReport};
use sondage_sandbox::{Fault, Sandbox};

struct Scene {
    sandbox: Sandbox,
    client: Client,
    panel: i64,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let (client, panel) = (client(&sandbox, 70), sandbox.panel_id());
        Self { sandbox, client, panel }
    }

    /// The members of the demo, in their order.
    fn members(&self) -> Vec<Member> {
        let members = self.client.members(self.panel);
        runtime::block_on(async move { members.collect_all().await }).expect("members")
    }

    fn emails(&self) -> Vec<String> {
        self.members().iter().map(|member| member.text("Email").unwrap_or_default().to_owned()).collect()
    }

    fn by(&self, key: &str) -> UpdateOptions {
        UpdateOptions::new(self.panel, key)
    }

    fn plan(&self, options: UpdateOptions, rows: Rows) -> Result<UpdatePlan> {
        let update = self.client.update_members_by(options);
        runtime::block_on(async move { update.plan(rows).await })
    }

    fn sent(&self) -> usize {
        self.sandbox.ledger().requests("UpdateMembers").len()
    }

    /// Rows that give each of the first members a division.
    fn divisions(&self, count: usize, division: &str) -> Rows {
        let emails = self.emails();
        Rows::of(emails[..count].iter().map(|email| [("Email", email.as_str()), ("Division", division)]))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn as_the_document_shows_it() {
    let sandbox = Sandbox::demo().await.expect("a sandbox");
    let (client, panel_id) = (client(&sandbox, 70), sandbox.panel_id());
    let first = client.members(panel_id).collect_all().await.expect("members").swap_remove(0);
    let email = first.text("Email").expect("an address");
    let rows = Rows::of([
        [("Email", email), ("Division", "Moon")],
        [("Email", "nobody@example.org"), ("Division", "Moon")],
    ]);
    let plan =
        client.update_members_by(UpdateOptions::new(panel_id, "Email")).plan(rows).await.expect("a plan");
    println!("{plan}");
    for change in &plan.changes {
        println!("{}: {} from {:?} to {:?}", change.member, change.field, change.old, change.new);
    }
    let report = plan.apply().await;
    assert_eq!(report.applied, [first.id]);
}

fn skipped(plan: &UpdatePlan) -> Vec<(usize, SkipReason)> {
    plan.skipped.iter().map(|skipped| (skipped.row, skipped.reason)).collect()
}

fn apply(plan: UpdatePlan) -> UpdateReport {
    runtime::block_on(async move { Ok(plan.apply().await) }).expect("a report")
}

#[test]
fn a_plan_shows_every_change_and_sends_nothing() {
    let scene = Scene::new();
    let members = scene.members();
    let emails = scene.emails();
    let same = members[1].text("Division").expect("a division").to_owned();
    let rows = Rows::of([
        [("Email", emails[0].as_str()), ("Division", "Moon")],
        [("Email", emails[1].as_str()), ("Division", same.as_str())],
        [("Email", "nobody@example.org"), ("Division", "Moon")],
        [("Email", emails[2].as_str()), ("Division", "Moon")],
        [("Email", emails[2].as_str()), ("Division", "Mars")],
        [("Email", ""), ("Division", "Moon")],
    ]);
    let plan = scene.plan(scene.by("Email"), rows).expect("a plan");
    let [change] = &plan.changes[..] else { panic!("{plan}") };
    assert_eq!((change.row, change.member, change.field.as_str()), (0, members[0].id, "Division"));
    assert_eq!((&change.old, &change.new), (&members[0].fields["Division"].value, &"Moon".into()));
    assert_eq!(
        skipped(&plan),
        [
            (2, SkipReason::Unknown),
            (3, SkipReason::TwiceInRows),
            (4, SkipReason::TwiceInRows),
            (5, SkipReason::NoKey)
        ]
    );
    assert_eq!((plan.rows, plan.unchanged, plan.members(), scene.sent()), (6, 1, 1, 0));
    let said = plan.to_string();
    assert!(
        said.contains("6 rows would change 1 member in 1 value")
            && said.contains("another row has too: 3, 4"),
        "{said}"
    );
    let shown = format!("{plan:?} {:?}", plan.changes);
    assert!(!shown.contains("Moon") && !shown.contains('@'), "values are about people: {shown}");
}

#[test]
fn applying_sends_only_what_differs_and_a_second_run_nothing() {
    let scene = Scene::new();
    scene.sandbox.change_profile(|profile| profile.keep_bodies = true);
    let rows = scene.divisions(25, "Moon");
    let report = apply(scene.plan(scene.by("Email").chunk_size(10_usize), rows.clone()).expect("a plan"));
    let ids: Vec<i64> = scene.members()[..25].iter().map(|member| member.id).collect();
    assert_eq!(report.applied, ids);
    assert!(report.stopped.is_none() && report.issues.is_empty());
    assert_eq!(scene.sent(), 3, "25 members in chunks of 10");
    let sent = scene.sandbox.ledger().requests("UpdateMembers");
    let body: serde_json::Value =
        serde_json::from_str(sent[0].body.as_deref().expect("a body")).expect("JSON");
    assert_eq!(body["members"][0]["fields"].as_object().expect("fields").len(), 1, "the key is not sent");
    let again = scene.plan(scene.by("Email"), rows).expect("a plan");
    assert!(again.is_empty() && again.unchanged == 25, "{again}");
    assert!(apply(again).applied.is_empty());
    assert_eq!(scene.sent(), 3);
}

#[test]
fn rows_of_every_kind_of_key() {
    let scene = Scene::new();
    let member = scene.members().swap_remove(4);
    let (email, phone) = (member.text("Email").expect("an address"), &member.fields["CellPhoneNumber"].value);
    let division = ("Division", FieldValue::from("Moon"));
    let by = |update: UpdateOptions, key: &str, value: FieldValue| {
        scene.plan(update, Rows::of([[(key, value), division.clone()]])).expect("a plan").changes.len()
    };
    assert_eq!(by(scene.by("Id"), "Id", member.id.into()), 1, "by the number");
    assert_eq!(by(scene.by("Id"), "Id", member.id.to_string().into()), 1, "as in a CSV file");
    let text = phone.as_i64().expect("a number").to_string();
    assert_eq!(by(scene.by("CellPhoneNumber"), "CellPhoneNumber", text.into()), 1);
    let upper = email.to_uppercase();
    assert_eq!(by(scene.by("Email"), "Email", upper.clone().into()), 0);
    assert_eq!(by(scene.by("Email").ignore_case(true), "Email", upper.into()), 1);
}

#[test]
fn a_key_that_two_members_have_changes_neither() {
    let scene = Scene::new();
    let email = scene.emails().swap_remove(0);
    let twin = NewMember::of([("Email", email.as_str()), ("Division", "Moon")]);
    let (client, panel) = (scene.client.clone(), scene.panel);
    let created =
        runtime::block_on(
            async move { client.create_members(CreateMembersRequest::new(panel, [twin])).await },
        );
    assert!(created.expect("an answer").validation_issues.is_empty());
    let plan = scene.plan(scene.by("Email"), scene.divisions(1, "Mars")).expect("a plan");
    assert_eq!(skipped(&plan), [(0, SkipReason::TwiceInPanel)]);
    assert!(plan.is_empty());
}

#[test]
fn a_missing_value_keeps_unless_it_is_to_clear() {
    let scene = Scene::new();
    let email = scene.emails().swap_remove(0);
    let rows = || {
        let mut rows = Rows::new(["Email", "Division"]);
        rows.push(vec![email.as_str().into(), FieldValue::Null]);
        rows
    };
    let kept = scene.plan(scene.by("Email"), rows()).expect("a plan");
    assert!(kept.is_empty() && kept.unchanged == 1);
    let cleared = scene.plan(scene.by("Email").clear_nulls(true), rows()).expect("a plan");
    assert_eq!(cleared.changes.len(), 1);
    assert_eq!(apply(cleared).applied.len(), 1);
    assert!(scene.members()[0].fields["Division"].value.is_null());
    assert!(scene.plan(scene.by("Email").clear_nulls(true), rows()).expect("a plan").is_empty());
}

#[test]
fn what_is_wrong_is_said_before_anything_is_sent() {
    let scene = Scene::new();
    let email = scene.emails().swap_remove(0);
    let rows =
        |column: &str, value: FieldValue| Rows::of([[("Email", email.as_str().into()), (column, value)]]);
    let wrong = |update: UpdateOptions, rows: Rows, words: &[&str]| {
        let error = scene.plan(update, rows).expect_err("a mistake");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        let said = error.to_string();
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        assert!(!said.contains('@'), "no values: {said}");
    };
    wrong(scene.by("Email"), rows("Colour", "red".into()), &["`Colour`", "`Division`"]);
    wrong(scene.by("Badge"), rows("Badge", "x".into()), &["no field `Badge`"]);
    wrong(scene.by("LastName"), rows("Division", "x".into()), &["no column \"LastName\""]);
    wrong(scene.by("Email"), rows("Gender", "male".into()), &["row 0", "Gender", "an integer"]);
    wrong(scene.by("Email"), rows("Division", 7.into()), &["row 0", "Division", "a text"]);
    wrong(scene.by("Email"), Rows::new(["Email", "Devision"]), &["no field `Devision`"]);
    wrong(scene.by("Email"), Rows::of([[("Email", email.as_str())]]), &["no column besides the key"]);
    wrong(scene.by("Id"), Rows::of([[("Id", "seven"), ("Division", "x")]]), &["row 0", "wrong type"]);
    let mut twice = Rows::new(["Email", "Division", "Division"]);
    twice.push(vec![]);
    wrong(scene.by("Email"), twice, &["two columns"]);
    assert_eq!(scene.sent(), 0);
    // Columns that are not selected may be of any type.
    let chosen = scene.by("Email").fields(vec!["Division".to_owned()]);
    let both = Rows::of([[("Email", email.as_str()), ("Colour", "red"), ("Division", "Moon")]]);
    assert_eq!(scene.plan(chosen, both).expect("a plan").changes.len(), 1);
}

/// If the line with the names is missing in a file, the first person was read as names.
#[test]
fn no_error_about_columns_shows_a_person() {
    let scene = Scene::new();
    let persons: [&[&str]; 4] = [
        &["ada@people.example", "Ada", "Lovelace"],
        &["ada@people.example", "Ada", "Ada"],
        &["ada@people.example"],
        &["ada@people.example;Ada;Lovelace"],
    ];
    for names in persons {
        let rows = || {
            let mut rows = Rows::new(names.iter().copied());
            rows.push(names.iter().map(|_| "x".into()).collect());
            rows
        };
        let import = scene.client.import_members(ImportOptions::new(scene.panel, "Email"));
        let given = rows();
        let errors = [
            scene.plan(scene.by("Email"), rows()).map(drop).expect_err("no names"),
            runtime::block_on(async move { import.run(given).await }).map(drop).expect_err("no names"),
        ];
        let source = sondage_jobs::options::RowSource::of(rows()).err();
        for error in errors.into_iter().chain(source) {
            let said = format!("{error} {error:?}");
            assert!(!said.contains("people.example") && !said.contains("Ada"), "{said}");
            assert!(said.contains("number "), "{said}");
        }
    }
    assert_eq!(scene.sent(), 0);
}

#[test]
fn a_member_whom_the_service_refuses_is_named() {
    let scene = Scene::new();
    let ids: Vec<String> = scene.members()[..3].iter().map(|member| member.id.to_string()).collect();
    let addresses = ["new1@example.org", "no address", "new3@example.org"];
    let rows = Rows::of(ids.iter().zip(addresses).map(|(id, email)| [("Id", id.as_str()), ("Email", email)]));
    let report = apply(scene.plan(scene.by("Id"), rows).expect("a plan"));
    let text = |ids: &[i64]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(text(&report.applied), [ids[0].as_str(), ids[2].as_str()]);
    assert_eq!(text(&report.refused), [ids[1].as_str()]);
    assert_eq!(report.issues.len(), 1);
    assert!(report.stopped.is_none() && report.unknown.is_empty());
}

#[test]
fn a_lost_answer_is_repeated_and_has_one_effect() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("UpdateMembers").cut_after_effect());
    let report = apply(scene.plan(scene.by("Email"), scene.divisions(5, "Moon")).expect("a plan"));
    assert_eq!(report.applied.len(), 5);
    assert!(report.stopped.is_none());
    assert_eq!(scene.sent(), 2, "retried, because it has the same effect");
}

#[test]
fn what_stays_unknown_is_read_back_and_what_comes_after_is_not_sent() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("UpdateMembers").skip(1).times(100).cut_after_effect());
    let rows = scene.divisions(30, "Moon");
    let report = apply(scene.plan(scene.by("Email").chunk_size(10_usize), rows.clone()).expect("a plan"));
    assert_eq!(report.stopped.as_ref().map(sondage::Error::kind), Some(ErrorKind::OutcomeUnknown));
    assert_eq!((report.applied.len(), report.left.len(), report.unknown.len()), (20, 10, 0), "{report:?}");
    scene.sandbox.clear_faults();
    let rest = scene.plan(scene.by("Email"), rows).expect("a plan");
    assert_eq!((rest.members(), rest.unchanged), (10, 20), "it resumes where it stopped");
    assert_eq!(apply(rest).applied.len(), 10);
    let moved = scene.client.members(scene.panel).filter(field("Division").is_equal_to("Moon"));
    assert_eq!(moved.iter().count(), 30);
}

#[test]
fn a_service_that_fails_after_it_had_the_members_is_not_believed() {
    for fault in [
        Fault::on("UpdateMembers").after_effect().status(500),
        Fault::on("UpdateMembers").after_effect().status(200).body("no answer"),
    ] {
        let scene = Scene::new();
        let rows = scene.divisions(5, "Moon");
        let planned = scene.plan(scene.by("Email"), rows).expect("a plan");
        scene.sandbox.fault(fault.times(100));
        let report = apply(planned);
        assert!(report.stopped.is_some());
        assert_eq!((report.applied.len(), report.left.len()), (5, 0), "{report:?}");
    }
}

#[test]
fn a_list_that_is_not_whole_is_no_plan() {
    let scene = Scene::new();
    let rows = scene.divisions(5, "Moon");
    scene.sandbox.fault(Fault::on("ReadMemberList").skip(1).times(100).cut_before_request());
    let error = scene.plan(scene.by("Email"), rows).expect_err("no plan");
    assert!(matches!(error.kind(), ErrorKind::Network | ErrorKind::Incomplete), "{error}");
    assert_eq!(scene.sent(), 0);
}

#[test]
fn a_plan_costs_what_it_says() {
    let mut scene = Scene::new();
    // A client that has read nothing yet must detect the first page number, which later readings need not.
    let people = scene.emails();
    scene.client = client(&scene.sandbox, 70);
    let rows = Rows::of(people[..5].iter().map(|email| [("Email", email.as_str()), ("Division", "First")]));
    let first = scene.plan(scene.by("Email"), rows).expect("a plan");
    let (cost, before) = (first.cost(), scene.sandbox.ledger().requests("*").len() as u64);
    assert_eq!(apply(first).applied.len(), 5);
    assert_eq!(scene.sandbox.ledger().requests("*").len() as u64 - before, cost.calls);
    let calls =
        || scene.sandbox.ledger().requests("*").iter().filter(|it| it.operation != "token").count() as u64;
    for (update, count) in [
        (scene.by("Email").chunk_size(10_usize), 25),
        (scene.by("Email").recheck(false), 30),
        (scene.by("Id"), 0),
    ] {
        let rows = if count == 0 {
            Rows::of([[("Id", "1"), ("Division", "Moon")]])
        } else {
            scene.divisions(count, &format!("Moon {count}"))
        };
        let planned = scene.plan(update, rows).expect("a plan");
        let (cost, before) = (planned.cost(), calls());
        assert_eq!(planned.facts().cost, cost);
        let shown = planned.to_string();
        assert_eq!(shown.contains(&format!("applying it costs {cost}")), count > 0, "{shown}");
        assert!((cost.bytes > 0) == (count > 0) && cost.minutes < 1.0, "{cost:?}");
        assert_eq!(apply(planned).applied.len(), count);
        assert_eq!(calls() - before, cost.calls, "{count} members");
    }
}

#[test]
fn what_somebody_has_changed_since_is_not_overwritten() {
    let scene = Scene::new();
    let members = scene.members();
    let rows = scene.divisions(5, "Moon");
    let planned = scene.plan(scene.by("Email"), rows.clone()).expect("a plan");
    let other = UpdateMembersRequest::new(
        scene.panel,
        [
            MemberChange::of(members[1].id, [("Division", "Mars")]),
            MemberChange::of(members[2].id, [("Division", "Moon")]),
        ],
    );
    let client = scene.client.clone();
    runtime::block_on(async move { client.update_members(other).await }).expect("a change");
    let before = scene.sent();
    let report = apply(planned);
    let why = report.stopped.expect("a refusal").to_string();
    let ids: Vec<i64> = members[..5].iter().map(|member| member.id).collect();
    assert!(
        why.contains(&format!("1 have other values now ({}), 0 are gone (nobody)", members[1].id)),
        "{why}"
    );
    assert!(why.contains("Nothing was sent"), "{why}");
    assert_eq!((report.left, report.applied.len(), scene.sent()), (ids, 0, before));

    // Overwriting must be requested, and an old plan is refused.
    let late =
        scene.plan(scene.by("Email").max_age(std::time::Duration::ZERO), rows.clone()).expect("a plan");
    let why = apply(late).stopped.expect("a refusal").to_string();
    assert!(why.contains("seconds old, and may be at most 0"), "{why}");
    let anyway = scene.plan(scene.by("Email").recheck(false), rows).expect("a plan");
    assert_eq!(apply(anyway).applied.len(), 4);
}

#[test]
fn whoever_gives_up_still_learns_what_was_done() {
    let scene = Scene::new();
    let rows = scene.divisions(30, "Moon");
    let planned = scene.plan(scene.by("Email").chunk_size(10_usize), rows).expect("a plan");
    assert_eq!((planned.report().left.len(), planned.report().applied.len()), (30, 0));
    scene.sandbox.fault(Fault::on("UpdateMembers").skip(1).delay(support::DEADLINE));
    let gave_up = runtime::block_on(async move {
        let second_arrived = async {
            while scene.sandbox.ledger().requests("UpdateMembers").len() < 2 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        let gave_up = tokio::select! {
            _ = planned.apply() => false,
            () = second_arrived => true,
        };
        let report = planned.report();
        assert_eq!(
            (report.applied.len(), report.unknown.len(), report.left.len()),
            (10, 10, 10),
            "{report:?}"
        );
        Ok(gave_up)
    });
    assert!(gave_up.expect("a result"));
}
